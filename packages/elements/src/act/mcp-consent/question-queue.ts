import type { ConsentAnswer, ConsentQuestion } from './question.js';

/** The maximum number of questions that wait, of all askers and of one. More are declined at once. */
const MAX_QUESTIONS = 100;
const MAX_QUESTIONS_OF_ONE = 20;

/**
 * The maximum length of the texts of a question, in UTF-16 code units. A question with more is declined at
 * once.
 */
const MAX_MESSAGE_LENGTH = 2_000_000;

/** A question that waits for its answer. */
export interface PendingQuestion {
  readonly question: ConsentQuestion;
  /** Gives the answer. Later answers have no effect. */
  settle(answer: ConsentAnswer): void;
}

/** Questions that are asked one after another. */
export class QuestionQueue {
  readonly #pending = new Set<PendingQuestion>();
  readonly #onchange: () => void;

  /** @param onchange Called when the first question may be another one. */
  constructor(onchange: () => void) {
    this.#onchange = onchange;
  }

  /** The question to ask now. */
  get first(): PendingQuestion | undefined {
    const [first] = this.#pending;
    return first;
  }

  /** The number of waiting questions, including the first. */
  get length(): number {
    return this.#pending.size;
  }

  /** Resolves with the answer; with `cancel` if the signal aborts before. Never rejects. */
  async add(question: ConsentQuestion, signal?: AbortSignal): Promise<ConsentAnswer> {
    if (signal?.aborted) return { decision: 'cancel' };
    if (this.#isRefused(question)) return { decision: 'decline' };
    return await new Promise((resolve) => {
      const cancel = (): void => pending.settle({ decision: 'cancel' });
      const pending: PendingQuestion = {
        question,
        settle: (answer) => {
          signal?.removeEventListener('abort', cancel);
          resolve(answer);
          if (this.#pending.delete(pending)) this.#onchange();
        },
      };
      signal?.addEventListener('abort', cancel);
      this.#pending.add(pending);
      this.#onchange();
    });
  }

  /** All questions, in the order in which they are asked. */
  all(): readonly PendingQuestion[] {
    return [...this.#pending];
  }

  #isRefused(question: ConsentQuestion): boolean {
    const asker = askerOf(question);
    const own = [...this.#pending].filter((pending) => askerOf(pending.question) === asker);
    return (
      this.#pending.size >= MAX_QUESTIONS ||
      own.length >= MAX_QUESTIONS_OF_ONE ||
      typeof question.message !== 'string' ||
      question.message.length > MAX_MESSAGE_LENGTH
    );
  }
}

function askerOf({ origin, requester }: ConsentQuestion): string {
  return origin ?? requester ?? '';
}
