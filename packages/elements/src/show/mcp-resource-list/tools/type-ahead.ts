import { isHeading, type Row, type Rows } from '../rows/rows.js';

/** The time after a letter within which the next one continues a word, in milliseconds. */
const WORD_MS = 700;

/** Finds a row by the first letters of its title. */
export class TypeAhead {
  #word = '';
  #typedAt = -Infinity;

  /** Whether the user is in the middle of a word, to which a space may belong. */
  get isTyping(): boolean {
    return this.#word !== '' && performance.now() - this.#typedAt < WORD_MS;
  }

  /** The index of the next row that begins with the typed text; −1 if it does not exist. */
  type(letter: string, rows: Rows, current: number): number {
    this.#word = this.isTyping ? this.#word + letter : letter;
    this.#typedAt = performance.now();
    const isRepeated = this.#word === letter.repeat(this.#word.length);
    const word = (isRepeated ? letter : this.#word).toLocaleLowerCase();
    // One letter moves to the next row; a longer word may stay.
    const start = Math.max(0, word === letter.toLocaleLowerCase() ? current + 1 : current);
    for (let step = 0; step < rows.length; step += 1) {
      const index = (start + step) % rows.length;
      const row = rows.at(index);
      if (!isHeading(row) && beginsWith(row, word)) return index;
    }
    return -1;
  }
}

/** Whether the title of a row begins with a word. Of a long title, only the beginning is compared. */
function beginsWith({ label, resource }: Row, word: string): boolean {
  const title = label ?? resource?.title ?? resource?.name ?? '';
  return title.slice(0, word.length).toLocaleLowerCase() === word;
}
