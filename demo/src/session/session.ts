import { connectClient, type ClientTransport, type McpClient } from '@inpage-mcp/client';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { startRuntime, type Runtime, type StartProgress } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { confirm } from '../letting-in/ask-consent.js';
import { AssistantSession, type AssistantPlace } from '../letting-in/assistant-session.js';
import { DesktopLink } from '../letting-in/desktop/desktop-link.js';
import { Connections } from './connections.js';
import { OtherTabs } from './other-tabs.js';
import { seedOnce } from '../data/sample-notes.js';

/** Everything that the demo stands on. */
export interface Session {
  /** The page's own handle: writes notes and files. */
  runtime: Runtime;
  /** An MCP client as any other: lists, reads and watches. */
  client: McpClient;
  /** The messages of that client, and the reports of a model in its frame. */
  wire: WireRecorder;
  /** The assistant in a frame of its own, if the user lets it in. */
  assistant: AssistantSession;
  /** The desktop apps, if the user connects them. */
  desktop: DesktopLink;
  /** Who the connections are, and what each did last. */
  connections: Connections;
  /** The other tabs of this page. */
  tabs: OtherTabs;
}

/** Where the assistant is: on another host, where the page names one, else beside this page without an origin. */
function assistantPlace(): AssistantPlace {
  const url = document.querySelector('demo-app')?.getAttribute('assistant');
  if (!url) return { url: './assistant/index.html', origin: 'null' };
  return { url, origin: new URL(url).origin };
}

/**
 * Starts the server in its worker and connects the client whose messages the demo shows.
 *
 * @param onProgress Called with how far that is.
 */
export async function startSession(
  onProgress: (progress: StartProgress) => void,
): Promise<Session> {
  const runtime = await startRuntime({ databaseName: 'inpage-mcp-demo', confirm, onProgress });
  const connections = new Connections(runtime);
  await seedOnce(runtime);
  const wire = new WireRecorder();
  // Called again when the worker has died and another has taken its place.
  const openTransport = async (): Promise<ClientTransport> => {
    const port = await runtime.openPort({ heldBy: 'page' });
    connections.addOwn(runtime.connectionOf(port)!);
    return wire.wrap(new MessagePortTransport(port));
  };
  const client = await connectClient(openTransport, {
    clientInfo: { name: 'inpage-mcp-demo', version: '0.1.0' },
  });
  const assistant = new AssistantSession({ runtime, connections, wire }, assistantPlace());
  const desktop = new DesktopLink(runtime, connections);
  const tabs = new OtherTabs();
  return { runtime, client, wire, assistant, desktop, connections, tabs };
}
