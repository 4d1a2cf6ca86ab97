import { nextTask } from './next-task.js';

/** How long the messages of one holder are read before it yields to others, in milliseconds. */
const TURN_MS = 4;

/**
 * How many messages of a holder are read at once, before it has to take turns: most are never busy.
 */
const FREE_MESSAGES = 8;

/** After a message that took too long, a guest rests for this many times as long. */
const REST_FACTOR = 3;

/** The longest rest, in milliseconds: on a busy machine every message takes long. */
const MAX_REST_MS = 250;

/** A port with unread messages that wait. */
export interface WaitingPort {
  readonly waitingCount: number;
  /** Dispatches its oldest message. */
  dispatchNext(): void;
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
  /** How many messages may wait. */
  readonly maxWaiting: number;
  readonly #turns: MessageTurns;
  /** The ports with waiting messages; the first has waited longest for its turn. */
  readonly #ports = new Set<WaitingPort>();
  /** How many messages were read since the queue was last empty. */
  #readCount = 0;
  #isEntered = false;
  #isResting = false;
  #waitingCount = 0;

  constructor(turns: MessageTurns, maxWaiting = Infinity) {
    this.#turns = turns;
    this.maxWaiting = maxWaiting;
  }

  /** How many messages wait. */
  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** Whether a message that has arrived may be read at once. Counts it if so. */
  mayRead(): boolean {
    if (this.#readCount >= FREE_MESSAGES) return false;
    this.#readCount += 1;
    if (this.#readCount === FREE_MESSAGES) this.#enter();
    return true;
  }

  /**
   * Reads no messages for a while: a message took so long, in milliseconds, that others need their
   * time first.
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

  /** Counts one more waiting message of a port. */
  add(port: WaitingPort): void {
    this.#waitingCount += 1;
    this.#ports.add(port);
  }

  /** Removes the waiting messages of a port, which will drop them. */
  delete(port: WaitingPort): void {
    this.#waitingCount -= port.waitingCount;
    this.#ports.delete(port);
  }

  /** Reads waiting messages until the turn is over, and at least one. */
  takeTurn(): void {
    this.#isEntered = false;
    // It enters again after its rest.
    if (this.#isResting) return;
    const start = performance.now();
    let elapsedMs = 0;
    while (this.#ports.size > 0 && !this.#isResting && elapsedMs < TURN_MS) {
      this.#readOne();
      elapsedMs = performance.now() - start;
    }
    if (this.#isResting) return;
    if (this.#ports.size > 0) this.#enter();
    else this.#readCount = 0;
  }

  #readOne(): void {
    const [port] = this.#ports;
    if (!port) return;
    this.#waitingCount -= 1;
    port.dispatchNext();
    // The message may have closed this port, or all ports of the holder.
    if (!this.#ports.delete(port) || port.waitingCount === 0) return;
    this.#ports.add(port);
  }

  #enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#turns.enter(this);
  }
}
