import type { Resource } from '@inpage-mcp/client';
import type { Slices } from '../../../reading/slices.js';
import { countValues, isWanted, noValues, parseFilter, type FacetValues } from './filters.js';
import { rankOf } from './search-words.js';
import { sortResources } from './sort-resources.js';

/** What is to be shown, and in which order. */
export interface Arrangement {
  words: readonly string[];
  /** What the server has found for the same words, the best first. */
  found: readonly Resource[];
  filter: string;
  sort: string;
}

/** The resources that are shown, and the values of all. */
export interface Arranged {
  resources: readonly Resource[];
  values: FacetValues;
}

/** How many resources are looked at before the time is. */
const CHUNK = 64;

/**
 * Searches, filters and sorts, in slices. Without a sort, what the server has found comes first, then
 * the resources with all words in their titles, then the others.
 */
export async function arrange(
  all: readonly Resource[],
  { words, found, filter, sort }: Arrangement,
  slices: Slices,
): Promise<Arranged> {
  const values = noValues();
  const wanted = parseFilter(filter);
  const foundUris = new Map(found.map((resource) => [resource.uri, resource]));
  const ranks: Resource[][] = [[], [], []];
  for (const [index, resource] of all.entries()) {
    if (index % CHUNK === 0) await slices.next();
    countValues(resource, values);
    if (!isWanted(resource, wanted)) foundUris.delete(resource.uri);
    else if (foundUris.has(resource.uri)) foundUris.set(resource.uri, resource);
    else {
      const rank = words.length > 0 ? rankOf(resource, words) : 1;
      if (rank > 0) ranks[rank]!.push(resource);
    }
  }
  const best = [...foundUris.values()].filter((resource) => isWanted(resource, wanted));
  const matching = best.concat(...ranks);
  return { resources: sort ? await sortResources(matching, sort, slices) : matching, values };
}
