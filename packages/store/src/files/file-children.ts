import type { Database } from '../database/database.js';
import type { Transaction } from '../database/begin-transaction.js';
import { endOfFolder, rangeOfPaths } from '../records/file-paths.js';
import { type PathRoot, rootsOf, type StoreScope, startOf } from '../changes/store-scope.js';

/** The files and folders directly below a prefix. */
export interface FileChildren {
  /** Paths of files, and of folders with a `/` at the end, in the order of code units. */
  names: string[];
  /** The number of all children; `names` may hold fewer. */
  total: number;
}

/**
 * The number of keys that are read at a time, and so the maximum for one folder before the rest of it is
 * skipped.
 */
const KEYS_PER_READ = 100;

/** The files and folders of a scope directly below a prefix. */
export async function childrenOf(
  database: Database,
  files: StoreScope['files'],
  prefix: string,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<FileChildren> {
  return await database.run(
    ['files'],
    'readonly',
    (transaction) =>
      files === 'all'
        ? readChildren(transaction, prefix, limit)
        : readChildrenWithin(transaction, files, prefix, limit),
    { signal },
  );
}

/**
 * The files and folders directly below a prefix. Reads only keys, and of each folder only the first
 * ones.
 */
async function readChildren(
  transaction: Transaction<'files'[], 'readonly'>,
  prefix: string,
  limit: number,
): Promise<FileChildren> {
  const files = transaction.objectStore('files');
  const children: FileChildren = { names: [], total: 0 };
  let range = IDBKeyRange.lowerBound(prefix);
  for (;;) {
    const paths = await files.getAllKeys(range, KEYS_PER_READ);
    const last = addChildren(children, paths, prefix, limit);
    if (paths.length < KEYS_PER_READ || last === undefined) return children;
    range = last.endsWith('/')
      ? IDBKeyRange.lowerBound(endOfFolder(last))
      : IDBKeyRange.lowerBound(last, true);
  }
}

/** The same within a scope: a folder without any file of the scope is not included. */
async function readChildrenWithin(
  transaction: Transaction<'files'[], 'readonly'>,
  scope: Exclude<StoreScope['files'], 'all'>,
  prefix: string,
  limit: number,
): Promise<FileChildren> {
  const roots = rootsOf(scope);
  const isInside = (root: PathRoot): boolean =>
    'folder' in root && prefix.startsWith(startOf(root));
  if (roots.some(isInside)) return await readChildren(transaction, prefix, limit);
  const ahead = roots.filter((root) => startOf(root).startsWith(prefix));
  const counts = await Promise.all(ahead.map((root) => countBelow(transaction, root)));
  const used = ahead.filter((_root, index) => counts[index]! > 0);
  const names = [...new Set(used.map((root) => childOf(startOf(root), prefix.length)))].toSorted();
  return { names: names.slice(0, limit), total: names.length };
}

async function countBelow(
  transaction: Transaction<'files'[], 'readonly'>,
  root: PathRoot,
): Promise<number> {
  const range = 'folder' in root ? rangeOfPaths(root.folder) : IDBKeyRange.only(root.path);
  return await transaction.objectStore('files').count(range);
}

/** Adds the children of the paths; returns the last one, undefined if a path is past the prefix. */
function addChildren(
  children: FileChildren,
  paths: string[],
  prefix: string,
  limit: number,
): string | undefined {
  let last: string | undefined;
  for (const path of paths) {
    if (!path.startsWith(prefix)) return undefined;
    const child = childOf(path, prefix.length);
    // Paths are sorted, so that all files of a folder are adjacent.
    if (child === last) continue;
    last = child;
    children.total += 1;
    if (children.names.length < limit) children.names.push(child);
  }
  return last;
}

/** The path up to and including the first slash from a position on; without one, the whole path. */
function childOf(path: string, position: number): string {
  const slash = path.indexOf('/', position);
  return slash === -1 ? path : path.slice(0, slash + 1);
}
