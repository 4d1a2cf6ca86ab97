import { excerptOf, hitsOf } from './note-match.js';
import type { NoteSummary } from './schema.js';

/** A note that a search has found. */
export interface NoteMatch {
  note: NoteSummary;
  /**
   * Some 200 code units of the text around the first word found there, on one line; the note's
   * `firstLine` when only its title or tags have the words.
   */
  excerpt: string;
}

/** The best notes so far, of those that are shown to it from the newest to the oldest. */
export class BestMatches {
  /** How many matched, also those that were not good enough to keep. */
  total = 0;
  readonly #words: readonly string[];
  readonly #limit: number;
  readonly #ranked: { inTitle: number; match: NoteMatch }[] = [];

  constructor(words: readonly string[], limit: number) {
    this.#words = words;
    this.#limit = limit;
  }

  /** Best first. */
  get matches(): NoteMatch[] {
    return this.#ranked.map(({ match }) => match);
  }

  /** Keeps the note if it has all the words and is among the best. */
  consider(note: NoteSummary, text: string): void {
    const hits = hitsOf(note, text, this.#words);
    if (!hits) return;
    this.total += 1;
    // Behind those that are as good: they are newer.
    const worse = this.#ranked.findIndex(({ inTitle }) => inTitle < hits.inTitle);
    const position = worse === -1 ? this.#ranked.length : worse;
    if (position === this.#limit) return;
    const match = { note, excerpt: excerptOf(note, text, hits) };
    this.#ranked.splice(position, 0, { inTitle: hits.inTitle, match });
    this.#ranked.length = Math.min(this.#ranked.length, this.#limit);
  }
}
