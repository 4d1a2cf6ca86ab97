import { connectClient, type McpClient } from '@inpage-mcp/client';
import type { Access, ServedPortOptions } from '@inpage-mcp/server/control-plane';
import { MessagePortTransport } from '@inpage-mcp/transport/ports';
import { ClientAccess, type AccessTarget } from './access/client-access.js';
import { proxy } from 'comlink';
import { createDefaultWorker } from './default-worker.js';
import type { ServeFramesOptions } from './frames.js';
import { loadPart } from './data/load-part.js';
import type { Provided, ProvidedByPage, ProvidedResource } from './data/provided.js';
import { dataOf, type RuntimeFiles, type RuntimeNotes } from './data/runtime-data.js';
import { closedError, isWorkerGone, RuntimeError } from './worker/runtime-error.js';
import { runtimeEvent, type StartProgressEvent } from './worker/runtime-events.js';
import type {
  PortOptions,
  Runtime,
  RuntimeConnectOptions,
  RuntimeOptions,
} from './runtime-types.js';
import type { ServedConnection } from './worker/served-connection.js';
import type { ServerWorker } from './worker/server-worker.js';
import { snapshotOf } from './access/snapshot.js';
import { StorageMarker } from './supervision/storage-marker.js';
import { storageOf, type RuntimeStorage } from './data/storage.js';
import { onWakeUp } from './supervision/wake-up.js';
import { WorkerSupervisor } from './supervision/worker-supervisor.js';

/** The runtime: everything that the page has from its worker, whichever that is at the moment. */
export class SupervisedRuntime extends EventTarget implements Runtime {
  readonly notes: RuntimeNotes;
  readonly files: RuntimeFiles;
  readonly storage: RuntimeStorage;
  readonly #supervisor: WorkerSupervisor;
  /** Once there was something to provide. */
  #provided: ProvidedByPage | undefined;
  /** What was given out, with what its access is set on. */
  readonly #targets = new WeakMap<object, AccessTarget>();
  readonly #connectionsPerFrame: number | undefined;
  #isActivityWatched = false;
  /** What was lost before anybody could listen; undefined once somebody does. */
  #untoldLosses: Event[] | undefined = [];

  /** Starts the worker; see {@link started}. Throws as `makeWorker` does. */
  constructor({
    worker = createDefaultWorker,
    databaseName = 'inpage-mcp',
    confirm,
    limits = {},
    onProgress,
  }: RuntimeOptions) {
    super();
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
    onWakeUp(() => this.#catchUp(), this.ended);
  }

  /** Aborted when the runtime is closed or has failed. */
  get ended(): AbortSignal {
    return this.#supervisor.ended;
  }

  /** Resolves when the worker has opened the database. */
  started(): Promise<void> {
    return this.#supervisor.started();
  }

  async connect({
    access,
    limits,
    resourceLinks,
    ...options
  }: RuntimeConnectOptions = {}): Promise<McpClient> {
    checkAccessInside(options);
    const served = servedOptions({ access, limits, heldBy: 'page', resourceLinks });
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
    const { port, connection } = await this.#open(servedOptions(options));
    this.#targets.set(port, connection);
    return port;
  }

  async serveFrames(options: ServeFramesOptions): Promise<() => void> {
    this.ended.throwIfAborted();
    // Only pages that serve frames pay for it.
    const { serveFrames } = await loadPart(() => import('./frames.js'));
    const limit = this.#connectionsPerFrame;
    const limited = limit === undefined ? options : { maxConnectionsPerFrame: limit, ...options };
    return serveFrames(limited, {
      supervisor: this.#supervisor,
      RuntimeError,
      isWorkerGone,
      snapshotOf,
      register: (frame) => this.#targets.set(frame, frame),
    });
  }

  async setAccess(connection: object, access: Access): Promise<void> {
    const target = this.#targets.get(connection);
    if (!target) throw new TypeError('This is no connection of this runtime.');
    await target.setAccess(access);
  }

  async provide({ read, ...live }: ProvidedResource): Promise<Provided> {
    // As it is now, whatever the app makes of it while the module is on its way.
    const description = snapshotOf(live);
    this.ended.throwIfAborted();
    const { ProvidedByPage } = await loadPart(() => import('./data/provided.js'));
    this.#provided ??= new ProvidedByPage({ supervisor: this.#supervisor, isWorkerGone, proxy });
    return await this.#provided.provide({ description, read });
  }

  close(): Promise<void> {
    return this.#supervisor.close();
  }

  /** Ends everything at once. */
  abort(): void {
    this.#supervisor.end(closedError());
  }

  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
    if (type === 'storage-lost') this.#tellLosses();
    if (type !== 'activity' || this.#isActivityWatched) return;
    this.#isActivityWatched = true;
    this.#supervisor.once(watchActivity).catch(() => undefined);
  }

  /** What was lost before the start is known before whoever started it has the runtime. */
  override dispatchEvent(event: Event): boolean {
    if (event.type !== 'storage-lost' || !this.#untoldLosses) return super.dispatchEvent(event);
    this.#untoldLosses.push(event);
    return true;
  }

  #tellLosses(): void {
    const losses = this.#untoldLosses ?? [];
    this.#untoldLosses = undefined;
    // Not before `addEventListener` has returned.
    for (const loss of losses) queueMicrotask(() => this.dispatchEvent(loss));
  }

  /** On the port of a worker that dies, which is silent, the end of the stream is made up. */
  async #open(
    options: ServedPortOptions,
  ): Promise<{ port: MessagePort; connection: ServedConnection }> {
    return await this.#supervisor.twice(async (server) => {
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
      .once((server) => server.call((control) => control.catchUp()))
      .catch(() => undefined);
  }

  async #restore(server: ServerWorker): Promise<void> {
    await this.#provided?.restore(server, (message) =>
      this.dispatchEvent(runtimeEvent('error', { message })),
    );
    if (this.#isActivityWatched) await watchActivity(server);
  }
}

function watchActivity(server: ServerWorker): Promise<void> {
  return server.call((control) => control.watchActivity(true));
}

/** Options as they were destructured: one that is absent is there, and undefined. */
type Given<Options> = { [Name in keyof Options]: Options[Name] | undefined };

function servedOptions({
  access = {},
  limits = 'page',
  heldBy = 'guest',
  resourceLinks = true,
}: Given<PortOptions>): ServedPortOptions {
  return { access, limits, heldBy, resourceLinks };
}

/** What stands beside `access` would be left out, and the connection could do everything. */
function checkAccessInside(options: object): void {
  for (const name of ['read', 'write', 'tools', 'prompts']) {
    if (!(name in options)) continue;
    throw new RuntimeError('invalid-argument', `\`${name}\` is a part of \`access\`.`);
  }
}
