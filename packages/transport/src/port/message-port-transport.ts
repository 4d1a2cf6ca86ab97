import { postPlain } from './plain-copy.js';
import { TransportError } from './transport-error.js';
import { END_OF_STREAM, isJsonRpcMessage, type JsonRpcMessage } from './wire-messages.js';

type Phase = 'new' | 'started' | 'closed';

/**
 * MCP over a `MessagePort`, for both ends, and both for the official SDK (the class is assignable to
 * its `Transport`) and for this project's own client.
 *
 * Each message is one JSON-RPC object by structured clone; `null` ends the stream in both directions
 * (docs/wire.md). A port belongs to one transport for its whole life.
 *
 * If a peer dies without closing (a killed tab, a removed frame), the transport is not notified:
 * ports have no `close` event. Requests therefore need timeouts.
 */
export class MessagePortTransport {
  /** Called once, when either side has closed. */
  onclose?: () => void;
  /**
   * Called with a {@link TransportError} if a value is not a JSON-RPC message or cannot be
   * deserialised, or if `onmessage` throws. The connection stays open.
   */
  onerror?: (error: Error) => void;
  /** Called with each message, in sending order. Set it before `start()`. */
  onmessage?: (message: JsonRpcMessage) => void;

  readonly #port: MessagePort;
  #phase: Phase = 'new';

  /** @param port An unused port. Nothing is attached to it before `start()`. */
  constructor(port: MessagePort) {
    this.#port = port;
  }

  /**
   * Attaches the listeners. Messages that are queued in the port are delivered now.
   *
   * @throws {TransportError} `already-started` on a second call, `closed` after `close()`.
   */
  async start(): Promise<void> {
    if (this.#phase === 'closed') throw closedError();
    if (this.#phase === 'started') {
      throw new TransportError('already-started', 'This transport is already started.');
    }
    this.#phase = 'started';
    this.#port.addEventListener('message', this.#receive);
    this.#port.addEventListener('messageerror', this.#receiveUndecodable);
    this.#port.start();
  }

  /**
   * Posts one message, with plain copies instead of proxies, which the state of frameworks has. Settles at
   * once: ports do not acknowledge messages.
   *
   * @throws {TransportError} `not-started`, `closed`, or `not-cloneable`.
   */
  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#phase === 'closed') throw closedError();
    if (this.#phase === 'new') {
      throw new TransportError('not-started', 'Call start() before send().');
    }
    try {
      postPlain(this.#port, message);
    } catch (cause) {
      const text = 'The message contains a value that cannot be cloned.';
      throw new TransportError('not-cloneable', text, { cause });
    }
  }

  /** Ends the stream for both sides. Further calls do nothing. */
  async close(): Promise<void> {
    if (this.#phase === 'closed') return;
    this.#port.postMessage(END_OF_STREAM);
    this.#end();
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    const value = event.data;
    if (value === END_OF_STREAM) this.#end();
    else if (isJsonRpcMessage(value)) this.#deliver(value);
    else this.#report('not-a-message', 'Dropped a value that is not a JSON-RPC message.');
  };

  readonly #receiveUndecodable = (): void => {
    this.#report('undecodable', 'Dropped a message that cannot be deserialised here.');
  };

  #deliver(message: JsonRpcMessage): void {
    try {
      this.onmessage?.(message);
    } catch (cause) {
      this.#report('listener-failed', 'The onmessage callback threw.', { cause });
    }
  }

  #end(): void {
    this.#phase = 'closed';
    this.#port.removeEventListener('message', this.#receive);
    this.#port.removeEventListener('messageerror', this.#receiveUndecodable);
    this.#port.close();
    this.onclose?.();
  }

  #report(
    code: 'not-a-message' | 'undecodable' | 'listener-failed',
    text: string,
    options?: ErrorOptions,
  ): void {
    this.onerror?.(new TransportError(code, text, options));
  }
}

function closedError(): TransportError {
  return new TransportError('closed', 'The connection is closed.');
}
