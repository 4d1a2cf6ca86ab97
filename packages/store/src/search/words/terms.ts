import { MAX_QUERY_WORDS } from '../../schema/limits.js';
import { wordsIn } from './words.js';

/** What an entry must have to be found. */
export interface Term {
  word: string;
  /** Whether only the word itself counts, and not what begins with it. */
  isWhole: boolean;
}

/** What counts more: the word itself, or another that begins with it. */
const WHOLE_FACTOR = 2;

/**
 * The terms of a query: its different words, only the first {@link MAX_QUERY_WORDS}, and the tag.
 * None for a query without words, whatever the tag.
 */
export function termsOf(query: string, tag?: string): Term[] {
  const words = [...new Set(wordsIn(query))].slice(0, MAX_QUERY_WORDS);
  const terms = words.map((word) => ({ word, isWhole: false }));
  if (terms.length === 0 || tag === undefined) return terms;
  return [...terms, { word: labelOf(tag), isWhole: true }];
}

/** What a label is found by: no word of a text is like it. */
export function labelOf(label: string): string {
  return `#${label}`;
}

/** Whether a word of an entry is what a term is about. */
export function fits(word: string, term: Term): boolean {
  return term.isWhole ? word === term.word : word.startsWith(term.word);
}

/** What a word with this weight, which fits the term, adds to the score of its entry. */
export function scoreOfWord(word: string, weight: number, term: Term): number {
  return word.length === term.word.length ? weight * WHOLE_FACTOR : weight;
}

/** How well an entry with these words fits; 0 unless it has something for every term. */
export function scoreOf(weights: ReadonlyMap<string, number>, terms: readonly Term[]): number {
  let score = 0;
  for (const term of terms) {
    let best = 0;
    for (const [word, weight] of weights) {
      if (fits(word, term)) best = Math.max(best, scoreOfWord(word, weight, term));
    }
    if (best === 0) return 0;
    score += best;
  }
  return score;
}
