import { fold, positionBeforeFolding } from '../../records/folded-text.js';
import { cut } from '../../records/text-cut.js';
import type { Yielder } from './yielder.js';
import { matchesTerm, type Term } from './terms.js';
import { hasUnspaced, piecesOf, wordsIn } from './words.js';

/** The length of an excerpt before its white space is collapsed, in UTF-16 code units. */
const EXCERPT_LENGTH = 200;
/** The length of the part of an excerpt that precedes the word that was found. */
const EXCERPT_LEAD = 60;

/** The number of UTF-16 code units of a text that are searched: a long text would take too much time. */
const MAX_LOOKED_AT = 1024 * 1024;

/**
 * The part of a text around the first word that matches a term; undefined if no word of the first
 * {@link MAX_LOOKED_AT} code units does.
 */
export async function excerptOf(
  text: string,
  terms: readonly Term[],
  yielder: Yielder,
): Promise<string | undefined> {
  let start = 0;
  for (const piece of piecesOf(text)) {
    const position = positionIn(piece, terms);
    if (position !== undefined) return excerptAround(text, start + position);
    start += piece.length;
    if (start >= MAX_LOOKED_AT) return undefined;
    if (yielder.isDue) await yielder.yield();
  }
  return undefined;
}

/** The position of the first word that matches a term; undefined if none does. */
function positionIn(text: string, terms: readonly Term[]): number | undefined {
  const folded = fold(text);
  let first = Infinity;
  for (const term of terms) {
    const position = term.isWhole ? -1 : positionOfTerm(folded, term);
    if (position !== -1) first = Math.min(first, position);
  }
  return first === Infinity ? undefined : positionBeforeFolding(text, first);
}

function excerptAround(text: string, position: number): string {
  const start = Math.max(position - EXCERPT_LEAD, 0);
  const excerpt = cut(text, start, start + EXCERPT_LENGTH);
  // Copied: a slice would keep the whole text in memory.
  return Array.from(excerpt).join('').replaceAll(/\s+/g, ' ').trim();
}

function positionOfTerm(folded: string, term: Term): number {
  const position = positionOfWord(folded, term.word);
  if (position !== -1 || !term.isLoose) return position;
  const similar = wordsIn(folded).find((word) => matchesTerm(word, term));
  return similar === undefined ? -1 : positionOfWord(folded, similar);
}

/** The first position where a word may start with `word`; -1 if it does not exist. */
function positionOfWord(folded: string, word: string): number {
  let position = folded.indexOf(word);
  while (position > 0 && !mayBegin(folded, position)) position = folded.indexOf(word, position + 1);
  return position;
}

/**
 * Whether a word may start at a position. In scripts without spaces only a dictionary knows where words
 * start, but for an excerpt any position is good enough.
 */
function mayBegin(folded: string, position: number): boolean {
  const before = folded.slice(Math.max(position - 2, 0), position);
  return !/[\p{L}\p{M}\p{N}]$/u.test(before) || hasUnspaced(before + folded.charAt(position));
}
