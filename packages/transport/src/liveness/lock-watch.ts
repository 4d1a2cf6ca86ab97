import { isLivenessHeld, whenGone } from './liveness-lock.js';

/**
 * How long after the release of its lock a peer may still report that it pauses, in milliseconds: Firefox
 * (153) and WebKit (2.50) pass a lock on before they deliver the messages posted before its release.
 */
const PAUSING_MS = 250;

/**
 * Waits for the death of a peer of the same origin, by the lock that it holds.
 *
 * It does not wait while this page is in the back/forward cache: the peer in it is put away at the
 * same time, lets go of its lock, and is not dead.
 */
export class LockWatch {
  readonly #name: string;
  readonly #gone: () => void;
  #waiting: AbortController | undefined;

  /** Begins at once. */
  constructor(name: string, gone: () => void) {
    this.#name = name;
    this.#gone = gone;
    window.addEventListener('pagehide', this.pause);
    this.resume();
  }

  /** Waits again, once the peer holds its lock again. */
  resume(): void {
    this.pause();
    const waiting = new AbortController();
    this.#waiting = waiting;
    void this.#wait(waiting.signal);
  }

  /** Does not wait for now. */
  readonly pause = (): void => {
    this.#waiting?.abort();
    this.#waiting = undefined;
  };

  stop(): void {
    this.pause();
    window.removeEventListener('pagehide', this.pause);
  }

  /** Never rejects: where locks are missing or forbidden, the heartbeat alone notices a death. */
  async #wait(signal: AbortSignal): Promise<void> {
    try {
      if (!(await isLivenessHeld(this.#name))) return;
      await whenGone(this.#name, signal);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSING_MS));
    if (!signal.aborted) this.#gone();
  }
}
