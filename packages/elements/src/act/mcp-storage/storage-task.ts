import type { LitElement } from 'lit';
import type { DataTaskOptions } from './data-storage.js';
import type { StorageAction } from './events.js';
import { cancelledInWords, problemInWords } from './words.js';

/** The result of an action. */
export interface Outcome {
  action: StorageAction;
  text: string;
  /** Further lines. */
  lines?: readonly string[];
  failed?: boolean;
  /** Whether the action has done what it was asked for. Default: yes. */
  isComplete?: boolean;
}

/** A question before an action, or during it, whose texts are in the current language. */
export interface Question {
  action: StorageAction;
  text: () => string;
  yes: () => string;
  no: () => string;
}

/** The running action. It can be cancelled only if it has a progress. */
export interface RunningAction {
  action: StorageAction;
  /** The description of the action, as a text. */
  text: string;
  progress?: { done: number; total: number };
}

/** Runs an action, and returns its result; `undefined` if the user has to do something first. */
export type Act = (options: DataTaskOptions) => Promise<Omit<Outcome, 'action'> | undefined>;

/** The listeners of the element for an action. */
interface TaskEvents {
  /** Called when an action has ended. */
  ondone: (outcome: Outcome) => void;
  /** Called when a question is asked. */
  onquestion: (question: Question) => void;
}

/** Runs one action at a time, with its questions, and keeps the result of the last one. */
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
   * Runs an action, unless another one is running; an open question is answered with a no. Resolves with the
   * result, and never rejects. A cancelled action ends at once, regardless of the storage.
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
    // An action of one step ends before the user could answer.
    if (running.progress)
      // Each run has its own listener, because of two elements, one may end before the other.
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

  /** Cancels the running action. */
  cancel(): void {
    this.#cancellation.abort();
  }

  /** Cancels the running action and forgets it, for example when another storage is set. */
  drop(): void {
    this.running = undefined;
    this.cancel();
    this.answer(false);
    this.forget();
  }

  /**
   * Asks the user. The answer is no if the element is not in the page, or leaves it before the user answers.
   *
   * @param signal The signal of the action that asks, which may have been cancelled. Default: none.
   */
  async ask(question: Question, signal?: AbortSignal): Promise<boolean> {
    if (!this.#host.isConnected || signal?.aborted) return false;
    this.answer(false);
    this.question = question;
    this.#host.requestUpdate();
    this.#events.onquestion(question);
    return await new Promise((resolve) => (this.#answer = resolve));
  }

  /** Answers the question, if one is open. */
  answer(isYes: boolean): void {
    if (!this.#answer) return;
    this.#answer(isYes);
    this.#answer = this.question = undefined;
    this.#host.requestUpdate();
  }

  /** Forgets the result of the last action. */
  forget(): void {
    this.outcome = undefined;
    this.#host.requestUpdate();
  }
}

const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as DOMException));
  });
