import { MAX_TITLE_LENGTH, type StoreView } from '@inpage-mcp/store';
import { omitUndefined } from '@inpage-mcp/protocol';
import { noteUri, parseResourceUri } from '../resource-uris.js';
import { foundOrNone } from '../tool-words.js';

/**
 * The id of the note that a person or a model means: by its id, its `note:///` uri, or its exact
 * title, where the newest note of that title is meant. `undefined` when there is none.
 *
 * @param signal Ends it: it then rejects with `signal.reason`.
 */
export async function findNote(
  store: StoreView,
  named: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  // Longer than any title; ids and uris are shorter. Untitled notes have no name but their id.
  if (named === '' || named.length > MAX_TITLE_LENGTH) return undefined;
  const target = parseResourceUri(named) ?? parseResourceUri(noteUri(named));
  if (target?.kind === 'note' && (await foundOrNone(store.notes.get(target.id)))) return target.id;
  for await (const notes of store.notes.names(omitUndefined({ signal }))) {
    const titled = notes.find(({ title }) => title === named);
    if (titled) return titled.id;
  }
  return undefined;
}
