import type { StoredFile } from '@inpage-mcp/store';
import type { Resource } from '@inpage-mcp/protocol';
import { folderUri, foldersOf } from '../resource-uris.js';

/** The media type of a folder (Resources › URI schemes). */
export const FOLDER_MEDIA_TYPE = 'inode/directory';

/** An entry of the list of files: a file, or a folder before its first file. */
export type Entry = { position: string; file: StoredFile } | { position: string; folder: string };

/**
 * Inserts each folder before its first file. The files are sorted by path, so a folder is new
 * exactly if the previous entry is not inside it.
 *
 * @param after The position before the first file: a file's path, or a folder's path with its
 *   slash.
 */
export function withFolders(files: readonly StoredFile[], after: string): Entry[] {
  const entries: Entry[] = [];
  let previous = after;
  for (const file of files) {
    for (const folder of foldersOf(file.path)) {
      const position = `${folder}/`;
      if (!previous.startsWith(position)) entries.push({ position, folder });
    }
    entries.push({ position: file.path, file });
    previous = file.path;
  }
  return entries;
}

/** A folder in lists, without size and date, which would need a read of its files. */
export function folderResource(path: string): Resource {
  return {
    uri: folderUri(path),
    name: `${path.slice(path.lastIndexOf('/') + 1)}/`,
    title: `${path}/`,
    description: 'Folder',
    mimeType: FOLDER_MEDIA_TYPE,
  };
}
