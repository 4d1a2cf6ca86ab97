import { callSafely } from '../port/call-safely.js';
import { OriginViolations, type OriginViolation } from './origin-violations.js';
import { checkOrigin } from '../handover/origins.js';
import { isAncestorOrDescendant } from '../handover/window-ancestry.js';

/** Options for the windows from which this window accepts messages. */
export interface FrameGateOptions {
  /**
   * The origins that may connect, each exactly as `new URL(address).origin` returns it, or as
   * `event.origin` names a webview. May be empty only if `sandboxedFrames` is not.
   */
  allowedOrigins: readonly string[];
  /**
   * Elements of frames of origin `null` that may connect: a frame with `sandbox` and without
   * `allow-same-origin` has no other origin. Any document in such an element may connect, from any
   * address; frames inside it may not.
   */
  sandboxedFrames?: readonly HTMLIFrameElement[] | undefined;
  /** Called for each message of a window that is not allowed. It is neither read nor answered. */
  onOriginViolation?: ((violation: OriginViolation) => void) | undefined;
}

/** An allowed window, as identified by the browser. */
export interface FrameSource {
  /** An allowed origin, or `null` for an allowed sandboxed frame. */
  readonly origin: string;
  readonly source: Window;
}

/**
 * Admits or rejects messages by `event.origin` and `event.source` only. The `data` and `ports` of a
 * rejected message are not read: reading them would also cost the time to deserialise them.
 *
 * @throws {TypeError} from the constructor, for an invalid origin, or if no window is allowed.
 */
export class FrameGate {
  readonly #origins: ReadonlySet<string>;
  readonly #sandboxed: readonly HTMLIFrameElement[];
  readonly #onviolation: FrameGateOptions['onOriginViolation'];
  readonly #violations = new OriginViolations();

  constructor({ allowedOrigins, sandboxedFrames = [], onOriginViolation }: FrameGateOptions) {
    this.#origins = new Set(checkOrigins(allowedOrigins));
    this.#sandboxed = checkElements(sandboxedFrames);
    this.#onviolation = onOriginViolation;
    if (this.#origins.size + this.#sandboxed.length === 0) {
      throw new TypeError('allowedOrigins is empty, and there are no sandboxedFrames.');
    }
  }

  /** The number of rejected messages. */
  get violations(): number {
    return this.#violations.total;
  }

  /**
   * Returns the sender if it is allowed; otherwise counts the message and calls the callback. Messages
   * of this window to itself are ignored: its scripts use such messages, and need no hand-over.
   */
  admit({ origin, source }: MessageEvent): FrameSource | undefined {
    if (source === window) return undefined;
    const sender = source as Window | null;
    if (sender && this.#allows(origin, sender) && isAncestorOrDescendant(sender)) {
      return { origin, source: sender };
    }
    const count = this.#violations.count(origin);
    callSafely(() => this.#onviolation?.({ origin, count }));
    return undefined;
  }

  #allows(origin: string, source: Window): boolean {
    if (origin !== 'null') return this.#origins.has(origin);
    return this.#sandboxed.some((frame) => frame.contentWindow === source);
  }
}

function checkOrigins(origins: unknown): string[] {
  if (!Array.isArray(origins)) throw new TypeError('allowedOrigins must be a list of origins.');
  return origins.map((origin) => checkOrigin(origin, 'allowedOrigins'));
}

function checkElements(frames: readonly HTMLIFrameElement[]): HTMLIFrameElement[] {
  const elements: unknown[] = [...frames];
  if (elements.every((element) => element instanceof Element && 'contentWindow' in element)) {
    return [...frames];
  }
  throw new TypeError('sandboxedFrames must be a list of iframe elements.');
}
