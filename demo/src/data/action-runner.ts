import type { Runtime, RuntimeStorage } from '@inpage-mcp/runtime';
import { reasonOf } from './storage-words.js';

/** The actions on all of the data. */
export type DataAction = 'keep' | 'export' | 'import' | 'samples' | 'delete';

/** The action that runs. */
export interface Task {
  action: DataAction;
  words: string;
  /** Absent if the action has one step, and cannot be cancelled. */
  progress?: { done: number; total: number };
  /** Whether the progress has not changed for a while. Default: no. */
  stalled?: boolean;
}

/** The result of the last action. */
export interface Outcome {
  action: DataAction;
  words: string;
  failed?: boolean;
  /** Further lines for the user. */
  lines?: readonly string[];
  /** An archive that waits for the user's answer, as it needs much room. */
  large?: Blob;
}

/** An action: what it does with all of the data, and what it says then. */
export type Act = (context: {
  runtime: Runtime;
  storage: RuntimeStorage;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}) => Promise<Omit<Outcome, 'action'>>;

/**
 * After how long the same progress looks as if nothing happened, in milliseconds; an import counts
 * entries, and one of them may be huge.
 */
const STALL_MS = 1_000;

const CANCELLED: { [action in DataAction]?: string } = {
  export: 'Cancelled: nothing was saved.',
  import: 'Cancelled. What was brought in so far stays; you can import the same zip again.',
};

/** Runs one action at a time, and knows its progress and its result. */
export class ActionRunner {
  readonly #onChange: () => void;
  #task: Task | undefined;
  #outcome: Outcome | undefined;
  #cancellation = new AbortController();
  #stall: ReturnType<typeof setTimeout> | undefined;

  /** @param onChange Called when the task or the outcome has changed. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The action that runs, if one does. */
  get task(): Readonly<Task> | undefined {
    return this.#task;
  }

  get outcome(): Readonly<Outcome> | undefined {
    return this.#outcome;
  }

  /** Runs the action, unless another one runs. Never rejects. */
  async run(runtime: Runtime, task: Task, act: Act): Promise<void> {
    if (this.#task) return;
    const { storage } = runtime;
    const { action } = task;
    const cancellation = new AbortController();
    const { signal } = cancellation;
    this.#cancellation = cancellation;
    const onProgress = (done: number, total: number): void => {
      // It may come late: while the next action runs, or no action.
      if (!this.#task || this.#cancellation !== cancellation) return;
      this.#show({ ...task, progress: { done, total } });
    };
    this.forget();
    this.#show(task);
    // An action of one step is over before the user could answer; a cancelled action needs no question.
    const ask = (event: Event): void => {
      if (!signal.aborted) event.preventDefault();
    };
    if (task.progress) addEventListener('beforeunload', ask);
    try {
      this.#outcome = { action, ...(await act({ runtime, storage, onProgress, signal })) };
    } catch (error) {
      const cancelled = { words: CANCELLED[action] ?? 'Cancelled.' };
      const failed = { words: reasonOf(error), failed: true };
      this.#outcome = { action, ...(signal.aborted ? cancelled : failed) };
    }
    removeEventListener('beforeunload', ask);
    this.#show(undefined);
  }

  /** Cancels the action that runs. */
  cancel(): void {
    this.#cancellation.abort();
  }

  /** Forgets the result of the last action. */
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
