import type { JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import type { ConnectionLimits } from './limits.js';
import { nextTask } from './next-task.js';

/** How many requests that waited are begun in one task, before others have their turn. */
const BEGUN_AT_A_TIME = 4;

/**
 * The requests of one connection that take their turn: so many are worked on at a time, and so many
 * more wait, the oldest first.
 */
export class RequestQueue {
  readonly #limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued'>;
  readonly #begin: (request: JsonRpcRequest) => void;
  readonly #running = new Set<RequestId>();
  readonly #waiting = new Map<RequestId, JsonRpcRequest>();
  /** Goes on where it was, past what it has given, also when more is added meanwhile. */
  #order = this.#waiting.values();
  #isTaskDue = false;

  /** @param begin Hands a request on; its end is told by {@link RequestQueue.delete}. */
  constructor(
    limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued'>,
    begin: (request: JsonRpcRequest) => void,
  ) {
    this.#limits = limits;
    this.#begin = begin;
  }

  /** Begins a request, or lets it wait; `false` when there is no room for it. */
  add(request: JsonRpcRequest): boolean {
    if (this.#waiting.size === 0 && this.#hasFreePlace) {
      this.#run(request);
      return true;
    }
    if (this.#waiting.size >= this.#limits.requestsQueued) return false;
    this.#waiting.set(request.id, request);
    return true;
  }

  /**
   * A request was answered or cancelled: another has its turn, soon.
   *
   * @returns Whether it was still waiting, so that nobody else knows of it.
   */
  delete(id: RequestId): boolean {
    if (this.#waiting.delete(id)) return true;
    if (this.#running.delete(id) && this.#waiting.size > 0) this.#beginSoon();
    return false;
  }

  clear(): void {
    this.#waiting.clear();
    this.#running.clear();
  }

  get #hasFreePlace(): boolean {
    return this.#running.size < this.#limits.requestsInFlight;
  }

  /**
   * In a task of its own: requests that are answered at once would otherwise follow each other
   * without an end, and no other connection would be heard.
   */
  #beginSoon(): void {
    if (this.#isTaskDue) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      this.#beginSome();
    });
  }

  #beginSome(): void {
    for (let count = 0; count < BEGUN_AT_A_TIME && this.#hasFreePlace; count += 1) {
      const request = this.#shift();
      if (!request) return;
      this.#run(request);
    }
    if (this.#waiting.size > 0 && this.#hasFreePlace) this.#beginSoon();
  }

  #run(request: JsonRpcRequest): void {
    this.#running.add(request.id);
    this.#begin(request);
  }

  #shift(): JsonRpcRequest | undefined {
    let next = this.#order.next();
    if (next.done) {
      // An iterator that has come to the end stays there.
      this.#order = this.#waiting.values();
      next = this.#order.next();
    }
    if (next.value) this.#waiting.delete(next.value.id);
    return next.value;
  }
}
