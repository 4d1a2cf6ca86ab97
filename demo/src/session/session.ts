import { addNotesApps } from '@inpage-mcp/apps';
import { connectClient, type ClientTransport, type McpClient } from '@inpage-mcp/client';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { startRuntime, type Runtime, type StartProgress } from '@inpage-mcp/runtime';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { onClosedFolder } from '../data/folders.js';
import { seedOnce } from '../data/sample-notes.js';
import { SyncLink } from '../data/sync-link.js';
import { confirmWith } from '../letting-in/ask-consent.js';
import { AssistantSession } from '../letting-in/assistant-session.js';
import { DesktopLink } from '../letting-in/desktop-link.js';

/** The parts on which the demo is based. */
export interface Session {
  /** The page's own handle, which writes notes and files. */
  runtime: Runtime;
  /** An MCP client like any other: it lists, reads and watches. */
  client: McpClient;
  /** The messages of that client. */
  wire: WireRecorder;
  /** The assistant in a frame of its own, if the user lets it in. */
  assistant: AssistantSession;
  /** The desktop apps, if the user connects them. */
  desktop: DesktopLink;
  /** The other devices of the user, if they name a server. */
  sync: SyncLink;
  /**
   * The names of the connections, by their numbers in the activity log. A name stays after its
   * connection has ended, because the log does.
   */
  names: ReadonlyMap<number, string>;
  /** Opens a connection for an app of a tool (MCP Apps), which is a guest of the page. */
  connectApp: () => Promise<McpClient>;
}

/**
 * The delay after the start before the apps of the notes are loaded, which are not needed at once, in
 * milliseconds.
 */
const APPS_AFTER_MS = 2_000;

/**
 * Starts the server in its worker and connects the client whose messages the demo shows.
 *
 * @param onProgress Called with the progress of the start.
 */
export async function startSession(
  onProgress: (progress: StartProgress) => void,
): Promise<Session> {
  const confirm = confirmWith(() => ({ documents: runtime, frameName: assistant.name }));
  const runtime = await startRuntime({ databaseName: 'inpage-mcp-demo', confirm, onProgress });
  await seedOnce(runtime);
  const names = new Map<number, string>();
  const wire = new WireRecorder();
  // It is called again when the worker has died and another one has replaced it.
  const openTransport = async (): Promise<ClientTransport> => {
    const port = await runtime.openPort({ heldBy: 'page' });
    names.set(runtime.connectionOf(port)!, 'This page');
    return wire.wrap(new MessagePortTransport(port));
  };
  const client = await connectClient(openTransport, {
    clientInfo: { name: 'inpage-mcp-demo', version: '0.1.0' },
    apps: true,
  });
  // Without its apps, the page still has all other functions.
  setTimeout(() => void addNotesApps(runtime).catch(reportError), APPS_AFTER_MS);
  const assistant = new AssistantSession(runtime, names);
  const connectApp = async (): Promise<McpClient> => {
    const access = { read: ['note:///', 'ui://inpage/'] };
    // The element of the app asks the user before it writes.
    const app = await runtime.connect({ apps: true, limits: 'guest', access });
    names.set(runtime.connectionOf(app)!, 'An app in this page');
    return app;
  };
  const desktop = new DesktopLink(runtime, names);
  // Another folder could get the same address. The grants of desktop apps are shared by all tabs, so the tab
  // that has closed the folder has withdrawn them.
  onClosedFolder(runtime, (uri) => void assistant.takeFolder(uri).catch(reportError));
  const sync = new SyncLink(runtime);
  return { runtime, client, wire, assistant, desktop, sync, names, connectApp };
}
