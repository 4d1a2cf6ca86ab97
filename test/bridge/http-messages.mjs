// Requests over HTTP by hand, and their answers.
import { within } from './until.mjs';

const META = 'io.modelcontextprotocol';

export const ACCEPT = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** @param {string} url @param {any} message @param {Record<string, string>} [headers] @param {AbortSignal} [signal] */
export const post = (url, message, headers = {}, signal) =>
  within(
    `a response to ${message.method ?? 'an answer'}`,
    fetch(url, {
      method: 'POST',
      headers: { ...ACCEPT, ...headers },
      signal: signal ?? null,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    }),
  );

/**
 * A request of the modern era, with its headers.
 * @param {string} url
 * @param {string} method
 * @param {Record<string, any>} [params]
 * @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal]
 */
export const postModern = (url, method, params = {}, headers = {}, signal) => {
  const _meta = {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientInfo`]: { name: 'by hand', version: '1' },
    [`${META}/clientCapabilities`]: {},
    ...params['_meta'],
  };
  const name = params['name'] ?? params['uri'];
  return post(
    url,
    { id: 1, method, params: { ...params, _meta } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
      ...headers,
    },
    signal,
  );
};

export const initialize = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'by hand', version: '1' },
  },
};

/** The events of a stream. @param {Response} response */
export async function* eventsOf(response) {
  let text = '';
  const body = /** @type {ReadableStream<Uint8Array>} */ (response.body);
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const id = /^id: (.*)$/m.exec(part)?.[1];
      const data = /^data: (.+)$/m.exec(part)?.[1];
      yield { id, message: data ? JSON.parse(data) : undefined };
    }
  }
}
