import type { JsonRpcRequest } from '@inpage-mcp/transport';
import {
  PerRequestHTTPServerTransport,
  type InboundModernRoute,
} from '@modelcontextprotocol/server';
import { isAnswer } from '../wire/messages.js';
import { refusal } from './http-refusal.js';
import type { StatelessClients } from './stateless-clients.js';

/** The HTTP statuses that the specification demands for errors. For other errors, it demands none. */
const STATUSES = new Map([
  [-32_600, 400],
  [-32_601, 404],
  [-32_602, 400],
  [-32_020, 400],
  [-32_021, 400],
  [-32_022, 400],
]);

/** The parameter that the header `Mcp-Name` repeats (Transports › Streamable HTTP). */
const NAMES = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Answers one POST of 2026-07-28, where a request needs no session. */
export async function exchange(
  clients: StatelessClients,
  request: Request,
  { message, classification }: InboundModernRoute,
): Promise<Response> {
  if (!('id' in message)) return new Response(undefined, { status: 202 });
  const wrong = wrongHeader(request.headers, message);
  if (wrong !== undefined) {
    const text = `${wrong} does not match the body.`;
    return refusal(400, -32_020, text, { id: message.id });
  }
  const transport = new PerRequestHTTPServerTransport({ classification });
  let status: number | undefined;
  transport.onmessage = () => {
    const cancel = clients.send({
      http: request,
      request: message,
      onmessage(received) {
        if (isAnswer(received) && 'error' in received) status = STATUSES.get(received.error.code);
        // If a message is nested too deep for `JSON.stringify`, the exchange ends.
        transport.send(received, { relatedRequestId: message.id }).catch(() => transport.close());
      },
    });
    // If the client disconnects before the answer, it cancels its request.
    transport.onclose = cancel;
  };
  await transport.start();
  const response = await transport
    .handleMessage(message, { request })
    // The client has disconnected.
    .catch(() => new Response(undefined, { status: 499 }));
  const isStream = response.headers.get('content-type')?.includes('event-stream');
  return status === undefined || isStream
    ? response
    : new Response(response.body, { status, headers: response.headers });
}

/** The header that is missing or wrong. The SDK has compared the values of the revision and the method. */
function wrongHeader(headers: Headers, { method, params }: JsonRpcRequest): string | undefined {
  const name = params?.[NAMES.get(method) ?? ''];
  if (!headers.has('mcp-method')) return 'Mcp-Method';
  if (!headers.has('mcp-protocol-version')) return 'MCP-Protocol-Version';
  return typeof name === 'string' && decodeHeader(headers.get('mcp-name')) !== name
    ? 'Mcp-Name'
    : undefined;
}

/** A name with characters that a header must not have is sent in base64. */
function decodeHeader(value: string | null): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? [];
  return base64 === undefined ? value?.trim() : Buffer.from(base64, 'base64').toString('utf8');
}
