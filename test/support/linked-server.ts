import { connectClient, type McpClient } from '@inpage-mcp/client';
import {
  files,
  InpageServer,
  notes,
  type Access,
  type LimitsOf,
  type ServerOptions,
} from '@inpage-mcp/server';
import type { StoreView } from '@inpage-mcp/store';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { deleteDatabase, freshDatabaseName } from './database.js';
import { RawClient } from './raw-client.js';

/** The real server and store in this page, reached over real ports; only the worker is missing. */
export interface LinkedServer {
  server: InpageServer;
  databaseName: string;
  /** The store for somebody else, whose changes are not those of the page. */
  others: StoreView;
  openPort(access?: Access, limits?: LimitsOf): MessagePort;
  connect(): Promise<McpClient>;
  connectRaw(access?: Access, limits?: LimitsOf): RawClient;
}

/** @param options What differs from a server of notes and files with all tools and prompts. */
export async function openLinkedServer(
  databaseName: string = freshDatabaseName(),
  options: Partial<ServerOptions> = {},
): Promise<LinkedServer> {
  const server = await InpageServer.open(databaseName, {
    providers: [notes(), files()],
    onerror: () => undefined,
    ...options,
  });
  const openPort = (access: Access = {}, limits: LimitsOf = 'page'): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    // Those with the limits of the page are the page's own here.
    server.servePort(port2, { access, limits, heldBy: limits });
    return port1;
  };
  return {
    server,
    databaseName,
    others: server.store.within(() => ({ notes: 'all', files: 'all', author: {} })),
    openPort,
    connect: () => connectClient(new MessagePortTransport(openPort())),
    connectRaw: (access, limits) => new RawClient(openPort(access, limits)),
  };
}

/**
 * A fresh server for each test of the suite that calls this, in the same object each time.
 *
 * @param options As those of `openLinkedServer`.
 */
export function useLinkedServer(options?: Partial<ServerOptions>): LinkedServer {
  const linked = {} as LinkedServer;

  beforeEach(async () => {
    Object.assign(linked, await openLinkedServer(undefined, options));
  });

  afterEach(async () => {
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  return linked;
}

/** A fresh server and a client of it for each test of the suite that calls this. */
export function useLinkedClient(): { readonly linked: LinkedServer; readonly client: McpClient } {
  const linked = useLinkedServer();
  let client: McpClient;

  beforeEach(async () => {
    client = await linked.connect();
  });

  afterEach(() => client.close());

  return {
    linked,
    get client() {
      return client;
    },
  };
}
