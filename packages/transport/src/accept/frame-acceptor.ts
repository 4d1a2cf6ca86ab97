import { FrameConnections, type FrameConnection } from './frame-connections.js';
import { FrameGate, type FrameGateOptions, type FrameSource } from './frame-gate.js';
import { WastedTime } from '../port/wasted-time.js';
import { outermostFrame } from '../handover/window-line.js';

const MAX_CONNECTIONS_PER_FRAME = 32;

/** Whom to accept, and what to do with their ports. */
export interface AcceptFramesOptions extends FrameGateOptions {
  /**
   * Called with each new connection. The port speaks JSON-RPC, is not started, and may be
   * transferred on at once, such as to a worker. When the stream on it ends, call
   * `connection.close()`: the acceptor cannot see it. To refuse the peer, close the connection here,
   * at once. Where this throws, the peer is told to try again later.
   */
  onPort: (port: MessagePort, connection: FrameConnection) => void;
  /** How many connections a frame may have, with the frames in it; one more has to wait. Default: 32. */
  maxConnectionsPerFrame?: number;
  /** Closes the acceptor. */
  signal?: AbortSignal;
}

/** Listens for windows that want a connection. */
export interface FrameAcceptor {
  /** How many connections are open. */
  readonly connections: number;
  /** How many messages of strangers were dropped. */
  readonly violations: number;
  /** Stops listening and ends every connection. Further calls do nothing. */
  close(): void;
}

/** How a protocol takes a message of a window that may speak. */
export type ReceiveFromFrame = (
  event: MessageEvent<unknown>,
  from: FrameSource,
  connections: FrameConnections,
) => void;

/**
 * The part of an acceptor that all protocols share: the listener, who may speak, and the end.
 *
 * @throws {TypeError} for options that make no sense.
 */
export function listenToFrames(
  options: AcceptFramesOptions,
  receive: ReceiveFromFrame,
): FrameAcceptor {
  if (typeof options.onPort !== 'function') throw new TypeError('onPort: it must be a function.');
  const gate = new FrameGate(options);
  const connections = new FrameConnections(
    options.maxConnectionsPerFrame ?? MAX_CONNECTIONS_PER_FRAME,
  );
  const reading = new ReadingTimes();
  const over = new AbortController();
  const { signal } = over;
  const close = (): void => {
    over.abort();
    connections.closeAll();
  };
  const listen = (event: MessageEvent<unknown>): void => {
    const from = gate.admit(event);
    if (from && reading.mayRead(event, from)) receive(event, from, connections);
  };
  // A page that may come back from the back/forward cache keeps its connections.
  const leave = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) close();
  };
  if (options.signal?.aborted) close();
  options.signal?.addEventListener('abort', close, { signal });
  window.addEventListener('message', listen, { signal });
  window.addEventListener('pagehide', leave, { signal });
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

/** How long the messages of each frame of this page take to read. */
class ReadingTimes {
  readonly #times = new WeakMap<Window, WastedTime>();

  /** Reads a message: not if those before, of the same frame or of one in it, have taken too long. */
  mayRead(event: MessageEvent<unknown>, { source }: FrameSource): boolean {
    const frame = outermostFrame(source);
    const wasted = this.#times.get(frame) ?? new WastedTime();
    this.#times.set(frame, wasted);
    const start = performance.now();
    if (wasted.isTooMuch(start)) return false;
    // The platform deserialises it when it is first asked for.
    void event.data;
    const end = performance.now();
    wasted.add(end - start, end);
    return true;
  }
}
