import {
  type ConnectionLimits,
  FairShare,
  GUEST_LIMITS,
  limitsWith,
  type McpServer,
  PAGE_LIMITS,
  type SchemaSource,
  type ServedConnection,
} from '@inpage-mcp/protocol';
import { openStore, recorderOf, type Store, type StoreOptions } from '@inpage-mcp/store';
import { callSafely, END_OF_STREAM } from '@inpage-mcp/transport';
import { revocationError } from '../access/revocation.js';
import { ActivityLog, activityOf } from '../activity/activity-log.js';
import { createMcpServer } from './create-mcp-server.js';
import type { Connection } from '../access/connection-context.js';
import type {
  Access,
  Confirm,
  HeldBy,
  LimitChanges,
  LimitsOf,
  ServedPortOptions,
} from '../access/access-types.js';
import { FairScheduler, type TaskQueue } from '../resources/contents/fair-scheduler.js';
import { ConfirmQueue } from '../access/confirm-queue.js';
import { checkClientName, Permission, PORT_HOLDER } from '../access/permission.js';
import { changesOf, type KeptChanges } from '../resources/kept-changes.js';
import { ProvidedResources } from '../resources/provided-resources.js';
import { RequestJournal } from '../activity/request-journal.js';
import type { ProviderHost } from '../resources/provider-host.js';
import { ResourceRouter } from '../resources/resource-router.js';
import { ConnectionResources } from './connection-resources.js';
import { DEFAULT_PROVIDERS } from './built-ins.js';
import type { ServerOptions } from './server-options.js';
import { LazyDisk } from './lazy-disk.js';
import { PageFeatures } from './page-features.js';
import { defineOwnTool, isOnDisk, isUsable, type OwnToolDefinition } from '../tools/define-tool.js';
import { WritePermission } from '../access/write-permission.js';

/** The holder of a connection whose options name none. */
const DEFAULT_HOLDERS: { [who in HeldBy]: string } = { page: '', guest: PORT_HOLDER };

/** The holders whose names mean nothing to people: ports that were given away, and sandboxed frames. */
const NAMELESS: readonly string[] = [PORT_HOLDER, 'null'];

/** A connection and its permission. */
interface Served {
  connection: ServedConnection<Connection>;
  permission: Permission;
}

/** The parts that all connections of a holder share. */
interface Holder {
  share: FairShare;
  /** The queue for its large contents. */
  contents: TaskQueue;
}

/** One store, and the connections that are served from it. Runs without a worker too. */
export class InpageServer {
  /** The notes and files that it serves. */
  readonly store: Store;
  /**
   * The id of this server in the history of changes, because the numbers of connections are unique only
   * within it.
   */
  readonly run = crypto.getRandomValues(new Uint32Array(2)).join('-');
  /** The requests of all connections. */
  readonly activity = new ActivityLog();
  /** The resources that the page provides while it is open. */
  readonly provided = new ProvidedResources();
  /** The folders of the disk that the page mounts. */
  readonly disk: LazyDisk;
  /** The tools and apps that scripts of the page add. */
  readonly features: PageFeatures;
  /** Asks the page's user, for connections with `write: 'ask'`. */
  confirm: Confirm | undefined;
  readonly #options: ServerOptions;
  readonly #router: ResourceRouter;
  readonly #mcp: McpServer<Connection>;
  readonly #connections = new Map<number, Served>();
  /**
   * The scheduler for the large contents of all guests: each takes memory and much time while it is encoded.
   */
  readonly #guestContents = new FairScheduler(true);
  /** The holders of frames, because a frame may have several connections, also one after the other. */
  readonly #holders = new Map<string, Holder>();
  /** The queues by kind and name of the holder: not more than the number of admitted origins. */
  readonly #confirmQueues = new Map<string, ConfirmQueue>();
  readonly #closeListeners = new Set<(connection: number) => void>();
  #limits: { [who in LimitsOf]: ConnectionLimits } = { page: PAGE_LIMITS, guest: GUEST_LIMITS };
  #connectionNumber = 0;

