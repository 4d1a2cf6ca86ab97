import { connectClient, type McpClient } from '@inpage-mcp/client';
import { startRuntime, type Runtime, type StartProgress } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Clearings } from './clearings.js';
import { seedOnce } from './seed-notes.js';
import { WireLog, WireTap } from './wire-log.js';

/** Everything that the demo stands on. */
export interface Session {
  /** The page's own handle: writes notes and files. */
  runtime: Runtime;
  /** An MCP client as any other: lists, reads and watches. */
  client: McpClient;
  /** What that client says and hears. */
  wire: WireLog;
  /** What deletes everything. */
  clearings: Clearings;
}

/**
 * Starts the server in its worker and connects the client whose messages the demo shows.
 *
 * @param onProgress Called with how far that is.
 */
export async function startSession(
  onProgress: (progress: StartProgress) => void,
): Promise<Session> {
  const runtime = await startRuntime({ databaseName: 'inpage-mcp-demo', onProgress });
  const clearings = new Clearings(runtime);
  await seedOnce(runtime);
  const wire = new WireLog();
  // Called again when the worker has died and another has taken its place.
  const openTransport = async (): Promise<WireTap> =>
    new WireTap(new MessagePortTransport(await runtime.openPort({ heldBy: 'page' })), wire);
  const client = await connectClient(openTransport, {
    clientInfo: { name: 'inpage-mcp-demo', version: '0.1.0' },
  });
  return { runtime, client, wire, clearings };
}
