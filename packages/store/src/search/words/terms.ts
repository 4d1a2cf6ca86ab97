import { MAX_QUERY_WORDS } from '../../schema/limits.js';
import { wordsIn } from './words.js';

/** A word that a note or path must contain to match. */
export interface Term {
  word: string;
  /** Whether only the word itself matches, and not longer words that start with it. */
  isWhole: boolean;
}

/** How much more the word itself counts than a longer word that starts with it. */
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

/** Whether a word matches a term. */
export function matchesTerm(word: string, term: Term): boolean {
  return term.isWhole ? word === term.word : word.startsWith(term.word);
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
