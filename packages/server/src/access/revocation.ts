import { ResourceNotFoundError, type Call, type ProtocolError } from '@inpage-mcp/protocol';
import type { Permission } from './permission.js';
import { accessChangedError } from '../resources/protocol-errors.js';
import { parseResourceUri } from '../resources/resource-uris.js';

/** The methods whose params do not show which data the request uses. */
const OPAQUE_METHODS: readonly string[] = ['tools/call', 'prompts/get', 'completion/complete'];

/**
 * The error that ends an open request after the access has changed; `undefined` if the request may
 * continue. Lists may continue: they filter their items just before they are sent.
 */
export function revocationError(
  { method, params }: Pick<Call, 'method' | 'params'>,
  permission: Permission,
): ProtocolError | undefined {
  if (permission.isUnrestricted) return undefined;
  if (OPAQUE_METHODS.includes(method)) return accessChangedError();
  const { uri } = params;
  if (method !== 'resources/read' || typeof uri !== 'string') return undefined;
  if (!permission.permits(uri)) return new ResourceNotFoundError(uri);
  // The search is permitted, but its results so far may not be.
  const isSearch = parseResourceUri(uri)?.kind === 'search';
  return isSearch ? accessChangedError() : undefined;
}
