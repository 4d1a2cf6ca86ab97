import type { Access } from '@inpage-mcp/server/control-plane';
import type { AccessTarget } from './client-access.js';
import { guestAccess, snapshotAccess } from './guest-access.js';

/** The access of a frame's connection, kept across its changes. */
export class FrameAccess {
  #accepted: Access;
  /**
   * The end of the last change: changes are made one after the other, each based on the result of the
   * previous one.
   */
  #changing: Promise<unknown> = Promise.resolve();

  /**
   * @throws {RuntimeError} `invalid-argument` unless it is a plain object: a promise is not one.
   */
  constructor(access: Access) {
    this.#accepted = guestAccess(access);
  }

  /** The last access that the worker has accepted. */
  get accepted(): Access {
    return this.#accepted;
  }

  /** Changes the given members, and keeps the others. Rejects also if the target rejects. */
  async change(access: Access, target: AccessTarget): Promise<void> {
    const members = snapshotAccess(access);
    const change = this.#changing.then(() => this.#change(members, target));
    this.#changing = change.catch(() => undefined);
    await change;
  }

  async #change(members: Access, target: AccessTarget): Promise<void> {
    const next = { ...this.#accepted, ...members };
    await target.setAccess(next);
    this.#accepted = next;
  }
}
