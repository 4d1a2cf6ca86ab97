import { nextTask } from './next-task.js';
import { RoundRobinQueue } from './round-robin-queue.js';

/**
 * The maximum time for which the messages of one holder are read before it yields to others, in milliseconds.
 */
const TURN_MS = 4;

/**
 * The number of messages of a holder that are read at once, before it has to take turns. Most holders never
 * send more.
 */
const FREE_MESSAGES = 8;

/** The factor by which a guest rests longer than the message took that was too slow. */
const REST_FACTOR = 3;

/** The maximum rest, in milliseconds: on a busy machine every message takes long. */
const MAX_REST_MS = 250;

/** A port whose messages may have to wait. */
export interface WaitingPort {
  /** Reads a message that has waited. */
  dispatch(event: MessageEvent): void;
}

/**
 * The turns of all holders of a thread: one after the other, each in its own task, so that other
 * events are handled between them.
 */
export class MessageTurns {
  readonly #ready: MessageQueue[] = [];
  #isTaskDue = false;

  /** Enqueues a holder with waiting messages for its next turn. */
  enter(queue: MessageQueue): void {
    this.#ready.push(queue);
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    if (this.#isTaskDue || this.#ready.length === 0) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      this.#ready.shift()?.takeTurn();
      this.#scheduleNext();
    });
  }
}

/**
 * The messages of one holder, on all its ports. The first few are read when they arrive. More
 * messages wait for the turn of the holder, in which its ports take turns.
 */
export class MessageQueue {
  /** The maximum number of messages that may wait. */
  readonly maxWaiting: number;
  readonly #turns: MessageTurns;
  /** The waiting messages, unread. */
  readonly #waiting = new RoundRobinQueue<WaitingPort, MessageEvent>();
  /** The number of messages that were read since the queue was last empty. */
  #readCount = 0;
  #isEntered = false;
  #isResting = false;

  constructor(turns: MessageTurns, maxWaiting = Infinity) {
    this.#turns = turns;
    this.maxWaiting = maxWaiting;
  }

  /** The number of messages that wait. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Whether a message that has arrived may be read at once. Counts it if so. */
  mayRead(): boolean {
    if (this.#readCount >= FREE_MESSAGES) return false;
    this.#readCount += 1;
    if (this.#readCount === FREE_MESSAGES) this.#enter();
    return true;
  }

  /**
   * Stops reading messages for a while, because a message took so long, in milliseconds, that other holders
   * need their time first.
   */
  restAfter(elapsedMs: number): void {
    if (this.#isResting) return;
    this.#isResting = true;
    this.#readCount = FREE_MESSAGES;
    const restMs = Math.min(elapsedMs * REST_FACTOR, MAX_REST_MS);
    setTimeout(() => {
      this.#isResting = false;
      this.#enter();
    }, restMs);
  }

  /** Enqueues a message until the turn of its port. */
  add(port: WaitingPort, event: MessageEvent): void {
    this.#waiting.add(port, event);
  }

  /** Drops the waiting messages of a port. */
  delete(port: WaitingPort): void {
    this.#waiting.deleteAll(port);
  }

  /** Reads waiting messages until the turn is over, and at least one. */
  takeTurn(): void {
    this.#isEntered = false;
    // It enters again after its rest.
    if (this.#isResting) return;
    const start = performance.now();
    let elapsedMs = 0;
    while (this.waitingCount > 0 && !this.#isResting && elapsedMs < TURN_MS) {
      const [port, event] = this.#waiting.shift()!;
      port.dispatch(event);
      elapsedMs = performance.now() - start;
    }
    if (this.#isResting) return;
    if (this.waitingCount > 0) this.#enter();
    else this.#readCount = 0;
  }

  #enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#turns.enter(this);
  }
}
