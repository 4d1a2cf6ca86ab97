import { BadPositionError, type ResourcePage } from '@inpage-mcp/server';

/**
 * The list of a provider whose resources fit on any page. It hands out no positions, so whoever
 * has one made it up.
 */
export function onePage(resource: ResourcePage['resources'][number], after: string | undefined) {
  if (after !== undefined) throw new BadPositionError();
  return { resources: [resource] };
}
