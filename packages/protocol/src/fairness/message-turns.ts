import { nextTask } from './next-task.js';

/** How long the messages of one holder are read before others have their turn, in milliseconds. */
const TURN_MS = 4;

/** How many messages of a holder are read before anybody looks at the time: most are never busy. */
const FREE_MESSAGES = 8;

/** After a message that took too long, a guest rests for so many times as long. */
const REST_FACTOR = 3;

/** But no longer than this, in milliseconds: on a busy machine everything takes long. */
const MAX_REST_MS = 250;

/** A port whose messages wait, unread. */
export interface WaitingPort {
  readonly waitingCount: number;
  /** Hands its oldest message on. */
  handOnNext(): void;
}

/**
 * The turns of all holders of a thread: one after the other, each in a task of its own, so that
 * whatever else has arrived comes in between.
 */
export class MessageTurns {
  readonly #ready: MessageLine[] = [];
  #isTaskDue = false;

  /** A holder has messages that wait. It has a turn, after those that came before it. */
  enter(line: MessageLine): void {
    this.#ready.push(line);
    this.#goOn();
  }

  #goOn(): void {
    if (this.#isTaskDue || this.#ready.length === 0) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      this.#ready.shift()?.takeTurn();
      this.#goOn();
    });
  }
}

/**
 * The messages of one holder, on all its ports. The first few are read as they come. While there
 * are more, they wait for the turn of the holder, in which its ports have turns.
 */
export class MessageLine {
  /** How many messages may wait. */
  readonly maxWaiting: number;
  readonly #turns: MessageTurns;
  /** Those with messages that wait; the first has waited longest for its turn. */
  readonly #ports = new Set<WaitingPort>();
  /** How many were read since nothing was waiting. */
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

  /** Whether a message that has come may be read at once. */
  mayRead(): boolean {
    if (this.#readCount >= FREE_MESSAGES) return false;
    this.#readCount += 1;
    if (this.#readCount === FREE_MESSAGES) this.#enter();
    return true;
  }

  /**
   * Reads nothing for a while, not even as it comes: a message took so long, in milliseconds, that
   * others have to have their time first.
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

  /** A port has one more message that waits. */
  add(port: WaitingPort): void {
    this.#waitingCount += 1;
    this.#ports.add(port);
  }

  /** A port is about to drop the messages that wait. */
  delete(port: WaitingPort): void {
    this.#waitingCount -= port.waitingCount;
    this.#ports.delete(port);
  }

  /** Reads until the time is over: a message at least, if there is one. */
  takeTurn(): void {
    this.#isEntered = false;
    // It will enter again.
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
    port.handOnNext();
    // It may have been closed, and all others with it.
    if (!this.#ports.delete(port) || port.waitingCount === 0) return;
    this.#ports.add(port);
  }

  #enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#turns.enter(this);
  }
}
