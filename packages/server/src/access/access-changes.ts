import { ResourceNotFoundError, type Call, type ProtocolError } from '@inpage-mcp/protocol';
import type { Permission } from './permission.js';
import { accessChangedError } from '../resources/protocol-errors.js';
import { parseResourceUri } from '../resources/resource-uris.js';

/** What these will touch is not known from their params alone. */
const TOUCHING: readonly string[] = ['tools/call', 'prompts/get', 'completion/complete'];

/**
 * The error with which a request that is under way ends when the access has become another; none
 * for one that may go on. Lists may: they leave out what is not permitted by the time they are
 * given out.
 */
export function endOfOpenCall(
  { method, params }: Pick<Call, 'method' | 'params'>,
  permission: Permission,
): ProtocolError | undefined {
  if (permission.isWhole) return undefined;
  if (TOUCHING.includes(method)) return accessChangedError();
  const { uri } = params;
  if (method !== 'resources/read' || typeof uri !== 'string') return undefined;
  if (!permission.permits(uri)) return new ResourceNotFoundError(uri);
  // What a search has found so far may be outside, though searching is not.
  const isSearch = parseResourceUri(uri)?.kind === 'search';
  return isSearch ? accessChangedError() : undefined;
}
