import type { JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import type { ConnectionLimits } from './limits.js';
import { nextTask } from './next-task.js';
import { isHeavy, type HeavyWork } from './heavy-work.js';

/** How many requests that waited are begun in one task, before others have their turn. */
const BEGUN_AT_A_TIME = 4;

/** How many requests that look through everything are worked on at a time. */
export const HEAVY_AT_A_TIME = 4;

/** A request that has not begun. */
interface Waiting {
  request: JsonRpcRequest;
  bytes: number;
}

/**
 * The requests of one connection that take their turn: so many are worked on at a time, and so many
 * more wait, the oldest first. Those that look through everything wait in a line of their own, where
 * a place is free when the work is done, and not already when its request was cancelled.
 */
export class RequestQueue {
  readonly #limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued' | 'queuedBytes'>;
  readonly #work: HeavyWork;
  readonly #begin: (request: JsonRpcRequest) => void;
  readonly #running = new Set<RequestId>();
  readonly #runningHeavy = new Set<RequestId>();
  readonly #heavy = new Line();
  readonly #light = new Line();
  #isTaskDue = false;

  /** @param begin Hands a request on; its end is told by {@link RequestQueue.delete}. */
  constructor(
    limits: Pick<ConnectionLimits, 'requestsInFlight' | 'requestsQueued' | 'queuedBytes'>,
    work: HeavyWork,
    begin: (request: JsonRpcRequest) => void,
  ) {
    this.#limits = limits;
    this.#work = work;
    this.#begin = begin;
    work.onend = () => this.#beginSoon();
  }

  /**
   * Begins a request, or lets it wait.
   *
   * @param bytes What it weighs.
   * @returns The limit that leaves no room for it, if one does.
   */
  add(request: JsonRpcRequest, bytes: number): 'requestsQueued' | 'queuedBytes' | undefined {
    const line = this.#lineOf(request);
    if (line.size === 0 && this.#hasPlaceFor(line)) {
      this.#run(request, line);
      return undefined;
    }
    const { requestsQueued, queuedBytes } = this.#limits;
    if (this.#heavy.size + this.#light.size >= requestsQueued) return 'requestsQueued';
    if (this.#heavy.bytes + this.#light.bytes + bytes > queuedBytes) return 'queuedBytes';
    line.add({ request, bytes });
    return undefined;
  }

  /**
   * A request was answered or cancelled: another has its turn, soon.
   *
   * @returns Whether it was still waiting, so that nobody else knows of it.
   */
  delete(id: RequestId): boolean {
    if (this.#heavy.delete(id) || this.#light.delete(id)) return true;
    this.#runningHeavy.delete(id);
    if (this.#running.delete(id)) this.#beginSoon();
    return false;
  }

  clear(): void {
    this.#heavy.clear();
    this.#light.clear();
    this.#running.clear();
    this.#runningHeavy.clear();
  }

  #lineOf({ method, params }: JsonRpcRequest): Line {
    return isHeavy(method, params) ? this.#heavy : this.#light;
  }

  #hasPlaceFor(line: Line): boolean {
    const { requestsInFlight } = this.#limits;
    if (this.#running.size >= requestsInFlight) return false;
    const heavyCount = Math.max(this.#runningHeavy.size, this.#work.count);
    return line === this.#light || heavyCount < HEAVY_AT_A_TIME;
  }

  /**
   * In a task of its own: requests that are answered at once would otherwise follow each other
   * without an end, and no other connection would be heard.
   */
  #beginSoon(): void {
    if (this.#isTaskDue || this.#heavy.size + this.#light.size === 0) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      this.#beginSome();
    });
  }

  #beginSome(): void {
    for (let count = 0; count < BEGUN_AT_A_TIME; count += 1) {
      const line = [this.#heavy, this.#light].find((one) => one.size > 0 && this.#hasPlaceFor(one));
      const next = line?.shift();
      if (!line || !next) return;
      this.#run(next.request, line);
    }
    this.#beginSoon();
  }

  #run(request: JsonRpcRequest, line: Line): void {
    this.#running.add(request.id);
    if (line === this.#heavy) this.#runningHeavy.add(request.id);
    this.#begin(request);
  }
}

/** Requests that wait, the oldest first; any may leave. */
class Line {
  bytes = 0;
  readonly #waiting = new Map<RequestId, Waiting>();
  /** Goes on where it was, past what it has given, also when more is added meanwhile. */
  #order = this.#waiting.values();

  get size(): number {
    return this.#waiting.size;
  }

  add(waiting: Waiting): void {
    this.#waiting.set(waiting.request.id, waiting);
    this.bytes += waiting.bytes;
  }

  delete(id: RequestId): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    this.bytes -= waiting.bytes;
    return this.#waiting.delete(id);
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

  clear(): void {
    this.#waiting.clear();
    this.bytes = 0;
  }
}
