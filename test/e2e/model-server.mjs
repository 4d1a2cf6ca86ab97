// An endpoint of a model on this machine that speaks the wires of OpenAI (chat completions), Anthropic
// (messages) as streams, and those two, responses of OpenAI and Gemini of Google as one body of JSON. It has
// no model: each request takes the next answer of a list.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { bodyOf } from './model-bodies.mjs';
import { anthropicEvents, openAiEvents } from './model-wires.mjs';

/**
 * One answer. Without a `status` it is words and calls of tools: one body, or, if the request asks for it, a
 * stream, which then ends properly, breaks off, or goes on for ever.
 * @typedef {object} Answer
 * @property {string[]} [says] pieces of text
 * @property {{ name: string, args: object }} [calls] a tool
 * @property {'breaks' | 'hangs' | 'stops'} [end] `breaks`: the connection is cut; `stops`: it ends well,
 *   but the wire's own end is missing
 * @property {number} [status] of a refusal
 * @property {string} [message] of a refusal
 * @property {string} [retryAfter]
 * @property {string} [error] an error inside of the stream
 * @property {boolean} [isClosed] lets no other origin in, as an endpoint without CORS
 *
 * @typedef {object} Asked
 * @property {string} url
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {any} body
 * @property {Promise<void>} gone when the other side has ended the connection
 *
 * @typedef {object} ModelServer
 * @property {string} url of the endpoint, for all wires; those of Anthropic's and Google's own libraries
 *   begin at its origin
 * @property {string} host
 * @property {Asked[]} asked all requests so far, without those before them that ask for permission
 * @property {(...answers: (Answer | ((body: any) => Answer))[]) => void} willAnswer adds to the list
 * @property {() => Promise<void>} close
 */

/** How many tokens each answer costs, as the wires count them. */
export const TOKENS = { input: 1_240, output: 96 };

/** @returns {Promise<ModelServer>} */
export async function startModelServer() {
  /** @type {Asked[]} */
  const asked = [];
  /** @type {(Answer | ((body: any) => Answer))[]} */
  const answers = [];
  const server = createServer(async (request, response) => {
    const [next] = answers;
    const isClosed = typeof next === 'object' && next.isClosed === true;
    if (!isClosed) allow(request, response);
    if (request.method === 'OPTIONS') {
      if (isClosed) answers.shift();
      return void response.writeHead(isClosed ? 403 : 204).end();
    }
    const body = /** @type {any} */ (await json(request));
    const gone = new Promise((resolve) => response.on('close', () => resolve(undefined)));
    asked.push({ url: request.url ?? '', headers: request.headers, body, gone });
    const answer = answers.shift() ?? { status: 500, message: 'The test has no answer for this.' };
    const chosen = typeof answer === 'function' ? answer(body) : answer;
    send(response, request.url ?? '', chosen, body.stream === true);
  });
  await new Promise((listening) => server.listen(0, 'localhost', () => listening(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const host = `localhost:${port}`;
  return {
    url: `http://${host}/v1`,
    host,
    asked,
    willAnswer: (...more) => void answers.push(...more),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/**
 * What a browser asks of an endpoint before a script of another origin may use it.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function allow({ headers }, response) {
  response.setHeader('access-control-allow-origin', headers.origin ?? '*');
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? '*',
  );
  response.setHeader('access-control-expose-headers', 'retry-after');
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {string} url
 * @param {Answer} answer
 * @param {boolean} isStream
 */
function send(response, url, answer, isStream) {
  const { status, message = '', retryAfter, end } = answer;
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  if (status !== undefined) {
    const error = { type: 'error', message };
    response.writeHead(status, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ type: 'error', error }));
  }
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify(bodyOf(url, answer)));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = url.endsWith('/messages') ? anthropicEvents(answer) : openAiEvents(answer);
  for (const event of events) response.write(event);
  if (end === 'hangs') return;
  // What was written has to arrive before the connection is cut.
  if (end === 'breaks') setTimeout(() => response.destroy(), 100);
  else response.end();
}
