import type { Runtime } from '@inpage-mcp/runtime';
import type { NoticeStack } from '../shell/notice-stack.js';
import { Deletion } from './deletion.js';
import { amountOf, reasonOf } from './storage-words.js';

/** How long a deletion can be undone, in milliseconds; longer while the pointer or the focus is on the offer. */
const UNDO_MS = 10_000;

/** When a deletion begins to show how far it is, in milliseconds. */
const SLOW_MS = 500;

/** Something that was deleted, and what the user knows it by. */
interface Deleted {
  deletion: Deletion;
  runtime: Runtime;
  /** Absent for several. */
  name: string | undefined;
  notes: number;
  files: number;
}

/** Deletes without a question, and offers to undo what was deleted in the last ten seconds. */
export class Deletions {
  readonly #notices: () => NoticeStack;
  /** What can be undone, the last one last. */
  #undoable: readonly Deleted[] = [];
  #endOffer: (() => void) | undefined;

  readonly #onRestored: (isWhole: boolean) => void;

  /**
   * @param notices Where deletions are said and undone.
   * @param onRestored Called after an undo, with whether everything is back.
   */
  constructor(notices: () => NoticeStack, onRestored: (isWhole: boolean) => void) {
    this.#notices = notices;
    this.#onRestored = onRestored;
  }

  /**
   * Deletes notes, files and folders. Resolves with what became of them. Never rejects.
   *
   * @param name What the user knows it by, as in “Shopping list”. Default: their number.
   */
  async delete(runtime: Runtime, uris: readonly string[], name?: string): Promise<Deletion> {
    const notices = this.#notices();
    const deletion = new Deletion();
    const stop = new AbortController();
    const actions = [{ words: 'Stop', run: () => stop.abort() }];
    const words = `Deleting ${name ?? 'what is selected'}`;
    const startMs = performance.now();
    let progress: ReturnType<NoticeStack['follow']> | undefined;
    const onProgress = (done: number, total: number): void => {
      if (total > 1 && performance.now() - startMs > SLOW_MS) {
        progress ??= notices.follow(words, actions);
      }
      progress?.update(done, total);
    };
    await deletion.run(runtime, uris, onProgress, stop.signal);
    progress?.end();
    const [failure] = deletion.failures;
    if (failure !== undefined) {
      const { length } = deletion.failures;
      const what = length === 1 ? `${name ?? 'One of them'} was` : `${length} of them were`;
      notices.fail(failure, `${what} not deleted`);
    }
    const { notes, files } = deletion;
    if (notes + files > 0) this.#offerUndo({ deletion, runtime, name, notes, files });
    return deletion;
  }

  /** Brings back what can be undone; returns whether there is something. */
  undo(): boolean {
    const undoable = this.#withdrawOffer();
    if (undoable.length > 0) void this.#restore(undoable);
    return undoable.length > 0;
  }

  /** Ends the offer, and returns what it was about. */
  #withdrawOffer(): readonly Deleted[] {
    const undoable = this.#undoable;
    this.#undoable = [];
    this.#endOffer?.();
    this.#endOffer = undefined;
    return undoable;
  }

  #offerUndo(deleted: Deleted): void {
    const undoable = [...this.#withdrawOffer(), deleted];
    const action = { words: 'Undo', run: () => this.undo() };
    const end = this.#notices().offer(offerInWords(undoable), action, UNDO_MS, () => {
      if (this.#endOffer === end) this.#undoable = [];
    });
    this.#endOffer = end;
    this.#undoable = undoable;
  }

  /** What could not be written again is kept until it can, or the page is left. Never rejects. */
  async #restore(deleted: readonly Deleted[]): Promise<void> {
    const notices = this.#notices();
    const failures: unknown[] = [];
    for (const { deletion, runtime } of deleted.toReversed())
      failures.push(...(await deletion.undo(runtime)));
    this.#onRestored(failures.length === 0);
    if (failures.length === 0) {
      notices.show(`Brought back ${inWords(deleted)}.`);
      return;
    }
    const many = failures.length === 1 ? 'One thing is' : `${failures.length} things are`;
    notices.stand(`${many} not back yet: ${reasonOf(failures[0])}`, {
      actions: [{ words: 'Try again', run: () => void this.#restore(deleted) }],
    });
  }
}

function offerInWords(deleted: readonly Deleted[]): string {
  const words = `Deleted ${inWords(deleted)}.`;
  const lost = deleted.reduce((sum, { deletion }) => sum + deletion.lost, 0);
  return lost === 0 ? words : `${words} What could not be read (${lost}) cannot be brought back.`;
}

function inWords(deleted: readonly Deleted[]): string {
  const [only] = deleted.length === 1 ? deleted : [];
  const sum = (of: 'notes' | 'files'): number => deleted.reduce((count, one) => count + one[of], 0);
  return only?.name ?? amountOf({ notes: sum('notes'), files: sum('files') });
}
