import type { Access, LimitsOf } from '@inpage-mcp/server/control-plane';
import {
  acceptFrames,
  type AcceptFramesOptions,
  type FrameAcceptor,
  type FrameConnection,
} from '@inpage-mcp/transport';
import type { AccessTarget } from './client-access.js';
import { RuntimeError, type RuntimeErrorCode } from './runtime-error.js';
import type { WorkerSupervisor } from './worker-supervisor.js';

/** A frame's connection to the worker, for the page that serves it. */
export interface ServedFrame {
  /** The origin that the browser vouched for; `null` for a sandboxed frame. */
  readonly origin: string;
  /** The window at the other end. */
  readonly source: Window;
  /** Resolves when the connection has ended, from whichever side. Never rejects. */
  readonly closed: Promise<void>;
  /** `runtime.setAccess` of this connection; what `access` does not mention is as for any frame. */
  setAccess(access: Access): Promise<void>;
  /** Ends the connection. The frame may ask for another. Further calls do nothing. */
  close(): void;
}

/** Whom to serve, and what they may do. */
export interface ServeFramesOptions extends Omit<AcceptFramesOptions, 'onPort'> {
  /**
   * What a frame may do, or what says so for its origin (`null` for a sandboxed frame); one that
   * throws refuses the frame. Each member that is absent is `read: 'all'`, `write: 'deny'`,
   * `tools: 'none'`.
   */
  access?: Access | ((origin: string) => Access);
  /** Default: `guest`. */
  limits?: LimitsOf;
  /** Called with each frame that is served now. Where it throws, the connection is closed. */
  onconnect?: (frame: ServedFrame) => void;
  /** How frames ask for a port: an acceptor of `@inpage-mcp/transport`. Default: `acceptFrames`. */
  accept?: (options: AcceptFramesOptions) => FrameAcceptor;
}

/** Of a call that failed because the worker is gone; the frame asks again by itself. */
const WORKER_GONE: readonly RuntimeErrorCode[] = ['closed', 'worker-failed', 'worker-restarted'];

/**
 * Gives frames that ask a port straight to the worker.
 *
 * @param register Told of each connection whose access can be set.
 * @see Runtime.serveFrames
 */
export function serveFrames(
  { access = {}, limits = 'guest', onconnect, accept = acceptFrames, ...rest }: ServeFramesOptions,
  supervisor: WorkerSupervisor,
  register: (frame: ServedFrame) => void,
): () => void {
  const { ended } = supervisor;
  ended.throwIfAborted();
  const serve = async (
    port: MessagePort,
    connection: FrameConnection,
    first: Access,
  ): Promise<void> => {
    const options = { access: first, limits };
    const served = await supervisor.once((server) => server.servePort(port, options));
    void served.ended.then(() => connection.close());
    void connection.closed.then(() => served.close());
    const frame = servedFrame(connection, served);
    register(frame);
    onconnect?.(frame);
  };
  const acceptor = accept({
    ...rest,
    signal: rest.signal ? AbortSignal.any([rest.signal, ended]) : ended,
    onPort(port, connection) {
      const given = typeof access === 'function' ? access(connection.origin) : access;
      serve(port, connection, frameAccess(given)).catch((error: unknown) => {
        connection.close();
        if (!isWorkerGone(error)) reportError(error);
      });
    },
  });
  return () => acceptor.close();
}

function servedFrame(connection: FrameConnection, served: AccessTarget): ServedFrame {
  const { origin, source, closed } = connection;
  return {
    origin,
    source,
    closed,
    setAccess: (access) => served.setAccess(frameAccess(access)),
    close: () => connection.close(),
  };
}

/** A member that is there but undefined is absent: it must not mean more than a frame may. */
function frameAccess(access: Access): Access {
  const { read = 'all', write = 'deny', tools = 'none' } = access;
  return { ...access, read, write, tools };
}

function isWorkerGone(error: unknown): boolean {
  return error instanceof RuntimeError && WORKER_GONE.includes(error.code);
}
