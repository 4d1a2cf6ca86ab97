import type { JsonRpcError } from '@inpage-mcp/transport';
import type { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import type { OpenRequest } from './open-requests.js';
import type { Permission } from './permission.js';
import { accessChangedError, notFoundError } from './protocol-errors.js';
import { parseResourceUri } from './resource-uris.js';

/** What these will touch is not known from their params alone. */
const TOUCHING: readonly string[] = ['tools/call', 'prompts/get', 'completion/complete'];

/**
 * The error with which a request that is under way ends when the access has become another; none
 * for one that may go on. Lists may: they leave out what is not permitted by the time they are
 * given out.
 */
export function endOfOpenRequest(
  { method, uri }: OpenRequest,
  permission: Permission,
): JsonRpcError['error'] | undefined {
  if (permission.isWhole) return undefined;
  if (TOUCHING.includes(method)) return errorObject(accessChangedError());
  if (method !== 'resources/read' || uri === undefined) return undefined;
  if (!permission.permits(uri)) return errorObject(notFoundError(uri));
  // What a search has found so far may be outside, though searching is not.
  const isSearch = parseResourceUri(uri)?.kind === 'search';
  return isSearch ? errorObject(accessChangedError()) : undefined;
}

function errorObject({ code, message, data }: ProtocolError): JsonRpcError['error'] {
  return data === undefined ? { code, message } : { code, message, data };
}

/** Every list may be another for the connection now; those it was not offered are not spoken of. */
export function announceLists({ server }: McpServer): void {
  const { tools, prompts, resources } = server.getCapabilities();
  if (tools?.listChanged) told(server.sendToolListChanged());
  if (prompts?.listChanged) told(server.sendPromptListChanged());
  if (resources?.listChanged) told(server.sendResourceListChanged());
}

/** A connection that ends under way needs no announcement. */
function told(sending: Promise<void>): void {
  sending.catch(() => undefined);
}
