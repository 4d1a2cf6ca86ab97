import { checkPath } from '../schema/limits.js';

/** The code unit after `/`: what follows the last possible path below a folder. */
const AFTER_SLASH = '0';

/** The first path that could follow those below a folder, which may end in a slash or not. */
export function afterFolder(folder: string): string {
  return `${folder.endsWith('/') ? folder.slice(0, -1) : folder}${AFTER_SLASH}`;
}

/**
 * The key range of the paths below a folder (all when absent) that come after a path (all when
 * absent). null: no bounds; undefined: no path can be in it.
 *
 * @param folder Like `photos/2024`: without a slash at the end.
 * @throws {StoreError} `invalid-argument` unless the folder can be one.
 */
export function rangeOfPaths(folder?: string, after?: string): IDBKeyRange | null | undefined {
  if (folder === undefined) {
    return after === undefined ? null : IDBKeyRange.lowerBound(after, true);
  }
  checkPath(folder);
  const first = `${folder}/`;
  const end = afterFolder(folder);
  if (after === undefined || after < first) return IDBKeyRange.bound(first, end, true, true);
  return after < end ? IDBKeyRange.bound(after, end, true, true) : undefined;
}
