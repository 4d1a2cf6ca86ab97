import { MAX_INDEXED_WORDS } from '../../schema/limits.js';
import type { Slices } from './slices.js';
import { fits, labelOf, type Term } from './terms.js';
import { piecesOf, wordsIn } from './words.js';

/** What can be found of an entry, by where it stands. */
export interface Fields {
  /** The title of a note, the name of a file. */
  title: string;
  /** The tags of a note, the folders of a file. */
  tags: readonly string[];
  /** Of a note; '' for a file. */
  text: string;
  /** What is also looked for by itself, as it is written: the tags of a note. */
  labels: readonly string[];
}

// A word in the title says more of an entry than any other, however often it comes.
const TITLE_WEIGHT = 64;
const TAG_WEIGHT = 16;
const MAX_TEXT_WEIGHT = 8;
const LABEL_WEIGHT = 1;

/** How many words are gone through without a pause. */
const WORDS_AT_ONCE = 1_024;

/**
 * The words of an entry, and how much each says of it: 1 to 255, so that it takes one byte. Of a text
 * the first {@link MAX_INDEXED_WORDS} different ones.
 *
 * @param terms Only words that fit one of these. Default: all.
 */
export async function weigh(
  { title, tags, text, labels }: Fields,
  slices: Slices,
  terms?: readonly Term[],
): Promise<Map<string, number>> {
  const wanted = (word: string): boolean => !terms || terms.some((term) => fits(word, term));
  const isAsked = (folded: string): boolean =>
    !terms || terms.some(({ word, isWhole }) => !isWhole && folded.includes(word));
  const counts = new Map<string, number>();
  for (const piece of piecesOf(text)) {
    for (const word of wordsIn(piece, isAsked)) {
      if (!wanted(word)) continue;
      const count = counts.get(word) ?? 0;
      if (count > 0 || counts.size < MAX_INDEXED_WORDS) counts.set(word, count + 1);
    }
    if (slices.isOver) await slices.next();
  }
  // A text has no more words than code units.
  if (terms && text.length > MAX_INDEXED_WORDS) await keepFirst(counts, text, slices);
  // The counts become the weights, in place.
  const weights = counts;
  let weighed = 0;
  for (const [word, count] of counts) {
    weights.set(word, weightOfCount(count));
    weighed += 1;
    if (weighed % WORDS_AT_ONCE === 0 && slices.isOver) await slices.next();
  }
  const add = (words: Iterable<string>, weight: number): void => {
    for (const word of words) {
      if (wanted(word)) weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  };
  add(new Set(tags.flatMap((tag) => wordsIn(tag))), TAG_WEIGHT);
  add(new Set(wordsIn(title)), TITLE_WEIGHT);
  add(new Set(labels.map(labelOf)), LABEL_WEIGHT);
  return weights;
}

/**
 * Takes out of some words of a text those that are not among its first different ones. All the others
 * have to be counted for that, up to where the last of these words first occurs.
 */
async function keepFirst(counts: Map<string, number>, text: string, slices: Slices): Promise<void> {
  const unseen = new Set(counts.keys());
  const first = new Set<string>();
  for (const piece of piecesOf(text)) {
    if (unseen.size === 0 || first.size === MAX_INDEXED_WORDS) break;
    for (const word of wordsIn(piece)) {
      if (first.size === MAX_INDEXED_WORDS) break;
      first.add(word);
      unseen.delete(word);
    }
    if (slices.isOver) await slices.next();
  }
  for (const word of unseen) counts.delete(word);
}

/** One more each time that a word occurs twice as often. */
function weightOfCount(count: number): number {
  return Math.min(1 + Math.floor(Math.log2(count)), MAX_TEXT_WEIGHT);
}
