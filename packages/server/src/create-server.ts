import type { Store } from '@inpage-mcp/store';
import {
  McpServer,
  type ClientCapabilities,
  type Implementation,
} from '@modelcontextprotocol/server';
import { ChangeNotifier } from './change-notifications.js';
import type { Connection, Feature } from './connection.js';
import type { Access, Confirm } from './control-plane.js';
import { inPages } from './list-pages.js';
import {
  badCursorError,
  longUriError,
  tooManySubscriptionsError,
  translateErrors,
  unlessAborted,
} from './protocol-errors.js';
import { passThrough, type InnerServer } from './request-handlers.js';
import type { ResourceRouter } from './resource-router.js';
import { MAX_URI_LENGTH } from './resource-uris.js';
import { MAX_SUBSCRIBED_URIS, type SubscribedUris } from './subscribed-uris.js';
import { guardTools } from './tool-guard.js';
import { noPromptCompletion, withTemplates } from './template-completion.js';
import { WritePermission } from './write-permission.js';

/** The SDK knows an older one still, which nobody speaks. The modern ones it adds by itself. */
const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const ELICITATION_SINCE = '2025-06-18';

const COMPLETE = 'completion/complete';

/** Which optional parts of `resources` are offered; both are by default. */
export interface ResourceCapabilities {
  /** `resources/subscribe`, and `resourceSubscriptions` of `subscriptions/listen`. */
  subscribe?: boolean;
  /** `notifications/resources/list_changed`. */
  listChanged?: boolean;
}

/** What a connection's server is made of. */
export interface ServerParts {
  serverInfo: Implementation;
  /** For the model: what the server is for. */
  instructions: string;
  capabilities: Required<ResourceCapabilities>;
  store: Store;
  router: ResourceRouter;
  features: readonly Feature[];
  access: Access;
  confirm: Confirm | undefined;
  /** Which family of protocol revisions the connection speaks. */
  era: 'legacy' | 'modern';
  subscribed: SubscribedUris;
  /** Hears what cannot be told to the client. */
  onerror: (error: unknown) => void;
}

/** Makes the MCP server of one connection. Closing it frees everything it holds. */
export function createServer(parts: ServerParts): McpServer {
  const { serverInfo, instructions, router, features, onerror } = parts;
  const capabilities = { completions: {}, logging: {} };
  const supportedProtocolVersions = [...LEGACY_VERSIONS];
  const mcp = new McpServer(serverInfo, { capabilities, instructions, supportedProtocolVersions });
  const methods = new Set<string>();
  passThrough(mcp.server, (method, handler) => {
    methods.add(method);
    const kept = withTemplates(router)(method, inPages(method, handler));
    return (request, ctx) =>
      translateErrors(() => kept(request, ctx), unlessAborted(ctx.mcpReq.signal, onerror));
  });
  serveResources(mcp.server, parts);
  mcp.registerResource = refuseSideResource;
  guardTools(mcp, onerror);
  const connection = connectionOf(mcp.server, parts);
  for (const feature of features) feature(mcp, connection);
  // `McpServer` sets it with the first prompt that completes an argument.
  if (!methods.has(COMPLETE)) mcp.server.setRequestHandler(COMPLETE, noPromptCompletion);
  announceChanges(mcp.server, parts);
  return mcp;
}

/** Resources have one way in: an app that registers one on the side is told so at once. */
function refuseSideResource(): never {
  throw new TypeError('Resources are served by a ResourceProvider: add one to `providers`.');
}

function serveResources(
  server: InnerServer,
  { router, capabilities, era, subscribed }: ServerParts,
): void {
  server.registerCapabilities({ resources: { ...capabilities } });
  server.setRequestHandler('resources/list', ({ params }) => router.list(params?.cursor));
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    // There is one page, so no cursor was given out.
    if (params?.cursor !== undefined) throw badCursorError();
    return { resourceTemplates: router.templates };
  });
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    checkLength(params.uri);
    return { contents: await router.read(params.uri, { signal: mcpReq.signal }) };
  });
  // In the modern era the SDK answers `subscriptions/listen`.
  if (capabilities.subscribe && era === 'legacy') serveLegacySubscriptions(server, subscribed);
}

/**
 * `resources/subscribe` and `unsubscribe` of the legacy revisions (Resources › Subscriptions). A
 * uri need not exist: whoever subscribes to it hears when it comes into being.
 */
function serveLegacySubscriptions(server: InnerServer, subscribed: SubscribedUris): void {
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    checkLength(params.uri);
    if (!subscribed.add(params.uri)) throw tooManySubscriptionsError(MAX_SUBSCRIBED_URIS);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

function checkLength(uri: string): void {
  if (uri.length > MAX_URI_LENGTH) throw longUriError(MAX_URI_LENGTH);
}

function connectionOf(server: InnerServer, parts: ServerParts): Connection {
  const { store, router, access, confirm } = parts;
  const writing = new WritePermission({
    write: access.write ?? 'allow',
    confirm,
    legacyCapabilities: () => elicitingCapabilities(server),
  });
  return { store, router, writing };
}

/** What a legacy client declared; before 2025-06-18 there was no elicitation to declare. */
function elicitingCapabilities(server: InnerServer): ClientCapabilities | undefined {
  /* oxlint-disable typescript/no-deprecated -- the legacy era says them nowhere else */
  const version = server.getNegotiatedProtocolVersion();
  return version !== undefined && version >= ELICITATION_SINCE
    ? server.getClientCapabilities()
    : undefined;
  /* oxlint-enable typescript/no-deprecated */
}

function announceChanges(
  server: InnerServer,
  { router, capabilities, subscribed, onerror }: ServerParts,
): void {
  if (!capabilities.subscribe && !capabilities.listChanged) return;
  const sink = {
    resourceUpdated: (uri: string) => void server.sendResourceUpdated({ uri }).catch(onerror),
    resourceListChanged: () => {
      if (capabilities.listChanged) void server.sendResourceListChanged().catch(onerror);
    },
  };
  const notifier = new ChangeNotifier(sink, subscribed);
  const stop = router.listen((changes) => notifier.push(changes));
  const { onclose } = server;
  server.onclose = () => {
    stop();
    notifier.close();
    onclose?.();
  };
}
