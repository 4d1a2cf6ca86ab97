import { endWithinCost } from '../../../base/text/layout-cost.js';

/** A text in portions, each of them small enough to be parsed and laid out at once. */
export interface Portions {
  /** How much of the text the portions so far hold, in UTF-16 code units. */
  readonly position: number;
  /** Shows the next portion in an element, which may show one of an earlier text. */
  renderNext(portion: HTMLElement): void;
  /** Resolves when the portions so far look as they stay; soon in any case. */
  ready?(): Promise<void>;
}

/** What a portion costs to lay out at most, in the unit of {@link endWithinCost}. */
const MAX_COST = 16_384;

/** A text as it is, in portions that end with a line where they can. */
export class PlainPortions implements Portions {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  renderNext(portion: HTMLElement): void {
    const end = this.#nextEnd();
    const part = this.#text.slice(this.position, end);
    if (portion.textContent !== part) portion.textContent = part;
    // The line goes on in the next portion.
    portion.classList.toggle('cut', end < this.#text.length && !part.endsWith('\n'));
    this.position = end;
  }

  #nextEnd(): number {
    const end = endWithinCost(this.#text, this.position, MAX_COST);
    if (end === this.#text.length) return end;
    const lines = this.#text.slice(this.position, end).lastIndexOf('\n') + 1;
    return lines > 0 ? this.position + lines : end;
  }
}
