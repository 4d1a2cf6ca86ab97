import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  classifyInboundRequest,
  isJsonContentType,
  type InboundClassificationOutcome,
} from '@modelcontextprotocol/server';
import type { HostSession } from '../session/host-session.js';
import { isOwnHost } from '../hub/upgrade-gate.js';
import { HTTP_TIMES, MAX_HOST_MESSAGE_BYTES } from '../wire/limits.js';
import { refusal } from './http-refusal.js';
import { hasToken } from './http-token.js';
import { LegacySessions, type SharedSessionOptions } from './legacy-sessions.js';
import { exchange } from './modern-exchange.js';
import { RequestBodies } from './request-bodies.js';
import { StatelessClients } from './stateless-clients.js';
import { UnreadResponses } from './unread-responses.js';

/** Options of the endpoint. */
export interface HttpEndpointOptions extends SharedSessionOptions {
  /** The port on which it listens; 0 for any free port. */
  port: number;
  /** The token that every request must have. Default: requests need no token. */
  token?: string | undefined;
}

/** The maximum number of connections: a client may have one for each request. */
const MAX_CONNECTIONS = 1_024;

/** The timeout for receiving a request from a client, in ms. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The path and the methods of the endpoint. */
const PATH = '/mcp';
const METHODS = ['GET', 'POST', 'DELETE'];

/** Serves MCP over Streamable HTTP, in both eras, to programs of this machine. */
export class HttpEndpoint {
  readonly #options: HttpEndpointOptions;
  readonly #server: Server;
  readonly #legacy: LegacySessions;
  readonly #stateless: StatelessClients;
  readonly #bodies = new RequestBodies();
  readonly #unread = new UnreadResponses();

  private constructor(server: Server, options: HttpEndpointOptions) {
    this.#server = server;
    this.#options = options;
    this.#legacy = new LegacySessions(options);
    this.#stateless = new StatelessClients(options);
    server.on('request', (request, response) => void this.#serve(request, response));
    // A client that waits for the permission to send its body is refused before it sends it.
    server.on('checkContinue', (request, response) => void this.#serve(request, response, true));
  }

  /**
   * Listens on 127.0.0.1.
   *
   * @throws if the port is taken (`EADDRINUSE`).
   */
  static async listen(options: HttpEndpointOptions): Promise<HttpEndpoint> {
    const server = createServer({ ...HTTP_TIMES, requestTimeout: REQUEST_TIMEOUT_MS });
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
    this.#stateless.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, waits = false): Promise<void> {
    try {
      const refused = this.#refusalOf(request);
      if (refused) return await respond(refused, response, this.#unread);
      if (waits) response.writeContinue();
      await respond(await this.#answer(request, response), response, this.#unread);
    } catch (error) {
      // If the response is destroyed, the client has disconnected, which is not an error of the bridge.
      if (!response.destroyed) console.error('inpage-mcp bridge:', error);
      response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Response> {
    const { method = '', headers } = request;
    const leaving = new AbortController();
    response.on('close', () => leaving.abort());
    const { search } = new URL(request.url ?? '', this.url);
    const web = new Request(this.url + search, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
      signal: leaving.signal,
    });
    if (method !== 'POST') return this.#legacy.fetch(web, undefined, leaving.signal);
    const text = await this.#bodies.read(request, response);
    if (text === undefined) return tooLong();
    const body = parseJson(text);
    if (body === undefined) return refusal(400, -32_700, 'The body is not JSON.');
    const outcome = classify(web, body);
    if (outcome.kind === 'modern') return exchange(this.#stateless, web, outcome);
    if (outcome.kind === 'legacy') return this.#legacy.fetch(web, body, leaving.signal);
    const { httpStatus, code, message, data } = outcome;
    return refusal(httpStatus, code, message, { id: idOf(body), data });
  }

  /** The response to a request that is refused because of its headers or its address, before its body is read. */
  #refusalOf({ method = '', url, headers }: IncomingMessage): Response | undefined {
    const { token } = this.#options;
    const { host, origin, authorization } = headers;
    // Only a proxy gets an address with a host, but every server has to accept it.
    const address = URL.canParse(url ?? '', this.url) ? new URL(url ?? '', this.url) : undefined;
    if (!isOwnHost(host, this.#port) || (address && !isOwnHost(address.host, this.#port)))
      return refusal(403, -32_000, 'The Host header names another machine.');
    if (origin !== undefined && !isLocalOrigin(origin))
      return refusal(403, -32_000, 'Pages of other machines are not served.');
    if (address?.pathname !== PATH) return refusal(404, -32_000, `Only ${PATH} exists.`);
    // Not 401: clients would look for an authorization server, and not show this message.
    if (token !== undefined && !hasToken(authorization, address, token))
      return refusal(
        403,
        -32_000,
        'The token is missing or wrong. The bridge prints it when it starts.',
      );
    if (!METHODS.includes(method)) {
      const refused = refusal(405, -32_000, `The method must be one of ${METHODS.join(', ')}.`);
      refused.headers.set('allow', METHODS.join(', '));
      return refused;
    }
    if (method !== 'POST') return undefined;
    if (!isJsonContentType(headers['content-type'] ?? null))
      return refusal(415, -32_000, 'The content type must be application/json.');
    return Number(headers['content-length']) > MAX_HOST_MESSAGE_BYTES ? tooLong() : undefined;
  }
}

const tooLong = (): Response =>
  refusal(413, -32_000, `A message has at most ${MAX_HOST_MESSAGE_BYTES} bytes.`);

/**
 * Sends a response. The headers are sent at once, because the first event of a stream may come late. Data that
 * the client does not read waits in the response, where it is limited: the streams of the SDK have no limit.
 */
async function respond(
  { status, headers, body }: Response,
  to: ServerResponse,
  unread: UnreadResponses,
): Promise<void> {
  to.writeHead(status, Object.fromEntries(headers));
  to.flushHeaders();
  const reader = body?.getReader();
  to.on('close', () => void reader?.cancel().catch(() => undefined));
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    unread.write(to, part.value);
  to.end();
}

/**
 * Whether an origin is a page on this computer, such as a developer tool. It may send requests, but it needs
 * the token, too.
 */
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
