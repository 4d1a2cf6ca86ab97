import {
  callSafely,
  type ConnectionLimits,
  FairShare,
  GUEST_LIMITS,
  limitsWith,
  type McpServer,
  PAGE_LIMITS,
  type ServedConnection,
} from '@inpage-mcp/protocol';
import { openStore, type Store, type StoreOptions } from '@inpage-mcp/store';
import { END_OF_STREAM } from '@inpage-mcp/transport';
import { endOfOpenCall } from '../access/access-changes.js';
import { AccessibleResources } from '../access/accessible-resources.js';
import { ActivityLog, activityOf } from '../activity/activity-log.js';
import { configuredServer } from './configured-server.js';
import type { Connection } from '../access/connection.js';
import type {
  Access,
  Confirm,
  HeldBy,
  LimitChanges,
  LimitsOf,
  ServedPortOptions,
} from '../access/access.js';
import { DeliveredResources } from '../access/delivered-resources.js';
import { OneAtATime, type WorkLine } from '../resources/contents/one-at-a-time.js';
import { PageQuestions } from '../access/page-questions.js';
import { Permission } from '../access/permission.js';
import { ProvidedResources } from '../resources/provided-resources.js';
import { RequestJournal } from '../activity/request-journal.js';
import type { ProviderHost } from '../resources/provider-host.js';
import { ResourceRouter } from '../resources/resource-router.js';
import { servedResources } from '../access/served-resources.js';
import type { ServerOptions } from './server-options.js';
import { WritePermission } from '../access/write-permission.js';

/** Whose idempotency keys a connection uses that says nothing of it. */
const HOLDERS: { [who in HeldBy]: string } = { page: '', guest: 'guest' };

/** A connection, and what it may do. */
interface Served {
  connection: ServedConnection<Connection>;
  permission: Permission;
}

/** What a holder has on all its connections. */
interface Holder {
  share: FairShare;
  /** Where its large contents wait for their turn. */
  contents: WorkLine;
}

/** One store, and the connections that are served from it. It needs no worker to run. */
export class InpageServer {
  readonly store: Store;
  /** What connections have asked for. */
  readonly activity = new ActivityLog();
  /** What the page provides while it is open. */
  readonly provided = new ProvidedResources();
  /** Asks the page's user, for connections that may write only when asked. */
  confirm: Confirm | undefined;
  readonly #options: ServerOptions;
  readonly #router: ResourceRouter;
  readonly #mcp: McpServer<Connection>;
  readonly #connections = new Map<number, Served>();
  /** Large contents of guests, of all of them: each takes room while it is made, and much time. */
  readonly #guestContents = new OneAtATime(true);
  /** Those of frames, which may have several connections, one after the other too. */
  readonly #holders = new Map<string, Holder>();
  /** By who holds the connections and whose keys they are; there are as many as origins that are let in. */
  readonly #questions = new Map<string, PageQuestions>();
  readonly #closeListeners = new Set<(connection: number) => void>();
  #limits: { [who in LimitsOf]: ConnectionLimits } = { page: PAGE_LIMITS, guest: GUEST_LIMITS };
  #connectionNumber = 0;

  /**
   * @see InpageServer.open
   * @param mcp The server of all connections, not used by any other.
   */
  constructor(store: Store, options: ServerOptions, mcp = configuredServer(options)) {
    this.store = store;
    this.#options = options;
    this.#mcp = mcp;
    this.#router = this.#routerOver({ store, activity: this.activity, provided: this.provided });
    store.changes.listen((changes) => {
      const isEmptied = changes.some(({ kind }) => kind === 'everything') && isEmpty(store);
      if (isEmptied) this.activity.clear();
    });
  }

  /**
   * Opens the database and sets up what is served from it.
   *
   * @throws {StoreError} when the database cannot be opened.
   */
  static async open(
    databaseName: string,
    options: ServerOptions,
    stored: StoreOptions = {},
  ): Promise<InpageServer> {
    const opening = openStore(databaseName, stored);
    // Set up while the browser opens the database.
    const mcp = configuredServer(options);
    return new InpageServer(await opening, options, mcp);
  }

  /** How many connections are open. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /**
   * Sets what differs from the default limits, for connections from now on.
   *
   * @throws {Error} With the code `invalid-argument` for a limit that there is not, and for one
   *   that cannot be.
   */
  setLimits({ page, guest }: LimitChanges): void {
    this.#limits = { page: limitsWith(PAGE_LIMITS, page), guest: limitsWith(GUEST_LIMITS, guest) };
    this.#holders.clear();
  }

