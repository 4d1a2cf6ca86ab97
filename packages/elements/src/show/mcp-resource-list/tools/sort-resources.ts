import type { Resource } from '@inpage-mcp/client';
import type { Slices } from '../../../reading/slices.js';
import { languageTag } from '../../../base/text/language.js';
import { modifiedOf, priorityOf } from './resource-facts.js';

/** What a list can be sorted by. */
export type SortKey = 'name' | 'size' | 'modified' | 'priority';

/** How many resources are sorted or merged before the time is looked at. */
const CHUNK = 256;

/** How much of a name counts. */
const MAX_LENGTH = 200;

interface Keyed {
  resource: Resource;
  /** Smaller comes first; `undefined` comes last, in either order. */
  key: string | number | undefined;
}

const KEYS: Record<SortKey, (resource: Resource) => string | number | undefined> = {
  name: ({ title, name }) => (title ?? name).slice(0, MAX_LENGTH),
  size: ({ size }) => size && -size,
  modified: (resource) => negative(modifiedOf(resource)),
  priority: (resource) => negative(priorityOf(resource)),
};

/**
 * Sorts in slices: to compare 100,000 names takes a second.
 *
 * @param sort The name of a key, with `-` in front for the other way round.
 */
export async function sortResources(
  resources: readonly Resource[],
  sort: string,
  slices: Slices,
): Promise<readonly Resource[]> {
  const isReversed = sort.startsWith('-');
  const name = isReversed ? sort.slice(1) : sort;
  if (!Object.hasOwn(KEYS, name)) return resources;
  const compare = comparison(isReversed ? -1 : 1);
  let runs: Keyed[][] = [];
  for (let start = 0; start < resources.length; start += CHUNK) {
    await slices.next();
    const run = resources.slice(start, start + CHUNK);
    const keyed = run.map((resource) => ({ resource, key: KEYS[name as SortKey](resource) }));
    runs.push(keyed.toSorted(compare));
  }
  while (runs.length > 1) runs = await mergePairs(runs, compare, slices);
  return (runs[0] ?? []).map(({ resource }) => resource);
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

async function mergePairs(
  runs: readonly Keyed[][],
  compare: (a: Keyed, b: Keyed) => number,
  slices: Slices,
): Promise<Keyed[][]> {
  const merged: Keyed[][] = [];
  for (let index = 0; index < runs.length; index += 2)
    merged.push(await merge(runs[index]!, runs[index + 1] ?? [], compare, slices));
  return merged;
}

async function merge(
  left: readonly Keyed[],
  right: readonly Keyed[],
  compare: (a: Keyed, b: Keyed) => number,
  slices: Slices,
): Promise<Keyed[]> {
  const merged: Keyed[] = [];
  let at = 0;
  for (const one of left) {
    if (merged.length % CHUNK === 0) await slices.next();
    while (at < right.length && compare(one, right[at]!) > 0) merged.push(right[at++]!);
    merged.push(one);
  }
  return [...merged, ...right.slice(at)];
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}
