import { nextTask } from './next-task.js';

/** How long the messages of one port are looked at before others have their turn, in milliseconds. */
const TURN_MS = 4;

/** How many messages come before anybody looks at the time: most ports are never busy. */
const FREE_MESSAGES = 8;

/** The part of a `MessagePort` that a transport uses. */
type UsedPort = Pick<
  MessagePort,
  'addEventListener' | 'removeEventListener' | 'start' | 'postMessage' | 'close'
>;

type Listener = (event: MessageEvent) => void;

/**
 * A port that lets others have their turn. The messages of all ports of a thread wait in one queue,
 * and who floods it keeps everyone waiting who comes later. So the messages of a busy port are
 * taken out of that queue at once, unread (a message costs most when its `data` is first looked
 * at), and handed on some at a time, in order.
 */
export class FairPort implements UsedPort {
  readonly #port: MessagePort;
  readonly #maxWaiting: number;
  readonly #onoverflow: (() => void) | undefined;
  readonly #listeners = new Map<string, Listener>();
  #waiting: MessageEvent[] = [];
  /** How many were handed on since nothing else was waiting. */
  #handedOn = 0;
  #isTaskDue = false;

  /**
   * @param maxWaiting How many messages may wait unread. Default: any number.
   * @param onoverflow Called when there are more.
   */
  constructor(port: MessagePort, maxWaiting = Infinity, onoverflow?: () => void) {
    this.#port = port;
    this.#maxWaiting = maxWaiting;
    this.#onoverflow = onoverflow;
  }

  /** There is one listener of each type. */
  addEventListener(type: string, listener: unknown): void {
    this.#listeners.set(type, listener as Listener);
    this.#port.addEventListener(type, this.#receive as EventListener);
  }

  removeEventListener(type: string): void {
    this.#listeners.delete(type);
    this.#port.removeEventListener(type, this.#receive as EventListener);
  }

  start(): void {
    this.#port.start();
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  /** Drops what waits. */
  close(): void {
    this.#waiting = [];
    this.#listeners.clear();
    this.#port.close();
  }

  readonly #receive = (event: MessageEvent): void => {
    if (this.#handedOn >= FREE_MESSAGES) {
      this.#waiting.push(event);
      if (this.#waiting.length > this.#maxWaiting) this.#onoverflow?.();
      return;
    }
    this.#handedOn += 1;
    if (this.#handedOn === FREE_MESSAGES) this.#goOnLater();
    this.#handOn(event);
  };

  /** As the platform does: what a listener throws is reported, and keeps no later event back. */
  #handOn(event: MessageEvent): void {
    try {
      this.#listeners.get(event.type)?.(event);
    } catch (error) {
      reportError(error);
    }
  }

  #goOnLater(): void {
    if (this.#isTaskDue) return;
    this.#isTaskDue = true;
    nextTask(() => {
      this.#isTaskDue = false;
      this.#takeTurn();
    });
  }

  #takeTurn(): void {
    const waiting = this.#waiting;
    const end = performance.now() + TURN_MS;
    let count = 0;
    while (count < waiting.length && performance.now() < end && this.#waiting === waiting) {
      this.#handOn(waiting[count]!);
      count += 1;
    }
    waiting.splice(0, count);
    if (this.#waiting.length > 0) this.#goOnLater();
    else this.#handedOn = 0;
  }
}
