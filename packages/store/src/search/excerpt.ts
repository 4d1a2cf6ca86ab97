import { fold, positionBeforeFolding } from '../folded-text.js';
import { cut } from '../text-cut.js';
import type { Term } from './terms.js';
import { HAS_UNSPACED } from './words.js';

/** How long an excerpt is before its white space is put together, in UTF-16 code units. */
const EXCERPT_LENGTH = 200;
/** How much of an excerpt precedes what was found. */
const EXCERPT_LEAD = 60;

/** Some of a text around the first word that one of the terms is about; undefined where none is. */
export function excerptOf(text: string, terms: readonly Term[]): string | undefined {
  const folded = fold(text);
  let first = Infinity;
  for (const { word, isWhole } of terms) {
    const position = isWhole ? -1 : positionOfWord(folded, word);
    if (position !== -1) first = Math.min(first, position);
  }
  if (first === Infinity) return undefined;
  const start = Math.max(positionBeforeFolding(text, first) - EXCERPT_LEAD, 0);
  const excerpt = cut(text, start, start + EXCERPT_LENGTH);
  // Put together anew: a slice would keep the whole text in memory for as long as it is held.
  return Array.from(excerpt).join('').replaceAll(/\s+/g, ' ').trim();
}

/** Where a word may begin; -1 where it begins nowhere. */
function positionOfWord(folded: string, word: string): number {
  let position = folded.indexOf(word);
  while (position > 0 && !mayBegin(folded, position)) position = folded.indexOf(word, position + 1);
  return position;
}

/**
 * Whether a word may begin at a position, where one is found. Of scripts without spaces only a
 * dictionary knows where words begin: there any place will do, to show.
 */
function mayBegin(folded: string, position: number): boolean {
  const before = folded.slice(Math.max(position - 2, 0), position);
  return !/[\p{L}\p{M}\p{N}]$/u.test(before) || HAS_UNSPACED.test(before + folded.charAt(position));
}
