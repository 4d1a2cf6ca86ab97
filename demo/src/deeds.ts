import type { Runtime, RuntimeStorage } from '@inpage-mcp/runtime';
import { askBeforeLeaving } from './leaving.js';
import { reasonOf } from './storage-words.js';

/** What can be done with all of the data. */
export type Deed = 'keep' | 'export' | 'import' | 'samples' | 'delete';

/** What is being done. */
export interface Task {
  deed: Deed;
  words: string;
  /** Absent where it is done in one step, and cannot be cancelled. */
  progress?: { done: number; total: number };
  /** Whether the progress has not changed for a while. Default: no. */
  stalled?: boolean;
}

/** What became of the last deed. */
export interface Outcome {
  deed: Deed;
  words: string;
  failed?: boolean;
  /** What else there is to say, line by line. */
  lines?: readonly string[];
}

/** What a deed is given. */
export interface Given {
  runtime: Runtime;
  storage: RuntimeStorage;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * After how long the same progress looks as if nothing happened, in milliseconds; an import counts
 * entries, and one of them may be huge.
 */
const STALL_MS = 1_000;

const CANCELLED: { [deed in Deed]?: string } = {
  export: 'Cancelled: nothing was saved.',
  import: 'Cancelled. What was brought in so far stays; you can import the same zip again.',
};

/** Does one thing at a time, and knows how far it is and what became of it. */
export class Deeds {
  readonly #onChange: () => void;
  #task: Task | undefined;
  #outcome: Outcome | undefined;
  #cancellation = new AbortController();
  #stall: ReturnType<typeof setTimeout> | undefined;

  /** @param onChange Called when there is something else to show. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** What is under way. */
  get task(): Readonly<Task> | undefined {
    return this.#task;
  }

  get outcome(): Readonly<Outcome> | undefined {
    return this.#outcome;
  }

  /** Does it, unless something else is under way. Never rejects. */
  async run(
    runtime: Runtime,
    task: Task,
    act: (given: Given) => Promise<Omit<Outcome, 'deed'>>,
  ): Promise<void> {
    if (this.#task) return;
    const { storage } = runtime;
    const { deed } = task;
    const cancellation = new AbortController();
    const { signal } = cancellation;
    this.#cancellation = cancellation;
    const onProgress = (done: number, total: number): void => {
      // It may come late: with the next deed, or with none.
      if (!this.#task || this.#cancellation !== cancellation) return;
      this.#show({ ...task, progress: { done, total } });
    };
    this.forget();
    this.#show(task);
    // What is done in one step is over before anybody could answer, and what was cancelled is given up.
    const stopAsking = task.progress && askBeforeLeaving(() => !signal.aborted);
    try {
      this.#outcome = { deed, ...(await act({ runtime, storage, onProgress, signal })) };
    } catch (error) {
      const cancelled = { words: CANCELLED[deed] ?? 'Cancelled.' };
      const failed = { words: reasonOf(error), failed: true };
      this.#outcome = { deed, ...(signal.aborted ? cancelled : failed) };
    }
    stopAsking?.();
    this.#show(undefined);
  }

  /** Ends what is under way. */
  cancel(): void {
    this.#cancellation.abort();
  }

  /** Says no more what became of the last deed. */
  forget(): void {
    this.#outcome = undefined;
    this.#onChange();
  }

  #show(task: Task | undefined): void {
    this.#task = task;
    clearTimeout(this.#stall);
    if (task?.progress && !task.stalled) {
      this.#stall = setTimeout(() => this.#show({ ...task, stalled: true }), STALL_MS);
    }
    this.#onChange();
  }
}
