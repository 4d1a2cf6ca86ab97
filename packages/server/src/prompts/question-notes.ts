import { MAX_MATCHES, MAX_QUERY_LENGTH, type NoteSummary, type StoreView } from '@inpage-mcp/store';

/** The notes that a question may be about. */
export interface QuestionNotes {
  /** The best first; at most 100 for each search that it took. */
  notes: NoteSummary[];
  /** How many fit, those that are not in `notes` included. */
  total: number;
  /** Whether there may be even more of them. */
  isAtLeast: boolean;
}

/** How a search is narrowed down, and ended: it then rejects with `signal.reason`. */
export interface QuestionSearch {
  /** Only notes with exactly this tag. */
  tag: string | undefined;
  signal: AbortSignal;
}

/** Shorter words say little; in UTF-16 code units. */
const MIN_WORD_LENGTH = 3;

/** Each word costs a search, and the longest say most. */
const MAX_SEARCHED_WORDS = 8;

/**
 * The notes that hold all words of a question, or longer ones that begin so; where there are none,
 * those that hold any of its longer words, first those that hold the rarest.
 */
export async function notesForQuestion(
  store: StoreView,
  question: string,
  { tag, signal }: QuestionSearch,
): Promise<QuestionNotes> {
  const options = { limit: MAX_MATCHES, signal, ...(tag !== undefined && { tag }) };
  const search = async (query: string): Promise<QuestionNotes> => {
    const { matches, total } = await store.notes.search(query, options);
    return { notes: matches.map(({ note }) => note), total, isAtLeast: false };
  };
  const words = wordsOf(question);
  const withAll = await search(words.join(' '));
  if (withAll.total > 0 || words.length < 2) return withAll;
  const withOne: QuestionNotes[] = [];
  for (const word of searchedWords(words)) withOne.push(await search(word));
  return joined(withOne);
}

/** The distinct words without punctuation, which a text need not have at the same place. */
function wordsOf(question: string): string[] {
  const words = question.slice(0, MAX_QUERY_LENGTH).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
}

function searchedWords(words: readonly string[]): string[] {
  return words
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_SEARCHED_WORDS);
}

/** A word says the more of a note, the fewer notes hold it. */
function joined(found: readonly QuestionNotes[]): QuestionNotes {
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
  };
}
