import { LOCK_PREFIX } from '../handover/handover-messages.js';
import { canHoldLiveness, holdLiveness } from './liveness-lock.js';
import { randomId } from '../handover/random-id.js';

/** The lock that shows a peer of the same origin that this document is alive. */
export class OwnLock {
  readonly name = LOCK_PREFIX + randomId();
  #wanted = false;
  #release: (() => void) | undefined;

  /** Acquires a new lock; `undefined` if Web Locks are missing or forbidden. */
  static async tryAcquire(): Promise<OwnLock | undefined> {
    if (!canHoldLiveness()) return undefined;
    const lock = new OwnLock();
    try {
      await lock.acquire();
      return lock;
    } catch {
      return undefined;
    }
  }

  /** Resolves once the lock is held. */
  async acquire(): Promise<void> {
    this.#wanted = true;
    const release = await holdLiveness(this.name);
    if (this.#wanted) this.#release = release;
    else release();
  }

  /** Releases the lock. Further calls do nothing. */
  release(): void {
    this.#wanted = false;
    this.#release?.();
    this.#release = undefined;
  }
}
