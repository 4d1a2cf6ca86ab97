import { MAX_COMPLETIONS } from '@inpage-mcp/protocol';
import { fold, MAX_TAG_LENGTH, MAX_TITLE_LENGTH, type StoreView } from '@inpage-mcp/store';
import { completionOf, createWordMatcher } from '../completions.js';
import { findNote } from './find-note.js';
import type { Completion } from '../resource-provider.js';

/**
 * The ids that begin with the typed value, and the ids of notes whose titles contain all its words;
 * newest first. Reads no note texts.
 *
 * @param signal Cancels the call, which then rejects with `signal.reason`.
 */
export async function completeNoteIds(
  store: StoreView,
  value: string,
  signal: AbortSignal,
): Promise<Completion> {
  // The value is longer than any title, and an id is shorter.
  if (value.length > MAX_TITLE_LENGTH) return completionOf([]);
  signal.throwIfAborted();
  if (value === '') return await newestIds(store);
  const matches = createWordMatcher(value);
  const found: string[] = [];
  for await (const notes of store.notes.names({ signal })) {
    for (const { id, title } of notes) {
      if (id.startsWith(value) || matches(title)) found.push(id);
    }
  }
  return completionOf(found);
}

/** The newest ids, for an empty value, as when a form opens: reads one page only. */
async function newestIds(store: StoreView): Promise<Completion> {
  const [{ notes }, total] = await Promise.all([
    store.notes.list({ limit: MAX_COMPLETIONS }),
    store.notes.count(),
  ]);
  return { values: notes.map(({ id }) => id), total };
}

/**
 * The titles that contain all typed words, then the ids that begin with the typed value; newest
 * first, without duplicates. An untitled note is named by its id.
 *
 * @param signal Cancels the call, which then rejects with `signal.reason`.
 * @param other The name of a note to omit, as it is chosen already. Default: none.
 */
export async function completeNotes(
  store: StoreView,
  value: string,
  signal: AbortSignal,
  other?: string,
): Promise<string[]> {
  if (value.length > MAX_TITLE_LENGTH) return [];
  const otherId = other === undefined ? undefined : await findNote(store, other, signal);
  const matches = createWordMatcher(value);
  const titles: string[] = [];
  const ids: string[] = [];
  const seen = new Set<string>();
  for await (const notes of store.notes.names({ signal })) {
    for (const { id, title } of notes) {
      const isTitled = matches(title);
      if (!isTitled && !id.startsWith(value)) continue;
      const name = isTitled && title !== '' ? title : id;
      // A title means the newest note that has it; if that note is omitted, its title is omitted too.
      const isMeant = id !== otherId && !seen.has(name);
      seen.add(name);
      if (isMeant) (isTitled ? titles : ids).push(name);
    }
  }
  return [...titles, ...ids];
}

/**
 * The tags that begin with the typed value, ignoring case; the most frequent first.
 *
 * @param signal Cancels the call, which then rejects with `signal.reason`.
 */
export async function completeTags(
  store: StoreView,
  value: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (value.length > MAX_TAG_LENGTH) return [];
  const typed = fold(value);
  const uses = new Map<string, number>();
  for await (const notes of store.notes.names({ signal })) {
    for (const tag of notes.flatMap(({ tags }) => [...new Set(tags)])) {
      uses.set(tag, (uses.get(tag) ?? 0) + 1);
    }
  }
  // An empty tag cannot be requested: an empty argument counts as absent.
  return [...uses]
    .filter(([tag]) => tag !== '' && fold(tag).startsWith(typed))
    .toSorted(([a, usesOfA], [b, usesOfB]) => usesOfB - usesOfA || (a < b ? -1 : 1))
    .map(([tag]) => tag);
}
