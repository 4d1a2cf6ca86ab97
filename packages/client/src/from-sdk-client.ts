import type { McpClient } from './interface/mcp-client.js';
import { PortClient } from './port-client.js';
import { SdkConnection } from './sdk/sdk-connection.js';
import type { SdkClient, SdkTransport } from './sdk/sdk-types.js';

/**
 * The clients by connection, so that an app may call {@link fromSdkClient} often, as in a render function.
 */
const clients = new WeakMap<SdkTransport, McpClient>();

/**
 * Adapts a client of the official SDK to an {@link McpClient}, for example for the elements: version 1
 * (`@modelcontextprotocol/sdk`) or 2 (`@modelcontextprotocol/client`), with any transport, in any era.
 * Further calls with the same connection return the same object.
 *
 * The app may continue to use the SDK's client: all its handlers stay, and the app may set others at any
 * time. But `close()` closes the connection of both.
 *
 * @param client Connected. When its connection ends, the returned client is closed for good, even if the
 *   app connects the SDK's client again: then call this function again.
 * @throws {TypeError} if the SDK's client is not connected.
 */
export function fromSdkClient(client: SdkClient): McpClient {
  const { transport } = client;
  if (!transport)
    throw new TypeError('The client of the SDK is not connected: await client.connect(…) first.');
  const known = clients.get(transport);
  if (known) return known;
  const connection = new SdkConnection(client, transport);
  // The SDK itself asks the questions of a server.
  const adapted = new PortClient(connection, connection, revisionOf(client, transport));
  clients.set(transport, adapted);
  return adapted;
}

/** The revision in use. Version 1 of the SDK reports it only to its HTTP transports. */
function revisionOf(client: SdkClient, transport: SdkTransport): string {
  return client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? 'unknown';
}
