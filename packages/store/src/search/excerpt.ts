import { fold, positionBeforeFolding } from '../folded-text.js';
import { cut } from '../text-cut.js';
import type { Term } from './terms.js';
import { UNSPACED } from './words.js';

/** How long an excerpt is before its white space is put together, in UTF-16 code units. */
const EXCERPT_LENGTH = 200;
/** How much of an excerpt precedes what was found. */
const EXCERPT_LEAD = 60;

/** Some of a text around the first word that one of the terms is about; undefined where none is. */
export function excerptOf(text: string, terms: readonly Term[]): string | undefined {
  const position = fold(text).search(patternOf(terms));
  if (position === -1) return undefined;
  const start = Math.max(positionBeforeFolding(text, position) - EXCERPT_LEAD, 0);
  const excerpt = cut(text, start, start + EXCERPT_LENGTH);
  // Put together anew: a slice would keep the whole text in memory for as long as it is held.
  return Array.from(excerpt).join('').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Where a word may begin that one of the terms is about. Of scripts without spaces only a dictionary
 * knows where words begin: there any place will do, to show.
 */
function patternOf(terms: readonly Term[]): RegExp {
  // Words are letters, digits and emoji: nothing in them means anything in a pattern.
  const words = terms.filter(({ isWhole }) => !isWhole).map(({ word }) => word);
  return new RegExp(
    `(?<=^|[^\\p{L}\\p{M}\\p{N}]|[${UNSPACED}])(?:${words.join('|')})|(?:${unspacedOf(words)})`,
    'u',
  );
}

function unspacedOf(words: readonly string[]): string {
  const unspaced = words.filter((word) => new RegExp(`^[${UNSPACED}]`, 'u').test(word));
  // Without any: what matches nowhere.
  return unspaced.length > 0 ? unspaced.join('|') : '(?!)';
}
