import type { Resource } from '@inpage-mcp/client';
import { decodeSafely } from '../../../base/text/decode-safely.js';

/** The properties by which a list can be filtered. */
export type Facet = 'kind' | 'audience' | 'tag';

/** The number of occurrences of each value of each facet. */
export type FacetValues = Record<Facet, Map<string, number>>;

const VALUES: Record<Facet, (resource: Resource) => string[]> = {
  kind: (resource) => [kindOf(resource)],
  audience: audienceOf,
  tag: tagsOf,
};

const FACETS = Object.keys(VALUES) as Facet[];

/** The values of a filter by facet, such as `kind:image tag:work%20trip`. */
export function parseFilter(filter: string): Partial<Record<Facet, string>> {
  const wanted: Partial<Record<Facet, string>> = {};
  for (const part of filter.split(/\s+/)) {
    const facet = FACETS.find((one) => part.startsWith(`${one}:`));
    if (facet) wanted[facet] = decodeSafely(part.slice(facet.length + 1));
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

/** The maximum number of values of a facet that are counted; a menu sorts them each time that it is drawn. */
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

/** The kind of a resource, for people. */
type Kind = 'note' | 'text' | 'image' | 'audio' | 'video' | 'folder' | 'other';

/** The maximum number of tags of a resource; a longer list is cut. */
const MAX_TAGS = 50;

/** The maximum length of a tag that is counted, in UTF-16 code units. */
const MAX_TAG_LENGTH = 200;

const INPAGE_META = 'io.github.inpage-mcp/resource';

function kindOf({ uri, mimeType = '' }: Resource): Kind {
  if (isFolder(uri, mimeType)) return 'folder';
  if (uri.startsWith('note:')) return 'note';
  const [type = ''] = mimeType.split('/', 1);
  switch (type) {
    case 'text':
    case 'image':
    case 'audio':
    case 'video':
      return type;
    default:
      return 'other';
  }
}

export function isFolder(uri: string, mimeType: string | undefined): boolean {
  return mimeType === 'inode/directory' || (mimeType === undefined && uri.endsWith('/'));
}

function audienceOf({ annotations }: Resource): string[] {
  return textsOf(annotations?.audience).filter((one) => one === 'user' || one === 'assistant');
}

/** The tags in `_meta` or the annotations. */
function tagsOf({ annotations, _meta }: Resource): string[] {
  const places: unknown[] = [_meta, _meta?.[INPAGE_META], annotations];
  const tags = places.flatMap((place) => textsOf((place as { tags?: unknown } | undefined)?.tags));
  return tags.slice(0, MAX_TAGS);
}

export function priorityOf({ annotations }: Resource): number | undefined {
  const priority: unknown = annotations?.priority;
  return typeof priority === 'number' && Number.isFinite(priority) ? priority : undefined;
}

export function modifiedOf({ annotations }: Resource): number | undefined {
  // No valid moment is longer, and it takes milliseconds to find that a text of a megabyte is not one.
  const moment = Date.parse((annotations?.lastModified ?? '').slice(0, 64));
  return Number.isNaN(moment) ? undefined : moment;
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_TAGS).filter(isUsable);
}

/**
 * Whether a value can be used in a filter. A filter percent-encodes its values, which fails for half a
 * surrogate pair.
 */
function isUsable(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TAG_LENGTH && value.isWellFormed();
}
