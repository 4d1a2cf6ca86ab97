// Streamable HTTP of 2025-11-25 and before: a session, which `initialize` begins, is one port.
import { randomUUID } from 'node:crypto';
import { beginEvents, HttpReply, sendEvent } from './http-reply.mjs';

/**
 * @typedef {import('./page-ports.mjs').Message} Message
 * @typedef {import('./page-ports.mjs').PagePorts} PagePorts
 * @typedef {import('node:http').ServerResponse} ServerResponse
 *
 * @typedef {object} OpenRequest
 * @property {HttpReply} reply
 * @property {unknown} progressToken
 */

/** Notifications that belong to no request: HTTP has a stream of its own for them. */
const CHANGES = /\/list_changed$|^notifications\/resources\/updated$/;

/** The sessions of one bridge, by their ids. */
export class LegacySessions {
  #ports;
  /** @type {Map<string, LegacySession>} */
  #sessions = new Map();

  /** @param {PagePorts} ports */
  constructor(ports) {
    this.#ports = ports;
  }

  /** @param {string} id */
  get(id) {
    return this.#sessions.get(id);
  }

  /**
   * Begins a session, if the server accepts it.
   * @param {Message} initialize
   * @param {ServerResponse} response
   */
  begin(initialize, response) {
    const session = new LegacySession(this.#ports, (answer) => {
      if (answer.error) return session.close();
      const id = randomUUID();
      this.#sessions.set(id, session);
      response.setHeader('mcp-session-id', id);
    });
    session.post(initialize, response);
  }

  /** @param {string} id */
  end(id) {
    this.#sessions.get(id)?.close();
    this.#sessions.delete(id);
  }
}

/** One client, from `initialize` to DELETE. */
class LegacySession {
  #port;
  #oninitialized;
  #isInitialized = false;
  /** @type {Map<Message['id'], OpenRequest>} */
  #open = new Map();
  /** @type {ServerResponse | undefined} */
  #changes;

  /**
   * @param {PagePorts} ports
   * @param {(answer: Message) => void} oninitialized called with the first answer, before it is sent
   */
  constructor(ports, oninitialized) {
    this.#oninitialized = oninitialized;
    this.#port = ports.connect({
      onmessage: (message) => this.#receive(message),
      onclose: () => this.#end(),
    });
  }

  /**
   * @param {Message} message
   * @param {ServerResponse} response
   */
  post(message, response) {
    const { id, method, params } = message;
    if (method === undefined || id === undefined) response.writeHead(202).end();
    else {
      const reply = new HttpReply(response, id);
      this.#open.set(id, { reply, progressToken: params?.['_meta']?.progressToken });
    }
    this.#port.send(message);
  }

  /** Opens the stream of notifications that belong to no request. @param {ServerResponse} response */
  listen(response) {
    beginEvents(response);
    this.#changes = response;
  }

  close() {
    this.#port.close();
    this.#end();
  }

  /** @param {Message} message */
  #receive(message) {
    const request = this.#requestOf(message);
    if (message.method === undefined) this.#open.delete(message.id);
    if (message.method === undefined && !this.#isInitialized) {
      this.#isInitialized = true;
      this.#oninitialized(message);
    }
    if (request) request.reply.send(message);
    else if (this.#changes?.destroyed === false) sendEvent(this.#changes, message);
  }

  /**
   * The request that a message belongs to. A port does not name it: for a log message or a request of
   * the server it is taken to be the youngest that is open.
   * @param {Message} message
   */
  #requestOf({ id, method, params }) {
    if (method === undefined) return this.#open.get(id);
    if (CHANGES.test(method)) return undefined;
    const open = [...this.#open.values()];
    if (method !== 'notifications/progress') return open.at(-1);
    return open.find(({ progressToken }) => progressToken === params?.['progressToken']);
  }

  #end() {
    for (const { reply } of this.#open.values()) reply.end();
    this.#open.clear();
    this.#changes?.end();
  }
}
