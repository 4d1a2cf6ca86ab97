import { innerOf, type Entry } from './entry.js';

/** What is drawn in a frame, in controls; the browser lays out and styles so many in some 20 ms. */
const FRAME_WEIGHT = 60;

/** A text of so many UTF-16 code units takes as long as a control. */
const TEXT_WEIGHT = 300;

/** An option of a choice takes a part of what a control takes. */
const OPTION_WEIGHT = 0.25;

/**
 * Which entries of a form are drawn: so many more with each frame that the page answers its user
 * all the while.
 */
export class DrawnEntries {
  readonly #drawn = new WeakSet<Entry>();
  #left = 0;
  #isWhole = true;

  /** Whether no entry is left to be drawn. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  has(entry: Entry): boolean {
    return this.#drawn.has(entry);
  }

  /** Adds the next entries, in the order of the form. */
  addNext(root: Entry): void {
    this.#left = FRAME_WEIGHT;
    this.#isWhole = true;
    this.#add(root);
  }

  #add(entry: Entry): void {
    if (!this.#drawn.has(entry)) {
      if (this.#left <= 0) {
        this.#isWhole = false;
        return;
      }
      this.#left -= weightOf(entry);
      this.#drawn.add(entry);
    }
    for (const inner of innerOf(entry)) this.#add(inner);
  }
}

function weightOf(entry: Entry): number {
  const { field } = entry;
  const length = field.title.length + field.description.length + textOf(entry).length;
  const options = 'options' in field ? field.options.length * OPTION_WEIGHT : 0;
  return 1 + options + length / TEXT_WEIGHT;
}

function textOf(entry: Entry): string {
  return 'text' in entry ? entry.text : '';
}
