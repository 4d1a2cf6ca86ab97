import type { Access } from '@inpage-mcp/server/control-plane';
import type { AccessTarget } from './client-access.js';
import type { RuntimeError } from '../worker/runtime-error.js';
import type { snapshotOf } from './snapshot.js';

/** The modules that the runtime has loaded before: see `ServingParts`. */
export interface AccessParts {
  RuntimeError: typeof RuntimeError;
  snapshotOf: typeof snapshotOf;
}

/** The access of a frame's connection, kept across its changes. */
export class FrameAccess {
  readonly #parts: AccessParts;
  #accepted: Access;
  /** Changes are made one after the other, each based on the result of the previous one. */
  #changing: Promise<unknown> = Promise.resolve();

  /**
   * @throws {RuntimeError} `invalid-argument` unless it is a plain object: a promise is not one.
   */
  constructor(access: Access, parts: AccessParts) {
    this.#parts = parts;
    this.#accepted = {
      read: 'all',
      write: 'deny',
      tools: 'none',
      ...snapshotAccess(access, parts),
    };
  }

  /** The last access that the worker has accepted. */
  get accepted(): Access {
    return this.#accepted;
  }

  /** Changes the given members, and keeps the others. Rejects also if the target rejects. */
  async change(access: Access, target: AccessTarget): Promise<void> {
    const members = snapshotAccess(access, this.#parts);
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

/**
 * A snapshot of the given members. A member that is `undefined` counts as absent: it must not
 * replace a stricter default. A promise is rejected, as all its members would be absent.
 */
function snapshotAccess(access: Access, { RuntimeError, snapshotOf }: AccessParts): Access {
  if ((access as object | undefined)?.constructor !== Object) {
    throw new RuntimeError('invalid-argument', 'The access of a frame must be a plain object.');
  }
  const members = Object.entries(access).filter(([, value]) => value !== undefined);
  return snapshotOf(Object.fromEntries(members));
}
