import { inverse, rebase, replacing, type Replacement, type TextEdit } from './text-edit.js';

/** The maximum number of steps that can be undone. */
const MAX_STEPS = 1_000;

/** The maximum total length of their texts, in UTF-16 code units; the last step may have any length. */
const MAX_LENGTH = 8 * 1024 * 1024;

/**
 * The changes that a user can undo and redo in a text: only the user's own, regardless of the changes of
 * others in between. Typing is undone word by word.
 */
export class EditHistory {
  /**
   * The edits that undo the steps. Each one applies to the text after all later steps were undone, and
   * restores the text before its own step.
   */
  #done: TextEdit[] = [];
  #undone: TextEdit[] = [];
  /** The change that the last edit of `#done` undoes, while further typing may be added to it. */
  #open: Replacement | undefined;

  /** Records a change of the user. `isTyped` means typed key by key. */
  record(change: Replacement, isTyped: boolean): void {
    const open = isTyped ? this.#open && oneOf(this.#open, change) : undefined;
    if (open) this.#done.pop();
    const { start, removed, added } = (this.#open = open ?? change);
    this.#done.push(replacing(start, added.length, removed));
    this.#undone = [];
    this.#forgetOldest();
  }

  /** Adapts the steps to a change that the user has not made. */
  rebase(edit: TextEdit): void {
    this.#open = undefined;
    this.#done = rebased(this.#done, edit);
    this.#undone = rebased(this.#undone, edit);
  }

  /**
   * Removes the last step of the user and returns the edit that undoes it. If others have replaced its text,
   * nothing is left to undo.
   */
  undo(text: string): TextEdit | undefined {
    return this.#take(this.#done, this.#undone, text);
  }

  /** Returns the edit that makes the step again which was undone last. */
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

/** The steps after an edit of another author, without those of which nothing is left. */
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

/** Joins two changes if a user would undo both at once: a word, or text that was deleted key by key. */
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
