import type { Access } from '@inpage-mcp/server/control-plane';
import { RuntimeError, snapshotOf } from '../worker/runtime-error.js';

/**
 * The access of a guest: absent members have stricter defaults than those of the page's own clients.
 *
 * @throws {RuntimeError} `invalid-argument` unless it is a plain object: a promise is not one.
 */
export function guestAccess(access: Access): Access {
  return { read: 'all', write: 'deny', tools: 'none', ...snapshotAccess(access) };
}

/**
 * A snapshot of the given members. A member that is `undefined` counts as absent: it must not
 * replace a stricter default. A promise is rejected, as all its members would be absent.
 *
 * @throws {RuntimeError} `invalid-argument` unless it is a plain object.
 */
export function snapshotAccess(access: Access): Access {
  if ((access as object | undefined)?.constructor !== Object) {
    throw new RuntimeError('invalid-argument', 'The access must be a plain object.');
  }
  const members = Object.entries(access).filter(([, value]) => value !== undefined);
  return snapshotOf(Object.fromEntries(members));
}
