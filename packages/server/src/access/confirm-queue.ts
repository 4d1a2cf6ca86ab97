import type { Confirm, ConfirmRequest } from './access-types.js';
import { withTimeout } from '../resources/with-timeout.js';

/** The time after which an open question counts as answered with no, in milliseconds. */
const CONFIRM_TIMEOUT_MS = 10 * 60 * 1000;

/** The time for which a guest's questions are refused without asking, in milliseconds. */
const COOLDOWN_MS = 10 * 60 * 1000;

/**
 * The maximum number of queued questions of a holder. Withdrawn questions count too: a client that
 * asks and withdraws while a dialog is open would otherwise fill the memory.
 */
export const MAX_WAITING_QUESTIONS = 200;

/** The number of refusals in a row after which a guest's cooldown begins. */
const MAX_REFUSALS_OF_GUEST = 3;

/** Asks the page's user about the calls of one holder, on all its connections, one at a time. */
export class ConfirmQueue {
  readonly #confirm: () => Confirm | undefined;
  readonly #isGuest: boolean;
  readonly #origin: string | undefined;
  /** The last question; the next one waits until it is settled. */
  #last: Promise<unknown> = Promise.resolve();
  /** The number of times that the user has refused since they last agreed. */
  #refusals = 0;
  #refusedAt = 0;
  #waiting = 0;

  /**
   * @param confirm Returns the current function that asks the page; without one the answer is no.
   * @param isGuest Whether a few refusals in a row start a cooldown.
   * @param origin Added to each question, if it is known.
   */
  constructor(confirm: () => Confirm | undefined, isGuest: boolean, origin?: string) {
    this.#confirm = confirm;
    this.#isGuest = isGuest;
    this.#origin = origin;
  }

  /**
   * Asks whether the user agrees; false if {@link MAX_WAITING_QUESTIONS} are queued already.
   *
   * @param signal Withdraws the question: the call rejects with its reason, the page is notified
   *   that its answer is no longer needed, and the next question follows. For a guest this counts
   *   as a refusal, so that repeated withdrawals start the cooldown too.
   */
  async ask(request: ConfirmRequest, signal: AbortSignal): Promise<boolean> {
    if (this.#waiting >= MAX_WAITING_QUESTIONS) return false;
    this.#waiting += 1;
    const answer = this.#last.then(() => {
      this.#waiting -= 1;
      return !signal.aborted && this.#askNow(request, signal);
    });
    this.#last = answer;
    return await withTimeout(() => answer, Infinity, signal);
  }

  /** Asks the user at once. Never rejects: an exception or a timeout counts as no. */
  async #askNow(request: ConfirmRequest, signal: AbortSignal): Promise<boolean> {
    const confirm = this.#confirm();
    if (!confirm || this.#isCoolingDown) return false;
    const question = this.#origin === undefined ? request : { ...request, origin: this.#origin };
    const asking = new AbortController();
    const ask = (): boolean | Promise<boolean> => confirm(question, { signal: asking.signal });
    const answer: Promise<unknown> = withTimeout(ask, CONFIRM_TIMEOUT_MS, signal);
    const isAllowed = (await answer.catch((reason: unknown) => asking.abort(reason))) === true;
    this.#refusals = isAllowed ? 0 : this.#refusals + 1;
    this.#refusedAt = performance.now();
    return isAllowed;
  }

  get #isCoolingDown(): boolean {
    if (!this.#isGuest || this.#refusals < MAX_REFUSALS_OF_GUEST) return false;
    const isOver = performance.now() - this.#refusedAt > COOLDOWN_MS;
    if (isOver) this.#refusals = 0;
    return !isOver;
  }
}
