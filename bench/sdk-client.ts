import type { Runtime } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';

/** The official SDK's client on a port of the runtime: `auto` settles on the modern era. */
export async function connectSdkClient(runtime: Runtime, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new MessagePortTransport(await runtime.openPort()));
  return client;
}
