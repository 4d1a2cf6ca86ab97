import { oddString, oddUri, PROTOTYPE_KEYS } from './odd-strings.js';
import type { Random } from './random.js';

/** A value that nobody should send, and what it is called in the table of a run. */
export interface HostileValue {
  kind: string;
  value: unknown;
}

interface ValueKind {
  kind: string;
  weight: number;
  make(random: Random): unknown;
}

const ODD_NUMBERS: readonly number[] = [
  NaN,
  Infinity,
  -Infinity,
  -0,
  1.5,
  5e-324,
  1e308,
  2 ** 53,
  -(2 ** 53),
  2 ** 32,
  -1,
];

const PLATFORM_OBJECTS: readonly (() => unknown)[] = [
  () => new Map<unknown, unknown>([['jsonrpc', '2.0']]),
  () => new Map([[{}, new Set([1])]]),
  () => new Set(['a', {}]),
  () => new Date(0),
  () => new Date(NaN),
  () => /a+/giu,
  () => new Blob(['{"jsonrpc":"2.0"}'], { type: 'application/json' }),
  () => new File(['a'], '__proto__'),
  () => new ArrayBuffer(64),
  () => new Uint8Array([1, 2, 3]),
  () => new Float64Array([NaN]),
  () => new BigInt64Array(2),
  () => new DataView(new ArrayBuffer(8)),
  () => new Error('hostile'),
  () => new TypeError('hostile', { cause: { a: new Map() } }),
  () => new DOMException('hostile', 'AbortError'),
  () => new ImageData(8, 8),
  () => new DOMRect(0, 0, 1, 1),
  () => new DOMMatrix(),
  () => Object(true) as unknown,
  () => Object(1) as unknown,
  () => Object('method') as unknown,
  () => Object(1n) as unknown,
];

const UNCLONEABLE: readonly (() => unknown)[] = [
  () => () => 1,
  () => Symbol('hostile'),
  () => Promise.resolve(1),
  () => new WeakMap(),
  () => new Proxy({}, {}),
  () => new MessageChannel().port1,
];

const MEBIBYTE = 1024 * 1024;

const KINDS: readonly ValueKind[] = [
  { kind: 'null', weight: 6, make: () => null },
  { kind: 'undefined', weight: 8, make: () => undefined },
  { kind: 'boolean', weight: 4, make: (random) => random.chance(0.5) },
  { kind: 'odd number', weight: 12, make: (random) => random.pick(ODD_NUMBERS) },
  { kind: 'BigInt', weight: 6, make: (random) => random.pick([0n, 1n, -(2n ** 64n)]) },
  { kind: 'odd string', weight: 14, make: oddString },
  { kind: 'odd uri', weight: 8, make: oddUri },
  {
    kind: 'empty',
    weight: 6,
    make: (random) => random.pick<() => unknown>([() => ({}), () => []])(),
  },
  { kind: 'prototype keys', weight: 20, make: prototypeKeys },
  { kind: 'sparse array', weight: 8, make: sparseArray },
  { kind: 'cycle', weight: 8, make: cycle },
  { kind: 'deep', weight: 6, make: deep },
  { kind: 'wide', weight: 0.6, make: wide },
  { kind: 'long string', weight: 0.8, make: longString },
  { kind: 'platform object', weight: 16, make: (random) => random.pick(PLATFORM_OBJECTS)() },
  { kind: 'uncloneable', weight: 2, make: (random) => random.pick(UNCLONEABLE)() },
];

/** Any hostile value but the huge ones, of which a run can bear only a few. */
export function hostileValue(random: Random): HostileValue {
  const { kind, make } = random.pickWeighted(KINDS);
  return { kind, value: make(random) };
}

/** A string of 64 MB. */
export function hugeString(): HostileValue {
  return { kind: '64 MB string', value: 'x'.repeat(64 * MEBIBYTE) };
}

/** Gives an object a member of its own, whatever the key means to an assignment. */
export function setOwn(target: object, key: string, value: unknown): void {
  const attributes = { enumerable: true, configurable: true, writable: true };
  Object.defineProperty(target, key, { value, ...attributes });
}

/** Members of its own under the names of what every object inherits. */
function prototypeKeys(random: Random): unknown {
  const key = random.pick(PROTOTYPE_KEYS);
  const poison: object = { polluted: true, isAdmin: true, jsonrpc: '2.0', id: 1, method: 'ping' };
  const target: object = random.chance(0.5) ? {} : { a: 1 };
  if (key === '__proto__') setOwn(target, key, poison);
  else setOwn(target, key, random.chance(0.5) ? { prototype: poison } : poison);
  return random.chance(0.7) ? target : { a: [target] };
}

function sparseArray(random: Random): unknown {
  const array: unknown[] = random.chance(0.5) ? [] : [1, 2];
  array.length = random.pick([3, 1_000, 2 ** 31, 2 ** 32 - 1]);
  if (random.chance(0.3)) array[array.length - 1] = 1;
  if (random.chance(0.2)) setOwn(array, random.pick(['method', '__proto__', '-1']), 1);
  return array;
}

function cycle(random: Random): unknown {
  const object: { [key: string]: unknown } = { a: 1 };
  const array: unknown[] = [object];
  const map = new Map<unknown, unknown>();
  map.set(map, map);
  object['self'] = random.pick([object, array, map]);
  return random.pick([object, array, map]);
}

/** As deep as a message may be, one more, and much more, in objects, arrays or both. */
function deep(random: Random): unknown {
  const depth = random.pick([61, 62, 63, 64, 65, 1_000]);
  const style = random.below(3);
  let value: unknown = random.pick<unknown>([1, 'a', null]);
  for (let level = 0; level < depth; level += 1) {
    const isArray = style === 0 || (style === 1 && level % 2 === 0);
    value = isArray ? [value] : { a: value };
  }
  return value;
}

/** About as many values as a message may have. */
function wide(random: Random): unknown {
  const count = 49_980 + random.below(30);
  if (random.chance(0.7)) return Array.from({ length: count }, () => 0);
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, null]));
}

/** About as long as a message may be. */
function longString(random: Random): unknown {
  const character = random.pick(['x', 'é', '\ud800', '€', '😀']);
  const bytes = { x: 1, é: 2, '\ud800': 3, '€': 3, '😀': 4 }[character] ?? 1;
  const length = MEBIBYTE - random.pick([-1, 0, 1, 64, 120, 200, 400]);
  return character.repeat(Math.ceil(length / bytes));
}
