import type { Entry, MountedFolder } from './mounted-folder.js';

/** The maximum number of entries that one read of a folder returns. */
export const MAX_CHILDREN = 1_000;

/** A part of the entries of a folder. */
export interface FolderPage {
  entries: readonly Entry[];
  /** The number of all entries; `undefined` if they are too many to be counted. */
  total: number | undefined;
  /** The index at which the next page begins; `undefined` at the end. */
  next: number | undefined;
}

/**
 * Reads a page of a folder: sorted by name, or, if the folder is too large for that, in the order of the
 * disk, from its beginning each time. Rejects with an error of the browser, or the reason of the signal.
 */
export async function readPage(
  folder: MountedFolder,
  path: readonly string[],
  from: number,
  signal: AbortSignal,
): Promise<FolderPage> {
  const end = from + MAX_CHILDREN;
  const sorted = await folder.entriesOf(path);
  if (sorted) {
    const next = end < sorted.length ? end : undefined;
    return { entries: sorted.slice(from, end), total: sorted.length, next };
  }
  const entries: Entry[] = [];
  let at = 0;
  for await (const entry of folder.stream(path)) {
    signal.throwIfAborted();
    if (at === end) return { entries, total: undefined, next: end };
    if (at >= from) entries.push(entry);
    at += 1;
  }
  return { entries, total: undefined, next: undefined };
}
