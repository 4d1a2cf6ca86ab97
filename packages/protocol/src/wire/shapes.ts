import { isObject } from './is-object.js';

/**
 * Checks of the params of methods: a {@link Shape} says what is wrong with a value and where, in
 * words that its sender may read, or nothing. No value of the sender's is repeated.
 */
export type Shape = (value: unknown, path: string) => string | undefined;

const of =
  (what: string, fits: (value: unknown) => boolean): Shape =>
  (value, path) =>
    fits(value) ? undefined : `${path}: expected ${what}, received ${kindOf(value)}`;

export const string = of('string', (value) => typeof value === 'string');
export const boolean = of('boolean', (value) => typeof value === 'boolean');
export const anyObject = of('object', isObject);

/** A token of progress: a string or an integer. */
export const token = of(
  'string or integer',
  (value) => typeof value === 'string' || Number.isSafeInteger(value),
);

/** One of these texts. */
export function oneOf(texts: readonly string[]): Shape {
  const what = texts.map((text) => `"${text}"`).join(', ');
  return (value, path) =>
    texts.includes(value as string) ? undefined : `${path}: expected one of ${what}`;
}

/** What may be left out. */
export function optional(shape: Shape): Shape {
  return (value, path) => (value === undefined ? undefined : shape(value, path));
}

/** An object with these members; others are left alone. */
export function object(members: { [name: string]: Shape }): Shape {
  const entries = Object.entries(members);
  return (value, path) => {
    if (!isObject(value)) return anyObject(value, path);
    for (const [name, shape] of entries) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      const finding = shape(member, path === '' ? name : `${path}.${name}`);
      if (finding !== undefined) return finding;
    }
    return undefined;
  };
}

/** A list of such values. */
export function listOf(shape: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path}: expected array, received ${kindOf(value)}`;
    return first(value, (entry, index) => shape(entry, `${path}.${index}`));
  };
}

/** The most of a key of the sender's that is repeated, in UTF-16 code units. */
const MAX_KEY_LENGTH = 50;

/** An object all of whose values are such. */
export function recordOf(shape: Shape): Shape {
  return (value, path) => {
    if (!isObject(value)) return anyObject(value, path);
    return first(Object.entries(value), ([key, entry]) =>
      shape(entry, `${path}.${key.slice(0, MAX_KEY_LENGTH)}`),
    );
  };
}

function first<Value>(
  values: readonly Value[],
  look: (value: Value, index: number) => string | undefined,
): string | undefined {
  for (const [index, value] of values.entries()) {
    const finding = look(value, index);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
