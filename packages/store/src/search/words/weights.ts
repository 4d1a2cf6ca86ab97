import { MAX_INDEXED_WORDS } from '../../schema/limits.js';
import type { Yielder } from './yielder.js';
import { matchesTerm, labelOf, type Term } from './terms.js';
import { piecesOf, wordsIn } from './words.js';

/** The searchable fields of an entry. */
export interface Fields {
  /** The title of a note, the name of a file. */
  title: string;
  /** The tags of a note, the folders of a file. */
  tags: readonly string[];
  /** The text of a note; '' for a file. */
  text: string;
  /** Labels that match only as a whole and exactly as written: the tags of a note. */
  labels: readonly string[];
}

// A word in the title weighs more than any other, however often that occurs.
const TITLE_WEIGHT = 64;
const TAG_WEIGHT = 16;
const MAX_TEXT_WEIGHT = 8;
const LABEL_WEIGHT = 1;

/** How many words are processed before the function may yield. */
const WORDS_AT_ONCE = 1_024;

/**
 * The words of an entry with their weights: 1 to 255, so that a weight takes one byte. Of a text,
 * only the first {@link MAX_INDEXED_WORDS} different words.
 *
 * @param terms Only words that match one of these. Default: all.
 */
export async function weigh(
  { title, tags, text, labels }: Fields,
  yielder: Yielder,
  terms?: readonly Term[],
): Promise<Map<string, number>> {
  const isWanted = (word: string): boolean =>
    !terms || terms.some((term) => matchesTerm(word, term));
  const mayMatch = (folded: string): boolean =>
    !terms || terms.some(({ word, isWhole }) => !isWhole && folded.includes(word));
  const counts = new Map<string, number>();
  for (const piece of piecesOf(text)) {
    for (const word of wordsIn(piece, mayMatch)) {
      if (!isWanted(word)) continue;
      const count = counts.get(word) ?? 0;
      if (count > 0 || counts.size < MAX_INDEXED_WORDS) counts.set(word, count + 1);
    }
    if (yielder.isDue) await yielder.yield();
  }
  // A text has no more words than code units.
  if (terms && text.length > MAX_INDEXED_WORDS) await keepFirst(counts, text, yielder);
  // The counts become the weights, in place.
  const weights = counts;
  let weighed = 0;
  for (const [word, count] of counts) {
    weights.set(word, weightOfCount(count));
    weighed += 1;
    if (weighed % WORDS_AT_ONCE === 0 && yielder.isDue) await yielder.yield();
  }
  const add = (words: Iterable<string>, weight: number): void => {
    for (const word of words) {
      if (isWanted(word)) weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  };
  add(new Set(tags.flatMap((tag) => wordsIn(tag))), TAG_WEIGHT);
  add(new Set(wordsIn(title)), TITLE_WEIGHT);
  add(new Set(labels.map(labelOf)), LABEL_WEIGHT);
  return weights;
}

/**
 * Deletes words that are not among the first {@link MAX_INDEXED_WORDS} different words of the text.
 * For this, all words are counted, until each of the given ones has occurred.
 */
async function keepFirst(
  counts: Map<string, number>,
  text: string,
  yielder: Yielder,
): Promise<void> {
  const unseen = new Set(counts.keys());
  const first = new Set<string>();
  for (const piece of piecesOf(text)) {
    if (unseen.size === 0 || first.size === MAX_INDEXED_WORDS) break;
    for (const word of wordsIn(piece)) {
      if (first.size === MAX_INDEXED_WORDS) break;
      first.add(word);
      unseen.delete(word);
    }
    if (yielder.isDue) await yielder.yield();
  }
  for (const word of unseen) counts.delete(word);
}

/** The weight grows by one each time the count doubles. */
function weightOfCount(count: number): number {
  return Math.min(1 + Math.floor(Math.log2(count)), MAX_TEXT_WEIGHT);
}
