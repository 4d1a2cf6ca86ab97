import { WastedTime } from '@inpage-mcp/transport';
import { Allowance } from './allowance.js';
import { HeavyWork } from './heavy-work.js';
import type { ConnectionLimits } from './limits.js';
import { weigh } from './message-budget.js';
import { MessageLine, type MessageTurns } from './message-turns.js';
import { RequestQueue } from './request-queue.js';
import { TokenBucket } from './token-bucket.js';

/** A holder that sends so many messages past its rate, never a second apart, is disconnected. */
export const MAX_REFUSED_IN_ROW = 1_000;

/** What weighs less, in bytes, takes no time worth speaking of to read. */
const LARGE_BYTES = 16 * 1024;

/** What the share of a holder is made of. */
export interface FairShareParts {
  limits: ConnectionLimits;
  /** Whether it may be disconnected for what it costs. */
  isGuest: boolean;
  /** The turns of the whole server. */
  turns: MessageTurns;
}

/**
 * What one holder may have of the server, on all its connections together: a frame with all that
 * are in it, or the holder of a port. The more connections, the less for each of them.
 */
export class FairShare {
  readonly limits: ConnectionLimits;
  readonly rate: TokenBucket;
  readonly messages: MessageLine;
  readonly requests: RequestQueue;
  /** What of it looks through everything. */
  readonly work: HeavyWork;
  /** The uris that are subscribed to. */
  readonly subscriptions: Allowance;
  readonly #isGuest: boolean;
  /** What ends each connection, at once. */
  readonly #ends = new Set<() => void>();
  readonly #wasted = new WastedTime();

  constructor({ limits, isGuest, turns }: FairShareParts) {
    const { requestsPerSecond, requestBurst, timeoutMs } = limits;
    this.limits = limits;
    this.#isGuest = isGuest;
    this.rate = new TokenBucket(requestsPerSecond, requestBurst);
    // More can only end in sending the holder away.
    const maxWaiting = requestBurst + 2 * MAX_REFUSED_IN_ROW;
    this.messages = new MessageLine(turns, maxWaiting);
    this.work = new HeavyWork(2 * timeoutMs);
    this.requests = new RequestQueue(limits, new Allowance(limits.keptBytes), this.work);
    this.subscriptions = new Allowance(limits.subscriptions);
  }

  /** Whether so much time was wasted on it that none of its ports is served at the moment. */
  get isExpelled(): boolean {
    return this.#wasted.isTooMuch(performance.now());
  }

  /** Whether it is as good as new: no connection, and nothing that would be forgotten with it. */
  get isForgettable(): boolean {
    const now = performance.now();
    return this.#ends.size === 0 && this.#wasted.isForgiven(now) && this.rate.isFull(now);
  }

  /**
   * A connection is open.
   *
   * @param end Ends it, at once.
   * @returns What has to be called when it has ended.
   */
  join(end: () => void): () => void {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /**
   * A message of a guest took so long to read, in milliseconds. For one that is large the holder
   * rests. One that is past its budget was read in vain: who goes on with those loses all
   * connections. For any other message it was the machine that took its time.
   */
  tookLong(message: unknown, elapsedMs: number): void {
    if (!this.#isGuest) return;
    const { finding, bytes } = weigh(message, { ...this.limits, messageDepth: Infinity });
    if (finding) this.#wasted.add(elapsedMs, performance.now());
    if (this.isExpelled) for (const end of this.#ends) end();
    else if (finding || bytes > LARGE_BYTES) this.messages.restAfter(elapsedMs);
  }
}
