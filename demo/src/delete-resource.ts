import type { Runtime } from '@inpage-mcp/runtime';
import { noteIdOf, pathOf } from './addresses.js';

/** Deletes the note or the file at an address. Rejects as the runtime does. */
export async function deleteResource({ notes, files }: Runtime, uri: string): Promise<void> {
  const [id, path] = [noteIdOf(uri), pathOf(uri)];
  if (id !== undefined) await notes.delete(id);
  else if (path !== undefined) await files.delete(path);
}
