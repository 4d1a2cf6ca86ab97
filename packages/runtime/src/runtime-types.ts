import type { ConnectOptions, McpClient } from '@inpage-mcp/client';
import type {
  Access,
  Confirm,
  ChangedLimits,
  HeldBy,
  LimitsOf,
} from '@inpage-mcp/server/control-plane';
import type { Desktop, ServeDesktopOptions } from './desktop/desktop-types.js';
import type { ServedFrame, ServeFramesOptions } from './frames.js';
import type { Provided, ProvidedResource } from './data/provided.js';
import type { MountedFolder, MountFolderOptions } from './data/folders.js';
import type { RuntimeHistory } from './data/history.js';
import type { RuntimeFiles, RuntimeNotes } from './data/runtime-data.js';
import type { WorkerSource } from './worker/make-worker.js';
import type { RuntimeEventMap, StartProgress } from './worker/runtime-events.js';
import type { RuntimeStorage } from './data/storage.js';
import type { Sync, SyncOptions } from '@inpage-mcp/sync/page';

/** Limits of connections; see docs/limits.md. */
export interface RuntimeLimits {
  /** The changed limits of connections with the limits of the page. Default: `PAGE_LIMITS`. */
  page?: ChangedLimits | undefined;
  /**
   * The changed limits of connections with the limits of a guest. Default: `GUEST_LIMITS`, and 32 connections
   * for each frame.
   */
  guest?: (ChangedLimits & { connectionsPerFrame?: number | undefined }) | undefined;
}

/** The options of `startRuntime`. */
export interface RuntimeOptions {
  /**
   * Creates the worker: for an app's own worker file, for bundlers that do not emit the default one, and if
   * Trusted Types forbid the policy `inpage-mcp`. The function is called again when the worker has died, and
   * must create a new worker each time. A Worker is accepted too, but cannot be replaced when it dies. If a
   * worker is of another build than the page, which may come from a cache, the function is called once more,
   * with a text that names the build of the page: put it into the query of the address. Default: the worker
   * of this package.
   */
  worker?: WorkerSource | undefined;
  /** The name of the IndexedDB database; tabs with the same name share their data. Default: `inpage-mcp`. */
  databaseName?: string | undefined;
  /** Closes the runtime, also while it starts: the only way to end a download that hangs. */
  signal?: AbortSignal | undefined;
  /**
   * Receives the progress of the first start and of each restart: a slow download and the upgrade of a large
   * database have no time limit. It gets the same reports as the event `progress`, which can have no listener
   * before `startRuntime` has resolved.
   */
  onProgress?: ((progress: StartProgress) => void) | undefined;
  /**
   * Asks the page's user before a tool writes, for connections with `write: 'ask'` in their access: for every
   * guest, and for clients of the page that do not support elicitation. Any answer but `true` counts as no.
   * Default: always no.
   *
   * Ask in a `<dialog>`, and close it when the signal aborts. `window.confirm()` blocks the page
   * and its heartbeat until the user answers, so the death of a frame is detected only afterwards.
   */
  confirm?: Confirm | undefined;
  /**
   * Overrides of the default limits: of the page's own connections, and of guests, which also have
   * `connectionsPerFrame` (default 32, including those of the frames inside it).
   */
  limits?: RuntimeLimits | undefined;
}

/** The options of `startRuntime` of `@inpage-mcp/runtime/own-worker`. */
export interface OwnWorkerOptions extends RuntimeOptions {
  /** Creates the worker; see `RuntimeOptions`. */
  worker: WorkerSource;
}

/** The options of a port. */
export interface PortOptions {
  /**
   * The name of the holder of the other end, for people: `inpage:///activity` shows it next to its changes.
   * Changes of a connection with `heldBy: 'page'` are kept only if it has a name. At most 200 UTF-16 code
   * units. Default: none.
   */
  name?: string | undefined;
  /** The access of the connection. Default: everything. */
  access?: Access | undefined;
  /** The limits that apply to the connection. Default: `page`. */
  limits?: LimitsOf | undefined;
  /**
   * The holder of the port. Choose `page` only if no one else gets the port, such as for another MCP client
   * on this page: the holder then answers for the user if `access` has `write: 'ask'`, and sees the requests
   * of others in the activity log. Default: `guest`.
   */
  heldBy?: HeldBy | undefined;
  /**
   * Whether tool results link to the written resource. Some clients fail on a `resource_link`.
   * Default: true.
   */
  resourceLinks?: boolean | undefined;
}

