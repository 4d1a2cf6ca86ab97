import { isLivenessHeld, whenGone } from './liveness-lock.js';

/**
 * The time after the release of its lock in which a peer may still report `pausing`, in milliseconds: Firefox
 * (153) and WebKit (2.50) grant a released lock before they deliver the messages posted before its release.
 */
const PAUSING_MS = 250;

/**
 * Waits for the death of a peer of the same origin, by its lock.
 *
 * While this page is in the back/forward cache, the watch pauses: the peer enters the cache at the
 * same time and releases its lock, but is not dead.
 */
export class LockWatch {
  readonly #name: string;
  readonly #onGone: () => void;
  #waiting: AbortController | undefined;

  /** Starts watching at once. */
  constructor(name: string, onGone: () => void) {
    this.#name = name;
    this.#onGone = onGone;
    window.addEventListener('pagehide', this.pause);
    this.resume();
  }

  /** Waits again, after the peer has acquired its lock again. */
  resume(): void {
    this.pause();
    const waiting = new AbortController();
    this.#waiting = waiting;
    void this.#wait(waiting.signal);
  }

  /** Stops waiting until `resume()`. */
  readonly pause = (): void => {
    this.#waiting?.abort();
    this.#waiting = undefined;
  };

  stop(): void {
    this.pause();
    window.removeEventListener('pagehide', this.pause);
  }

  /**
   * Waits for the release of the lock. Never rejects: if locks are missing or forbidden, only the heartbeat
   * notices a death.
   */
  async #wait(signal: AbortSignal): Promise<void> {
    try {
      if (!(await isLivenessHeld(this.#name))) return;
      await whenGone(this.#name, signal);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSING_MS));
    if (!signal.aborted) this.#onGone();
  }
}
