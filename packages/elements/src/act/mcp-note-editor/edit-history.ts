import { inverse, rebase, replacing, type Replacement, type TextEdit } from './text-edit.js';

/** How many steps can be taken back. */
const MAX_STEPS = 1_000;

/** How much text they have in all, in UTF-16 code units; the last one has any length. */
const MAX_LENGTH = 8 * 1024 * 1024;

/**
 * What a user can take back in a text, and do again: their own words only, whatever others have changed in
 * between. Typing is taken back by words.
 */
export class EditHistory {
  /** Each leads from the text as it is after those behind it to the text before it. */
  #done: TextEdit[] = [];
  #undone: TextEdit[] = [];
  /** What the last of `#done` takes back, while more may be typed to it. */
  #open: Replacement | undefined;

  /** Notes what the user has replaced. `isTyped`: by keys, one after the other. */
  record(change: Replacement, isTyped: boolean): void {
    const open = isTyped ? this.#open && oneOf(this.#open, change) : undefined;
    if (open) this.#done.pop();
    const { start, removed, added } = (this.#open = open ?? change);
    this.#done.push(replacing(start, added.length, removed));
    this.#undone = [];
    this.#forgetOldest();
  }

  /** Notes what somebody else has changed. */
  rebase(edit: TextEdit): void {
    this.#open = undefined;
    this.#done = rebased(this.#done, edit);
    this.#undone = rebased(this.#undone, edit);
  }

  /** What takes the last step of the user back; of steps whose words others have replaced, nothing is left. */
  undo(text: string): TextEdit | undefined {
    return this.#take(this.#done, this.#undone, text);
  }

  /** What does again what was taken back. */
  redo(text: string): TextEdit | undefined {
    return this.#take(this.#undone, this.#done, text);
  }

  #take(from: TextEdit[], to: TextEdit[], text: string): TextEdit | undefined {
    this.#open = undefined;
    const edit = from.pop();
    if (edit) to.push(inverse(edit, text));
    return edit;
  }

  #forgetOldest(): void {
    let left = MAX_LENGTH;
    const first = this.#done.findLastIndex((edit, index) => {
      for (const part of edit) left -= typeof part === 'string' ? part.length : 0;
      const isLast = index === this.#done.length - 1;
      return (left < 0 && !isLast) || index < this.#done.length - MAX_STEPS;
    });
    this.#done.splice(0, first + 1);
  }
}

/** The steps after an edit of somebody else, without those of which nothing is left. */
function rebased(steps: readonly TextEdit[], edit: TextEdit): TextEdit[] {
  let over = edit;
  return steps
    .toReversed()
    .map((step) => {
      const after = rebase(step, over, false);
      over = rebase(over, step, true);
      return after;
    })
    .filter((step) => step.some((part) => typeof part === 'string' || part < 0))
    .toReversed();
}

/** Two changes as one, if a user would take both back at once: a word, or what was deleted key by key. */
function oneOf(last: Replacement, next: Replacement): Replacement | undefined {
  const { start, removed, added } = last;
  if (next.removed === '' && next.start === start + added.length) {
    const isNextWord = /\S\s+$/.test(added) && /^\S/.test(next.added);
    return isNextWord ? undefined : { start, removed, added: added + next.added };
  }
  if (added !== '' || next.added !== '') return undefined;
  if (next.start + next.removed.length === start)
    return { start: next.start, removed: next.removed + removed, added };
  return next.start === start ? { start, removed: removed + next.removed, added } : undefined;
}
