import { fold, positionBeforeFolding } from '../../records/folded-text.js';
import { cut } from '../../records/text-cut.js';
import type { Slices } from './slices.js';
import type { Term } from './terms.js';
import { hasUnspaced, piecesOf } from './words.js';

/** How long an excerpt is before its white space is put together, in UTF-16 code units. */
const EXCERPT_LENGTH = 200;
/** How much of an excerpt precedes what was found. */
const EXCERPT_LEAD = 60;

/** How far into a text is looked, in UTF-16 code units: nobody waits for the last words of a long one. */
const MAX_LOOKED_AT = 1024 * 1024;

/**
 * Some of a text around the first word that one of the terms is about; undefined where the beginning
 * of the text has none, which is all of it but for the longest.
 */
export async function excerptOf(
  text: string,
  terms: readonly Term[],
  slices: Slices,
): Promise<string | undefined> {
  let start = 0;
  for (const piece of piecesOf(text)) {
    const position = positionIn(piece, terms);
    if (position !== undefined) return around(text, start + position);
    start += piece.length;
    if (start >= MAX_LOOKED_AT) return undefined;
    if (slices.isOver) await slices.next();
  }
  return undefined;
}

/** Where the first word is that one of the terms is about; undefined where there is none. */
function positionIn(text: string, terms: readonly Term[]): number | undefined {
  const folded = fold(text);
  let first = Infinity;
  for (const { word, isWhole } of terms) {
    const position = isWhole ? -1 : positionOfWord(folded, word);
    if (position !== -1) first = Math.min(first, position);
  }
  return first === Infinity ? undefined : positionBeforeFolding(text, first);
}

function around(text: string, position: number): string {
  const start = Math.max(position - EXCERPT_LEAD, 0);
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
  return !/[\p{L}\p{M}\p{N}]$/u.test(before) || hasUnspaced(before + folded.charAt(position));
}
