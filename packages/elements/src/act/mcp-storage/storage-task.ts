import type { LitElement } from 'lit';
import type { DataTaskOptions } from './data-storage.js';
import type { StorageAction } from './events.js';
import { cancelledInWords, problemInWords } from './words.js';

/** What came of an action. */
export interface Outcome {
  action: StorageAction;
  text: string;
  /** Further lines. */
  lines?: readonly string[];
  failed?: boolean;
  /** Whether it has done what it was asked for. Default: yes. */
  isComplete?: boolean;
}

/** A question before an action, or in the middle of it; in the language of the moment. */
export interface Question {
  action: StorageAction;
  text: () => string;
  yes: () => string;
  no: () => string;
}

/** The action that runs. Only one with a progress can be cancelled. */
export interface RunningAction {
  action: StorageAction;
  /** What is being done, in words. */
  text: string;
  progress?: { done: number; total: number };
}

/** Does something, and says what came of it; nothing if the user has to do something first. */
export type Act = (options: DataTaskOptions) => Promise<Omit<Outcome, 'action'> | undefined>;

/** What the element does with an action. */
interface TaskEvents {
  /** An action has ended. */
  ondone: (outcome: Outcome) => void;
  /** Something is asked. */
  onquestion: (question: Question) => void;
}

/** Runs one action at a time, with the questions that it asks, and keeps what came of the last one. */
export class StorageTask {
  running: RunningAction | undefined;
  outcome: Outcome | undefined;
  question: Question | undefined;
  readonly #host: LitElement;
  readonly #events: TaskEvents;
  #cancellation = new AbortController();
  #answer: ((isYes: boolean) => void) | undefined;

  constructor(host: LitElement, events: TaskEvents) {
    this.#host = host;
    this.#events = events;
  }

  /**
   * Runs an action, unless another one runs; a question that is open gets a no. Resolves with what came of
   * it, and never rejects. A cancelled action is over at once, whatever the storage does.
   */
  async run(running: RunningAction, act: Act): Promise<Outcome | undefined> {
    if (this.running) return undefined;
    this.answer(false);
    const { action } = running;
    const { signal } = (this.#cancellation = new AbortController());
    this.outcome = undefined;
    this.running = running;
    this.#host.requestUpdate();
    const end = new AbortController();
    // An action of one step is over before the user could answer.
    if (running.progress)
      // Each run has a listener of its own: of two elements, one may end before the other.
      addEventListener('beforeunload', (event) => event.preventDefault(), { signal: end.signal });
    const onProgress = (done: number, total: number): void => {
      running.progress = { done, total };
      this.#host.requestUpdate();
    };
    let outcome: Outcome | undefined;
    try {
      const result = await Promise.race([act({ signal, onProgress }), rejected(signal)]);
      outcome = result && { action, ...result };
    } catch (error) {
      outcome = signal.aborted
        ? { action, text: cancelledInWords(action), isComplete: false }
        : { action, text: problemInWords(error), failed: true, isComplete: false };
    }
    end.abort();
    if (this.running !== running) return undefined;
    this.answer(false);
    this.running = undefined;
    this.outcome = outcome;
    this.#host.requestUpdate();
    if (outcome) this.#events.ondone(outcome);
    return outcome;
  }

  /** Cancels what runs. */
  cancel(): void {
    this.#cancellation.abort();
  }

  /** Cancels what runs and forgets it, as for another storage. */
  drop(): void {
    this.running = undefined;
    this.cancel();
    this.answer(false);
    this.forget();
  }

  /**
   * Asks the user. The answer is no where the element is not in the page, or leaves it before there is one.
   *
   * @param signal Of the action that asks: it may have been cancelled. Default: none.
   */
  async ask(question: Question, signal?: AbortSignal): Promise<boolean> {
    if (!this.#host.isConnected || signal?.aborted) return false;
    this.answer(false);
    this.question = question;
    this.#host.requestUpdate();
    this.#events.onquestion(question);
    return await new Promise((resolve) => (this.#answer = resolve));
  }

  /** Answers the question, if there is one. */
  answer(isYes: boolean): void {
    if (!this.#answer) return;
    this.#answer(isYes);
    this.#answer = this.question = undefined;
    this.#host.requestUpdate();
  }

  /** Forgets what came of the last action. */
  forget(): void {
    this.outcome = undefined;
    this.#host.requestUpdate();
  }
}

const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as DOMException));
  });
