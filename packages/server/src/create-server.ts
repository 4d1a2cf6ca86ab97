import { McpServer, type Implementation } from '@modelcontextprotocol/server';
import { ChangeNotifier } from './change-notifications.js';
import { translateErrors } from './protocol-errors.js';
import type { ResourceRouter } from './resource-router.js';

/** What a connection's server is made of. */
export interface ServerParts {
  serverInfo: Implementation;
  router: ResourceRouter;
  /** Which family of protocol revisions the connection speaks. */
  era: 'legacy' | 'modern';
  /** Hears what cannot be told to the client. */
  onerror: (error: unknown) => void;
}

const INSTRUCTIONS =
  "This server runs inside the user's web page. Its resources are the user's own notes " +
  '(note:///…, Markdown) and uploaded files (file:///…), kept in this browser only.';

/** Makes the MCP server of one connection. Closing it frees everything it holds. */
export function createServer({ serverInfo, router, era, onerror }: ServerParts): McpServer {
  const mcp = new McpServer(serverInfo, {
    capabilities: { resources: { subscribe: true, listChanged: true } },
    instructions: INSTRUCTIONS,
  });
  // Set on the inner server, the handlers take the place of McpServer's own, which never paginate.
  const { server } = mcp;
  server.setRequestHandler('resources/list', ({ params }) =>
    translateErrors(() => router.list(params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: router.templates,
  }));
  server.setRequestHandler('resources/read', ({ params }) =>
    translateErrors(async () => ({ contents: await router.read(params.uri) })),
  );
  const isSubscribed = era === 'legacy' ? serveLegacySubscriptions(mcp) : () => true;
  announceChanges(mcp, router, isSubscribed, onerror);
  return mcp;
}

/**
 * `resources/subscribe` and `unsubscribe` of the legacy revisions (Resources › Subscriptions).
 * In the modern era the SDK answers `subscriptions/listen` and filters what it is sent.
 */
function serveLegacySubscriptions({ server }: McpServer): (uri: string) => boolean {
  const uris = new Set<string>();
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    uris.add(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    uris.delete(params.uri);
    return {};
  });
  return (uri) => uris.has(uri);
}

function announceChanges(
  { server }: McpServer,
  router: ResourceRouter,
  isSubscribed: (uri: string) => boolean,
  onerror: (error: unknown) => void,
): void {
  const notifier = new ChangeNotifier({
    resourceUpdated: (uri) => {
      // Asked when it is sent: an unsubscribe in the meantime holds.
      if (isSubscribed(uri)) void server.sendResourceUpdated({ uri }).catch(onerror);
    },
    resourceListChanged: () => void server.sendResourceListChanged().catch(onerror),
  });
  const stop = router.listen((changes) => notifier.push(changes));
  const { onclose } = server;
  server.onclose = () => {
    stop();
    notifier.close();
    onclose?.();
  };
}
