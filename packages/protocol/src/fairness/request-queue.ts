import type { RequestId } from '@inpage-mcp/transport';
import type { Quota } from './quota.js';
import type { ConnectionLimits } from './limits.js';
import type { HeavyWork } from './heavy-work.js';
import { nextTask } from './next-task.js';
import { Queue } from './queue.js';

/** How many waiting requests are started in one task, before the thread yields. */
const STARTS_PER_TASK = 4;

/** How many requests that scan all stored data run at a time. */
export const MAX_HEAVY = 4;

/** Heavy requests scan all stored data. They start first, as only a few run at a time. */
const KINDS = ['heavy', 'light'] as const;

type Kind = (typeof KINDS)[number];

/** The part of a connection that the queue uses. */
interface QueuedConnection {
  isWaiting(kind?: Kind): boolean;
  beginOldest(kind: Kind): void;
}

/** The part of a request that the queue uses. */
export interface QueuedRequest {
  readonly id: RequestId;
  /** Its size. */
  readonly bytes: number;
  /** Whether it scans all stored data. */
  readonly isHeavy: boolean;
}

/**
 * The requests of one holder, on all its connections: a limited number runs at a time, and a
 * limited number waits. Its connections take turns. Requests that scan all stored data have their
 * own queues, in which a place is free only when the work has ended, not when its request was
 * cancelled.
 */
export class RequestQueue {
  /** The size of all unanswered requests, waiting or running. */
  readonly kept: Quota;
  readonly #limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued'>;
  readonly #work: HeavyWork;
  readonly #running = { heavy: 0, light: 0 };
  readonly #queued = { heavy: 0, light: 0 };
  /** The connections with waiting requests; the first has waited longest for its turn. */
  readonly #connections = new Set<QueuedConnection>();
  #isTaskDue = false;

  constructor(
    limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued'>,
    kept: Quota,
    work: HeavyWork,
  ) {
    this.#limits = limits;
    this.kept = kept;
    this.#work = work;
    work.onend = () => this.#beginSoon();
  }

  /**
   * @param begin Starts a request; the caller reports its end with {@link
   *   ConnectionRequests.delete}.
   */
  connect<Request extends QueuedRequest>(
    begin: (request: Request) => void,
  ): ConnectionRequests<Request> {
    return new ConnectionRequests<Request>(this, begin);
  }

  /** For a connection: counts a request as running, if it may start now. */
  tryBegin(kind: Kind): boolean {
    if (this.#queued[kind] > 0 || !this.#hasPlaceFor(kind)) return false;
    this.#running[kind] += 1;
    return true;
  }

  /** For a connection: counts a request as waiting, if the queue has room. */
  tryEnqueue(kind: Kind, connection: QueuedConnection): boolean {
    if (this.#queued.heavy + this.#queued.light >= this.#limits.requestsQueued) return false;
    this.#queued[kind] += 1;
    this.#connections.add(connection);
    return true;
  }

  /** For a connection: a running request has ended. */
  endRunning(kind: Kind, bytes: number): void {
    this.kept.release(bytes);
    this.#running[kind] -= 1;
    this.#beginSoon();
  }

  /** For a connection: a waiting request was removed. */
  endQueued(kind: Kind, bytes: number, connection: QueuedConnection): void {
    this.kept.release(bytes);
    this.#queued[kind] -= 1;
    if (!connection.isWaiting()) this.#connections.delete(connection);
  }

  #hasPlaceFor(kind: Kind): boolean {
    const { heavy, light } = this.#running;
    if (heavy + light >= this.#limits.requestsInFlight) return false;
    return kind === 'light' || Math.max(heavy, this.#work.count) < MAX_HEAVY;
  }

  /**
   * Runs in its own task: otherwise requests that are answered at once would follow each other
   * without end, and no other holder would be served.
   */
  #beginSoon(): void {
    if (this.#isTaskDue || this.#connections.size === 0) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      for (let count = 0; count < STARTS_PER_TASK; count += 1) if (!this.#beginOne()) return;
      this.#beginSoon();
    });
  }

  /** Starts a request of the next connection; `false` if none can start. */
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

/** The requests of one connection, in the queue of its holder. */
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
   * Starts a request, or enqueues it.
   *
   * @returns The limit that rejects it, if any.
   */
  add(request: Request): 'requestsQueued' | 'keptBytes' | undefined {
    const kind = kindOf(request);
    if (!this.#queue.kept.take(request.bytes)) return 'keptBytes';
    if (this.#queue.tryBegin(kind)) {
      this.#run(request);
      return undefined;
    }
    if (this.#queue.tryEnqueue(kind, this)) {
      this.#waiting[kind].add(request);
      return undefined;
    }
    this.#queue.kept.release(request.bytes);
    return 'requestsQueued';
  }

  /**
   * Counts the size of a message that is kept until the connection ends.
   *
   * @returns Whether the limit allows it.
   */
  keep(bytes: number): boolean {
    if (!this.#queue.kept.take(bytes)) return false;
    this.#keptBytes += bytes;
    return true;
  }

  /** Removes a request that was answered or cancelled; the next one starts soon. */
  delete(request: Request): void {
    const kind = kindOf(request);
    if (this.#waiting[kind].delete(request)) this.#queue.endQueued(kind, request.bytes, this);
    else if (this.#running.delete(request)) this.#queue.endRunning(kind, request.bytes);
  }

  /** Removes all requests: the connection has ended. */
  clear(): void {
    for (const request of this.#running) this.delete(request);
    for (const kind of KINDS) for (const request of this.#waiting[kind].all) this.delete(request);
    this.#queue.kept.release(this.#keptBytes);
    this.#keptBytes = 0;
  }

  /** Whether a request of the kind waits. Default: of any kind. */
  isWaiting(kind?: Kind): boolean {
    return KINDS.some((one) => (kind ?? one) === one && this.#waiting[one].size > 0);
  }

  /** Starts the oldest waiting request. */
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
