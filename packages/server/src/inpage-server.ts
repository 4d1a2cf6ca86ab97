import { openStore, type Store } from '@inpage-mcp/store';
import type { Implementation } from '@modelcontextprotocol/server';
import type { ProviderSource } from './resource-provider.js';
import { ResourceRouter } from './resource-router.js';
import { servePort, type PortConnection } from './serve-port.js';

/** How an app sets its server up; see `startServer`. */
export interface ServerOptions {
  /** What clients are told of the server. Default: `inpage-mcp` and its version. */
  serverInfo?: Implementation;
  /** What is served, in the order of listing. */
  providers: readonly ProviderSource[];
  /** Hears of dropped messages and failed deliveries. Default: a warning on the console. */
  onerror?: (error: unknown) => void;
}

const DEFAULT_SERVER_INFO: Implementation = {
  name: 'inpage-mcp',
  title: 'Notes and files of this page',
  version: '0.1.0',
};

/** One store, and the connections that are served from it. It needs no worker to run. */
export class InpageServer {
  readonly store: Store;
  readonly #serverInfo: Implementation;
  readonly #router: ResourceRouter;
  readonly #onerror: (error: unknown) => void;
  readonly #connections = new Set<PortConnection>();

  /** @see InpageServer.open */
  constructor(store: Store, { serverInfo, providers, onerror }: ServerOptions) {
    this.store = store;
    this.#serverInfo = serverInfo ?? DEFAULT_SERVER_INFO;
    this.#onerror = onerror ?? ((error) => console.warn('inpage-mcp:', error));
    this.#router = new ResourceRouter(
      providers.map((source) => (typeof source === 'function' ? source(store) : source)),
    );
  }

  /**
   * Opens the database and sets up what is served from it.
   *
   * @throws {StoreError} when the database cannot be opened.
   */
  static async open(databaseName: string, options: ServerOptions): Promise<InpageServer> {
    return new InpageServer(await openStore(databaseName), options);
  }

  /** How many connections are open. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Serves MCP on a port until either side closes it. */
  servePort(port: MessagePort): void {
    const connection = servePort(port, {
      serverInfo: this.#serverInfo,
      router: this.#router,
      onclose: () => this.#connections.delete(connection),
      onerror: this.#onerror,
    });
    this.#connections.add(connection);
  }

  /** Ends every connection, then the store. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    this.store.close();
  }
}
