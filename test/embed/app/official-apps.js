import { fromSdkClient } from '@inpage-mcp/client/sdk';
import '@inpage-mcp/elements/define/mcp-app';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const sdk = new Client(
  { name: 'my-app', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' }, capabilities: { extensions } },
);
const { searchParams } = new URL(location.href);
await sdk.connect(new StreamableHTTPClientTransport(new URL(searchParams.get('server'))));

const app = document.createElement('mcp-app');
const { tools } = await sdk.listTools();
const { name } = tools.find(({ _meta }) => _meta?.ui);
Object.assign(app, { client: fromSdkClient(sdk), tool: name, call: true });
document.body.append(app);
