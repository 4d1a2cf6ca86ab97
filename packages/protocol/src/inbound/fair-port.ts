import { callSafely, postPlain } from '@inpage-mcp/transport';
import type { MessageQueue, WaitingPort } from '../fairness/message-turns.js';

/** The time in milliseconds within which a message is read without a delay for others. */
const QUICK_MS = 4;

/** Handlers for the messages of a port. */
export interface FairPortHandlers {
  /** Called with each message, in the order of sending. */
  onmessage(data: unknown): void;
  /** Called when a message arrives that this thread cannot deserialise. */
  onundecodable(): void;
  /** Called when more messages wait than the limit allows. */
  onoverflow(): void;
  /** Called when a message was dispatched that took this long, in milliseconds. */
  onslow(data: unknown, elapsedMs: number): void;
}

/**
 * A port that yields to other ports. The messages of all ports of a thread wait in one queue, so a
 * flood on one port delays all later messages. Therefore the messages of a busy holder are taken
 * out of that queue at once, unread (a message costs most when its `data` is first read), and
 * dispatched a few at a time, in order.
 */
export class FairPort implements WaitingPort {
  readonly #port: MessagePort;
  readonly #queue: MessageQueue;
  readonly #handlers: FairPortHandlers;

  /** @param queue The queue of its holder. */
  constructor(port: MessagePort, queue: MessageQueue, handlers: FairPortHandlers) {
    this.#port = port;
    this.#queue = queue;
    this.#handlers = handlers;
  }

  /** Starts to dispatch messages, including those that already wait in the port. */
  start(): void {
    this.#port.addEventListener('message', this.#receive);
    this.#port.addEventListener('messageerror', this.#receive);
    this.#port.start();
  }

  /**
   * Posts a message.
   *
   * @throws {DataCloneError} for a value that no port can carry.
   */
  postMessage(message: unknown): void {
    postPlain(this.#port, message);
  }

  /** Closes the port, and drops waiting messages. */
  close(): void {
    this.#queue.delete(this);
    this.#port.removeEventListener('message', this.#receive);
    this.#port.removeEventListener('messageerror', this.#receive);
    this.#port.close();
  }

  readonly #receive = (event: MessageEvent): void => {
    if (this.#queue.mayRead()) return this.dispatch(event);
    this.#queue.add(this, event);
    if (this.#queue.waitingCount > this.#queue.maxWaiting) this.#handlers.onoverflow();
  };

  /**
   * Dispatches an event as the platform does: an error of a handler is reported, and later events are still
   * dispatched.
   */
  dispatch(event: MessageEvent): void {
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
