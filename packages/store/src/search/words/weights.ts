import { MAX_INDEXED_WORDS } from '../../schema/limits.js';
import type { NoteSummary } from '../../schema/schema.js';
import type { Yielder } from './yielder.js';
import { labelOf, matchesTerm, startOf, type Term } from './terms.js';
import { piecesOf, wordsIn } from './words.js';

// A word in the title weighs more than any other, regardless of how often that one occurs.
const TITLE_WEIGHT = 64;
const TAG_WEIGHT = 16;
const MAX_TEXT_WEIGHT = 8;
const LABEL_WEIGHT = 1;

/** The number of words that are processed before the function may yield. */
const WORDS_AT_ONCE = 1_024;

/**
 * The words of a note with their weights: 1 to 255, so that a weight takes one byte. Of a text, only
 * the first {@link MAX_INDEXED_WORDS} different words. Each tag is also a label.
 *
 * @param terms Words that match none of these may be missing. Default: all words are needed.
 */
export async function weigh(
  note: Pick<NoteSummary, 'title' | 'tags'>,
  text: string,
  yielder: Yielder,
  terms?: readonly Term[],
): Promise<Map<string, number>> {
  const { title, tags } = note;
  const isWanted = (word: string): boolean =>
    !terms || terms.some((term) => matchesTerm(word, term));
  const mayMatch = (folded: string): boolean =>
    !terms || terms.some((term) => !term.isWhole && folded.includes(startOf(term)));
  const counts = new Map<string, number>();
  for (const piece of piecesOf(text)) {
    for (const word of wordsIn(piece, mayMatch)) {
      if (!isWanted(word)) continue;
      const count = counts.get(word) ?? 0;
      if (count > 0 || counts.size < MAX_INDEXED_WORDS) counts.set(word, count + 1);
    }
    if (yielder.isDue) await yielder.yield();
  }
  // A text has at most as many words as code units. All words must be counted to find the first ones.
  if (terms && text.length > MAX_INDEXED_WORDS && counts.size > 0) {
    return await weigh(note, text, yielder);
  }
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
  add(new Set(tags.map(labelOf)), LABEL_WEIGHT);
  return weights;
}

/** The weight of a word by its count. It grows by one each time the count doubles. */
function weightOfCount(count: number): number {
  return Math.min(1 + Math.floor(Math.log2(count)), MAX_TEXT_WEIGHT);
}
