import { omitUndefined, MAX_COMPLETIONS } from '@inpage-mcp/protocol';
import { fold, MAX_TAG_LENGTH, MAX_TITLE_LENGTH, type StoreView } from '@inpage-mcp/store';
import { CompletionValues } from '../completion-values.js';
import { findNote } from './named-note.js';
import type { Completion } from '../resource-provider.js';
import { holdsWordsOf } from '../typed-words.js';

/**
 * The ids that begin with what was typed, and those of the notes whose titles hold all its words;
 * newest first. Reads no texts.
 *
 * @param signal Ends it: it then rejects with `signal.reason`.
 */
export async function completeNoteIds(
  store: StoreView,
  value: string,
  signal?: AbortSignal,
): Promise<Completion> {
  const found = new CompletionValues();
  // Longer than any title; an id is shorter.
  if (value.length > MAX_TITLE_LENGTH) return found;
  signal?.throwIfAborted();
  if (value === '') return await newestIds(store);
  const holdsWords = holdsWordsOf(value);
  for await (const notes of store.notes.names(omitUndefined({ signal }))) {
    for (const { id, title } of notes) {
      if (id.startsWith(value) || holdsWords(title)) found.add(id);
    }
  }
  return found;
}

/** Nothing is typed yet, as when a form opens: at the cost of one page. */
async function newestIds(store: StoreView): Promise<Completion> {
  const [{ notes }, total] = await Promise.all([
    store.notes.list({ limit: MAX_COMPLETIONS }),
    store.notes.count(),
  ]);
  return { values: notes.map(({ id }) => id), total };
}

/**
 * The titles that hold all words of what was typed, then the ids that begin with it; each newest
 * first, and each value once. An untitled note goes by its id.
 *
 * @param options.other What names a note that is chosen already and left out.
 * @param options.signal Ends it: it then rejects with `signal.reason`.
 */
export async function completeNotes(
  store: StoreView,
  value: string,
  { other, signal }: { other?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<CompletionValues> {
  const found = new CompletionValues();
  if (value.length > MAX_TITLE_LENGTH) return found;
  const otherId = other === undefined ? undefined : await findNote(store, other, signal);
  const holdsWords = holdsWordsOf(value);
  const ids = new CompletionValues();
  const seen = new Set<string>();
  for await (const notes of store.notes.names(omitUndefined({ signal }))) {
    for (const { id, title } of notes) {
      const isTitled = holdsWords(title);
      if (!isTitled && !id.startsWith(value)) continue;
      const name = isTitled && title !== '' ? title : id;
      // A title means the newest note that has it; where that is left out, the title is, too.
      const isMeant = id !== otherId && !seen.has(name);
      seen.add(name);
      if (isMeant) (isTitled ? found : ids).add(name);
    }
  }
  found.append(ids);
  return found;
}

/**
 * The tags that begin with what was typed, in whatever case: the most frequent first.
 *
 * @param signal Ends it: it then rejects with `signal.reason`.
 */
export async function completeTags(
  store: StoreView,
  value: string,
  signal?: AbortSignal,
): Promise<string[]> {
  if (value.length > MAX_TAG_LENGTH) return [];
  const typed = fold(value);
  const uses = new Map<string, number>();
  for await (const notes of store.notes.names(omitUndefined({ signal }))) {
    for (const tag of notes.flatMap(({ tags }) => [...new Set(tags)])) {
      uses.set(tag, (uses.get(tag) ?? 0) + 1);
    }
  }
  // An empty tag cannot be asked for: an empty argument is none.
  return [...uses]
    .filter(([tag]) => tag !== '' && fold(tag).startsWith(typed))
    .toSorted(([a, usesOfA], [b, usesOfB]) => usesOfB - usesOfA || (a < b ? -1 : 1))
    .map(([tag]) => tag);
}
