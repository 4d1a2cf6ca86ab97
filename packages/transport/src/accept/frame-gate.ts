import { callGuarded } from '../handover/guarded-call.js';
import { OriginViolations, type OriginViolation } from './origin-violations.js';
import { checkOrigin } from '../handover/origins.js';
import { isOfOurLine } from '../handover/window-line.js';

/** Who may speak to this window. */
export interface FrameGateOptions {
  /**
   * The origins that may connect, each exactly as `new URL(address).origin` gives it. It may be
   * empty only where there are `sandboxedFrames`.
   */
  allowedOrigins: readonly string[];
  /**
   * Frames of origin `null` that may connect, by element: a frame with `sandbox` and without
   * `allow-same-origin` has no origin that could be named. Whatever document is in the element may
   * then connect, wherever it came from, and none of the frames inside it.
   */
  sandboxedFrames?: readonly HTMLIFrameElement[];
  /** Told of each message of a stranger; its content stays unread, and nobody answers it. */
  onOriginViolation?: (violation: OriginViolation) => void;
}

/** A window that may speak, as the browser vouches for it. */
export interface FrameSource {
  /** An allowed origin, or `null` for a sandboxed frame that was named. */
  readonly origin: string;
  readonly source: Window;
}

/**
 * Decides who may speak, from `event.origin` and `event.source` alone: a stranger's `data` and
 * `ports` are not read, which would also cost the time to deserialise them.
 *
 * @throws {TypeError} from the constructor, for what is no origin, and where nobody is allowed.
 */
export class FrameGate {
  readonly #origins: ReadonlySet<string>;
  readonly #sandboxed: readonly HTMLIFrameElement[];
  readonly #onviolation: FrameGateOptions['onOriginViolation'];
  readonly #violations = new OriginViolations();

  constructor({ allowedOrigins, sandboxedFrames = [], onOriginViolation }: FrameGateOptions) {
    this.#origins = new Set(checkedOrigins(allowedOrigins));
    this.#sandboxed = checkedElements(sandboxedFrames);
    this.#onviolation = onOriginViolation;
    if (this.#origins.size + this.#sandboxed.length === 0) {
      throw new TypeError('allowedOrigins: it is empty, and there are no sandboxedFrames either.');
    }
  }

  /** How many messages of strangers were dropped. */
  get violations(): number {
    return this.#violations.total;
  }

  /**
   * The sender, where it may speak. A stranger is counted and the hook is told. A message of this
   * window to itself is neither: scripts of this page need no hand-over, and use such messages.
   */
  admit({ origin, source }: MessageEvent): FrameSource | undefined {
    if (source === window) return undefined;
    const sender = source as Window | null;
    if (sender && this.#allows(origin, sender) && isOfOurLine(sender)) {
      return { origin, source: sender };
    }
    const count = this.#violations.count(origin);
    callGuarded(() => this.#onviolation?.({ origin, count }));
    return undefined;
  }

  #allows(origin: string, source: Window): boolean {
    if (origin !== 'null') return this.#origins.has(origin);
    return this.#sandboxed.some((frame) => frame.contentWindow === source);
  }
}

function checkedOrigins(origins: unknown): string[] {
  if (!Array.isArray(origins)) throw new TypeError('allowedOrigins: it must be a list of origins.');
  return origins.map((origin) => checkOrigin(origin, 'allowedOrigins'));
}

function checkedElements(frames: readonly HTMLIFrameElement[]): HTMLIFrameElement[] {
  const elements: unknown[] = [...frames];
  if (elements.every((element) => element instanceof Element && 'contentWindow' in element)) {
    return [...frames];
  }
  throw new TypeError('sandboxedFrames: it must be a list of iframe elements.');
}
