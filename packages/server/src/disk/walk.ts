import { MAX_URI_LENGTH } from '@inpage-mcp/protocol';
import type { PermittedUris } from '../resources/resource-provider.js';
import { diskUri } from './disk-uris.js';
import type { Entry, MountedFolder } from './mounted-folder.js';

/** An entry that a walk through a folder has found. */
export interface Found {
  /** The names of the entry's address. */
  names: readonly string[];
  uri: string;
  entry: Entry;
}

/** The addresses that a walk may see. */
export interface Walker extends Pick<PermittedUris, 'permits' | 'mayPermit'> {
  /** Called when the walk has skipped a folder. */
  onskip?(): void;
}

/**
 * Everything in a folder that is permitted, depth first, each folder sorted by name. Skips folders that are
 * gone, may not be read or are too large to be sorted, and addresses that are too long.
 *
 * @param path The folder, without the name of the mount.
 * @param after The names of the entry after which to begin; an empty last one stands for the beginning of a
 *   folder.
 */
export async function* walk(
  folder: MountedFolder,
  path: readonly string[],
  permitted: Walker,
  after: readonly string[] = [],
  opened?: FileSystemDirectoryHandle,
): AsyncGenerator<Found> {
  const entries = await folder.entriesOf(path, opened).catch((error: unknown) => {
    if (path.length === 0) folder.note(error);
    return undefined;
  });
  if (!entries) return permitted.onskip?.();
  const [first = '', ...rest] = after;
  for (let index = first === '' ? 0 : startOf(entries, first); index < entries.length; index += 1) {
    const entry = entries[index]!;
    const own = [...path, entry.name];
    const isFolder = entry.kind === 'directory';
    const names = [folder.name, ...own];
    const uri = diskUri(names, isFolder);
    const isBefore = entry.name === first;
    if (uri.length > MAX_URI_LENGTH) continue;
    if (!isBefore && permitted.permits(uri)) yield { names, uri, entry };
    // The walk continues inside a folder with which, or in which, the last page has ended.
    if (entry.kind === 'file' || (isBefore && rest.length === 0) || !permitted.mayPermit(uri))
      continue;
    yield* walk(folder, own, permitted, isBefore ? rest : [], entry);
  }
}

/** The index of the first entry whose name is not before this one. */
function startOf(entries: readonly Entry[], name: string): number {
  let start = 0;
  let end = entries.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (entries[middle]!.name < name) start = middle + 1;
    else end = middle;
  }
  return start;
}
