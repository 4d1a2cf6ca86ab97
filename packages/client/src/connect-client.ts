import { ClientError } from './client-error.js';
import type { Elicit } from './elicitation-types.js';
import type { McpClient } from './mcp-client.js';
import { PortClient } from './port-client.js';
import {
  META,
  PROTOCOL_VERSION,
  type DiscoverResult,
  type Implementation,
  type ServerCapabilities,
} from './protocol-types.js';
import type { RequestOptions } from './request-options.js';
import { RpcConnection, type ClientTransport } from './rpc-connection.js';

/** How to introduce oneself; the limits are those of the introduction. */
export interface ConnectOptions extends RequestOptions {
  /** Told to the server with each request. Default: `inpage-mcp-client`. */
  clientInfo?: Implementation;
  /**
   * Puts questions of the server to the user, such as whether a tool may write; one at a time for
   * each call. Without it the server is told that nobody can be asked.
   */
  elicit?: Elicit | undefined;
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
  {
    clientInfo = { name: 'inpage-mcp-client', version: '0.1.0' },
    elicit,
    ...limits
  }: ConnectOptions = {},
): Promise<McpClient> {
  const connection = new RpcConnection(transport, {
    [META.protocolVersion]: PROTOCOL_VERSION,
    [META.clientInfo]: clientInfo,
    [META.clientCapabilities]: elicit ? { elicitation: { form: {} } } : {},
  });
  try {
    await transport.start();
    const discovered = await connection.request('server/discover', {}, limits);
    return new PortClient(connection, checkDiscovered(discovered), elicit);
  } catch (error) {
    await connection.close().catch(() => undefined);
    throw error;
  }
}

function checkDiscovered(result: { [key: string]: unknown }): DiscoverResult {
  const versions = result['supportedVersions'];
  if (!Array.isArray(versions) || !versions.includes(PROTOCOL_VERSION)) {
    throw new ClientError('unsupported', `The server does not speak MCP ${PROTOCOL_VERSION}.`);
  }
  const capabilities = (result['capabilities'] ?? {}) as ServerCapabilities;
  return { ...(result as unknown as DiscoverResult), capabilities };
}
