import type { Resource } from '@inpage-mcp/client';
import { audienceOf, kindOf, tagsOf } from './resource-facts.js';

/** What a list can be filtered by. */
export type Facet = 'kind' | 'audience' | 'tag';

/** How often each value of each facet occurs. */
export type FacetValues = Record<Facet, Map<string, number>>;

const VALUES: Record<Facet, (resource: Resource) => string[]> = {
  kind: (resource) => [kindOf(resource)],
  audience: audienceOf,
  tag: tagsOf,
};

const FACETS = Object.keys(VALUES) as Facet[];

/** The values that a filter asks for, by facet: of `kind:image tag:work%20trip`. */
export function parseFilter(filter: string): Partial<Record<Facet, string>> {
  const wanted: Partial<Record<Facet, string>> = {};
  for (const part of filter.split(/\s+/)) {
    const facet = FACETS.find((one) => part.startsWith(`${one}:`));
    if (facet) wanted[facet] = decode(part.slice(facet.length + 1));
  }
  return wanted;
}

/** A filter with another value of one facet; an empty value removes the facet. */
export function withValue(filter: string, facet: Facet, value: string): string {
  const wanted = { ...parseFilter(filter), [facet]: value };
  return FACETS.filter((one) => wanted[one])
    .map((one) => `${one}:${encodeURIComponent(wanted[one]!)}`)
    .join(' ');
}

export function isWanted(resource: Resource, wanted: Partial<Record<Facet, string>>): boolean {
  return FACETS.every((facet) => !wanted[facet] || VALUES[facet](resource).includes(wanted[facet]));
}

export function noValues(): FacetValues {
  return { kind: new Map(), audience: new Map(), tag: new Map() };
}

/** How many values of a facet are counted; a menu sorts them each time that it is drawn. */
const MAX_COUNTED = 1_000;

/** Counts the values of a resource. */
export function countValues(resource: Resource, counts: FacetValues): void {
  for (const facet of FACETS) {
    const known = counts[facet];
    for (const value of VALUES[facet](resource))
      if (known.has(value) || known.size < MAX_COUNTED)
        known.set(value, (known.get(value) ?? 0) + 1);
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
