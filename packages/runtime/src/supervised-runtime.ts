import { connectClient, type McpClient } from '@inpage-mcp/client';
import type { Access, ServedPortOptions } from '@inpage-mcp/server/control-plane';
import { MessagePortTransport, plainCopy } from '@inpage-mcp/transport/ports';
import { ClientAccess, type AccessTarget } from './access/client-access.js';
import type { Desktop, ServeDesktopOptions } from './desktop/desktop-types.js';
import type { FrameServer, ServeFramesOptions } from './frames.js';
import { loadModule } from './worker/load-module.js';
import type { Provided, ProvidedByPage, ProvidedResource } from './data/provided.js';
import type { FoldersOfPage, MountedFolder, MountFolderOptions } from './data/folders.js';
import { onKeptFolders } from './data/kept-marker.js';
import type { Sync, SyncOptions } from '@inpage-mcp/sync/page';
import type { RuntimeHistory } from './data/history.js';
import { dataOf, operationsOf, type RuntimeFiles, type RuntimeNotes } from './data/runtime-data.js';
import { closedError, isWorkerGone, RuntimeError, snapshotOf } from './worker/runtime-error.js';
import { runtimeEvent, type StartProgressEvent } from './worker/runtime-events.js';
import type {
  OwnWorkerOptions,
  PortOptions,
  Runtime,
  RuntimeConnectOptions,
} from './runtime-types.js';
import type { ServedConnection } from './worker/served-connection.js';
import type { ServerWorker } from './worker/server-worker.js';
import { StorageMarker } from './supervision/storage-marker.js';
import { storageOf, type RuntimeStorage } from './data/storage.js';
import { onPageResume } from './supervision/page-resume.js';
import { WorkerSupervisor } from './supervision/worker-supervisor.js';

/** The maximum time that calls wait for the scripts of features, and for folders, after a restart. */
const SCRIPTS_MS = 2_000;

/** The runtime, which uses the current worker of its supervisor. */
export class SupervisedRuntime extends EventTarget implements Runtime {
  readonly notes: RuntimeNotes;
  readonly files: RuntimeFiles;
  readonly storage: RuntimeStorage;
  readonly history: RuntimeHistory;
  readonly #supervisor: WorkerSupervisor;
  /** The sync that was opened last. */
  #sync: Sync | undefined;
  /** The resources of the page. Created when the page provides its first one. */
  #provided: ProvidedByPage | undefined;
  /** The folders of the page. Created when the page mounts one, or has kept one. */
  #folders: FoldersOfPage | undefined;
  /** The addresses of the scripts of features, for the next worker. */
  readonly #features = new Set<string>();
  readonly #databaseName: string;
  /** The server of frames. Created when the page serves frames. */
  #frames: FrameServer | undefined;
  /** The objects whose access can be changed, by client, port or frame. */
  readonly #targets = new WeakMap<object, AccessTarget>();
  readonly #connectionsPerFrame: number | undefined;
  #isActivityWatched = false;
  /** The losses before the first listener; `undefined` when a listener exists. */
  #unreportedLosses: Event[] | undefined = [];

