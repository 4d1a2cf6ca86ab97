import { MAX_QUERY_WORDS } from '../../schema/limits.js';
import { hasUnspaced, wordsIn } from './words.js';

/** A word that a note or path must contain to match. */
export interface Term {
  word: string;
  /** Whether only the word itself matches, and not longer words that start with it. */
  isWhole: boolean;
  /** Whether a word also matches that differs by one typing error. Default: no. */
  isLoose?: boolean;
}

/**
 * The minimum number of letters of a word that forgives a typing error. Shorter words are too similar to each
 * other.
 */
const MIN_LOOSE_LENGTH = 4;

/** The factor by which the word itself counts more than a longer word that starts with it. */
const WHOLE_FACTOR = 2;

/**
 * The terms of a query: its first {@link MAX_QUERY_WORDS} different words, and the tag. A query
 * without words has no terms, even with a tag.
 */
export function termsOf(query: string, tag?: string): Term[] {
  const words = [...new Set(wordsIn(query))].slice(0, MAX_QUERY_WORDS);
  const terms = words.map((word) => ({ word, isWhole: false }));
  if (terms.length === 0 || tag === undefined) return terms;
  return [...terms, { word: labelOf(tag), isWhole: true }];
}

/**
 * The indexed form of a tag that matches only as a whole and exactly as written. No word of a text is
 * equal to it.
 */
export function labelOf(tag: string): string {
  return `#${tag}`;
}

/**
 * The same terms, of which words with at least {@link MIN_LOOSE_LENGTH} letters forgive a typing error;
 * undefined if no such term exists. Numbers are excluded because they are meant as they are written, and
 * scripts without spaces because they have short words.
 */
export function loosened(terms: readonly Term[]): Term[] | undefined {
  const loose = terms.map((term): Term => {
    const isLoose = !term.isWhole && /^[\p{L}\p{M}]+$/u.test(term.word) && !hasUnspaced(term.word);
    return { ...term, isLoose: isLoose && term.word.length >= MIN_LOOSE_LENGTH };
  });
  return loose.some(({ isLoose }) => isLoose) ? loose : undefined;
}

/** The beginning of each word that matches a term. */
export function startOf({ word, isLoose }: Term): string {
  return isLoose ? word.charAt(0) : word;
}

/** Whether a word matches a term. */
export function matchesTerm(word: string, term: Term): boolean {
  if (term.isWhole) return word === term.word;
  return word.startsWith(term.word) || (term.isLoose === true && isSimilar(word, term.word));
}

/**
 * Whether a word begins with the typed letters, except for one letter that is wrong, missing or too much, or
 * two that are exchanged. The first letter has to be right, so that the index reads few words. If the error
 * is in the last letter, the word may not be much longer, because otherwise any word with the same beginning
 * would match.
 */
function isSimilar(word: string, typed: string): boolean {
  let same = 0;
  while (same < typed.length && word[same] === typed[same]) same += 1;
  if (same === 0) return false;
  if (same === typed.length - 1 && word.length > typed.length + 1) return false;
  const goesOn = (inWord: number, inTyped: number): boolean =>
    word.startsWith(typed.slice(same + inTyped), same + inWord);
  const isExchanged = word[same] === typed[same + 1] && word[same + 1] === typed[same];
  return goesOn(1, 1) || goesOn(1, 0) || goesOn(0, 1) || (isExchanged && goesOn(2, 2));
}

/** The score of a word that matches a term. */
export function scoreOfWord(word: string, weight: number, term: Term): number {
  return word.length === term.word.length ? weight * WHOLE_FACTOR : weight;
}

/** The score of a note or path with these words; 0 unless it matches all terms. */
export function scoreOf(weights: ReadonlyMap<string, number>, terms: readonly Term[]): number {
  let score = 0;
  for (const term of terms) {
    let best = 0;
    for (const [word, weight] of weights) {
      if (matchesTerm(word, term)) best = Math.max(best, scoreOfWord(word, weight, term));
    }
    if (best === 0) return 0;
    score += best;
  }
  return score;
}
