import type { MessageLine, WaitingPort } from './message-turns.js';

/** What is read in this time, in milliseconds, keeps nobody waiting. */
const QUICK_MS = 4;

/** When so many messages were handed on, the room that they took is used again. */
const COMPACTED_FROM = 1_000;

/** The part of a `MessagePort` that a transport uses. */
type UsedPort = Pick<
  MessagePort,
  'addEventListener' | 'removeEventListener' | 'start' | 'postMessage' | 'close'
>;

type Listener = (event: MessageEvent) => void;

/** Who is notified of a port that costs more than others. */
export interface FairPortListener {
  /** There are more messages than may wait. */
  onoverflow?(): void;
  /** A message was handed on, which took so long, in milliseconds. */
  onslow?(data: unknown, elapsedMs: number): void;
}

/**
 * A port that lets others have their turn. The messages of all ports of a thread wait in one queue,
 * and who floods it keeps everyone waiting who comes later. So the messages of a busy holder are
 * taken out of that queue at once, unread (a message costs most when its `data` is first looked
 * at), and handed on some at a time, in order.
 */
export class FairPort implements UsedPort, WaitingPort {
  readonly #port: MessagePort;
  readonly #line: MessageLine;
  readonly #listener: FairPortListener;
  readonly #listeners = new Map<string, Listener>();
  #waiting: (MessageEvent | undefined)[] = [];
  /** How many of those have been handed on. */
  #handedOn = 0;

  /** @param line The messages of its holder. */
  constructor(port: MessagePort, line: MessageLine, listener: FairPortListener = {}) {
    this.#port = port;
    this.#line = line;
    this.#listener = listener;
  }

  get waitingCount(): number {
    return this.#waiting.length - this.#handedOn;
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
    this.#line.delete(this);
    this.#waiting = [];
    this.#handedOn = 0;
    this.#listeners.clear();
    this.#port.close();
  }

  handOnNext(): void {
    const event = this.#waiting[this.#handedOn];
    this.#waiting[this.#handedOn] = undefined;
    this.#handedOn += 1;
    if (this.#handedOn === this.#waiting.length || this.#handedOn === COMPACTED_FROM) {
      this.#waiting.splice(0, this.#handedOn);
      this.#handedOn = 0;
    }
    if (event) this.#handOn(event);
  }

  readonly #receive = (event: MessageEvent): void => {
    if (this.#line.mayRead()) return this.#handOn(event);
    this.#waiting.push(event);
    this.#line.add(this);
    if (this.#line.waitingCount > this.#line.maxWaiting) this.#listener.onoverflow?.();
  };

  /** As the platform does: what a listener throws is reported, and keeps no later event back. */
  #handOn(event: MessageEvent): void {
    const start = performance.now();
    reportingErrors(() => this.#listeners.get(event.type)?.(event));
    const elapsedMs = performance.now() - start;
    if (elapsedMs > QUICK_MS) reportingErrors(() => this.#listener.onslow?.(event.data, elapsedMs));
  }
}

function reportingErrors(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}
