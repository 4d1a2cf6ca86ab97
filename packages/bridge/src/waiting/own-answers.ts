import { META } from '@inpage-mcp/protocol';
import type { JsonRpcRequest } from '@inpage-mcp/transport';
import { errorAnswer, metaOf, type JsonRpcAnswer } from '../wire/messages.js';
import type { BridgeStatus } from '../wire/router.js';
import { STATUS_URI, statusJson, statusText } from './status-text.js';

/** The tool that explains what to do while no page serves. */
export const OPEN_PAGE = 'open_page';

/** The requests that only a page can answer; the waiting server would answer them with “not found”. */
const OF_PAGES = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete']);

/** Whether a request is for the tool or the resource of the bridge itself. */
export const isOwn = ({ method, params }: JsonRpcRequest): boolean =>
  (method === 'tools/call' && params?.['name'] === OPEN_PAGE) ||
  (method === 'resources/read' && params?.['uri'] === STATUS_URI);

/**
 * The answer to a request that needs a page, while no page serves. It is not “not found”, because the note
 * still exists. `undefined` if the request can be answered without a page.
 */
export function withoutPage(
  request: JsonRpcRequest,
  status: BridgeStatus,
  pageUrl: string | undefined,
): JsonRpcAnswer | undefined {
  const { id, method } = request;
  if (!OF_PAGES.has(method) || isOwn(request)) return undefined;
  const data = { reason: 'no-page', method };
  return errorAnswer(id, { code: -32_000, message: statusText(status, pageUrl), data });
}

/** The answer to a request of a host that the page does not serve, while it serves others. */
export function pageBusy({ id, method }: JsonRpcRequest, status: BridgeStatus): JsonRpcAnswer {
  const data = { reason: 'busy', method };
  return errorAnswer(id, { code: -32_000, message: statusText(status, undefined), data });
}

/**
 * The answer to a request for the tool or the resource of the bridge while a page serves: the host still has
 * the lists from before. `undefined` for all other requests.
 */
export function besidePage(
  request: JsonRpcRequest,
  status: BridgeStatus,
): JsonRpcAnswer | undefined {
  if (!isOwn(request)) return undefined;
  const message = `The page ${status.page ?? ''} is connected. Its own tools and resources are now available: list them again, or call list_resources or search_notes.`;
  const text = statusJson(status, message);
  const result =
    request.method === 'tools/call'
      ? { content: [{ type: 'text', text: message }] }
      : { contents: [{ uri: STATUS_URI, mimeType: 'application/json', text }] };
  const isModern = META.protocolVersion in metaOf(request);
  const ofEra = isModern ? { resultType: 'complete', ...NOT_KEPT[request.method] } : {};
  return { jsonrpc: '2.0', id: request.id, result: { ...ofEra, ...result } };
}

/** The caching hints that the modern era requires in these results. */
const NOT_KEPT: { [method: string]: object } = {
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
};
