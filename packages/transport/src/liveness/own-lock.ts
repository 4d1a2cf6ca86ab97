import { LOCK_PREFIX } from '../handover/handover-messages.js';
import { canHoldLiveness, holdLiveness } from './liveness-lock.js';
import { randomId } from '../handover/random-id.js';

/** The lock by which a peer of the same origin sees that this document lives. */
export class OwnLock {
  readonly name = LOCK_PREFIX + randomId();
  #wanted = false;
  #letGo: (() => void) | undefined;

  /** A lock that is held; `undefined` where there are none, or they are forbidden. */
  static async hold(): Promise<OwnLock | undefined> {
    if (!canHoldLiveness()) return undefined;
    const lock = new OwnLock();
    try {
      await lock.take();
      return lock;
    } catch {
      return undefined;
    }
  }

  /** Resolves once it is held again. */
  async take(): Promise<void> {
    this.#wanted = true;
    const letGo = await holdLiveness(this.name);
    if (this.#wanted) this.#letGo = letGo;
    else letGo();
  }

  /** Further calls do nothing. */
  release(): void {
    this.#wanted = false;
    this.#letGo?.();
    this.#letGo = undefined;
  }
}
