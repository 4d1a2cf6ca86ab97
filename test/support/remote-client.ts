import type { ClientTransport, McpClient } from '@inpage-mcp/client';
import { fromSdkClient } from '@inpage-mcp/client/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** How long to wait for a stream of notifications. */
const MAX_WAIT_MS = 2_000;

/** A client of a remote server. */
export interface Remote {
  client: McpClient;
  /** The client of the SDK that `client` uses. */
  sdk: Client;
}

/** How to connect. */
export interface RemoteOptions {
  /** Default: `modern`. */
  era?: 'modern' | 'legacy';
  /** What the client uses in the place of the transport. Default: the transport. */
  wrap?: (transport: ClientTransport) => ClientTransport;
}

/**
 * Connects to a server of the official SDK, over Streamable HTTP. The server runs in Node
 * (test/support/remote-server.mjs); what it offers is in remote-features.mjs. Close the client
 * at the end of the test.
 */
export async function connectRemote({
  era = 'modern',
  wrap = (transport) => transport,
}: RemoteOptions = {}): Promise<Remote> {
  const mode = era === 'modern' ? 'auto' : 'legacy';
  const info = { name: 'test', version: '1.0.0' };
  const sdk = new Client(info, {
    versionNegotiation: { mode },
    capabilities: { elicitation: { form: {} } },
  });
  const url = new URL(`/__remote/${crypto.randomUUID()}`, location.href);
  let noteStream = (): void => undefined;
  const isStreaming = new Promise<void>((resolve) => (noteStream = resolve));
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      if (init?.method === 'GET') noteStream();
      return response;
    },
  });
  await sdk.connect(wrap(transport));
  // In the legacy era a server drops its notifications until the client has opened a stream. The stream
  // of a client too many waits for one of the six connections of the browser.
  const isLate = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  if (era === 'legacy') await Promise.race([isStreaming, isLate]);
  return { client: fromSdkClient(sdk), sdk };
}
