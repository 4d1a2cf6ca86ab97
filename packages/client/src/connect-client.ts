import { APP_MEDIA_TYPE, APPS_EXTENSION } from './apps/app-metadata.js';
import { BLOB_EXTENSION } from './api/binary-extension.js';
import type { Elicit } from './api/elicitation-types.js';
import type { OpenTransport } from './connection/open-connection.js';
import type { McpClient } from './interface/mcp-client.js';
import { RoundTrips } from './requests/round-trips.js';
import { PortClient } from './port-client.js';
import { META, PROTOCOL_VERSION } from './api/protocol-types.js';
import type { Implementation } from '@inpage-mcp/protocol/types';
import { ReconnectingConnection } from './connection/reconnecting-connection.js';
import { DEFAULT_TIMEOUT_MS, type RequestOptions } from './api/request-options.js';
import type { ClientTransport } from './connection/rpc-connection.js';

/** Options of {@link connectClient}; the limits are those of the first connection. */
export interface ConnectOptions extends RequestOptions {
  /**
   * The name and version of the client, which are sent to the server with each request. Default:
   * `inpage-mcp-client`.
   */
  clientInfo?: Implementation | undefined;
  /**
   * Asks the user the questions of the server, such as whether a tool may write; one at a time for
   * each call. Without it, the client declares to the server that it cannot ask the user.
   */
  elicit?: Elicit | undefined;
  /**
   * Whether contents that are not text, or too large for a message, may come as a Blob: see
   * `blobOf`. Such a content has `blob: ""`. Only for a transport that clones messages, such as
   * `MessagePortTransport`: a transport that serializes to JSON loses the Blob. Default: false.
   */
  blobs?: boolean | undefined;
  /**
   * Whether the page shows apps (MCP Apps › Client-Server Capability Negotiation): the client then
   * declares the extension, and gets apps, and the tools that are for apps alone. Default: false.
   */
  apps?: boolean | undefined;
  /**
   * Milliseconds from a connection loss until the client gives up reconnecting, and is closed for
   * good; `Infinity` for never. If the page was asleep when this time ended, the time restarts. Only
   * with an {@link OpenTransport}. Default: 60,000.
   */
  reconnectTimeoutMs?: number | undefined;
}

/** The default of {@link ConnectOptions.reconnectTimeoutMs}. */
const DEFAULT_RECONNECT_TIMEOUT_MS = 60_000;

/**
 * Connects to an MCP server of the modern era (2026-07-28) and discovers its capabilities.
 *
 * @param transport Not started yet, such as `new MessagePortTransport(port)`: the client closes when
 *   the transport closes. Or a function that creates one: if the connection is lost, the client then
 *   reconnects, first at once, then after pauses that grow from 100 ms to 5 s. An attempt may take
 *   `timeoutMs`, and so may the first connection including all its attempts.
 * @throws {ClientError} `timeout`; `closed`; `unsupported` if the server speaks other revisions.
 * @throws {McpError} if the server rejects the request, as a server of the legacy era does.
 * @throws The error of `start()` of the transport, or the last error of an {@link OpenTransport}.
 */
export async function connectClient(
  transport: ClientTransport | OpenTransport,
  {
    clientInfo = { name: 'inpage-mcp-client', version: '0.1.0' },
    elicit,
    blobs = false,
    apps = false,
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
        ...((blobs || apps) && {
          extensions: {
            ...(blobs && { [BLOB_EXTENSION]: {} }),
            ...(apps && { [APPS_EXTENSION]: { mimeTypes: [APP_MEDIA_TYPE] } }),
          },
        }),
      },
    },
    timeoutMs,
    reconnectTimeoutMs,
  });
  try {
    await connection.start(signal);
  } catch (error) {
    // The transport may be unused, and its other end must be notified.
    if (!reopens) void transport.close().catch(() => undefined);
    throw error;
  }
  return new PortClient(connection, new RoundTrips(connection, elicit));
}
