import type { StoreView } from '@inpage-mcp/store';
import {
  McpServer,
  type ClientCapabilities,
  type Implementation,
  type ServerOptions as SdkServerOptions,
} from '@modelcontextprotocol/server';
import { withDeadline } from './call-deadline.js';
import type { Resources } from './accessible-resources.js';
import { BLOB_EXTENSION, takesBlobs } from './binary-extension.js';
import { ChangeNotifier } from './change-notifications.js';
import type { Connection, Feature } from './connection.js';
import { rangeIn } from './content-range.js';
import { DeliveredResources } from './delivered-resources.js';
import type { FairShare } from './fair-share.js';
import { inPages } from './list-pages.js';
import type { PageQuestions } from './page-questions.js';
import type { Permission } from './permission.js';
import { permittedFeatures, watchReadOnlyTools } from './permitted-features.js';
import {
  badCursorError,
  tooManySubscriptionsError,
  translateErrors,
  unlessAborted,
} from './protocol-errors.js';
import { passThrough, type InnerServer, type RequestHandler } from './request-handlers.js';
import type { SubscribedUris } from './subscribed-uris.js';
import { isHeavy } from './heavy-work.js';
import { errorsOfTools, guardTools } from './tool-guard.js';
import { noPromptCompletion, withTemplates } from './template-completion.js';
import { questionsApart, verifyingApartFromQuestions } from './question-state.js';
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

/** What an app says of calls that ask for input and come again, as the SDK takes it. */
export interface RoundTripOptions {
  /**
   * `requestState.verify` is called with the state that a client brings back, before any handler of
   * the app sees it: a client may bring what it likes. Where it throws, the request is answered with
   * −32602; what it gives is what `ctx.mcpReq.requestState()` gives. `createRequestStateCodec` makes
   * one. Default: the state is handed on as it came.
   */
  requestState?: SdkServerOptions['requestState'];
  /** How often, and for how long, a legacy client is asked during one call. Default: the SDK's. */
  inputRequired?: SdkServerOptions['inputRequired'];
}

/** What a connection's server is made of. */
export interface ServerParts extends RoundTripOptions {
  serverInfo: Implementation;
  /** For the model: what the server is for. */
  instructions: string;
  capabilities: Required<ResourceCapabilities>;
  store: StoreView;
  router: Resources;
  features: readonly Feature[];
  permission: Permission;
  /** Whether results of tools may hold links to resources. */
  resourceLinks: boolean;
  /** What its holder may have of the server. */
  share: FairShare;
  /** Which family of protocol revisions the connection speaks. */
  era: 'legacy' | 'modern';
  subscribed: SubscribedUris;
  /** Who asks the page's user. */
  questions: PageQuestions;
  /** Hears what cannot be told to the client. */
  onerror: (error: unknown) => void;
}

/** Makes the MCP server of one connection. Closing it frees everything it holds. */
export function createServer(served: ServerParts): McpServer {
  const { limits, contents, work } = served.share;
  const router = new DeliveredResources(served.router, limits.inlineBytes, contents);
  const parts = { ...served, router };
  const { serverInfo, instructions, permission, features, onerror } = parts;
  const capabilities = { completions: {}, logging: {} };
  const mcp = new McpServer(serverInfo, {
    capabilities,
    instructions,
    supportedProtocolVersions: [...LEGACY_VERSIONS],
    requestState: { verify: verifyingApartFromQuestions(parts.requestState?.verify) },
    ...(parts.inputRequired && { inputRequired: parts.inputRequired }),
  });
  const methods = new Set<string>();
  const permitted = permittedFeatures(permission, watchReadOnlyTools(mcp));
  passThrough(mcp.server, (method, handler) => {
    methods.add(method);
    const own = errorsOfTools(method, questionsApart(method, permitted(method, handler)));
    const kept = withTemplates(router)(method, inPages(method, own));
    const counted: RequestHandler = (request: { params?: { [key: string]: unknown } }, ctx) =>
      isHeavy(method, request.params) ? work.run(() => kept(request, ctx)) : kept(request, ctx);
    const ended = withDeadline(method, counted, limits.timeoutMs);
    return (request, ctx) =>
      translateErrors(() => ended(request, ctx), unlessAborted(ctx.mcpReq.signal, onerror));
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
  { router, capabilities, era, subscribed }: ServerParts & { router: DeliveredResources },
): void {
  server.registerCapabilities({ resources: { ...capabilities } });
  // The legacy revisions know no extensions.
  if (era === 'modern') server.registerCapabilities({ extensions: { [BLOB_EXTENSION]: {} } });
  server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
    router.list(params?.cursor, mcpReq.signal),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    // There is one page, so no cursor was given out.
    if (params?.cursor !== undefined) throw badCursorError();
    return { resourceTemplates: router.templates };
  });
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const range = rangeIn(params._meta);
    const call = { signal: mcpReq.signal, blobs: takesBlobs(mcpReq.envelope) };
    if (range) return { contents: [await router.readRange(params.uri, range, call)] };
    return { contents: await router.read(params.uri, call) };
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
    if (!subscribed.add(params.uri)) throw tooManySubscriptionsError(subscribed.limit);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

function connectionOf(server: InnerServer, parts: ServerParts): Connection {
  const { store, router, permission, questions, resourceLinks } = parts;
  const writing = new WritePermission({
    write: () => permission.write,
    isGuest: permission.isGuest,
    questions,
    legacyCapabilities: () => elicitingCapabilities(server),
  });
  return { store, router, writing, resourceLinks };
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
  { router, permission, capabilities, subscribed, onerror }: ServerParts,
): void {
  if (!capabilities.subscribe && !capabilities.listChanged) return;
  const sink = {
    resourceUpdated: (uri: string) => {
      // Asked again when it is sent: it may have been permitted when it was subscribed to.
      if (permission.permits(uri)) void server.sendResourceUpdated({ uri }).catch(onerror);
    },
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
