import type { Resource } from '@inpage-mcp/client';
import { foldText } from '@inpage-mcp/encoding';
import { languageTag } from '../../../base/text/language.js';
import type { Slices } from '../../../reading/slices.js';
import {
  countValues,
  isWanted,
  modifiedOf,
  noValues,
  parseFilter,
  priorityOf,
  type FacetValues,
} from './filters.js';

/** The resources to show, and their order. */
export interface Arrangement {
  words: readonly string[];
  /** The results of the server for the same words, the best first. */
  found: readonly Resource[];
  filter: string;
  sort: string;
}

/** The resources that are shown, and the values of all. */
export interface Arranged {
  resources: readonly Resource[];
  values: FacetValues;
}

/** The number of resources that are checked before the time is. */
const CHUNK = 64;

/**
 * Searches, filters and sorts, in slices. Without a sort, the results of the server come first, then the
 * resources with all words in their titles, then the others.
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

/** The part of each field that is searched, in UTF-16 code units. */
const MAX_SEARCHED = 1_000;

/**
 * The searched text of a resource, the title and all of it. It is made once, because each search needs all of
 * them.
 */
const texts = new WeakMap<Resource, { title: string; all: string }>();

/** The words of a query; a resource has to contain all of them. */
export function wordsOf(query: string): string[] {
  return foldText(query.slice(0, MAX_SEARCHED)).split(/\s+/).filter(Boolean);
}

/**
 * The rank of a resource: 1 if the title contains all words, 2 if only the whole text with name, address and
 * description does; 0 if neither does.
 */
function rankOf(resource: Resource, words: readonly string[]): number {
  const { title, all } = textsOf(resource);
  if (words.every((word) => title.includes(word))) return 1;
  return words.every((word) => all.includes(word)) ? 2 : 0;
}

function textsOf(resource: Resource): { title: string; all: string } {
  const known = texts.get(resource);
  if (known) return known;
  const { title: own, name, uri, description } = resource;
  const title = foldText((own ?? name).slice(0, MAX_SEARCHED));
  const others = [name, uri, description].map((field) =>
    typeof field === 'string' ? field.slice(0, MAX_SEARCHED) : '',
  );
  const made = { title, all: `${title}\n${foldText(others.join('\n'))}` };
  texts.set(resource, made);
  return made;
}

/** The properties by which a list can be sorted. */
type SortKey = 'name' | 'size' | 'modified' | 'priority';

/** The number of resources that are sorted or merged before the time is checked. */
const SORTED_CHUNK = 256;

/** The length of the part of a name that is compared. */
const MAX_NAME = 200;

interface Keyed {
  resource: Resource;
  /** The sort key. A smaller one comes first; `undefined` comes last, in either order. */
  key: string | number | undefined;
}

const KEYS: Record<SortKey, (resource: Resource) => string | number | undefined> = {
  name: ({ title, name }) => (title ?? name).slice(0, MAX_NAME),
  size: ({ size }) => size && -size,
  modified: (resource) => negative(modifiedOf(resource)),
  priority: (resource) => negative(priorityOf(resource)),
};

/**
 * Sorts in slices, because comparing 100,000 names takes a second.
 *
 * @param sort The name of a key, with `-` before it for the reverse order.
 */
async function sortResources(
  resources: readonly Resource[],
  sort: string,
  slices: Slices,
): Promise<readonly Resource[]> {
  const isReversed = sort.startsWith('-');
  const name = isReversed ? sort.slice(1) : sort;
  if (!Object.hasOwn(KEYS, name)) return resources;
  const keyed = resources.map((resource) => ({ resource, key: KEYS[name as SortKey](resource) }));
  const sorted = await mergeSort(keyed, comparison(isReversed ? -1 : 1), slices);
  return sorted.map(({ resource }) => resource);
}

function comparison(direction: 1 | -1): (a: Keyed, b: Keyed) => number {
  const { compare } = new Intl.Collator(languageTag(), { numeric: true });
  return ({ key: a }, { key: b }) => {
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    if (typeof a === 'string' || typeof b === 'string')
      return direction * compare(String(a), String(b));
    return direction * (a - b);
  };
}

async function mergeSort(
  all: readonly Keyed[],
  compare: (a: Keyed, b: Keyed) => number,
  slices: Slices,
): Promise<readonly Keyed[]> {
  await slices.next();
  if (all.length <= SORTED_CHUNK) return all.toSorted(compare);
  const middle = all.length >> 1;
  const left = await mergeSort(all.slice(0, middle), compare, slices);
  const right = await mergeSort(all.slice(middle), compare, slices);
  const merged: Keyed[] = [];
  let at = 0;
  for (const one of left) {
    if (merged.length % SORTED_CHUNK === 0) await slices.next();
    while (at < right.length && compare(one, right[at]!) > 0) merged.push(right[at++]!);
    merged.push(one);
  }
  return [...merged, ...right.slice(at)];
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}
