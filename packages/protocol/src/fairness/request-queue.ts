import type { ConnectionLimits } from './limits.js';
import { nextTask } from './next-task.js';
import { Queue } from './queue.js';
import { startTimer } from './start-timer.js';

/** How many waiting requests are started in one task, before the thread yields. */
const STARTS_PER_TASK = 4;

/** How many requests that scan all stored data run at a time. */
export const MAX_HEAVY = 4;

/** Heavy requests scan all stored data. They start first, as only a few run at a time. */
const KINDS = ['heavy', 'light'] as const;

type Kind = (typeof KINDS)[number];

/** The part of a request that the queue uses. */
export interface QueuedRequest {
  /** Its connection: the connections of a holder take turns. */
  readonly connection: object;
  /** Whether it scans all stored data. */
  readonly isHeavy: boolean;
  /** Set by the queue only; `undefined` before and after. */
  place: 'waiting' | 'running' | undefined;
  /** Starts the request. Called once, unless it is deleted before. */
  begin(): void;
}

/** The waiting requests of one connection. */
type Waiting = { readonly [kind in Kind]: Queue<QueuedRequest> };

/**
 * The requests of one holder, on all its connections: a limited number runs at a time, and a
 * limited number waits. Its connections take turns. Of the requests that scan all stored data, only
 * a few run at a time, and the others let light ones pass.
 */
export class RequestQueue {
  readonly #limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued' | 'timeoutMs'>;
  /** By connection; the first has waited longest for its turn. */
  readonly #waiting = new Map<object, Waiting>();
  readonly #waitingCounts = { heavy: 0, light: 0 };
  #runningCount = 0;
  /**
   * The heavy requests whose handlers run. A handler may continue after its request was cancelled or
   * has timed out: from then on it has a timer, after which it no longer counts.
   */
  readonly #scanning = new Map<QueuedRequest, ReturnType<typeof startTimer>>();
  #isTaskDue = false;

  constructor(limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued' | 'timeoutMs'>) {
    this.#limits = limits;
  }

  /** Starts a request, or enqueues it. `false` if too many wait. */
  add(request: QueuedRequest): boolean {
    const kind = kindOf(request);
    const { heavy, light } = this.#waitingCounts;
    if (this.#waitingCounts[kind] === 0 && this.#hasPlaceFor(kind)) this.#begin(request);
    else if (heavy + light < this.#limits.requestsQueued) this.#enqueue(request, kind);
    else return false;
    return true;
  }

  /** Removes a request that was answered or cancelled, if it is here; the next one starts soon. */
  delete(request: QueuedRequest): void {
    const { place } = request;
    request.place = undefined;
    if (place === 'waiting') this.#dequeue(request);
    if (place !== 'running') return;
    this.#runningCount -= 1;
    if (this.#scanning.has(request)) {
      const timer = startTimer(() => this.#endScan(request), 2 * this.#limits.timeoutMs);
      this.#scanning.set(request, timer);
    }
    this.#beginSoon();
  }

  /** Runs the handler of a heavy request, which counts until the handler ends. */
  async scan<Value>(request: QueuedRequest, handler: () => Value | Promise<Value>): Promise<Value> {
    try {
      return await handler();
    } finally {
      this.#endScan(request);
    }
  }

  #endScan(request: QueuedRequest): void {
    clearTimeout(this.#scanning.get(request));
    this.#scanning.delete(request);
    this.#beginSoon();
  }

  #hasPlaceFor(kind: Kind): boolean {
    if (this.#runningCount >= this.#limits.requestsInFlight) return false;
    return kind === 'light' || this.#scanning.size < MAX_HEAVY;
  }

  #begin(request: QueuedRequest): void {
    request.place = 'running';
    this.#runningCount += 1;
    if (request.isHeavy) this.#scanning.set(request, undefined);
    request.begin();
  }

  #enqueue(request: QueuedRequest, kind: Kind): void {
    const { connection } = request;
    const waiting = this.#waiting.get(connection) ?? { heavy: new Queue(), light: new Queue() };
    this.#waiting.set(connection, waiting);
    waiting[kind].add(request);
    this.#waitingCounts[kind] += 1;
    request.place = 'waiting';
  }

  #dequeue(request: QueuedRequest): void {
    const kind = kindOf(request);
    const waiting = this.#waiting.get(request.connection)!;
    waiting[kind].delete(request);
    this.#waitingCounts[kind] -= 1;
    if (isEmpty(waiting)) this.#waiting.delete(request.connection);
  }

  /**
   * Runs in its own task: otherwise requests that are answered at once would follow each other
   * without end, and no other holder would be served.
   */
  #beginSoon(): void {
    if (this.#isTaskDue || this.#waiting.size === 0) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      for (let count = 0; count < STARTS_PER_TASK; count += 1) if (!this.#beginOne()) return;
      this.#beginSoon();
    });
  }

  /** Starts a request of the next connection; `false` if none can start. */
  #beginOne(): boolean {
    for (const [connection, waiting] of this.#waiting) {
      const kind = KINDS.find((one) => waiting[one].size > 0 && this.#hasPlaceFor(one));
      if (!kind) continue;
      const oldest = waiting[kind].shift()!;
      this.#waitingCounts[kind] -= 1;
      this.#waiting.delete(connection);
      if (!isEmpty(waiting)) this.#waiting.set(connection, waiting);
      this.#begin(oldest);
      return true;
    }
    return false;
  }
}

function isEmpty({ heavy, light }: Waiting): boolean {
  return heavy.size + light.size === 0;
}

function kindOf({ isHeavy }: QueuedRequest): Kind {
  return isHeavy ? 'heavy' : 'light';
}
