import { BLOB_EXTENSION } from './api/binary-extension.js';
import type { Elicit } from './api/elicitation-types.js';
import type { OpenTransport } from './connection/introduction.js';
import type { McpClient } from './mcp-client.js';
import { PortClient } from './port-client.js';
import { META, PROTOCOL_VERSION } from './api/protocol-types.js';
import type { Implementation } from '@inpage-mcp/protocol/types';
import { ReconnectingConnection } from './connection/reconnecting-connection.js';
import { DEFAULT_TIMEOUT_MS, type RequestOptions } from './api/request-options.js';
import type { ClientTransport } from './connection/rpc-connection.js';

/** How to introduce oneself; the limits are those of the introduction. */
export interface ConnectOptions extends RequestOptions {
  /** Told to the server with each request. Default: `inpage-mcp-client`. */
  clientInfo?: Implementation;
  /**
   * Puts questions of the server to the user, such as whether a tool may write; one at a time for
   * each call. Without it the server is told that nobody can be asked.
   */
  elicit?: Elicit | undefined;
  /**
   * Whether contents that are not text, or too large for a message, may come as a Blob: see
   * `blobOf`. Such a content has `blob: ""`. Only for a transport that clones messages, as a
   * `MessagePortTransport` does: one that writes JSON would lose the Blob. Default: false.
   */
  blobs?: boolean | undefined;
  /**
   * Milliseconds from the loss of a connection until the client gives up to open another, and is
   * closed for good; `Infinity` for never. It begins anew when the page has slept through its end.
   * For an {@link OpenTransport}. Default: 60,000.
   */
  reconnectTimeoutMs?: number | undefined;
}

/** The default of {@link ConnectOptions.reconnectTimeoutMs}. */
const DEFAULT_RECONNECT_TIMEOUT_MS = 60_000;

/**
 * Connects to an MCP server of the modern era (2026-07-28) and asks it what it can do.
 *
 * @param transport Not yet started, such as `new MessagePortTransport(port)`: the client ends with
 *   it. Or what makes one: then the client reconnects when the connection ends without its doing,
 *   at once, then after pauses that grow from 100 ms to 5 s. An attempt may take `timeoutMs`, and so
 *   may the first connection with all the attempts that it needs.
 * @throws {ClientError} `timeout`; `closed`; `unsupported` when the server speaks other revisions.
 * @throws {McpError} when the server refuses, as a server of the legacy era does.
 * @throws What `start()` of the transport rejects with, or an {@link OpenTransport} in the end.
 */
export async function connectClient(
  transport: ClientTransport | OpenTransport,
  {
    clientInfo = { name: 'inpage-mcp-client', version: '0.1.0' },
    elicit,
    blobs = false,
    signal,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    reconnectTimeoutMs = DEFAULT_RECONNECT_TIMEOUT_MS,
  }: ConnectOptions = {},
): Promise<McpClient> {
  const reopens = typeof transport === 'function';
  const connection = new ReconnectingConnection({
    open: reopens ? transport : () => transport,
    reopens,
    meta: {
      [META.protocolVersion]: PROTOCOL_VERSION,
      [META.clientInfo]: clientInfo,
      [META.clientCapabilities]: {
        ...(elicit && { elicitation: { form: {} } }),
        ...(blobs && { extensions: { [BLOB_EXTENSION]: {} } }),
      },
    },
    timeoutMs,
    reconnectTimeoutMs,
  });
  try {
    await connection.start(signal);
  } catch (error) {
    // It may not even have been used, and its other end is to know.
    if (!reopens) void transport.close().catch(() => undefined);
    throw error;
  }
  return new PortClient(connection, elicit);
}
