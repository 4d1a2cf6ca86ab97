import type { AcceptFramesOptions } from './frame-acceptor.js';
import type { FrameConnection, FrameConnections } from './frame-connections.js';
import type { FrameSource } from './frame-gate.js';
import { callSafely } from '../port/call-safely.js';
import { watchWindow } from '../liveness/closed-window-watch.js';
import { END_OF_STREAM, isJsonRpcMessage } from '../port/wire-messages.js';

/** The protocol of a frame, as a bridge needs it. */
export interface BridgeListener {
  /** Sends a message of the server to the frame. */
  sendToFrame(message: unknown): void;
  /** Called when the connection has ended; the frame may not know it yet. */
  onEnd?(): void;
}

/**
 * Connects a frame that uses window messages to a server that uses a port. Every message passes the
 * main thread of this page; a hand-over avoids that.
 */
class FrameBridge {
  readonly origin: string;
  readonly #connection: FrameConnection;
  readonly #port: MessagePort;
  #listener: BridgeListener | undefined;

  /** Passes the other port to `onPort`; if that throws, the connection ends at once. */
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
      this.#listener?.onEnd?.();
    });
    port2.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === END_OF_STREAM) this.close();
      else if (isJsonRpcMessage(data)) listener.sendToFrame(data);
    };
    if (!callSafely(() => onPort(port1, this.#connection))) this.close();
  }

  /** Forwards a message of the frame to the server, if it is a JSON-RPC message. */
  receive(payload: unknown): void {
    if (isJsonRpcMessage(payload)) this.#port.postMessage(payload);
  }

  close(): void {
    this.#connection.close();
  }

  /** Closes the bridge without notifying the frame: the frame may show another document now. */
  abandon(): void {
    this.#listener = undefined;
    this.close();
  }
}

/** The bridges of an acceptor: one for each window. */
export class FrameBridges {
  readonly #onPort: AcceptFramesOptions['onPort'];
  readonly #bridges = new WeakMap<Window, FrameBridge>();

  /** @throws {TypeError} for sandboxed frames, because an answer could reach other documents. */
  constructor({ onPort, sandboxedFrames = [] }: AcceptFramesOptions) {
    if (sandboxedFrames.length > 0) {
      throw new TypeError(
        'sandboxedFrames have no origin to post an answer to. Use acceptFrames for them.',
      );
    }
    this.#onPort = onPort;
  }

  /** Returns the open bridge of a window, unless the window shows another origin now. */
  get(from: FrameSource): FrameBridge | undefined {
    const bridge = this.#bridges.get(from.source);
    if (bridge?.origin === from.origin) return bridge;
    this.abandon(from);
    return undefined;
  }

  /** Opens a bridge for a window without one; `undefined` if it may have no more connections. */
  open(
    from: FrameSource,
    connections: FrameConnections,
    listener: BridgeListener,
  ): FrameBridge | undefined {
    if (connections.refusalOf(from.source) !== undefined) return undefined;
    let isEnded = false;
    const bridge = new FrameBridge(from, connections, this.#onPort, {
      sendToFrame: listener.sendToFrame,
      onEnd: () => {
        isEnded = true;
        this.#bridges.delete(from.source);
        listener.onEnd?.();
      },
    });
    if (!isEnded) this.#bridges.set(from.source, bridge);
    return isEnded ? undefined : bridge;
  }

  /** Closes the bridge of a window that may show another document now, without notifying it. */
  abandon({ source }: FrameSource): void {
    const bridge = this.#bridges.get(source);
    this.#bridges.delete(source);
    bridge?.abandon();
  }
}

/** Posts to a window, while it shows a document of exactly this origin. */
export function postToFrame({ source, origin }: FrameSource, message: unknown): void {
  source.postMessage(message, origin);
}
