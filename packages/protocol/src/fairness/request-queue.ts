import type { ConnectionLimits } from './limits.js';
import { nextTask } from './next-task.js';
import { RoundRobinQueue } from './round-robin-queue.js';
import { startTimer } from './start-timer.js';

/** The number of waiting requests that are started in one task, before the thread yields. */
const STARTS_PER_TASK = 4;

/** The maximum number of requests that scan all stored data and run at a time. */
export const MAX_HEAVY = 4;

/** The kind of a request. Heavy requests scan all stored data. */
type Kind = 'heavy' | 'light';

/** The part of a request that the queue uses. */
export interface QueuedRequest {
  /** The connection of the request: the connections of a holder take turns. */
  readonly connection: object;
  /** Whether it scans all stored data. */
  readonly isHeavy: boolean;
  /** The place in the queue. Set by the queue only; `undefined` before and after. */
  place: 'waiting' | 'running' | undefined;
  /** Starts the request. Called once, unless it is deleted before. */
  begin(): void;
}

/**
 * The requests of one holder, on all its connections: a limited number runs at a time, and a limited number
 * waits. Its connections take turns. Of the requests that scan all stored data, only a few run at a time, and
 * the waiting ones let light requests pass.
 */
export class RequestQueue {
  readonly #limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued' | 'timeoutMs'>;
  /** The waiting requests, whose connections take turns. */
  readonly #waiting = {
    heavy: new RoundRobinQueue<object, QueuedRequest>(),
    light: new RoundRobinQueue<object, QueuedRequest>(),
  };
  /** The kinds, which take turns too: the first is the next one. */
  #kinds: readonly Kind[] = ['heavy', 'light'];
  #runningCount = 0;
  /**
   * The heavy requests whose handlers run. A handler may continue after its request was cancelled or has
   * timed out. It then gets a timer, after which it no longer counts.
   */
  readonly #scanning = new Map<QueuedRequest, ReturnType<typeof startTimer>>();
  #isTaskDue = false;

  constructor(limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued' | 'timeoutMs'>) {
    this.#limits = limits;
  }

  /** Starts a request, or enqueues it. Returns `false` if too many wait. */
  add(request: QueuedRequest): boolean {
    const kind = kindOf(request);
    if (this.#waiting[kind].size === 0 && this.#hasPlaceFor(kind)) {
      this.#begin(request);
      return true;
    }
    if (this.#waitingCount >= this.#limits.requestsQueued) return false;
    this.#waiting[kind].add(request.connection, request);
    request.place = 'waiting';
    return true;
  }

  /** Removes a request that was answered or cancelled, if it is here; the next one starts soon. */
  delete(request: QueuedRequest): void {
    const { place } = request;
    request.place = undefined;
    if (place === 'waiting') this.#waiting[kindOf(request)].delete(request.connection, request);
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

  get #waitingCount(): number {
    return this.#waiting.heavy.size + this.#waiting.light.size;
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

  /**
   * Starts the next requests in a task of their own. Otherwise requests that are answered at once would
   * follow each other without end, and no other holder would be served.
   */
  #beginSoon(): void {
    if (this.#isTaskDue || this.#waitingCount === 0) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      for (let count = 0; count < STARTS_PER_TASK; count += 1) if (!this.#beginOne()) return;
      this.#beginSoon();
    });
  }

  /** Starts a request of the next connection. Returns `false` if none can start. */
  #beginOne(): boolean {
    const kind = this.#kinds.find((one) => this.#waiting[one].size > 0 && this.#hasPlaceFor(one));
    const [, next] = (kind && this.#waiting[kind].shift()) ?? [];
    if (!next) return false;
    this.#kinds = kind === 'heavy' ? ['light', 'heavy'] : ['heavy', 'light'];
    this.#begin(next);
    return true;
  }
}

function kindOf({ isHeavy }: QueuedRequest): Kind {
  return isHeavy ? 'heavy' : 'light';
}
