import type { Access } from '@inpage-mcp/server/control-plane';
import type { AccessTarget } from './client-access.js';
import type { RuntimeError } from '../worker/runtime-error.js';
import type { snapshotOf } from './snapshot.js';

/** What the runtime has loaded before: see `ServingParts`. */
export interface AccessParts {
  RuntimeError: typeof RuntimeError;
  snapshotOf: typeof snapshotOf;
}

/** What the connection of a frame may do, from one change to the next. */
export class FrameAccess {
  readonly #parts: AccessParts;
  #held: Access;
  /** Changes come one after the other, each upon what the one before has left. */
  #changing: Promise<unknown> = Promise.resolve();

  /** @throws {RuntimeError} `invalid-argument` for what is no plain object, such as a promise. */
  constructor(access: Access, parts: AccessParts) {
    this.#parts = parts;
    this.#held = { read: 'all', write: 'deny', tools: 'none', ...said(access, parts) };
  }

  /** The last that the worker has taken. */
  get held(): Access {
    return this.#held;
  }

  /** Changes the members that are said, and keeps the others. Rejects as the target does, too. */
  async change(access: Access, target: AccessTarget): Promise<void> {
    const members = said(access, this.#parts);
    const change = this.#changing.then(() => this.#change(members, target));
    this.#changing = change.catch(() => undefined);
    await change;
  }

  async #change(members: Access, target: AccessTarget): Promise<void> {
    const next = { ...this.#held, ...members };
    await target.setAccess(next);
    this.#held = next;
  }
}

/**
 * What is said, as it is now. A member that is there but undefined is absent: it must not mean more
 * than what it stands over. Of a promise every member would be absent.
 */
function said(access: Access, { RuntimeError, snapshotOf }: AccessParts): Access {
  if ((access as object | undefined)?.constructor !== Object) {
    throw new RuntimeError('invalid-argument', 'The access of a frame must be a plain object.');
  }
  const members = Object.entries(access).filter(([, value]) => value !== undefined);
  return snapshotOf(Object.fromEntries(members));
}
