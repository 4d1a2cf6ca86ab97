// Streamable HTTP for the server in a page. The bridge answers nothing that belongs to the protocol:
// it knows hosts, sessions, headers and status codes, and counts what it refuses by itself.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { sendJson } from './http-reply.mjs';
import { LegacySessions } from './legacy-sessions.mjs';
import { exchange, headerProblem, isModern, statusOf } from './modern-exchange.mjs';

/**
 * @typedef {import('./page-ports.mjs').Message} Message
 * @typedef {import('./page-ports.mjs').PagePorts} PagePorts
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Offers the server of a page on localhost, over HTTP. */
export class HttpBridge {
  /** How often each error was the bridge's own, by its code. @type {Map<number, number>} */
  refusals = new Map();
  #ports;
  #sessions;
  #server = createServer((request, response) => {
    void this.#serve(request, response).catch((error) => response.destroy(error));
  });

  /** @param {PagePorts} ports */
  constructor(ports) {
    this.#ports = ports;
    this.#sessions = new LegacySessions(ports);
  }

  /** Resolves with the address of the server. */
  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}/mcp`;
  }

  async close() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /**
   * @param {Request} request
   * @param {Response} response
   */
  async #serve(request, response) {
    if (!isLocal(request)) return this.#refuse(response, 403, -32000, 'This host is not local.');
    if (request.method !== 'POST') return this.#serveSession(request, response);
    const message = parsed(await text(request));
    if (!message) return this.#refuse(response, 400, -32700, 'This is not a JSON object.');
    if (!isModern(request.headers, message)) return this.#serveSession(request, response, message);
    const problem = headerProblem(request.headers, message);
    if (problem)
      return this.#refuse(response, statusOf(problem), problem.code, problem.message, message.id);
    exchange(this.#ports, message, response);
  }

  /**
   * @param {Request} request
   * @param {Response} response
   * @param {Message} [message] of a POST
   */
  #serveSession({ method, headers }, response, message) {
    const id = headers['mcp-session-id'];
    if (message?.method === 'initialize') return this.#sessions.begin(message, response);
    if (typeof id !== 'string')
      return this.#refuse(response, 400, -32000, 'There is no Mcp-Session-Id.', message?.id);
    const session = this.#sessions.get(id);
    if (!session)
      return this.#refuse(response, 404, -32001, 'This session does not exist.', message?.id);
    if (message) return session.post(message, response);
    if (method === 'GET') return session.listen(response);
    if (method !== 'DELETE') return void response.writeHead(405).end();
    this.#sessions.end(id);
    response.writeHead(200).end();
  }

  /**
   * @param {Response} response
   * @param {number} status
   * @param {number} code
   * @param {string} message
   * @param {Message['id']} [id]
   */
  #refuse(response, status, code, message, id) {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    const error = { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } };
    sendJson(response, status, error);
  }
}

/** No page of another site may speak to the server. @param {Request} request */
function isLocal({ headers: { host = '', origin = `http://${host}` } }) {
  return LOCAL_HOST.test(host) && LOCAL_HOST.test(origin.replace(/^https?:\/\//, ''));
}

/**
 * @param {string} json
 * @returns {Message | undefined}
 */
function parsed(json) {
  try {
    const value = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
