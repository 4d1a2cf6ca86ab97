import { rangeOfPaths } from '../records/file-paths.js';
import type { RecorderOf } from '../history/record-change.js';
import { StoreError } from '../errors/store-error.js';

/** The author of changes: the `author` of a view of the store; null for the whole store. */
export type ChangeAuthor = object | null;

/** The notes and files that a view of the store may access. */
export interface StoreScope {
  /** The ids of the notes, or all notes. */
  notes: 'all' | ReadonlySet<string>;
  /** The paths of the files, and the folders whose files are included at any depth; or all files. */
  files: 'all' | { paths: ReadonlySet<string>; folders: ReadonlySet<string> };
  /** The owner of the idempotency keys: each holder has its own. Default: ''. */
  holder?: string | undefined;
  /** The author of the writes, for the listeners of changes. Default: null, as for the whole store. */
  author?: ChangeAuthor | undefined;
  /**
   * Makes the recorder that keeps each change in the history, so that it can be undone. Default: no change is
   * kept.
   */
  recorderOf?: RecorderOf | undefined;
  /** Whether writes are refused once they have passed all checks. Default: false. */
  isRehearsal?: boolean | undefined;
  /** Called when an entry outside the scope was requested by its name. */
  ondenied?: ((kind: 'note' | 'file', key: string) => void) | undefined;
}

/** The whole store. */
export const EVERYTHING: StoreScope = { notes: 'all', files: 'all' };

/** Whether a note is in the scope. */
export function hasNote({ notes }: StoreScope, id: string): boolean {
  return notes === 'all' || notes.has(id);
}

/** Whether a path is in the scope, and with it any file that is or will be there. */
export function hasPath({ files }: StoreScope, path: string): boolean {
  if (files === 'all' || files.paths.has(path)) return true;
  return [...files.folders].some((folder) => path.startsWith(`${folder}/`));
}

/** The error of a write outside the scope, whether or not the entry exists. */
export function forbiddenError(what: string): StoreError {
  return new StoreError('forbidden', `${what} may not be written here.`);
}

/** A folder with all paths below it, or a single path. */
export type PathRoot = { folder: string } | { path: string };

/** The roots of the files in a scope, sorted by path; no root is inside another. */
export function rootsOf(files: Exclude<StoreScope['files'], 'all'>): PathRoot[] {
  const isInside = (path: string): boolean =>
    [...files.folders].some((folder) => path.startsWith(`${folder}/`));
  const roots: PathRoot[] = [
    ...[...files.folders].filter((folder) => !isInside(folder)).map((folder) => ({ folder })),
    ...[...files.paths].filter((path) => !isInside(path)).map((path) => ({ path })),
  ];
  return roots.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
}

/** The start of the paths of a root. */
export function startOf(root: PathRoot): string {
  return 'folder' in root ? `${root.folder}/` : root.path;
}

/**
 * The key ranges of the files in a scope that are below a folder and come after a path, in order.
 * null: no bounds.
 *
 * @throws {StoreError} `invalid-argument` unless the folder is a valid path.
 */
export function rangesOfPaths(
  { files }: StoreScope,
  folder?: string,
  after?: string,
): (IDBKeyRange | null)[] {
  // Also if the scope is empty, to reject an invalid folder.
  const whole = rangeOfPaths(folder, after);
  if (files === 'all') return whole === undefined ? [] : [whole];
  return rootsOf(files).flatMap((root) => rangeOfRoot(root, folder, after) ?? []);
}

function rangeOfRoot(root: PathRoot, folder?: string, after?: string): IDBKeyRange | undefined {
  const below = folder === undefined ? '' : `${folder}/`;
  const start = startOf(root);
  if ('path' in root) {
    const isAsked = start.startsWith(below) && (after === undefined || start > after);
    return isAsked ? IDBKeyRange.only(start) : undefined;
  }
  // If one of the folders is inside the other, the inner one counts.
  if (start.startsWith(below)) return rangeOfPaths(root.folder, after) ?? undefined;
  return below.startsWith(start) ? (rangeOfPaths(folder, after) ?? undefined) : undefined;
}
