import { WastedTime } from '@inpage-mcp/transport';
import { Quota } from './quota.js';
import type { ConnectionLimits } from './limits.js';
import { measure } from './message-budget.js';
import { MessageQueue, type MessageTurns } from './message-turns.js';
import { RequestQueue } from './request-queue.js';
import { TokenBucket } from './token-bucket.js';

/** The number of messages above its rate, without a pause of a second, after which a holder is disconnected. */
export const MAX_REJECTED_IN_ROW = 1_000;

/** The size in bytes below which a message is read in negligible time. */
const LARGE_BYTES = 16 * 1024;

/** The parts of the share of a holder. */
export interface FairShareParts {
  limits: ConnectionLimits;
  /** Whether it may be disconnected if it costs too much time. */
  isGuest: boolean;
  /** The turns of the whole server. */
  turns: MessageTurns;
}

/**
 * The share of the server that one holder has, on all its connections together. A holder is a frame
 * with all frames inside it, or the holder of a port. With more connections, each has less.
 */
export class FairShare {
  /** The limits of the holder, on all its connections together. */
  readonly limits: ConnectionLimits;
  /** The messages that it may send now. */
  readonly rate: TokenBucket;
  /** The messages of the holder that wait for its next turn. */
  readonly messages: MessageQueue;
  /** The requests of the holder that wait for earlier ones. */
  readonly requests: RequestQueue;
  /** The size, in bytes, of everything that is kept of its messages. */
  readonly kept: Quota;
  /** The number of uris that it subscribes to. */
  readonly subscriptions: Quota;
  readonly #isGuest: boolean;
  /** Functions that end each connection at once. */
  readonly #ends = new Set<() => void>();
  readonly #wasted = new WastedTime();

  constructor({ limits, isGuest, turns }: FairShareParts) {
    const { requestsPerSecond, requestBurst } = limits;
    this.limits = limits;
    this.#isGuest = isGuest;
    this.rate = new TokenBucket(requestsPerSecond, requestBurst);
    // With more messages, the holder would be disconnected anyway.
    const maxWaiting = requestBurst + 2 * MAX_REJECTED_IN_ROW;
    this.messages = new MessageQueue(turns, maxWaiting);
    this.requests = new RequestQueue(limits);
    this.kept = new Quota(limits.keptBytes);
    this.subscriptions = new Quota(limits.subscriptions);
  }

  /** Whether the holder has wasted so much time that none of its ports is served at the moment. */
  get isExpelled(): boolean {
    return this.#wasted.isTooMuch(performance.now());
  }

  /** Whether the share can be deleted: it has no connection, and a new share would have the same state. */
  get isForgettable(): boolean {
    const now = performance.now();
    return this.#ends.size === 0 && this.#wasted.isForgiven(now) && this.rate.isFull(now);
  }

  /**
   * Registers an open connection.
   *
   * @param end Ends the connection at once.
   * @returns A function to call when the connection has ended.
   */
  join(end: () => void): () => void {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /**
   * Called when a message took long to read, with the time in milliseconds. Only guests have consequences.
   * After a large message, the holder rests. For a message over its budget, the time counts as wasted, and
   * too much wasted time ends all connections. For any other message, the slow machine is the cause.
   */
  tookLong(message: unknown, elapsedMs: number): void {
    if (!this.#isGuest) return;
    const { violation, bytes } = measure(message, { ...this.limits, messageDepth: Infinity });
    if (violation) this.#wasted.add(elapsedMs, performance.now());
    if (this.isExpelled) for (const end of this.#ends) end();
    else if (violation || bytes > LARGE_BYTES) this.messages.restAfter(elapsedMs);
  }
}
