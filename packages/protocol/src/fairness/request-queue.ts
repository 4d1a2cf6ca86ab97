import type { RequestId } from '@inpage-mcp/transport';
import type { Allowance } from './allowance.js';
import type { ConnectionLimits } from './limits.js';
import type { HeavyWork } from './heavy-work.js';
import { nextTask } from './next-task.js';
import { Queue } from './queue.js';

/** How many requests that waited are begun in one task, before others have their turn. */
const BEGUN_AT_A_TIME = 4;

/** How many requests that look through everything are worked on at a time. */
export const HEAVY_AT_A_TIME = 4;

/** The heavy ones look through everything. They are begun first, as there are few at a time. */
const KINDS = ['heavy', 'light'] as const;

type Kind = (typeof KINDS)[number];

/** A connection as the queue sees it. */
interface QueuedConnection {
  isWaiting(kind?: Kind): boolean;
  beginOldest(kind: Kind): void;
}

/** A request as the queue sees it. */
export interface QueuedRequest {
  readonly id: RequestId;
  /** What it weighs. */
  readonly bytes: number;
  /** Whether it looks through everything. */
  readonly isHeavy: boolean;
}

/**
 * The requests of one holder that take their turn, on all its connections: so many are worked on at
 * a time, and so many more wait. Its connections have turns. Requests that look through everything
 * wait in lines of their own, where a place is free when the work is done, and not already when its
 * request was cancelled.
 */
export class RequestQueue {
  /** What the requests weigh that are not answered yet, whether they wait or are worked on. */
  readonly kept: Allowance;
  readonly #limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued'>;
  readonly #work: HeavyWork;
  readonly #running = { heavy: 0, light: 0 };
  readonly #queued = { heavy: 0, light: 0 };
  /** Those with requests that wait; the first has waited longest for its turn. */
  readonly #connections = new Set<QueuedConnection>();
  #isTaskDue = false;

  constructor(
    limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued'>,
    kept: Allowance,
    work: HeavyWork,
  ) {
    this.#limits = limits;
    this.kept = kept;
    this.#work = work;
    work.onend = () => this.#beginSoon();
  }

  /** @param begin Hands a request on; its end is reported by {@link ConnectionRequests.delete}. */
  connect<Request extends QueuedRequest>(
    begin: (request: Request) => void,
  ): ConnectionRequests<Request> {
    return new ConnectionRequests<Request>(this, begin);
  }

  /** For a connection: whether a request may begin now, which is then counted. */
  mayBegin(kind: Kind): boolean {
    if (this.#queued[kind] > 0 || !this.#hasPlaceFor(kind)) return false;
    this.#running[kind] += 1;
    return true;
  }

  /** For a connection: whether a request may wait, which is then counted. */
  mayWait(kind: Kind, connection: QueuedConnection): boolean {
    if (this.#queued.heavy + this.#queued.light >= this.#limits.requestsQueued) return false;
    this.#queued[kind] += 1;
    this.#connections.add(connection);
    return true;
  }

  /** For a connection: a request that was worked on has ended. */
  hasEnded(kind: Kind, bytes: number): void {
    this.kept.giveBack(bytes);
    this.#running[kind] -= 1;
    this.#beginSoon();
  }

  /** For a connection: a request that waited has left. */
  hasLeft(kind: Kind, bytes: number, connection: QueuedConnection): void {
    this.kept.giveBack(bytes);
    this.#queued[kind] -= 1;
    if (!connection.isWaiting()) this.#connections.delete(connection);
  }

  #hasPlaceFor(kind: Kind): boolean {
    const { heavy, light } = this.#running;
    if (heavy + light >= this.#limits.requestsInFlight) return false;
    return kind === 'light' || Math.max(heavy, this.#work.count) < HEAVY_AT_A_TIME;
  }

  /**
   * In a task of its own: requests that are answered at once would otherwise follow each other
   * without an end, and no other holder would be served.
   */
  #beginSoon(): void {
    if (this.#isTaskDue || this.#connections.size === 0) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      for (let count = 0; count < BEGUN_AT_A_TIME; count += 1) if (!this.#beginOne()) return;
      this.#beginSoon();
    });
  }

  /** Begins a request of the connection whose turn it is; `false` where there is no place for any. */
  #beginOne(): boolean {
    for (const connection of this.#connections) {
      const kind = KINDS.find((one) => connection.isWaiting(one) && this.#hasPlaceFor(one));
      if (!kind) continue;
      this.#connections.delete(connection);
      this.#queued[kind] -= 1;
      this.#running[kind] += 1;
      connection.beginOldest(kind);
      if (connection.isWaiting()) this.#connections.add(connection);
      return true;
    }
    return false;
  }
}

/** The requests of one connection among those of its holder. */
export class ConnectionRequests<
  Request extends QueuedRequest = QueuedRequest,
> implements QueuedConnection {
  readonly #queue: RequestQueue;
  readonly #begin: (request: Request) => void;
  readonly #running = new Set<Request>();
  readonly #waiting = { heavy: new Queue<Request>(), light: new Queue<Request>() };
  #keptBytes = 0;

  /** @see RequestQueue.connect */
  constructor(queue: RequestQueue, begin: (request: Request) => void) {
    this.#queue = queue;
    this.#begin = begin;
  }

  /**
   * Begins a request, or lets it wait.
   *
   * @returns The limit that leaves no room for it, if one does.
   */
  add(request: Request): 'requestsQueued' | 'keptBytes' | undefined {
    const kind = kindOf(request);
    if (!this.#queue.kept.take(request.bytes)) return 'keptBytes';
    if (this.#queue.mayBegin(kind)) {
      this.#run(request);
      return undefined;
    }
    if (this.#queue.mayWait(kind, this)) {
      this.#waiting[kind].add(request);
      return undefined;
    }
    this.#queue.kept.giveBack(request.bytes);
    return 'requestsQueued';
  }

  /**
   * Counts what is kept of a message until the connection ends.
   *
   * @returns Whether there was room for it.
   */
  keep(bytes: number): boolean {
    if (!this.#queue.kept.take(bytes)) return false;
    this.#keptBytes += bytes;
    return true;
  }

  /** A request was answered or cancelled: another has its turn, soon. */
  delete(request: Request): void {
    const kind = kindOf(request);
    if (this.#waiting[kind].delete(request)) this.#queue.hasLeft(kind, request.bytes, this);
    else if (this.#running.delete(request)) this.#queue.hasEnded(kind, request.bytes);
  }

  /** The connection has ended. */
  clear(): void {
    for (const request of this.#running) this.delete(request);
    for (const kind of KINDS) for (const request of this.#waiting[kind].all) this.delete(request);
    this.#queue.kept.giveBack(this.#keptBytes);
    this.#keptBytes = 0;
  }

  /** Whether a request of the kind waits; of any kind, where none is named. */
  isWaiting(kind?: Kind): boolean {
    return KINDS.some((one) => (kind ?? one) === one && this.#waiting[one].size > 0);
  }

  /** Begins the oldest that waits. */
  beginOldest(kind: Kind): void {
    const waiting = this.#waiting[kind].shift();
    if (waiting) this.#run(waiting);
  }

  #run(request: Request): void {
    this.#running.add(request);
    this.#begin(request);
  }
}

function kindOf({ isHeavy }: QueuedRequest): Kind {
  return isHeavy ? 'heavy' : 'light';
}