/** The options of a client, and the access of its connection. */
export interface RuntimeConnectOptions extends ConnectOptions {
  /**
   * The name of the actor who uses this client, such as an assistant of the page: its changes are then kept,
   * and can be undone by `history`. Default: none, as for changes of the user.
   */
  name?: string | undefined;
  /** The limits that apply to the connection. Default: `page`. */
  limits?: LimitsOf | undefined;
  /** Whether tool results link to the written resource. Default: true. */
  resourceLinks?: boolean | undefined;
  /** The access of the connection. Default: everything. */
  access?: Access | undefined;
}

/**
 * The page's handle on its MCP server.
 *
 * It supervises the worker. If the worker dies, a new one replaces it, with the same provided
 * resources, listeners and limits; new calls wait for it. Calls during which the worker died reject
 * with `worker-restarted`, except those that only read or open a port, which are repeated. The
 * sixth death within a minute is final: every call then rejects with `worker-failed`.
 */
export interface Runtime extends EventTarget {
  /** The notes of the user. */
  readonly notes: RuntimeNotes;
  /** The files of the user. */
  readonly files: RuntimeFiles;
  /** All data together: its size, export, import and deletion. */
  readonly storage: RuntimeStorage;
  /** The changes that assistants and other clients have made, and the means to undo them. */
  readonly history: RuntimeHistory;
  /** Connects a client on a separate connection. It reconnects automatically after the worker has died. */
  connect(options?: RuntimeConnectOptions): Promise<McpClient>;
  /**
   * Opens a port of raw JSON-RPC on a separate connection, for any other MCP client. It receives `null`
   * when the connection ends, also if the worker dies, with two exceptions: a port that was
   * transferred receives nothing if the worker dies, and neither does a port without a listener at
   * that moment, even though other messages are kept until `start()`. So add a listener before you
   * await anything.
   *
   * If you transfer a port yourself, the death of its new holder is not detected: for frames and
   * windows use `serveFrames` and `connectToParent`.
   *
   * @throws {RuntimeError} `invalid-argument` if a member of `access` is passed outside of it.
   */
  openPort(options?: PortOptions): Promise<MessagePort>;
  /**
   * Serves frames of these origins that ask for a port (`connectToParent`), with the limits of a
   * guest. By default, a frame may read everything and do nothing; `access` changes that.
   *
   * Frames reconnect automatically after the worker has died. Each connection is a new one, with
   * the access given here: to keep a frame out, throw in the function `access`, or stop serving it.
   *
   * Resolves when it listens, with a function that stops it and closes the connections, as the end
   * of the runtime does; further calls of the function do nothing. A frame that asked earlier is
   * answered then.
   *
   * @throws {TypeError} if an origin is invalid.
   * @throws {RuntimeError} `invalid-argument` if the access is not a plain object; `closed` or
   *   `worker-failed` if the runtime has ended.
   */
  serveFrames(options: ServeFramesOptions): Promise<() => void>;
  /**
   * Serves programs of the user on this computer, such as Claude Desktop or VS Code, which start
   * `npx @inpage-mcp/bridge`. Each program gets a separate connection, with the limits of a guest.
   *
   * With a pairing of the page and the bridge, the page connects now, and again whenever the connection is
   * lost. Without a pairing, the page does not connect until `connect()` is called, because the browser may
   * ask the user for permission, and prints failed connections to the console.
   *
   * Resolves when it is known whether the page is paired. Ends with the runtime.
   *
   * @throws {RuntimeError} `invalid-argument` if the access is neither a plain object nor a function, or the
   *   port is not one; `closed` or `worker-failed` if the runtime has ended.
   */
  serveDesktop(options: ServeDesktopOptions): Promise<Desktop>;
  /**
   * Changes the access of a connection immediately. Takes a result of `connect` or `openPort`, also
   * a transferred port, or the argument of `onconnect` of `serveFrames`. An absent member permits
   * everything; for a frame it stays unchanged. A client keeps its access when it reconnects, a
   * frame does not. Does nothing if the connection has ended.
   *
   * @throws {TypeError} if `connection` is anything else.
   * @throws {RuntimeError} `invalid-argument` if the access is invalid.
   */
  setAccess(connection: McpClient | MessagePort | ServedFrame, access: Access): Promise<void>;
  /**
   * The number of a connection in the activity log, for a result of `connect` or `openPort`, so that the page
   * can recognise its own requests. A client has another number after the worker has died. `undefined` for
   * anything else: a frame has its number in `connection`.
   */
  connectionOf(connection: McpClient | MessagePort): number | undefined;
  /**
   * Adds a resource that the page provides, such as the state of the app, until it is removed or the
   * runtime closes. Rejects with `invalid-argument` if the uri is invalid, is taken, or has the
   * scheme `note:`, `file:` or `inpage:`; and if an app's own worker lacks `runtimeResources()`.
   * Later changes of the object have no effect. If a new worker rejects the resource, an `error`
   * event is dispatched.
   */
  provide(resource: ProvidedResource): Promise<Provided>;
  /**
   * Adds tools and apps to the server without their code in the worker's file: the worker imports this
   * script, which leaves a function (`FeatureScript` of `@inpage-mcp/server`) under the key
   * `inpage-mcp: feature` of its global object. Each new worker imports it again; if that fails, an `error`
   * event is dispatched. A script that was added before is not added again.
   *
   * @param script An address, relative to the document, of a module that imports nothing or what a worker
   *   can resolve. The content security policy of the worker must permit it (`script-src`).
   * @throws {TypeError} if it is not an address.
   * @throws {RuntimeError} `failed` if the script cannot be loaded, leaves no function, or the function
   *   throws: the message says which.
   */
  addFeature(script: string | URL): Promise<void>;
  /**
   * Whether this browser gives pages folders of the disk: Chromium does. Elsewhere, offer the upload of
   * a folder.
   */
  readonly canMountFolders: boolean;
  /**
   * Serves a folder of the disk as MCP resources, `disk:///{name}/{path}`, which stay where they are and are
   * announced when another program changes them. Takes the handle of `showDirectoryPicker()`, or of a drop
   * (`getAsFileSystemHandle()`). Asks the user for permission if it is missing, which the browser permits in
   * a click only. A folder that is mounted already gets these options, and the defaults of the missing ones.
   *
   * It is kept for the next visit, and mounted in the other tabs of the page, unless `keep` is false.
   *
   * @throws {RuntimeError} `permission` if the user has not allowed it; `invalid-argument` for a bad
   *   option, a name that another folder has, or the 33rd folder; `failed` if the code of the folders
   *   cannot be loaded, or an app's own worker lacks `disk()`; `newer-version` if that code no longer exists.
   */
  mountFolder(
    handle: FileSystemDirectoryHandle,
    options?: MountFolderOptions,
  ): Promise<MountedFolder>;
  /**
   * The mounted folders in the order of their mounting, also those kept from an earlier visit. If one of
   * these cannot be mounted, there is an `error` event, and the next call tries again.
   */
  folders(): Promise<MountedFolder[]>;
  /**
   * Opens the sync of the user's notes and files with their other devices, in a separate worker: see
   * docs/guides/sync.md. Nothing is sent before the user joins. Call it at each visit: a device that has
   * joined then continues. Its status is a resource, too: `inpage:///sync`.
   *
   * Ends with the runtime, or by `close()` of the result; only then it can be opened again.
   *
   * @throws {SyncError} `worker-failed` if the script of the worker cannot be loaded, `timeout` if it does
   *   not answer within 90 seconds, or a code of the store.
   * @throws {RuntimeError} `invalid-argument` if it is open, or an app's own worker lacks
   *   `runtimeResources()`; `closed` or `worker-failed` if the runtime has ended.
   */
  sync(options: SyncOptions): Promise<Sync>;
  /**
   * Closes every connection, then the worker, within about two seconds. Pending calls settle; later
   * calls reject. Never rejects.
   */
  close(): Promise<void>;
  /**
   * `activity` is reported from the first listener until the runtime ends, even if that listener is
   * removed.
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
  /** Removes a listener. */
  removeEventListener<Type extends keyof RuntimeEventMap>(
    type: Type,
    listener: (event: RuntimeEventMap[Type]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
  /** Removes a listener. */
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
}
