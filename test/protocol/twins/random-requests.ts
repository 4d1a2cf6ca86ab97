import { Random } from '../../fuzz/random.js';
import { REVISIONS, type Revision } from '../../support/revisions.js';
import { sizeOf } from '../../support/test-size.js';
import type { Members } from './outline.js';
import type { RequestCase } from './request.js';
import { requestCases } from './request-cases.js';

const SEED = 20_260_728;
const COUNT = sizeOf({ quick: 150, ci: 400, soak: 20_000 });

/** The members that params of any method have, and some that none has. */
const KEYS = [
  'name',
  'arguments',
  'uri',
  'cursor',
  'ref',
  'argument',
  'context',
  'level',
  'notifications',
  'type',
  'value',
  'text',
  'animal',
  'a',
  'extra',
  '',
];

const VALUES: readonly unknown[] = [
  'text',
  '',
  'echo',
  'describe',
  'plain',
  'twin:/text',
  'twin:/items/item-3',
  'twin:/items/{item}',
  'page-2',
  'debug',
  'ref/prompt',
  'ref/resource',
  0,
  -1,
  2.5,
  1e300,
  true,
  false,
  null,
  [],
  ['twin:/text'],
  {},
  { name: 'echo' },
  { type: 'ref/prompt', name: 'describe' },
  { name: 'animal', value: 'c' },
  { toolsListChanged: true },
  { text: 'hello' },
];

/** Requests that are put together by chance, the same ones in each run. */
export function randomRequests(revision: Revision): RequestCase[] {
  const random = new Random(SEED, REVISIONS.indexOf(revision));
  const known = Object.values(requestCases(revision)).flat();
  return Array.from({ length: COUNT }, () => {
    const { method, params } = random.pick(known);
    const asked = random.chance(0.7) ? method : random.pick(known).method;
    // As it would be in JSON: an array has no members with names.
    return { method: asked, params: JSON.parse(JSON.stringify(mutated(random, params))) };
  });
}

/** A copy of params, changed in up to three places. */
function mutated(random: Random, params: unknown): unknown {
  const copy = structuredClone(params);
  const times = random.below(4);
  for (let count = 0; count < times; count += 1) {
    const place = somewhereIn(random, copy);
    if (place) mutate(random, place);
  }
  return copy;
}

function somewhereIn(random: Random, value: unknown): Members | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Members;
  const below = Object.values(members).filter((one) => typeof one === 'object' && one !== null);
  const isDeeper = below.length > 0 && random.chance(0.5);
  return isDeeper ? somewhereIn(random, random.pick(below)) : members;
}

function mutate(random: Random, place: Members): void {
  const keys = Object.keys(place);
  const own = keys.length > 0 ? random.pick(keys) : random.pick(KEYS);
  switch (random.below(4)) {
    case 0:
      delete place[own];
      return;
    case 1:
      place[own] = [place[own]];
      return;
    case 2:
      place[random.pick(KEYS)] = structuredClone(random.pick(VALUES));
      return;
    default:
      place[own] = structuredClone(random.pick(VALUES));
  }
}
