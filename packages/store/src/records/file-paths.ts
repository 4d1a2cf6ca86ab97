import { checkPath } from '../schema/limits.js';

/** The code unit after `/`: the key range of a folder ends at it. */
const AFTER_SLASH = '0';

/** The end of the key range of a folder, exclusive. The folder may end in a slash. */
export function endOfFolder(folder: string): string {
  return `${folder.endsWith('/') ? folder.slice(0, -1) : folder}${AFTER_SLASH}`;
}

/**
 * The key range of the paths below a folder (default: all paths) that come after a path (default: from the
 * start). null means no bounds; undefined means that the range is empty.
 *
 * @param folder Like `photos/2024`, without a slash at the end.
 * @throws {StoreError} `invalid-argument` unless the folder is a valid path.
 */
export function rangeOfPaths(folder?: string, after?: string): IDBKeyRange | null | undefined {
  if (folder === undefined) {
    return after === undefined ? null : IDBKeyRange.lowerBound(after, true);
  }
  checkPath(folder);
  const first = `${folder}/`;
  const end = endOfFolder(folder);
  if (after === undefined || after < first) return IDBKeyRange.bound(first, end, true, true);
  return after < end ? IDBKeyRange.bound(after, end, true, true) : undefined;
}
