import type { FrameSource } from './frame-gate.js';
import type { Refusal } from '../handover/handover-messages.js';
import { outermostFrame } from '../handover/window-ancestry.js';

/**
 * The maximum number of connections that a frame may open at once, and then each second, even if it closes
 * them.
 */
const BURST = 64;
const PER_SECOND = 8;

/** A frame's connection. */
export interface FrameConnection {
  /** The origin, as reported by the browser; `null` for a sandboxed frame. */
  readonly origin: string;
  /** The window at the other end. */
  readonly source: Window;
  /** The frame of this page that contains `source`, at any depth; `source` itself if none does. */
  readonly frame: Window;
  /**
   * Resolves when the connection has ended: the peer closed it, reloaded, was removed or died, or
   * this page called `close()`. Never rejects.
   */
  readonly closed: Promise<void>;
  /**
   * Closes the connection and notifies the peer, whose port then ends with `null`. Call it as soon as
   * the stream on the port has ended: until then the connection counts towards the limit. Further
   * calls do nothing.
   */
  close(): void;
}

class OpenConnection implements FrameConnection {
  readonly origin: string;
  readonly source: Window;
  readonly closed: Promise<void>;
  /** The frame whose limit the connection counts towards. */
  readonly frame: Window;
  #release: (() => void) | undefined;

  constructor({ origin, source }: FrameSource, release: () => void) {
    this.origin = origin;
    this.source = source;
    this.frame = outermostFrame(source);
    this.closed = new Promise((resolve) => {
      this.#release = () => {
        release();
        resolve();
      };
    });
  }

  close(): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }
}

/** The open connections of an acceptor. */
export class FrameConnections {
  readonly #open = new Set<OpenConnection>();
  readonly #maxPerFrame: number;
  /** The number of further connections that each frame may open at the given time: a token bucket. */
  readonly #buckets = new WeakMap<Window, { tokens: number; at: number }>();

  /** @throws {TypeError} if the limit is not a positive integer. */
  constructor(maxPerFrame: number) {
    if (!Number.isSafeInteger(maxPerFrame) || maxPerFrame < 1) {
      throw new TypeError('maxConnectionsPerFrame must be a positive integer.');
    }
    this.#maxPerFrame = maxPerFrame;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * The reason why a window may not open another connection; `undefined` if it may, which then uses up a
   * token. Each frame of the page shares its limit with all frames inside it, because it could create any
   * number of them.
   */
  refusalOf(source: Window): Refusal | undefined {
    const frame = outermostFrame(source);
    const used = [...this.#open].filter((connection) => connection.frame === frame);
    if (used.length >= this.#maxPerFrame) return busy('has its maximum of connections');
    return this.#tryTakeToken(frame) ? undefined : busy('opens connections too fast');
  }

  /** @param release Runs once, when the connection ends. */
  add(from: FrameSource, release: () => void): FrameConnection {
    const connection = new OpenConnection(from, () => {
      this.#open.delete(connection);
      release();
    });
    this.#open.add(connection);
    return connection;
  }

  closeAllOf(source: Window): void {
    for (const connection of this.#open) if (connection.source === source) connection.close();
  }

  closeAll(): void {
    for (const connection of this.#open) connection.close();
  }

  #tryTakeToken(frame: Window): boolean {
    const at = performance.now();
    const before = this.#buckets.get(frame) ?? { tokens: BURST, at };
    const refill = ((at - before.at) / 1_000) * PER_SECOND;
    const tokens = Math.min(before.tokens + refill, BURST);
    const mayOpen = tokens >= 1;
    this.#buckets.set(frame, { tokens: mayOpen ? tokens - 1 : tokens, at });
    return mayOpen;
  }
}

/** A refusal with `busy`, because both limits are temporary: connections close, and tokens refill. */
function busy(why: string): Refusal {
  return { type: 'busy', reason: `This frame ${why}.` };
}
