import { MessagePortTransport } from '@inpage-mcp/transport';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { FIXED, FIXED_TEXT } from './fixed-text.js';

/** The official SDK's server, on each port that it is given. */
function makeServer(): McpServer {
  const server = new McpServer({ name: 'fixed', version: '1' });
  const { uri, name, mimeType } = FIXED;
  server.registerResource(name, uri, { mimeType }, () => ({
    contents: [{ uri, mimeType, text: FIXED_TEXT }],
  }));
  return server;
}

addEventListener('message', ({ ports: [port] }) => {
  if (port) serveStdio(makeServer, { transport: new MessagePortTransport(port) });
});
