import type { McpClient } from '@inpage-mcp/client';
import { fromSdkClient } from '@inpage-mcp/client/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

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
  /** Clients with the same name have the same server. Default: a new server. */
  name?: string;
}

/**
 * Connects to a server of the official SDK, over Streamable HTTP. The server runs in Node
 * (scripts/test-runner/remote-server.mjs); what it offers is in remote-features.mjs. Close the client
 * at the end of the test.
 */
export async function connectRemote(options?: RemoteOptions): Promise<McpClient> {
  return (await connectRemoteWithSdk(options)).client;
}

/** As {@link connectRemote}, with the client of the SDK. */
export async function connectRemoteWithSdk({
  era = 'modern',
  name = crypto.randomUUID(),
}: RemoteOptions = {}): Promise<Remote> {
  const mode = era === 'modern' ? 'auto' : 'legacy';
  const info = { name: 'test', version: '1.0.0' };
  const sdk = new Client(info, {
    versionNegotiation: { mode },
    capabilities: { elicitation: { form: {} } },
  });
  await sdk.connect(new StreamableHTTPClientTransport(new URL(`/__remote/${name}`, location.href)));
  return { client: fromSdkClient(sdk), sdk };
}
