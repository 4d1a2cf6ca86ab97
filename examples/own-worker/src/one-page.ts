import { BadPositionError, type ResourcePage } from '@inpage-mcp/server';

/**
 * The list of a provider whose resources fit on any page. It gives no positions to clients, so
 * each position that it receives is invalid.
 */
export function onePage(resource: ResourcePage['resources'][number], after: string | undefined) {
  if (after !== undefined) throw new BadPositionError();
  return { resources: [resource] };
}
