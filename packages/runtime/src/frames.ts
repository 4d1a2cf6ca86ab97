import type { Access, LimitsOf } from '@inpage-mcp/server/control-plane';
import {
  acceptFrames,
  type AcceptFramesOptions,
  type FrameAcceptor,
  type FrameConnection,
} from '@inpage-mcp/transport/frames';
import type { AccessTarget } from './access/client-access.js';
import { FrameAccess } from './access/frame-access.js';
import type { AccessParts } from './access/guest-access.js';
import type { isWorkerGone } from './worker/runtime-error.js';
import type { WorkerSupervisor } from './supervision/worker-supervisor.js';

/** A frame's connection to the worker, for the page that serves it. */
export interface ServedFrame {
  /** The origin, as the browser reported it; `null` for a sandboxed frame. */
  readonly origin: string;
  /** Its number in the activity log: `connection` of an `ActivityEntry`. */
  readonly connection: number;
  /** The window at the other end. */
  readonly source: Window;
  /** Resolves when either side has closed the connection. Never rejects. */
  readonly closed: Promise<void>;
  /**
   * Changes the access of this connection immediately; absent members stay unchanged. The change
   * ends with the connection: the frame may connect again, with the access of `serveFrames`.
   *
   * @throws {RuntimeError} `invalid-argument` if the access is invalid; or if the runtime has
   *   ended.
   */
  setAccess(access: Access): Promise<void>;
  /** Closes the connection. The frame may connect again. Further calls do nothing. */
  close(): void;
}

/** Which frames to serve, and with which access. */
export interface ServeFramesOptions extends Omit<AcceptFramesOptions, 'onPort'> {
  /**
   * The access of a frame, or a function that returns it for an origin (`null` for a sandboxed
   * frame), not as a promise. If the function throws, or returns no plain object, the frame is
   * refused for good, and the error is reported. Absent members default to `read: 'all'`, `write:
   * 'deny'`, `tools: 'none'`.
   */
  access?: Access | ((origin: string) => Access) | undefined;
  /** Which limits apply; frames stay guests in every other respect. Default: `guest`. */
  limits?: LimitsOf | undefined;
  /** Whether tool results link to the written resource. Default: true. */
  resourceLinks?: boolean | undefined;
  /** Called with each new connection of a frame. If it throws, the connection is closed. */
  onconnect?: ((frame: ServedFrame) => void) | undefined;
  /** How frames ask for a port: an acceptor of `@inpage-mcp/transport`. Default: `acceptFrames`. */
  accept?: ((options: AcceptFramesOptions) => FrameAcceptor) | undefined;
}

/**
 * Modules that the page has loaded at its start are passed to modules that are loaded later,
 * instead of imported: a bundler would move them from the code of the start to a file of their own.
 */
export interface ServingParts extends AccessParts {
  supervisor: WorkerSupervisor;
  isWorkerGone: typeof isWorkerGone;
  /** Called with each connection, so that its access can be changed. */
  register: (frame: ServedFrame) => void;
}

/**
 * Connects frames that ask for a port directly to the worker.
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
  // An invalid access throws immediately.
  const accessOf =
    typeof access === 'function' ? access : always(new FrameAccess(access, parts).accepted);
  const serve = async (
    port: MessagePort,
    connection: FrameConnection,
    frameAccess: FrameAccess,
  ): Promise<void> => {
    const { origin, frame: window } = connection;
    const options = {
      access: frameAccess.accepted,
      limits,
      heldBy: 'guest' as const,
      holder: origin,
      frame: nameOf(window),
      resourceLinks,
    };
    const served = await supervisor.run((server) => server.servePort(port, options));
    void served.ended.then(() => connection.close());
    void connection.closed.then(() => served.close());
    const frame = createServedFrame(connection, served, frameAccess);
    register(frame);
    onconnect?.(frame);
  };
  const acceptor = accept({
    ...rest,
    signal: rest.signal ? AbortSignal.any([rest.signal, ended]) : ended,
    onPort(port, connection) {
      let frameAccess: FrameAccess;
      try {
        frameAccess = new FrameAccess(accessOf(connection.origin), parts);
      } catch (error) {
        // Closed at once, which refuses the frame: another request would fail in the same way.
        connection.close();
        return reportError(error);
      }
      serve(port, connection, frameAccess).catch((error: unknown) => {
        connection.close();
        if (!parts.isWorkerGone(error)) reportError(error);
      });
    },
  });
  return () => acceptor.close();
}

const names = new WeakMap<Window, string>();
let nameCount = 0;

/** The name of a frame, which stays the same for every document in it, also after a reload. */
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

function createServedFrame(
  connection: FrameConnection,
  served: AccessTarget & { readonly number: number },
  frameAccess: FrameAccess,
): ServedFrame {
  const { origin, source, closed } = connection;
  return {
    origin,
    connection: served.number,
    source,
    closed,
    setAccess: (access) => frameAccess.change(access, served),
    close: () => connection.close(),
  };
}
