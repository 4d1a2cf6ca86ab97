import type { AcceptFramesOptions } from './frame-acceptor.js';
import type { FrameConnection, FrameConnections } from './frame-connections.js';
import type { FrameSource } from './frame-gate.js';
import { callGuarded } from '../handover/guarded-call.js';
import { watchWindow } from '../handover/window-watch.js';
import { END_OF_STREAM, isJsonRpcMessage } from '../port/wire-messages.js';

/** A protocol of others, as a bridge needs it. */
export interface BridgeListener {
  /** A message of the server, for the frame. */
  toFrame(message: unknown): void;
  /** The connection has ended, and the frame may not know it yet. */
  ended?(): void;
}

/**
 * A frame that speaks through window messages, before a server that speaks on a port. Every message
 * goes over the main thread of this page, which a hand-over avoids.
 */
class BridgedFrame {
  readonly origin: string;
  readonly #connection: FrameConnection;
  readonly #port: MessagePort;
  #listener: BridgeListener | undefined;

  /** Gives the other end of its port to `onPort`; where that throws, the connection ends at once. */
  constructor(
    from: FrameSource,
    connections: FrameConnections,
    onPort: AcceptFramesOptions['onPort'],
    listener: BridgeListener,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.origin = from.origin;
    this.#port = port2;
    this.#listener = listener;
    const stopWatching = watchWindow(from.source, () => this.close());
    this.#connection = connections.add(from, () => {
      stopWatching();
      port2.postMessage(END_OF_STREAM);
      port2.close();
      this.#listener?.ended?.();
    });
    port2.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === END_OF_STREAM) this.close();
      else if (isJsonRpcMessage(data)) listener.toFrame(data);
    };
    if (!callGuarded(() => onPort(port1, this.#connection))) this.close();
  }

  /** Passes a message of the frame on, where it is one of JSON-RPC. */
  receive(payload: unknown): void {
    if (isJsonRpcMessage(payload)) this.#port.postMessage(payload);
  }

  close(): void {
    this.#connection.close();
  }

  /** Ends it without a word to the frame, where somebody else listens by now. */
  abandon(): void {
    this.#listener = undefined;
    this.close();
  }
}

/** The bridges of an acceptor: one for each window. */
export class BridgedFrames {
  readonly #onPort: AcceptFramesOptions['onPort'];
  readonly #bridges = new WeakMap<Window, BridgedFrame>();

  /** @throws {TypeError} for sandboxed frames: no answer could be posted to them alone. */
  constructor({ onPort, sandboxedFrames = [] }: AcceptFramesOptions) {
    if (sandboxedFrames.length > 0) {
      throw new TypeError(
        'sandboxedFrames: they have no origin to post an answer to; they are served by acceptFrames.',
      );
    }
    this.#onPort = onPort;
  }

  /** The open bridge of a window, unless a document of another origin is in it by now. */
  of(from: FrameSource): BridgedFrame | undefined {
    const bridge = this.#bridges.get(from.source);
    if (bridge?.origin === from.origin) return bridge;
    this.abandon(from);
    return undefined;
  }

  /** Opens a bridge for a window that has none; `undefined` where it may have no more. */
  open(
    from: FrameSource,
    connections: FrameConnections,
    listener: BridgeListener,
  ): BridgedFrame | undefined {
    if (connections.refusalOf(from.source) !== undefined) return undefined;
    let isOver = false;
    const bridge = new BridgedFrame(from, connections, this.#onPort, {
      toFrame: listener.toFrame,
      ended: () => {
        isOver = true;
        this.#bridges.delete(from.source);
        listener.ended?.();
      },
    });
    if (!isOver) this.#bridges.set(from.source, bridge);
    return isOver ? undefined : bridge;
  }

  /** Ends the bridge of a window in which another document speaks now. */
  abandon({ source }: FrameSource): void {
    const bridge = this.#bridges.get(source);
    this.#bridges.delete(source);
    bridge?.abandon();
  }
}

/** Posts to a window, as long as a document of its exact origin is in it. */
export function postToFrame({ source, origin }: FrameSource, message: unknown): void {
  source.postMessage(message, origin);
}
