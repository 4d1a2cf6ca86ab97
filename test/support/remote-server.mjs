// A remote MCP server of the official SDK, over Streamable HTTP, in both eras. Each test has one of its
// own: the name of the server is the end of the address, `/__remote/<name>`. Tests connect by
// test/support/remote-client.ts, and change the state of a server by its tools (remote-features.mjs).
import { randomUUID } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { RemoteFeatures } from './remote-features.mjs';

/** @typedef {import('@modelcontextprotocol/server').McpServer} McpServer */
/**
 * The SDK drops the notifications that it has before the client has opened its stream, which it
 * does some time after it has connected: `listening` resolves once it has.
 * @typedef {{ transport: WebStandardStreamableHTTPServerTransport, server: McpServer, uris: Set<string>,
 *   listening: Promise<void>, listens: () => void }} Session
 */

/** One server, for the clients of one test. */
class RemoteServer {
  /** The connections of the legacy era, by `Mcp-Session-Id`. @type {Map<string, Session>} */
  #sessions = new Map();
  #features = new RemoteFeatures({
    updated: (uri) => this.#notifyUpdated(uri),
    listChanged: () => this.#notifyListChanged(),
  });
  /** The modern era: a server for each request. */
  #modern = createMcpHandler(() => this.#features.createServer(new Set()), { legacy: 'reject' });
  serve = toNodeHandler({ fetch: (request) => this.#fetch(request) });

  /** @param {Request} request */
  async #fetch(request) {
    if (!(await isLegacyRequest(request))) return await this.#modern.fetch(request);
    const id = request.headers.get('mcp-session-id');
    if (id === null) return await (await this.#openSession()).handleRequest(request);
    const session = this.#sessions.get(id);
    if (!session) return new Response('This session does not exist.', { status: 404 });
    const response = await session.transport.handleRequest(request);
    if (request.method !== 'GET' || !response.ok) return response;
    session.listens();
    return withComment(response);
  }

  async #openSession() {
    /** @type {Set<string>} */
    const uris = new Set();
    const server = this.#features.createServer(uris);
    /** @type {() => void} */
    let listens;
    /** @type {Promise<void>} */
    const listening = new Promise((resolve) => (listens = resolve));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) =>
        void this.#sessions.set(id, { transport, server, uris, listening, listens }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await server.connect(transport);
    return transport;
  }

  /** @param {string} uri */
  #notifyUpdated(uri) {
    this.#modern.notify.resourceUpdated(uri);
    for (const { server, uris, listening } of this.#sessions.values())
      if (uris.has(uri)) void listening.then(() => server.server.sendResourceUpdated({ uri }));
  }

  #notifyListChanged() {
    this.#modern.notify.resourcesChanged();
    for (const { server, listening } of this.#sessions.values())
      void listening.then(() => server.server.sendResourceListChanged());
  }
}

/**
 * A stream of events that begins with a comment: Node sends the headers with the first bytes, and the
 * client waits for them before it goes on.
 * @param {Response} response
 */
function withComment({ body, headers, status }) {
  const { readable, writable } = new TransformStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(': open\n\n')),
  });
  // A client that has gone ends it.
  body?.pipeTo(writable).catch(() => undefined);
  return new Response(body && readable, { headers, status });
}

/** @type {Map<string, RemoteServer>} */
const servers = new Map();

/** @typedef {NonNullable<import('@web/test-runner').TestRunnerConfig['middleware']>[number]} Middleware */

/**
 * Middleware for @web/test-runner: `/__remote/<name>`.
 * @param {Parameters<Middleware>[0]} context
 * @param {Parameters<Middleware>[1]} next
 */
export async function serveRemoteServers(context, next) {
  const [, name] = /^\/__remote\/([\w-]+)$/.exec(context.path) ?? [];
  if (name === undefined) return await next();
  const server = servers.get(name) ?? new RemoteServer();
  servers.set(name, server);
  // The SDK answers, not the dev server.
  context.respond = false;
  const request = /** @type {import('@modelcontextprotocol/node').NodeIncomingMessageLike} */ (
    context.req
  );
  await server.serve(request, context.res);
}
