import { MAX_TITLE_LENGTH, type StoreView } from '@inpage-mcp/store';
import { ignoreNotFound } from '../ignore-not-found.js';
import { parseNoteName } from '../resource-uris.js';

/**
 * Finds a note by its id, its `note:///` uri or its exact title; of several notes with the same
 * title, the newest. Resolves with its id, or `undefined` if no note matches.
 *
 * @param signal Cancels the call, which then rejects with `signal.reason`.
 */
export async function findNote(
  store: StoreView,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Ids and uris are shorter than the longest title. Untitled notes are found by their id only.
  if (name === '' || name.length > MAX_TITLE_LENGTH) return undefined;
  const id = parseNoteName(name);
  if (id !== undefined && (await ignoreNotFound(store.notes.get(id)))) return id;
  for await (const notes of store.notes.names({ signal })) {
    const titled = notes.find(({ title }) => title === name);
    if (titled) return titled.id;
  }
  return undefined;
}
