import type { FrameSource } from './frame-gate.js';
import type { Refusal } from '../handover/handover-messages.js';
import { OpeningBudget } from './opening-budget.js';
import { outermostFrame } from '../handover/window-line.js';

/** A frame's connection, for whoever serves it. */
export interface FrameConnection {
  /** The origin that the browser vouched for; `null` for a sandboxed frame. */
  readonly origin: string;
  /** The window at the other end. */
  readonly source: Window;
  /** The frame of this page that it is in, at any depth; itself, where it is in none. */
  readonly frame: Window;
  /**
   * Resolves when the connection has ended: the peer closed it, reloaded, was removed or died, or
   * `close()` was called here. Never rejects.
   */
  readonly closed: Promise<void>;
  /**
   * Ends the connection and tells the peer, whose port then ends with `null`. Call it as soon as
   * the connection has ended for whoever has the port: until then it counts. Further calls do
   * nothing.
   */
  close(): void;
}

/** A connection with what it holds. */
class OpenConnection implements FrameConnection {
  readonly origin: string;
  readonly source: Window;
  readonly closed: Promise<void>;
  /** What it counts for. */
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
  readonly #budget = new OpeningBudget();

  /** @throws {TypeError} where the limit is no positive integer. */
  constructor(maxPerFrame: number) {
    if (!Number.isSafeInteger(maxPerFrame) || maxPerFrame < 1) {
      throw new TypeError('maxConnectionsPerFrame: it must be a positive integer.');
    }
    this.#maxPerFrame = maxPerFrame;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Why a window may not have one more; `undefined` where it may, which is then counted. A frame of
   * the page counts together with all that are in it: it could make any number of those.
   */
  refusalOf(source: Window): Refusal | undefined {
    const frame = outermostFrame(source);
    const used = [...this.#open].filter((connection) => connection.frame === frame);
    if (used.length >= this.#maxPerFrame) return busy('has all the connections it may have');
    return this.#budget.spend(frame) ? undefined : busy('opens connections too fast');
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
}

/** Both pass: places become free, and time goes by. */
function busy(why: string): Refusal {
  return { type: 'busy', reason: `This frame ${why}.` };
}
