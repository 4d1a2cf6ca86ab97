import { FrameConnections, type FrameConnection } from './frame-connections.js';
import { FrameGate, type FrameGateOptions, type FrameSource } from './frame-gate.js';
import { WastedTime } from '../port/wasted-time.js';
import { outermostFrame } from '../handover/window-ancestry.js';

const MAX_CONNECTIONS_PER_FRAME = 32;

/** Options of an acceptor: the frames that it accepts, and the callback for their ports. */
export interface AcceptFramesOptions extends FrameGateOptions {
  /**
   * Called with each new connection. The port carries JSON-RPC, is not started, and may be
   * transferred at once, for example to a worker. When the stream on the port ends, call
   * `connection.close()`: the acceptor cannot detect that. To refuse the peer, close the connection
   * synchronously in this callback. If the callback throws, the peer receives `busy`.
   */
  onPort: (port: MessagePort, connection: FrameConnection) => void;
  /** The maximum number of connections of a frame together with the frames inside it. Default: 32. */
  maxConnectionsPerFrame?: number | undefined;
  /** Closes the acceptor. */
  signal?: AbortSignal | undefined;
}

/** Accepts connections of other windows. */
export interface FrameAcceptor {
  /** The number of open connections. */
  readonly connections: number;
  /** The number of dropped messages of windows that are not allowed. */
  readonly violations: number;
  /** Stops listening and closes every connection. Further calls do nothing. */
  close(): void;
}

/** A protocol's handler for the messages of allowed windows. */
export type ReceiveFromFrame = (
  event: MessageEvent<unknown>,
  from: FrameSource,
  connections: FrameConnections,
) => void;

/**
 * The part of an acceptor that all protocols share: the listener, the gate, and closing.
 *
 * @throws {TypeError} for invalid options.
 */
export function listenToFrames(
  options: AcceptFramesOptions,
  receive: ReceiveFromFrame,
): FrameAcceptor {
  if (typeof options.onPort !== 'function') throw new TypeError('onPort must be a function.');
  const gate = new FrameGate(options);
  const connections = new FrameConnections(
    options.maxConnectionsPerFrame ?? MAX_CONNECTIONS_PER_FRAME,
  );
  const budgets = new ReadBudgets();
  const closed = new AbortController();
  const { signal } = closed;
  const close = (): void => {
    closed.abort();
    connections.closeAll();
  };
  const listen = (event: MessageEvent<unknown>): void => {
    const from = gate.admit(event);
    if (from && budgets.tryRead(event, from)) receive(event, from, connections);
  };
  // A page that enters the back/forward cache keeps its connections.
  const onPageHide = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) close();
  };
  if (options.signal?.aborted) close();
  options.signal?.addEventListener('abort', close, { signal });
  window.addEventListener('message', listen, { signal });
  window.addEventListener('pagehide', onPageHide, { signal });
  return {
    close,
    get connections() {
      return connections.size;
    },
    get violations() {
      return gate.violations;
    },
  };
}

/** Limits the time that reading the messages of each frame of this page takes. */
class ReadBudgets {
  readonly #times = new WeakMap<Window, WastedTime>();

  /** Reads a message, unless earlier ones of this frame, or of frames inside it, took too long. */
  tryRead(event: MessageEvent<unknown>, { source }: FrameSource): boolean {
    const frame = outermostFrame(source);
    const wasted = this.#times.get(frame) ?? new WastedTime();
    this.#times.set(frame, wasted);
    const start = performance.now();
    if (wasted.isTooMuch(start)) return false;
    // Browsers deserialise `data` on the first access.
    void event.data;
    const end = performance.now();
    wasted.add(end - start, end);
    return true;
  }
}
