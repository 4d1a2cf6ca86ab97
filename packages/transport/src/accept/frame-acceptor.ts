import { FrameConnections, type FrameConnection } from './frame-connections.js';
import { FrameGate, type FrameGateOptions, type FrameSource } from './frame-gate.js';
import { ReadBudgets } from './read-budgets.js';

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
    if (from && budgets.of(from).tryRead(event)) receive(event, from, connections);
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
