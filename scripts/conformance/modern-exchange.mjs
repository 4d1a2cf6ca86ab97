// Streamable HTTP of 2026-07-28: each POST stands alone, and has a port of its own.
import { HttpReply } from './http-reply.mjs';

/**
 * @typedef {import('./page-ports.mjs').Message} Message
 * @typedef {import('./page-ports.mjs').PagePorts} PagePorts
 * @typedef {import('node:http').IncomingHttpHeaders} Headers
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

const MODERN_REVISION = '2026-07-28';

const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Transports › Streamable HTTP: the parameter that the header `Mcp-Name` repeats. */
const NAMES = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** @param {Message} message */
const claimedRevision = ({ params }) => params?.['_meta']?.[REVISION_KEY];

/**
 * Whether a POST is of this revision, or of one after it.
 * @param {Headers} headers
 * @param {Message} message
 */
export const isModern = (headers, message) =>
  headers['mcp-protocol-version'] === MODERN_REVISION || claimedRevision(message) !== undefined;

/**
 * What HTTP alone can know to be wrong with a request: its headers do not say what its body says. A
 * body that names no revision looks on a port like one of an older revision.
 * @param {Headers} headers
 * @param {Message} message
 * @returns {NonNullable<Message['error']> | undefined}
 */
export function headerProblem(headers, message) {
  const { id, method = '', params } = message;
  if (id === undefined) return undefined;
  const revision = claimedRevision(message);
  if (revision === undefined)
    return { code: -32602, message: `Invalid params: _meta lacks ${REVISION_KEY}.` };
  const name = params?.[NAMES.get(method) ?? ''];
  const repeated = { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': name };
  const wrong = Object.entries(repeated).find(
    ([header, value]) => value !== undefined && headers[header] !== value,
  );
  return wrong && { code: -32020, message: `${wrong[0]} does not repeat what the body says.` };
}

/** The status that the specification wants for an error. Of other errors it says nothing. */
const STATUSES = new Map([
  [-32601, 404],
  [-32602, 400],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** The HTTP status for a JSON-RPC error. @param {{ code: number }} error */
export const statusOf = ({ code }) => STATUSES.get(code) ?? 200;

/**
 * Sends a message to the server, and replies with all that comes back. If the client leaves, the
 * request is cancelled with its connection.
 * @param {PagePorts} ports
 * @param {Message} message
 * @param {ServerResponse} response
 */
export function exchange(ports, message, response) {
  const reply = new HttpReply(response, message.id, statusOf);
  const port = ports.connect({
    onmessage: (arrived) => reply.send(arrived),
    onclose: () => reply.end(),
  });
  response.on('close', () => port.close());
  port.send(message);
  if (message.id === undefined) response.writeHead(202).end();
}
