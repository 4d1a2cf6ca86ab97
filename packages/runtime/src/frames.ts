import type { Access, LimitsOf } from '@inpage-mcp/server/control-plane';
import {
  acceptFrames,
  type AcceptFramesOptions,
  type FrameAcceptor,
  type FrameConnection,
} from '@inpage-mcp/transport/frames';
import type { AccessTarget } from './access/client-access.js';
import { FrameAccess, type AccessParts } from './access/frame-access.js';
import type { isWorkerGone } from './worker/runtime-error.js';
import type { WorkerSupervisor } from './supervision/worker-supervisor.js';

/** A frame's connection to the worker, for the page that serves it. */
export interface ServedFrame {
  /** The origin that the browser vouched for; `null` for a sandboxed frame. */
  readonly origin: string;
  /** The window at the other end. */
  readonly source: Window;
  /** Resolves when the connection has ended, from whichever side. Never rejects. */
  readonly closed: Promise<void>;
  /**
   * Gives this connection another access, at once. What `access` does not mention stays as it is.
   * It ends with the connection: the frame may ask for another, which `serveFrames` decides on.
   *
   * @throws {RuntimeError} `invalid-argument` for what is no access; or there is no worker any more.
   */
  setAccess(access: Access): Promise<void>;
  /** Ends the connection. The frame may ask for another. Further calls do nothing. */
  close(): void;
}

/** Whom to serve, and what they may do. */
export interface ServeFramesOptions extends Omit<AcceptFramesOptions, 'onPort'> {
  /**
   * What a frame may do, or what says so for its origin (`null` for a sandboxed frame): at once,
   * not as a promise. One that throws, or gives no plain object, refuses the frame for good, and
   * the error is reported. Each member that is absent is `read: 'all'`, `write: 'deny'`,
   * `tools: 'none'`.
   */
  access?: Access | ((origin: string) => Access);
  /** Whose limits hold for them; they stay guests in every other respect. Default: `guest`. */
  limits?: LimitsOf;
  /** Whether results of tools link to what was written. Default: true. */
  resourceLinks?: boolean;
  /** Called with each frame that is served now. Where it throws, the connection is closed. */
  onconnect?: (frame: ServedFrame) => void;
  /** How frames ask for a port: an acceptor of `@inpage-mcp/transport`. Default: `acceptFrames`. */
  accept?: (options: AcceptFramesOptions) => FrameAcceptor;
}

/**
 * What the page has loaded before is given to what comes later, and not imported by it: a bundler would
 * take it out of what is loaded at the start, as a file of its own.
 */
export interface ServingParts extends AccessParts {
  supervisor: WorkerSupervisor;
  isWorkerGone: typeof isWorkerGone;
  /** Called with each connection whose access can be set. */
  register: (frame: ServedFrame) => void;
}

/**
 * Gives frames that ask a port straight to the worker.
 *
 * @see Runtime.serveFrames
 */
export function serveFrames(
  {
    access = {},
    limits = 'guest',
    resourceLinks = true,
    onconnect,
    accept = acceptFrames,
    ...rest
  }: ServeFramesOptions,
  parts: ServingParts,
): () => void {
  const { supervisor, register } = parts;
  const { ended } = supervisor;
  ended.throwIfAborted();
  // A mistake in it is told at once.
  const accessOf =
    typeof access === 'function' ? access : always(new FrameAccess(access, parts).held);
  const serve = async (
    port: MessagePort,
    connection: FrameConnection,
    given: FrameAccess,
  ): Promise<void> => {
    const { origin, frame: window } = connection;
    const options = {
      access: given.held,
      limits,
      heldBy: 'guest' as const,
      holder: origin,
      frame: nameOf(window),
      resourceLinks,
    };
    const served = await supervisor.once((server) => server.servePort(port, options));
    void served.ended.then(() => connection.close());
    void connection.closed.then(() => served.close());
    const frame = servedFrame(connection, served, given);
    register(frame);
    onconnect?.(frame);
  };
  const acceptor = accept({
    ...rest,
    signal: rest.signal ? AbortSignal.any([rest.signal, ended]) : ended,
    onPort(port, connection) {
      let given: FrameAccess;
      try {
        given = new FrameAccess(accessOf(connection.origin), parts);
      } catch (error) {
        // Closed at once, which refuses the frame: it would be the same if it asked again.
        connection.close();
        return reportError(error);
      }
      serve(port, connection, given).catch((error: unknown) => {
        connection.close();
        if (!parts.isWorkerGone(error)) reportError(error);
      });
    },
  });
  return () => acceptor.close();
}

const names = new WeakMap<Window, string>();
let nameCount = 0;

/** The same name for a frame, whatever document is in it: a reload makes nobody new. */
function nameOf(frame: Window): string {
  let name = names.get(frame);
  if (name === undefined) {
    nameCount += 1;
    name = `${nameCount}`;
    names.set(frame, name);
  }
  return name;
}

function always<Value>(value: Value): () => Value {
  return () => value;
}

function servedFrame(
  connection: FrameConnection,
  served: AccessTarget,
  given: FrameAccess,
): ServedFrame {
  const { origin, source, closed } = connection;
  return {
    origin,
    source,
    closed,
    setAccess: (access) => given.change(access, served),
    close: () => connection.close(),
  };
}
