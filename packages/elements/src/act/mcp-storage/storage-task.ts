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

/** A question in the middle of an action. */
export interface Question {
  action: StorageAction;
  text: string;
  yes: string;
  no: string;
}

/** The action that runs. Only one with a progress can be cancelled. */
export interface RunningAction {
  action: StorageAction;
  /** What is being done, in words. */
  text: string;
  progress?: { done: number; total: number };
}

/** Does something with all of the data, and says what came of it. */
export type Act = (options: DataTaskOptions) => Promise<Omit<Outcome, 'action'>>;

/** Runs one action at a time, with the questions that it asks, and keeps what came of the last one. */
export class StorageTask {
  readonly #host: LitElement;
  readonly #ondone: (outcome: Outcome) => void;
  #cancellation = new AbortController();
  #answer: ((isYes: boolean) => void) | undefined;
  running: RunningAction | undefined;
  outcome: Outcome | undefined;
  question: Question | undefined;

  /** @param ondone Called when an action has ended. */
  constructor(host: LitElement, ondone: (outcome: Outcome) => void) {
    this.#host = host;
    this.#ondone = ondone;
  }

  /** Runs an action, unless another one runs. Resolves with what came of it, and never rejects. */
  async run(running: RunningAction, act: Act): Promise<Outcome | undefined> {
    if (this.running) return undefined;
    const { action } = running;
    const { signal } = (this.#cancellation = new AbortController());
    this.outcome = undefined;
    this.running = running;
    this.#host.requestUpdate();
    // An action of one step is over before the user could answer.
    if (running.progress) addEventListener('beforeunload', askBeforeUnload, { signal });
    const onProgress = (done: number, total: number): void => {
      running.progress = { done, total };
      this.#host.requestUpdate();
    };
    let outcome: Outcome;
    try {
      outcome = { action, ...(await act({ signal, onProgress })) };
    } catch (error) {
      outcome = signal.aborted
        ? { action, text: cancelledInWords(action), isComplete: false }
        : { action, text: problemInWords(error), failed: true, isComplete: false };
    }
    removeEventListener('beforeunload', askBeforeUnload);
    this.running = undefined;
    this.outcome = outcome;
    this.#host.requestUpdate();
    this.#ondone(outcome);
    return outcome;
  }

  /** Cancels what runs. */
  cancel(): void {
    this.#cancellation.abort();
  }

  /** Asks the user. Resolves with no where the element is removed before there is an answer. */
  async ask(question: Question): Promise<boolean> {
    this.answer(false);
    this.question = question;
    this.#host.requestUpdate();
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

const askBeforeUnload = (event: Event): void => event.preventDefault();