  /**
   * @see InpageServer.open
   * @param mcp The server of all connections, used by this instance only.
   */
  constructor(store: Store, options: ServerOptions, mcp = createMcpServer(options)) {
    this.store = store;
    this.#options = options;
    this.#mcp = mcp;
    this.features = new PageFeatures(mcp);
    this.disk = new LazyDisk(
      (definition) =>
        mcp.addTool(defineOwnTool(definition as OwnToolDefinition<SchemaSource, SchemaSource>)),
      () => {
        // A guest has tools for the disk only as long as a folder is open to it.
        for (const { connection, permission } of this.#connections.values())
          if (permission.includesDisk) connection.announce('tools');
      },
    );
    const { activity, provided, disk } = this;
    const history: KeptChanges = {
      list: () => changesOf(store, this.run),
      listen: (listener) => store.history.listen(listener),
    };
    this.#router = this.#routerOver({ store, activity, provided, disk, history });
    store.changes.listen((changes) => {
      const isEmptied = changes.some(({ kind }) => kind === 'everything') && isEmpty(store);
      if (isEmptied) this.activity.clear();
    });
  }

  /**
   * Opens the database and sets up the server.
   *
   * @throws {StoreError} if the database cannot be opened.
   */
  static async open(
    databaseName: string,
    options: ServerOptions,
    stored: StoreOptions = {},
  ): Promise<InpageServer> {
    const opening = openStore(databaseName, stored);
    try {
      // The server is set up while the browser opens the database.
      const mcp = createMcpServer(options);
      return new InpageServer(await opening, options, mcp);
    } catch (error) {
      // If the server cannot be set up, nothing else closes the database.
      void opening.then(
        (store) => store.close(),
        () => undefined,
      );
      throw error;
    }
  }

  /** The number of open connections. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /**
   * Sets the overrides of the default limits, for new connections.
   *
   * @throws {Error} With the code `invalid-argument` for an unknown limit or an invalid value.
   */
  setLimits({ page, guest }: LimitChanges): void {
    this.#limits = { page: limitsWith(PAGE_LIMITS, page), guest: limitsWith(GUEST_LIMITS, guest) };
    this.#holders.clear();
  }

  /** Serves MCP on a port until either side closes it. Returns the number of the connection. */
  servePort(
    port: MessagePort,
    {
      access = {},
      limits = 'page',
      heldBy = 'guest',
      holder = DEFAULT_HOLDERS[heldBy],
      name: given,
      frame,
      resourceLinks: takesLinks = true,
    }: ServedPortOptions = {},
  ): number {
    checkClientName(given);
    const knownAs = given ?? (NAMELESS.includes(holder) ? '' : holder);
    const number = this.#connectionNumber + 1;
    const isGuest = heldBy === 'guest';
    const owner = activityHolderOf(heldBy, holder, number);
    const permission = new Permission(
      access,
      isGuest,
      holder,
      number,
      (uri) => this.disk.isOpen(uri),
      isGuest || knownAs !== ''
        ? recorderOf({ run: this.run, connection: number, name: knownAs, owner })
        : undefined,
    );
    this.#connectionNumber = number;
    const { share, contents } = this.#holderOf(frame, limits);
    if (share.isExpelled) return this.#refuse(port, number);
    const context = this.#contextOf(permission, number, share.limits.inlineBytes, contents);
    const journal = new RequestJournal(this.activity, number, owner);
    permission.ondenied = (subject) => journal.addDenial(subject);
    const writing = new WritePermission(permission, this.#confirmQueueOf(holder, heldBy));
    const connection = this.#mcp.serve(port, {
      context,
      resources: context.router.ofProtocol,
      access: {
        permitsTool: (tool) =>
          permission.permitsTool(tool.name, tool.isReadOnly) && isUsable(tool, permission),
        permitsPrompt: ({ name }) => permission.permitsPrompt(name),
        permitsUri: (uri) => permission.permits(uri),
        denied: (name) => permission.reportDenial(name),
        takesLinks: (this.#options.resourceLinks ?? true) && takesLinks,
        beforeWrite: ({ name: tool }, question, call, args) => {
          const { idempotencyKey: _key, ...shown } = args as { idempotencyKey?: unknown };
          return writing.ask({ tool, arguments: shown }, question, call, isOnDisk(args));
        },
      },
      share,
      observer: journal,
      onclose: () => this.#forget(number),
    });
    this.#connections.set(number, { connection, permission });
    return number;
  }

  /** Replaces the access of a connection immediately. Does nothing if the connection has ended. */
  setAccess(number: number, access: Access): void {
    const { connection, permission } = this.#connections.get(number) ?? {};
    if (!connection || !permission) return;
    permission.set(access);
    connection.endSubscriptions((uri) => !permission.permits(uri));
    connection.failOpen((call) => revocationError(call, permission));
    // Every list of the connection may have changed.
    for (const list of ['tools', 'prompts', 'resources'] as const) connection.announce(list);
  }

  /** Closes a connection. Does nothing if it has ended. */
  async closeConnection(number: number): Promise<void> {
    this.#connections.get(number)?.connection.close();
  }

  /**
   * Calls the listener with the number of each closed connection. Returns a function that stops it.
   */
  listenToClose(listener: (connection: number) => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  /** The context with the notes, files and resources that a connection may currently see. */
  #contextOf(
    permission: Permission,
    number: number,
    inlineBytes: number,
    queue: TaskQueue,
  ): Connection & { router: ConnectionResources } {
    const store = this.store.within(() => permission.scope);
    const activity = activityOf(this.activity, number);
    const provided = this.provided.within((uri) => permission.permits(uri));
    const { disk } = this;
    const makePart = () => this.#routerOver({ store, activity, provided, disk });
    const parts = { permission, whole: this.#router, makePart, inlineBytes, queue };
    return { store, router: new ConnectionResources(parts), permitted: permission, disk };
  }

  /** The holder of a frame, for all its connections; any other connection is its own holder. */
  #holderOf(frame: string | undefined, limits: LimitsOf): Holder {
    const key = frame === undefined ? undefined : `${limits}\n${frame}`;
    const known = key === undefined ? undefined : this.#holders.get(key);
    if (known) return known;
    const isGuest = limits === 'guest';
    const { turns } = this.#mcp;
    const holder: Holder = {
      share: new FairShare({ limits: this.#limits[limits], isGuest, turns }),
      contents: (isGuest ? this.#guestContents : new FairScheduler()).createQueue(),
    };
    if (key === undefined) return holder;
    for (const [one, { share }] of this.#holders) {
      if (share.isForgettable) this.#holders.delete(one);
    }
    this.#holders.set(key, holder);
    return holder;
  }

  /** Closes a connection before it is served. */
  #refuse(port: MessagePort, number: number): number {
    port.postMessage(END_OF_STREAM);
    port.close();
    this.#forget(number);
    return number;
  }

  /** The queue of a holder, for all its connections. */
  #confirmQueueOf(holder: string, heldBy: HeldBy): ConfirmQueue {
    const key = `${heldBy}\n${holder}`;
    let queue = this.#confirmQueues.get(key);
    if (!queue) {
      const isFrame = heldBy === 'guest' && holder !== PORT_HOLDER;
      const origin = isFrame ? holder : undefined;
      queue = new ConfirmQueue(() => this.confirm, heldBy === 'guest', origin);
      this.#confirmQueues.set(key, queue);
    }
    return queue;
  }

  #routerOver(host: ProviderHost): ResourceRouter {
    const { providers = DEFAULT_PROVIDERS } = this.#options;
    return new ResourceRouter(
      providers.map((source) => (typeof source === 'function' ? source(host) : source)),
    );
  }

  #forget(connection: number): void {
    this.#connections.delete(connection);
    for (const listener of this.#closeListeners) callSafely(() => listener(connection));
  }

  /** Closes every connection, then the store. Resolves when both are closed. */
  async close(): Promise<void> {
    this.#mcp.close();
    this.provided.close();
    this.store.close();
    await this.store.closed;
  }
}

/**
 * The holder for the activity log: the page, the origin of a frame, or a single port, because a port of
 * `openPort` is its own holder.
 */
function activityHolderOf(heldBy: HeldBy, holder: string, connection: number): string {
  if (heldBy === 'page') return heldBy;
  return holder === PORT_HOLDER ? `port ${connection}` : holder;
}

function isEmpty({ changes: { head } }: Store): boolean {
  return head !== undefined && head.notes + head.files === 0;
}
