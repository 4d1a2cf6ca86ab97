import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler, type NodeServerResponseLike } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  isJsonContentType,
  type InboundClassificationOutcome,
} from '@modelcontextprotocol/server';
import type { HostSession } from '../session/host-session.js';
import { isOwnHost } from '../hub/upgrade-gate.js';
import { MAX_HOST_MESSAGE_BYTES } from '../wire/limits.js';
import { refusal } from './http-refusal.js';
import { hasToken } from './http-token.js';
import { LegacySessions, type SharedSessionOptions } from './legacy-sessions.js';
import { exchange } from './modern-exchange.js';
import { SessionPool } from './session-pool.js';
import { UnreadResponses } from './unread-responses.js';

/** Options of the endpoint. */
export interface HttpEndpointOptions extends SharedSessionOptions {
  /** The port on which it listens; 0 for any free port. */
  port: number;
  /** The token that every request must have. Default: requests need no token. */
  token?: string | undefined;
}

/** The most connections: a client may have one for each request. */
const MAX_CONNECTIONS = 1_024;

/** The path of the endpoint. */
const PATH = '/mcp';

/** Serves MCP over Streamable HTTP, in both eras, to programs of this machine. */
export class HttpEndpoint {
  readonly #options: HttpEndpointOptions;
  readonly #server: Server;
  readonly #legacy: LegacySessions;
  readonly #pool: SessionPool;

  private constructor(server: Server, options: HttpEndpointOptions) {
    this.#server = server;
    this.#options = options;
    this.#legacy = new LegacySessions(options);
    this.#pool = new SessionPool(options);
    const unread = new UnreadResponses();
    const handle = toNodeHandler(
      { fetch: (request) => this.#fetch(request) },
      { maxRequestBodySize: MAX_HOST_MESSAGE_BYTES, onerror: (error) => console.error(error) },
    );
    server.on('request', (request, response) => {
      // A request to a server always has a method; in the types of Node, it is optional.
      void handle(request as Parameters<typeof handle>[0], asItComes(response, unread));
    });
  }

  /**
   * Listens on 127.0.0.1.
   *
   * @throws if the port is taken (`EADDRINUSE`).
   */
  static async listen(options: HttpEndpointOptions): Promise<HttpEndpoint> {
    const server = createServer();
    server.maxConnections = MAX_CONNECTIONS;
    server.listen({ port: options.port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    return new HttpEndpoint(server, options);
  }

  /** The address, without the token. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}${PATH}`;
  }

  /** The sessions whose hosts can be asked at any time. */
  get sessions(): readonly HostSession[] {
    return this.#legacy.all;
  }

  /** Ends all sessions, and frees the port. */
  close(): void {
    this.#legacy.close();
    this.#pool.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #fetch(request: Request): Promise<Response> {
    const refused = this.#refusalOf(request);
    if (refused) return refused;
    if (request.method !== 'POST') return this.#legacy.fetch(request, undefined);
    if (!isJsonContentType(request.headers.get('content-type')))
      return refusal(415, -32_000, 'The content type must be application/json.');
    const body = parseJson(await request.text());
    if (body === undefined) return refusal(400, -32_700, 'The body is not JSON.');
    const outcome = classify(request, body);
    if (outcome.kind === 'modern') return exchange(this.#pool, request, outcome);
    if (outcome.kind === 'legacy') return this.#legacy.fetch(request, body);
    const { httpStatus, code, message, data } = outcome;
    return refusal(httpStatus, code, message, { id: idOf(body), data });
  }

  /** The response to a request that is refused because of its headers or its address alone. */
  #refusalOf(request: Request): Response | undefined {
    const { token } = this.#options;
    const { pathname } = new URL(request.url);
    const origin = request.headers.get('origin');
    if (!isOwnHost(request.headers.get('host') ?? undefined, this.#port))
      return refusal(403, -32_000, 'The Host header names another machine.');
    if (origin !== null && !isLocalOrigin(origin))
      return refusal(403, -32_000, 'Pages of other machines are not served.');
    if (pathname !== PATH) return refusal(404, -32_000, `Only ${PATH} exists.`);
    if (token === undefined || hasToken(request, token)) return undefined;
    // Not 401: clients would look for an authorization server, and not show this message.
    return refusal(
      403,
      -32_000,
      'The token is missing or wrong. The bridge prints it when it starts.',
    );
  }
}

/**
 * Sends the headers at once, because the first event of a stream may come late. Data that the client does not
 * read waits in the response, where it is limited: the streams of the SDK have no limit.
 */
const asItComes = (response: ServerResponse, unread: UnreadResponses): NodeServerResponseLike => ({
  writeHead(status, headers) {
    response.writeHead(status, headers);
    response.flushHeaders();
  },
  write(chunk) {
    unread.write(response, chunk);
    return true;
  },
  end: (chunk) => response.end(chunk),
  on: (event, listener) => response.on(event, listener),
  get destroyed() {
    return response.destroyed;
  },
});

/** A page on this computer, such as a developer tool, may send requests; it needs the token, too. */
function isLocalOrigin(origin: string): boolean {
  const hostname = URL.canParse(origin) ? new URL(origin).hostname : '';
  return hostname === 'localhost' || hostname === '127.0.0.1';
}

const classify = (request: Request, body: unknown): InboundClassificationOutcome => {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  return classifyInboundRequest({
    httpMethod: request.method,
    body,
    ...definedOf('protocolVersionHeader', header('mcp-protocol-version')),
    ...definedOf('mcpMethodHeader', header('mcp-method')),
    ...definedOf('mcpNameHeader', header('mcp-name')),
  });
};

const definedOf = <Key extends string>(
  key: Key,
  value: string | undefined,
): { [key in Key]?: string } => (value === undefined ? {} : ({ [key]: value } as never));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The id of a request that is refused. */
function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
