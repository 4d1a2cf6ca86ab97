import type { ConnectOptions, McpClient } from '@inpage-mcp/client';
import type {
  Access,
  Confirm,
  ConnectionLimits,
  HeldBy,
  LimitsOf,
} from '@inpage-mcp/server/control-plane';
import type { ServedFrame, ServeFramesOptions } from './frames.js';
import type { Provided, ProvidedResource } from './data/provided.js';
import type { RuntimeFiles, RuntimeNotes } from './data/runtime-data.js';
import type { RuntimeEventMap, StartProgress } from './worker/runtime-events.js';
import type { RuntimeStorage } from './data/storage.js';

/** See docs/limits.md. */
export interface RuntimeLimits {
  page?: Partial<ConnectionLimits>;
  guest?: Partial<ConnectionLimits> & { connectionsPerFrame?: number };
}

/** How to start. */
export interface RuntimeOptions {
  /**
   * What makes the worker: for a worker file of the app's own, for bundlers that do not emit the
   * default one, and where Trusted Types forbid the policy `inpage-mcp`. It is called again when the worker has died, and each
   * time has to make a new one. A Worker itself will do, but nothing can take its place when it
   * dies. Default: the worker of this package.
   */
  worker?: Worker | (() => Worker);
  /** The IndexedDB database; tabs of the same name share their data. Default: `inpage-mcp`. */
  databaseName?: string;
  /** Closes the runtime, also while it starts: a download that never ends is ended by it alone. */
  signal?: AbortSignal;
  /**
   * Called with how far a start is, the first as well as that of a worker in another's place: a slow download
   * and a large database of an earlier version take as long as they take. The same as the event
   * `progress`, which has no listeners yet while `startRuntime` is under way.
   */
  onProgress?: (progress: StartProgress) => void;
  /**
   * Asks the page's user before a tool writes, for connections whose access says `write: 'ask'`:
   * for every guest, and for clients of the page that cannot ask by themselves. Anything but `true`
   * is a no. Default: always no.
   *
   * Ask in a `<dialog>`, and close it when the signal aborts. `window.confirm()` stops the page, and its heartbeat, for as long as the user
   * thinks: until the answer no death of a frame is noticed.
   */
  confirm?: Confirm;
  /**
   * What differs from the default limits: of the page's own connections, and of guests, for whom
   * there is also `connectionsPerFrame` (default 32, those of the frames inside it included).
   */
  limits?: RuntimeLimits;
}

/** How a port is served. */
export interface PortOptions {
  /** What the connection may do. Default: everything. */
  access?: Access | undefined;
  /** Whose limits hold for it. Default: `page`. */
  limits?: LimitsOf;
  /**
   * Who holds the port: `page` only where no one else gets it, such as for another MCP client on this
   * page. Whoever holds it then answers for the user where `access` says `write: 'ask'`, and sees in
   * the activity log what others have asked for. Default: `guest`.
   */
  heldBy?: HeldBy;
  /**
   * Whether results of tools link to what was written. Some clients fail at a `resource_link`.
   * Default: true.
   */
  resourceLinks?: boolean;
}

/** How to connect, and what the connection may do. */
export interface RuntimeConnectOptions extends ConnectOptions {
  /** Whose limits hold for it. Default: `page`. */
  limits?: LimitsOf;
  /** Whether results of tools link to what was written. Default: true. */
  resourceLinks?: boolean;
  /** Default: everything. */
  access?: Access;
}

/**
 * The page's handle on its MCP server.
 *
 * It watches over the worker. When that dies, another takes its place: what is provided, watched
 * and limited holds for it, too, and calls that come meanwhile wait for it. Calls under way reject
 * with `worker-restarted`, unless they only look, or open a port: those are repeated. After five
 * deaths within a minute, the sixth is the end: every call rejects with `worker-failed`.
 */
export interface Runtime extends EventTarget {
  readonly notes: RuntimeNotes;
  readonly files: RuntimeFiles;
  readonly storage: RuntimeStorage;
  /** A client on a connection of its own. It connects again by itself when the worker has died. */
  connect(options?: RuntimeConnectOptions): Promise<McpClient>;
  /**
   * A port of raw JSON-RPC on a connection of its own, for any other MCP client. It hears `null`
   * when the connection ends, also with the worker, but for two cases. A port that was transferred
   * onwards hears nothing of a worker that dies. Nor does a port on which nobody listens at that
   * moment, where others keep their messages until `start()`: listen before anything else is awaited.
   *
   * Nobody watches over whoever a port is handed to by hand: for frames and windows there are
   * `serveFrames` and `connectToParent`.
   *
   * @throws {RuntimeError} `invalid-argument` for a member of `access` that stands beside it.
   */
  openPort(options?: PortOptions): Promise<MessagePort>;
  /**
   * Answers frames of these origins that ask for a port (`connectToParent`), with the limits of a
   * guest. A frame may read everything and do nothing, unless `access` says otherwise.
   *
   * Frames connect again by themselves when the worker has died. Each time that is a connection of
   * its own, with the access given here: to keep a frame out, throw in the function `access`, or stop
   * serving it.
   *
   * Resolves once it listens, with what stops that and ends the connections; further calls of it do
   * nothing. So does the end of the runtime. A frame that asks earlier is answered then.
   *
   * @throws {TypeError} for an origin that is none.
   * @throws {RuntimeError} `invalid-argument` for an access that is no plain object; `closed` or
   *   `worker-failed`, when the runtime has ended.
   */
  serveFrames(options: ServeFramesOptions): Promise<() => void>;
  /**
   * Gives a connection another access, at once: what `connect`, `openPort` or `onconnect` of
   * `serveFrames` gave, also if the port was transferred onwards. A member that is absent is
   * everything; for a frame it stays as it is. A client keeps its access when it connects again, a
   * frame does not. A connection that has ended is left alone.
   *
   * @throws {TypeError} for anything else.
   * @throws {RuntimeError} `invalid-argument` for what is no access.
   */
  setAccess(connection: McpClient | MessagePort | ServedFrame, access: Access): Promise<void>;
  /**
   * Adds a resource of the page's own, such as the state of the app, until it is removed or the
   * runtime closes. Rejects with `invalid-argument` for a uri that is none, is taken, or has the
   * scheme `note:`, `file:` or `inpage:`; and where a worker of the app's own lacks
   * `runtimeResources()`. What the resource is, is taken as it is now. Should a new worker not take
   * it, there is an `error` event.
   */
  provide(resource: ProvidedResource): Promise<Provided>;
  /**
   * Ends every connection, then the worker, within about two seconds. What is under way settles;
   * later calls reject. Never rejects.
   */
  close(): Promise<void>;
  /**
   * `activity` is reported from the first listener on, until the runtime ends, whether that
   * listener stays or not.
   */
  addEventListener<Type extends keyof RuntimeEventMap>(
    type: Type,
    listener: (event: RuntimeEventMap[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof RuntimeEventMap>(
    type: Type,
    listener: (event: RuntimeEventMap[Type]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
}
