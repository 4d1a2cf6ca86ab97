import { startRuntime, type McpClient } from '@inpage-mcp/runtime';

let connecting: Promise<McpClient> | undefined;

/** Starts the MCP server of this page once, however often components ask for its client. */
export function connectOnce(): Promise<McpClient> {
  connecting ??= connect();
  return connecting;
}

async function connect(): Promise<McpClient> {
  const runtime = await startRuntime();
  const { notes } = await runtime.notes.list({ limit: 1 });
  if (notes.length === 0) {
    await runtime.notes.create({
      title: 'Hello',
      text: '# Hello\n\nThis note is in **your** browser.',
    });
  }
  return runtime.connect();
}