  /** Serves MCP on a port until either side closes it; gives the number of the connection. */
  servePort(
    port: MessagePort,
    {
      access = {},
      limits = 'page',
      heldBy = 'guest',
      holder = HOLDERS[heldBy],
      frame,
      resourceLinks: takesLinks = true,
    }: ServedPortOptions = {},
  ): number {
    const number = this.#connectionNumber + 1;
    const permission = new Permission(access, heldBy === 'guest', holder);
    this.#connectionNumber = number;
    const { share, contents } = this.#holderOf(frame, limits);
    if (share.isExpelled) return this.#refuse(port, number);
    const context = this.#contextOf(permission, number, share.limits.inlineBytes, contents);
    const journal = new RequestJournal(
      this.activity,
      number,
      activityHolderOf(heldBy, holder, number),
    );
    permission.ondenied = (subject) => journal.denied(subject);
    const writing = new WritePermission(permission, this.#questionsOf(holder, heldBy));
    const connection = this.#mcp.serve(port, {
      context,
      resources: servedResources(context.router),
      access: {
        permitsTool: ({ name, isReadOnly }) => permission.permitsTool(name, isReadOnly),
        permitsPrompt: ({ name }) => permission.permitsPrompt(name),
        permitsUri: (uri) => permission.permits(uri),
        denied: (name) => permission.denied(name),
        takesLinks: (this.#options.resourceLinks ?? true) && takesLinks,
        beforeWrite: ({ name }, question, call) => writing.ask(name, question, call),
      },
      share,
      observer: journal,
      onclose: () => this.#forget(number),
    });
    this.#connections.set(number, { connection, permission });
    return number;
  }

  /** Gives a connection another access, at once. One that has ended is left alone. */
  setAccess(number: number, access: Access): void {
    const { connection, permission } = this.#connections.get(number) ?? {};
    if (!connection || !permission) return;
    permission.set(access);
    connection.endSubscriptions((uri) => !permission.permits(uri));
    connection.failOpen((call) => endOfOpenCall(call, permission));
    // Every list may be another for the connection now.
    for (const list of ['tools', 'prompts', 'resources'] as const) connection.announce(list);
  }

  /** Ends a connection. One that has ended is left alone. */
  async closeConnection(number: number): Promise<void> {
    this.#connections.get(number)?.connection.close();
  }

  /** Calls the listener with the number of each connection that ends. Returns what stops that. */
  listenToClose(listener: (connection: number) => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  /** The notes, files and resources that a connection may see at each moment. */
  #contextOf(
    permission: Permission,
    number: number,
    inlineBytes: number,
    contents: WorkLine,
  ): Connection & { router: DeliveredResources } {
    const store = this.store.within(() => permission.scope);
    const activity = activityOf(this.activity, number);
    const provided = this.provided.within((uri) => permission.permits(uri));
    const makePart = () => this.#routerOver({ store, activity, provided });
    const accessible = new AccessibleResources(permission, this.#router, makePart);
    return { store, router: new DeliveredResources(accessible, inlineBytes, contents) };
  }

  /** What a frame has on all its connections; any other connection is a holder by itself. */
  #holderOf(frame: string | undefined, limits: LimitsOf): Holder {
    const key = frame === undefined ? undefined : `${limits}\n${frame}`;
    const known = key === undefined ? undefined : this.#holders.get(key);
    if (known) return known;
    const isGuest = limits === 'guest';
    const { turns } = this.#mcp;
    const holder: Holder = {
      share: new FairShare({ limits: this.#limits[limits], isGuest, turns }),
      contents: (isGuest ? this.#guestContents : new OneAtATime()).line(),
    };
    if (key === undefined) return holder;
    for (const [one, { share }] of this.#holders) {
      if (share.isForgettable) this.#holders.delete(one);
    }
    this.#holders.set(key, holder);
    return holder;
  }

  /** Ends a connection before it has begun. */
  #refuse(port: MessagePort, number: number): number {
    port.postMessage(END_OF_STREAM);
    port.close();
    this.#forget(number);
    return number;
  }

  /** Those of a holder, on all its connections. */
  #questionsOf(holder: string, heldBy: HeldBy): PageQuestions {
    const key = `${heldBy}\n${holder}`;
    let questions = this.#questions.get(key);
    if (!questions) {
      const isFrame = heldBy === 'guest' && holder !== HOLDERS.guest;
      const origin = isFrame ? holder : undefined;
      questions = new PageQuestions(() => this.confirm, heldBy === 'guest', origin);
      this.#questions.set(key, questions);
    }
    return questions;
  }

  #routerOver(host: ProviderHost): ResourceRouter {
    const { providers } = this.#options;
    return new ResourceRouter(
      providers.map((source) => (typeof source === 'function' ? source(host) : source)),
    );
  }

  #forget(connection: number): void {
    this.#connections.delete(connection);
    for (const listener of this.#closeListeners) callSafely(() => listener(connection));
  }

  /** Ends every connection, then the store. Resolves once that is done. */
  async close(): Promise<void> {
    this.#mcp.close();
    this.store.close();
    await this.store.closed;
  }
}

/** The page, the origin of a frame, or a port that was handed out, which is a holder by itself. */
function activityHolderOf(heldBy: HeldBy, holder: string, connection: number): string {
  if (heldBy === 'page') return heldBy;
  return holder === HOLDERS.guest ? `port ${connection}` : holder;
}

function isEmpty({ changes: { head } }: Store): boolean {
  return head !== undefined && head.notes + head.files === 0;
}
