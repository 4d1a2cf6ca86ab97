// What HTTP answers with a server's messages: one JSON body, or a stream of events.

/**
 * @typedef {import('./page-ports.mjs').Message} Message
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

/**
 * The HTTP reply to one JSON-RPC request. If the answer is the first message, the reply is that answer
 * as JSON; else it is a stream of events, which the answer ends.
 */
export class HttpReply {
  #response;
  #requestId;
  #statusOf;

  /**
   * @param {ServerResponse} response
   * @param {Message['id']} requestId
   * @param {(error: NonNullable<Message['error']>) => number} [statusOf] the status for an error that
   *   is the first message; 200 by default
   */
  constructor(response, requestId, statusOf = () => 200) {
    this.#response = response;
    this.#requestId = requestId;
    this.#statusOf = statusOf;
  }

  /** @param {Message} message */
  send(message) {
    if (this.#response.destroyed) return;
    const isAnswer = message.method === undefined && message.id === this.#requestId;
    if (isAnswer && !this.#response.headersSent) {
      const status = message.error ? this.#statusOf(message.error) : 200;
      return sendJson(this.#response, status, message);
    }
    sendEvent(this.#response, message);
    if (isAnswer) this.#response.end();
  }

  /** The server has ended the connection before it has answered. */
  end() {
    if (!this.#response.headersSent) this.#response.writeHead(502);
    this.#response.end();
  }
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {object} body
 */
export function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Begins a stream of events. @param {ServerResponse} response */
export function beginEvents(response) {
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
  response.writeHead(200, headers).flushHeaders();
}

/**
 * @param {ServerResponse} response
 * @param {Message} message
 */
export function sendEvent(response, message) {
  if (!response.headersSent) beginEvents(response);
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
