import type { StoredFile } from '@inpage-mcp/store';
import type { Resource } from '@inpage-mcp/protocol';
import { folderUri, foldersOf } from '../resource-uris.js';

/** The media type of a folder (Resources › URI schemes). */
export const FOLDER_MEDIA_TYPE = 'inode/directory';

/** An entry of the list of files: a file, or a folder before the first file that is in it. */
export type Entry = { position: string; file: StoredFile } | { position: string; folder: string };

/**
 * Puts each folder in front of its first file. Files come in the order of their paths, so a folder
 * is new exactly when what came before it is not inside it; nothing else has to be known.
 *
 * @param after The position before the first file: a file's path, or a folder's with its slash.
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

/** A folder as lists show it. Its size and age are those of its files, which are not read here. */
export function folderResource(path: string): Resource {
  return {
    uri: folderUri(path),
    name: `${path.slice(path.lastIndexOf('/') + 1)}/`,
    title: `${path}/`,
    description: 'Folder',
    mimeType: FOLDER_MEDIA_TYPE,
  };
}
