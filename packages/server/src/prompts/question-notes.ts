import { MAX_MATCHES, MAX_QUERY_LENGTH, type NoteSummary, type StoreView } from '@inpage-mcp/store';

/** The notes that match a question. */
export interface QuestionNotes {
  /** The notes, the best first; at most 100 per search. */
  notes: NoteSummary[];
  /** The number of matching notes, including those that are not in `notes`. */
  total: number;
  /** Whether more notes than `total` may match. */
  isAtLeast: boolean;
  /** The number of notes that could not be searched yet. */
  unsearched: number;
}

/** The options of the search; after an abort it rejects with `signal.reason`. */
export interface QuestionSearch {
  /** The tag that the notes must have, exactly. */
  tag: string | undefined;
  signal: AbortSignal;
}

/** The minimum length of a significant word, in UTF-16 code units. */
const MIN_WORD_LENGTH = 3;

/**
 * The maximum number of searched words, because each costs a search; the longest words are the most
 * significant.
 */
const MAX_SEARCHED_WORDS = 8;

/**
 * The notes that contain all words of a question, or longer words that begin with them. If no note
 * does, the notes that contain any of its longer words, those with the rarest words first.
 */
export async function notesForQuestion(
  store: StoreView,
  question: string,
  { tag, signal }: QuestionSearch,
): Promise<QuestionNotes> {
  const options = { limit: MAX_MATCHES, signal, ...(tag !== undefined && { tag }) };
  const search = async (query: string): Promise<QuestionNotes> => {
    const { matches, total, unsearched = 0 } = await store.notes.search(query, options);
    return { notes: matches.map(({ note }) => note), total, isAtLeast: false, unsearched };
  };
  const words = wordsOf(question);
  const withAll = await search(words.join(' '));
  if (withAll.total > 0 || words.length < 2) return withAll;
  const withOne: QuestionNotes[] = [];
  for (const word of selectWords(words)) withOne.push(await search(word));
  return rank(withOne);
}

/** The distinct words without punctuation, which need not occur in a matching text. */
function wordsOf(question: string): string[] {
  const words = question.slice(0, MAX_QUERY_LENGTH).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
}

function selectWords(words: readonly string[]): string[] {
  return words
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_SEARCHED_WORDS);
}

/** Merges the results of the searches: the fewer notes a word occurs in, the higher is its score. */
function rank(found: readonly QuestionNotes[]): QuestionNotes {
  const ranked = new Map<string, { note: NoteSummary; score: number }>();
  for (const { notes, total } of found) {
    for (const note of notes) {
      const score = (ranked.get(note.id)?.score ?? 0) + 1 / total;
      ranked.set(note.id, { note, score });
    }
  }
  const notes = [...ranked.values()]
    .toSorted((a, b) => b.score - a.score || (a.note.id < b.note.id ? 1 : -1))
    .map(({ note }) => note);
  return {
    notes,
    total: Math.max(notes.length, ...found.map(({ total }) => total)),
    isAtLeast: found.some((one) => one.total > one.notes.length),
    unsearched: Math.max(0, ...found.map(({ unsearched }) => unsearched)),
  };
}
