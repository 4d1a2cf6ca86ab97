import { hostileValue, setOwn } from './hostile-values.js';
import { PROTOTYPE_KEYS } from './odd-strings.js';
import type { Random } from './random.js';

type Members = { [key: string]: unknown };

const ADDED_KEYS: readonly string[] = [
  ...PROTOTYPE_KEYS,
  '',
  'extra',
  '_meta',
  'cursor',
  'uri',
  'name',
  'arguments',
  'inputResponses',
  'requestState',
  'progressToken',
  'toJSON',
  'then',
  '\ud800',
];

/**
 * Changes a message, in place, at one to three random depths.
 *
 * @returns The kinds of the values that were put in.
 */
export function mutate(random: Random, message: object): string[] {
  const kinds: string[] = [];
  const times = 1 + random.below(3);
  for (let count = 0; count < times; count += 1) {
    const kind = mutateOnce(random, somewhereIn(random, message));
    if (kind !== undefined) kinds.push(kind);
  }
  return kinds;
}

/** The message, or an object or array somewhere in it. */
function somewhereIn(random: Random, message: object): Members {
  let place = message as Members;
  while (random.chance(0.7)) {
    const below = Object.keys(place)
      .map((key) => place[key])
      .filter((value) => isPlain(value));
    if (below.length === 0) return place;
    place = random.pick(below);
  }
  return place;
}

/** Not what was put in before: one may go round in circles there, or be there for very long. */
function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length < 100 && Object.keys(value).length > 0;
  return Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length < 100;
}

function mutateOnce(random: Random, place: Members): string | undefined {
  const keys = Object.keys(place);
  const key = keys.length > 0 ? random.pick(keys) : 'extra';
  const { kind, value } = hostileValue(random);
  switch (random.below(6)) {
    case 0:
      delete place[key];
      return 'dropped member';
    case 1:
      setOwn(place, random.pick(ADDED_KEYS), value);
      return kind;
    case 2:
      setOwn(place, key, [place[key]]);
      return 'wrapped member';
    case 3:
      setOwn(place, random.pick(ADDED_KEYS), place[key]);
      delete place[key];
      return 'renamed member';
    default:
      setOwn(place, key, value);
      return kind;
  }
}
