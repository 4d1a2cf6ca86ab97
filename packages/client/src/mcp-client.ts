import { ClientError } from './client-error.js';
import {
  META,
  PROTOCOL_VERSION,
  type DiscoverResult,
  type Implementation,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  type Resource,
  type ServerCapabilities,
} from './protocol-types.js';
import { RpcConnection, type ClientTransport, type RequestOptions } from './rpc-connection.js';
import { Subscriptions, type Watch } from './subscriptions.js';

/** How to introduce oneself. */
export interface ConnectOptions extends RequestOptions {
  /** Told to the server with each request. Default: `inpage-mcp-client`. */
  clientInfo?: Implementation;
}

/** Limits of a request for one page. */
export interface PageOptions extends RequestOptions {
  /** The `nextCursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
}

/**
 * An MCP client of one connection. Every call rejects with an `McpError` when the server refuses,
 * with a `ClientError` when there is no proper answer, and with the reason of its signal.
 */
export interface McpClient {
  /** The protocol revision in use. */
  readonly protocolVersion: string;
  /** Who the server says it is. */
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: ServerCapabilities;
  /** Resolves when the connection has ended, from either side. Never rejects. */
  readonly closed: Promise<void>;
  /** One page of the resources (`resources/list`). */
  listResources(options?: PageOptions): Promise<ListResourcesResult>;
  /** The pages of the resources, one after the other, each fetched when it is asked for. */
  resources(options?: RequestOptions): AsyncIterableIterator<Resource[]>;
  /** One page of the templates (`resources/templates/list`). */
  listResourceTemplates(options?: PageOptions): Promise<ListResourceTemplatesResult>;
  /** What is at an address (`resources/read`). A missing resource is an `McpError` −32602. */
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
  /** Calls back after each change of a resource. Any number may watch the same one. */
  watch(uri: string, listener: (uri: string) => void, options?: { signal?: AbortSignal }): Watch;
  /** Calls back when the list of resources has changed. */
  watchList(listener: () => void, options?: { signal?: AbortSignal }): Watch;
  /** Ends the connection: what is outstanding rejects with `closed`, every watch ends. */
  close(): Promise<void>;
}

/**
 * Connects to an MCP server of the modern era (2026-07-28) and asks it what it can do.
 *
 * @param transport Not yet started, such as `new MessagePortTransport(port)`.
 * @throws {ClientError} `timeout`; `closed`; `unsupported` when the server speaks other revisions.
 * @throws {McpError} when the server refuses, as a server of the legacy era does.
 */
export async function connectClient(
  transport: ClientTransport,
  { clientInfo = { name: 'inpage-mcp-client', version: '0.1.0' }, ...limits }: ConnectOptions = {},
): Promise<McpClient> {
  const connection = new RpcConnection(transport, {
    [META.protocolVersion]: PROTOCOL_VERSION,
    [META.clientInfo]: clientInfo,
    [META.clientCapabilities]: {},
  });
  try {
    await transport.start();
    const discovered = await connection.request('server/discover', {}, limits);
    return new PortClient(connection, checkDiscovered(discovered));
  } catch (error) {
    await connection.close().catch(() => undefined);
    throw error;
  }
}

class PortClient implements McpClient {
  readonly protocolVersion = PROTOCOL_VERSION;
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: ServerCapabilities;
  readonly #connection: RpcConnection;
  readonly #subscriptions: Subscriptions;

  constructor(connection: RpcConnection, discovered: DiscoverResult) {
    this.#connection = connection;
    this.#subscriptions = new Subscriptions(connection);
    this.serverInfo = discovered._meta?.[META.serverInfo] as Implementation | undefined;
    this.serverCapabilities = discovered.capabilities;
  }

  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  async listResources(options: PageOptions = {}): Promise<ListResourcesResult> {
    return await this.#requestPage<ListResourcesResult>('resources/list', 'resources', options);
  }

  async *resources(options: RequestOptions = {}): AsyncIterableIterator<Resource[]> {
    let cursor: string | undefined;
    do {
      const page = await this.listResources({ ...options, cursor });
      yield page.resources;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  async listResourceTemplates(options: PageOptions = {}): Promise<ListResourceTemplatesResult> {
    return await this.#requestPage<ListResourceTemplatesResult>(
      'resources/templates/list',
      'resourceTemplates',
      options,
    );
  }

  async readResource(uri: string, options: RequestOptions = {}): Promise<ReadResourceResult> {
    const result = await this.#connection.request('resources/read', { uri }, options);
    return checked<ReadResourceResult>('resources/read', result, 'contents');
  }

  watch(
    uri: string,
    listener: (uri: string) => void,
    { signal }: { signal?: AbortSignal } = {},
  ): Watch {
    return this.#subscriptions.watch(uri, () => listener(uri), signal);
  }

  watchList(listener: () => void, { signal }: { signal?: AbortSignal } = {}): Watch {
    return this.#subscriptions.watch(null, listener, signal);
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #requestPage<Page extends object>(
    method: string,
    entries: keyof Page & string,
    { cursor, ...limits }: PageOptions,
  ): Promise<Page> {
    const params = cursor === undefined ? {} : { cursor };
    return checked<Page>(method, await this.#connection.request(method, params, limits), entries);
  }
}

/** Looks at what the caller relies on; the rest is the server's promise. */
function checked<Result extends object>(
  method: string,
  result: { [key: string]: unknown },
  entries: keyof Result & string,
): Result {
  if (result['resultType'] === 'input_required') {
    throw new ClientError('unsupported', `The server asks for input to answer ${method}.`);
  }
  if (!Array.isArray(result[entries])) {
    throw new ClientError('invalid-result', `The server's answer to ${method} has no ${entries}.`);
  }
  return result as unknown as Result;
}

function checkDiscovered(result: { [key: string]: unknown }): DiscoverResult {
  const versions = result['supportedVersions'];
  if (!Array.isArray(versions) || !versions.includes(PROTOCOL_VERSION)) {
    throw new ClientError('unsupported', `The server does not speak MCP ${PROTOCOL_VERSION}.`);
  }
  const capabilities = (result['capabilities'] ?? {}) as ServerCapabilities;
  return { ...(result as unknown as DiscoverResult), capabilities };
}
