import type { JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import type { Allowance } from './allowance.js';
import type { ConnectionLimits } from './limits.js';
import { nextTask } from './next-task.js';
import { isHeavy, type HeavyWork } from './heavy-work.js';

/** How many requests that waited are begun in one task, before others have their turn. */
const BEGUN_AT_A_TIME = 4;

/** How many requests that look through everything are worked on at a time. */
export const HEAVY_AT_A_TIME = 4;

/** The heavy ones look through everything. They are begun first, as there are few at a time. */
const KINDS = ['heavy', 'light'] as const;

type Kind = (typeof KINDS)[number];

/** A request that has not begun. */
interface Waiting {
  request: JsonRpcRequest;
  bytes: number;
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
  readonly #connections = new Set<ConnectionRequests>();
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
  connect(begin: (request: JsonRpcRequest) => void): ConnectionRequests {
    return new ConnectionRequests(this, begin);
  }

  /** For a connection: whether a request may begin now, which is then counted. */
  mayBegin(kind: Kind): boolean {
    if (this.#queued[kind] > 0 || !this.#hasPlaceFor(kind)) return false;
    this.#running[kind] += 1;
    return true;
  }

  /** For a connection: whether a request may wait, which is then counted. */
  mayWait(kind: Kind, connection: ConnectionRequests): boolean {
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
  hasLeft(kind: Kind, bytes: number, connection: ConnectionRequests): void {
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
export class ConnectionRequests {
  readonly #queue: RequestQueue;
  readonly #begin: (request: JsonRpcRequest) => void;
  /** What was begun, with what it weighs. */
  readonly #running = new Map<RequestId, { kind: Kind; bytes: number }>();
  readonly #waiting = { heavy: new Line(), light: new Line() };
  #keptBytes = 0;

  /** @see RequestQueue.connect */
  constructor(queue: RequestQueue, begin: (request: JsonRpcRequest) => void) {
    this.#queue = queue;
    this.#begin = begin;
  }

  /**
   * Begins a request, or lets it wait.
   *
   * @param bytes What it weighs.
   * @returns The limit that leaves no room for it, if one does.
   */
  add(request: JsonRpcRequest, bytes: number): 'requestsQueued' | 'keptBytes' | undefined {
    const kind: Kind = isHeavy(request.method, request.params) ? 'heavy' : 'light';
    if (!this.#queue.kept.take(bytes)) return 'keptBytes';
    if (this.#queue.mayBegin(kind)) {
      this.#run(kind, { request, bytes });
      return undefined;
    }
    if (this.#queue.mayWait(kind, this)) {
      this.#waiting[kind].add({ request, bytes });
      return undefined;
    }
    this.#queue.kept.giveBack(bytes);
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

  /**
   * A request was answered or cancelled: another has its turn, soon.
   *
   * @returns Whether it was still waiting, so that nobody else knows of it.
   */
  delete(id: RequestId): boolean {
    for (const kind of KINDS) {
      const waiting = this.#waiting[kind].delete(id);
      if (!waiting) continue;
      this.#queue.hasLeft(kind, waiting.bytes, this);
      return true;
    }
    const running = this.#running.get(id);
    if (!running) return false;
    this.#running.delete(id);
    this.#queue.hasEnded(running.kind, running.bytes);
    return false;
  }

  /** The connection has ended. */
  clear(): void {
    for (const id of this.#running.keys()) this.delete(id);
    for (const kind of KINDS) {
      for (const id of this.#waiting[kind].ids) this.delete(id);
    }
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
    if (waiting) this.#run(kind, waiting);
  }

  #run(kind: Kind, { request, bytes }: Waiting): void {
    this.#running.set(request.id, { kind, bytes });
    this.#begin(request);
  }
}

/** Requests that wait, the oldest first; any may leave. */
class Line {
  readonly #waiting = new Map<RequestId, Waiting>();
  /** Goes on where it was, past what it has given, also when more is added meanwhile. */
  #order = this.#waiting.values();

  get size(): number {
    return this.#waiting.size;
  }

  get ids(): Iterable<RequestId> {
    return this.#waiting.keys();
  }

  add(waiting: Waiting): void {
    this.#waiting.set(waiting.request.id, waiting);
  }

  delete(id: RequestId): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  shift(): Waiting | undefined {
    let next = this.#order.next();
    if (next.done) {
      // An iterator that has come to the end stays there.
      this.#order = this.#waiting.values();
      next = this.#order.next();
    }
    if (next.value) this.delete(next.value.request.id);
    return next.value;
  }
}
