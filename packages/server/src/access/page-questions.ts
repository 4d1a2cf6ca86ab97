import type { Confirm, ConfirmRequest } from './access.js';
import { inTime } from '../resources/in-time.js';

/** How long a question to the page may stay open, in milliseconds; then the answer is no. */
const CONFIRM_TIMEOUT_MS = 10 * 60 * 1000;

/** How long a guest that was refused again and again is not asked about, in milliseconds. */
const PEACE_MS = 10 * 60 * 1000;

/**
 * The most questions about a holder that wait for their turn. One that was taken back waits, too: who
 * asks and takes back while a dialog is open would fill the memory.
 */
export const MAX_WAITING_QUESTIONS = 200;

/** After so many noes in a row a guest's calls are refused without asking, for a while. */
const MAX_REFUSALS_OF_GUEST = 3;

/**
 * The questions to the page's user about one holder, on however many connections: one after the
 * other, as a user has one pair of eyes.
 */
export class PageQuestions {
  readonly #confirm: () => Confirm | undefined;
  readonly #isGuest: boolean;
  readonly #origin: string | undefined;
  /** The last question; the next has to wait until the page has done with it. */
  #last: Promise<unknown> = Promise.resolve();
  /** How often the user has said no since they last said yes. */
  #refusals = 0;
  #refusedAt = 0;
  #waiting = 0;

  /**
   * @param confirm What asks the page at the moment; without it the answer is no.
   * @param isGuest Whether the user is left in peace after a few noes in a row.
   * @param origin Told with each question, if it is known.
   */
  constructor(confirm: () => Confirm | undefined, isGuest: boolean, origin?: string) {
    this.#confirm = confirm;
    this.#isGuest = isGuest;
    this.#origin = origin;
  }

  /**
   * Whether the user agrees; not where {@link MAX_WAITING_QUESTIONS} wait already.
   *
   * @param signal Ends the wait: it then rejects with its reason, the page is notified that nobody waits
   *   for its answer, and the next question is put. For a guest that counts as a no: one that asks
   *   and takes it back again and again is left alone, too.
   */
  async ask(request: ConfirmRequest, signal: AbortSignal): Promise<boolean> {
    if (this.#waiting >= MAX_WAITING_QUESTIONS) return false;
    this.#waiting += 1;
    const answer = this.#last.then(() => {
      this.#waiting -= 1;
      return !signal.aborted && this.#askNow(request, signal);
    });
    this.#last = answer;
    return await inTime(() => answer, Infinity, signal);
  }

  /** Never rejects: who throws or says nothing has not said yes. */
  async #askNow(request: ConfirmRequest, signal: AbortSignal): Promise<boolean> {
    const confirm = this.#confirm();
    if (!confirm || this.#isLeftInPeace) return false;
    const told = this.#origin === undefined ? request : { ...request, origin: this.#origin };
    const asking = new AbortController();
    const ask = (): boolean | Promise<boolean> => confirm(told, { signal: asking.signal });
    const answer: Promise<unknown> = inTime(ask, CONFIRM_TIMEOUT_MS, signal);
    const isAllowed = (await answer.catch((reason: unknown) => asking.abort(reason))) === true;
    this.#refusals = isAllowed ? 0 : this.#refusals + 1;
    this.#refusedAt = performance.now();
    return isAllowed;
  }

  get #isLeftInPeace(): boolean {
    if (!this.#isGuest || this.#refusals < MAX_REFUSALS_OF_GUEST) return false;
    const isOver = performance.now() - this.#refusedAt > PEACE_MS;
    if (isOver) this.#refusals = 0;
    return !isOver;
  }
}
