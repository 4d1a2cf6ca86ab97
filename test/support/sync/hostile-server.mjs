// A server that answers what a test says, whatever it is asked.
import { createServer } from 'node:http';

/**
 * @typedef {object} Answer
 * @property {number} [status] default: 200
 * @property {string} [body] default: none
 * @property {'never' | 'endless'} [how] it never answers, or its body never ends
 */

export class HostileServer {
  port = 0;
  /** By method and path without its query; `*` for all others. @type {Record<string, Answer>} */
  #answers = {};
  /** @type {string[]} */
  #requests = [];
  #server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    response.setHeader('access-control-allow-methods', 'DELETE, GET, POST, PUT');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const name = `${request.method} ${String(request.url).replace(/\?.*/, '')}`;
    this.#requests.push(name);
    const { status = 200, body = '', how } = this.#answers[name] ?? this.#answers['*'] ?? {};
    if (how === 'never') return;
    response.writeHead(status, { 'content-type': 'application/json' });
    if (how === 'endless') void writeForEver(response);
    else response.end(body);
  });

  async start() {
    await new Promise((listening) => {
      this.#server.listen(0, '127.0.0.1', () => listening(undefined));
    });
    this.port = /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  /** @param {Record<string, Answer>} answers */
  answer(answers) {
    this.#answers = answers;
    this.#requests = [];
  }

  /** What it was asked since. */
  requests() {
    return this.#requests;
  }

  async remove() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** @param {import('node:http').ServerResponse} response */
async function writeForEver(response) {
  const part = ' '.repeat(65_536);
  while (!response.closed) {
    if (!response.write(part)) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
