import { callSafely } from '../fairness/call-safely.js';
import type { MessageLine, WaitingPort } from '../fairness/message-turns.js';
import { Queue } from '../fairness/queue.js';

/** What is read in this time, in milliseconds, keeps nobody waiting. */
const QUICK_MS = 4;

/** What becomes of the messages of a port. */
export interface FairPortHandlers {
  /** What came in, in the order of sending. */
  onmessage(data: unknown): void;
  /** Something came in that this thread cannot deserialise. */
  onundecodable(): void;
  /** There are more messages than may wait. */
  onoverflow(): void;
  /** A message was handed on, which took so long, in milliseconds. */
  onslow(data: unknown, elapsedMs: number): void;
}

/**
 * A port that lets others have their turn. The messages of all ports of a thread wait in one queue,
 * and who floods it keeps everyone waiting who comes later. So the messages of a busy holder are
 * taken out of that queue at once, unread (a message costs most when its `data` is first looked
 * at), and handed on some at a time, in order.
 */
export class FairPort implements WaitingPort {
  readonly #port: MessagePort;
  readonly #line: MessageLine;
  readonly #handlers: FairPortHandlers;
  #waiting = new Queue<MessageEvent>();

  /** @param line The messages of its holder. */
  constructor(port: MessagePort, line: MessageLine, handlers: FairPortHandlers) {
    this.#port = port;
    this.#line = line;
    this.#handlers = handlers;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Messages that waited in the port are handed on from now on. */
  start(): void {
    this.#port.addEventListener('message', this.#receive);
    this.#port.addEventListener('messageerror', this.#receive);
    this.#port.start();
  }

  /** @throws {DataCloneError} for a value that no port can carry. */
  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  /** Drops what waits. */
  close(): void {
    this.#line.delete(this);
    this.#waiting = new Queue();
    this.#port.removeEventListener('message', this.#receive);
    this.#port.removeEventListener('messageerror', this.#receive);
    this.#port.close();
  }

  handOnNext(): void {
    const event = this.#waiting.shift();
    if (event) this.#handOn(event);
  }

  readonly #receive = (event: MessageEvent): void => {
    if (this.#line.mayRead()) return this.#handOn(event);
    this.#waiting.add(event);
    this.#line.add(this);
    if (this.#line.waitingCount > this.#line.maxWaiting) this.#handlers.onoverflow();
  };

  /** As the platform does: what a handler throws is reported, and keeps no later event back. */
  #handOn(event: MessageEvent): void {
    const start = performance.now();
    callSafely(() => {
      if (event.type === 'messageerror') this.#handlers.onundecodable();
      else this.#handlers.onmessage(event.data);
    });
    const elapsedMs = performance.now() - start;
    if (elapsedMs > QUICK_MS) this.#reportSlow(event, elapsedMs);
  }

  #reportSlow({ data }: MessageEvent, elapsedMs: number): void {
    callSafely(() => this.#handlers.onslow(data, elapsedMs));
  }
}