  /** Starts the worker; see {@link waitForStart}. Throws as `makeWorker` does. */
  constructor({
    worker,
    databaseName = 'inpage-mcp',
    confirm,
    limits = {},
    onProgress,
  }: OwnWorkerOptions) {
    super();
    this.#databaseName = databaseName;
    if (onProgress) {
      this.addEventListener('progress', (event) => onProgress(event as StartProgressEvent));
    }
    const { connectionsPerFrame, ...guest } = limits.guest ?? {};
    this.#connectionsPerFrame = connectionsPerFrame;
    this.#supervisor = new WorkerSupervisor({
      worker,
      options: { databaseName, limits: { ...limits, guest } },
      marker: new StorageMarker(databaseName),
      confirm,
      events: this,
      restore: (server) => this.#restore(server),
    });
    const { notes, files } = dataOf(this.#supervisor);
    this.notes = notes;
    this.files = files;
    this.storage = storageOf(this.#supervisor);
    this.history = operationsOf(this.#supervisor, 'history', { list: 0, revert: 1 });
    onPageResume(() => this.#catchUp(), this.ended);
    // The folders are mounted after the start, because they must not slow it down.
    const mountKept = () =>
      this.waitForStart()
        .then(() => this.folders())
        .catch(() => undefined);
    onKeptFolders(databaseName, mountKept, this.ended);
  }

  /** Aborts when the runtime is closed or has failed. */
  get ended(): AbortSignal {
    return this.#supervisor.ended;
  }

  /** Resolves when the worker has opened the database. */
  waitForStart(): Promise<void> {
    return this.#supervisor.waitForStart();
  }

  async connect({
    access,
    limits,
    resourceLinks,
    name,
    ...options
  }: RuntimeConnectOptions = {}): Promise<McpClient> {
    checkAccessInside(options);
    const served = resolveOptions({ access, limits, heldBy: 'page', resourceLinks, name });
    const target = new ClientAccess(served);
    const client = await connectClient(async () => {
      const wanted = target.options;
      const { port, connection } = await this.#open(wanted);
      await target.use(connection, wanted.access);
      return new MessagePortTransport(port);
    }, options);
    this.#targets.set(client, target);
    return client;
  }

  async openPort(options: PortOptions = {}): Promise<MessagePort> {
    checkAccessInside(options);
    const { port, connection } = await this.#open(resolveOptions(options));
    this.#targets.set(port, connection);
    return port;
  }

  async serveFrames(options: ServeFramesOptions): Promise<() => void> {
    this.ended.throwIfAborted();
    // Only pages that serve frames load this module.
    const { FrameServer } = await loadModule(() => import('./frames.js'));
    this.#frames ??= new FrameServer(this.#supervisor, (frame) => this.#targets.set(frame, frame));
    const maxConnectionsPerFrame = options.maxConnectionsPerFrame ?? this.#connectionsPerFrame;
    return this.#frames.serve({ ...options, maxConnectionsPerFrame });
  }

  async serveDesktop(options: ServeDesktopOptions): Promise<Desktop> {
    this.ended.throwIfAborted();
    const { serveDesktop } = await loadModule(() => import('./desktop/serve-desktop.js'));
    return await serveDesktop(options, this.#supervisor);
  }

  async setAccess(connection: object, access: Access): Promise<void> {
    const target = this.#targets.get(connection);
    if (!target) throw new TypeError('This is not a connection of this runtime.');
    await target.setAccess(access);
  }

  connectionOf(connection: object): number | undefined {
    return this.#targets.get(connection)?.number;
  }

  async provide({ read, ...live }: ProvidedResource): Promise<Provided> {
    // The description is copied now, because the app may change the object while the module is loading.
    const description = snapshotOf(live);
    this.ended.throwIfAborted();
    const { ProvidedByPage } = await loadModule(() => import('./data/provided.js'));
    this.#provided ??= new ProvidedByPage(this.#supervisor);
    return await this.#provided.provide({ description, read });
  }

  async addFeature(script: string | URL): Promise<void> {
    const { href } = new URL(script, globalThis.document?.baseURI);
    await this.#supervisor.runWithRetry((server) => addFeature(server, href));
    this.#features.add(href);
  }

  get canMountFolders(): boolean {
    return 'showDirectoryPicker' in globalThis;
  }

  async mountFolder(
    handle: FileSystemDirectoryHandle,
    options: MountFolderOptions = {},
  ): Promise<MountedFolder> {
    return await (await this.#loadFolders()).mount(handle, options);
  }

  async folders(): Promise<MountedFolder[]> {
    return await (await this.#loadFolders()).all();
  }

  async #loadFolders(): Promise<FoldersOfPage> {
    this.ended.throwIfAborted();
    const { foldersOfPage } = await loadModule(() => import('./folders-of-page.js'));
    this.ended.throwIfAborted();
    return (this.#folders ??= foldersOfPage(this.#supervisor, this, this.#databaseName));
  }

  async sync(options: SyncOptions): Promise<Sync> {
    this.ended.throwIfAborted();
    const { startSync } = await loadModule(() => import('./data/sync.js'));
    this.#sync = await startSync({ ...plainCopy(options), databaseName: this.#databaseName }, this);
    return this.#sync;
  }

  async close(): Promise<void> {
    await Promise.all([this.#supervisor.close(), this.#sync?.close()]);
  }

  /** Ends everything immediately. */
  abort(): void {
    this.#supervisor.end(closedError());
  }

  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
    if (type === 'storage-lost') this.#reportLosses();
    if (type !== 'activity' || this.#isActivityWatched) return;
    this.#isActivityWatched = true;
    this.#supervisor.run(watchActivity).catch(() => undefined);
  }

  /**
   * Keeps losses until there is a listener: they may be found before `startRuntime` has resolved.
   */
  override dispatchEvent(event: Event): boolean {
    if (event.type !== 'storage-lost' || !this.#unreportedLosses) return super.dispatchEvent(event);
    this.#unreportedLosses.push(event);
    return true;
  }

  #reportLosses(): void {
    const losses = this.#unreportedLosses ?? [];
    this.#unreportedLosses = undefined;
    // The losses are dispatched only after `addEventListener` has returned.
    for (const loss of losses) queueMicrotask(() => this.dispatchEvent(loss));
  }

  /**
   * Opens a port. If the worker dies, its ports receive nothing, so the end of the stream is simulated here.
   */
  async #open(
    options: ServedPortOptions,
  ): Promise<{ port: MessagePort; connection: ServedConnection }> {
    return await this.#supervisor.runWithRetry(async (server) => {
      const { port1, port2 } = new MessageChannel();
      const connection = await server.servePort(port2, options);
      const port = new WeakRef(port1);
      void connection.ended.then((how) => {
        if (how === 'lost')
          port.deref()?.dispatchEvent(new MessageEvent('message', { data: null }));
      });
      return { port: port1, connection };
    });
  }

  #catchUp(): void {
    this.#supervisor
      .run((server) => server.call((control) => control.catchUp()))
      .catch(() => undefined);
  }

  /**
   * Waits for the scripts and the folders, but only a short time: a slow download or disk must not end the new
   * worker.
   */
  async #restoreScripts(server: ServerWorker, onerror: (message: string) => void): Promise<void> {
    const restored = [...this.#features].map((script) =>
      addFeature(server, script).catch((error: unknown) => {
        if (isWorkerGone(error)) throw error;
        onerror((error as Error).message);
      }),
    );
    if (this.#folders) restored.push(this.#folders.restore(server));
    // A timer would keep a process of Node running.
    if (restored.length === 0) return;
    const late = new Promise((resolve) => setTimeout(resolve, SCRIPTS_MS));
    await Promise.race([Promise.all(restored), late]);
  }

  async #restore(server: ServerWorker): Promise<void> {
    const onerror = (message: string): void => {
      this.dispatchEvent(runtimeEvent('error', { message }));
    };
    await this.#provided?.restore(server, onerror);
    if (this.#isActivityWatched) await watchActivity(server);
    await this.#restoreScripts(server, onerror);
  }
}

function addFeature(server: ServerWorker, script: string): Promise<void> {
  return server.call((control) => control.addFeature(script));
}

function watchActivity(server: ServerWorker): Promise<void> {
  return server.call((control) => control.watchActivity(true));
}

function resolveOptions({
  access = {},
  limits = 'page',
  heldBy = 'guest',
  resourceLinks = true,
  name,
}: PortOptions): ServedPortOptions {
  return { access, limits, heldBy, resourceLinks, name };
}

/** Rejects a restriction outside of `access`: it would be ignored, so the connection could do everything. */
function checkAccessInside(options: object): void {
  for (const name of ['read', 'write', 'tools', 'prompts']) {
    if (!(name in options)) continue;
    throw new RuntimeError('invalid-argument', `\`${name}\` belongs inside \`access\`.`);
  }
}
