import { isObject } from './is-object.js';

/**
 * Checks the params of methods: a {@link Shape} returns the problem of a value and its path, as a text for
 * the sender, or `undefined`. The text does not repeat any value of the sender.
 */
export type Shape = (value: unknown, path: string) => string | undefined;

const typeShape =
  (what: string, test: (value: unknown) => boolean): Shape =>
  (value, path) =>
    test(value) ? undefined : `${path}: expected ${what}, received ${kindOf(value)}`;

export const string = typeShape('string', (value) => typeof value === 'string');
export const number = typeShape('number', Number.isFinite);
export const boolean = typeShape('boolean', (value) => typeof value === 'boolean');
export const anyObject = typeShape('object', isObject);

/** A progress token: a string or an integer. */
export const token = typeShape(
  'string or integer',
  (value) => typeof value === 'string' || Number.isSafeInteger(value),
);

/** The shape of one of these strings. */
export function oneOf(texts: readonly string[]): Shape {
  const what = texts.map((text) => `"${text}"`).join(', ');
  return (value, path) =>
    texts.includes(value as string) ? undefined : `${path}: expected one of ${what}`;
}

/** The shape of a value that may be absent. */
export function optional(shape: Shape): Shape {
  return (value, path) => (value === undefined ? undefined : shape(value, path));
}

/** The shape of an object with these members; other members are ignored. */
export function object(members: { [name: string]: Shape }): Shape {
  const entries = Object.entries(members);
  return (value, path) => {
    if (!isObject(value)) return anyObject(value, path);
    for (const [name, shape] of entries) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      const problem = shape(member, path === '' ? name : `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** The shape of a list of values of this shape. */
export function listOf(shape: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path}: expected array, received ${kindOf(value)}`;
    return firstProblem(value, (entry, index) => shape(entry, `${path}.${index}`));
  };
}

/** The maximum length of a sender's key that a text repeats, in UTF-16 code units. */
const MAX_KEY_LENGTH = 50;

/** The shape of an object whose values all have this shape. */
export function recordOf(shape: Shape): Shape {
  return (value, path) => {
    if (!isObject(value)) return anyObject(value, path);
    return firstProblem(Object.entries(value), ([key, entry]) =>
      shape(entry, `${path}.${key.slice(0, MAX_KEY_LENGTH)}`),
    );
  };
}

function firstProblem<Value>(
  values: readonly Value[],
  check: (value: Value, index: number) => string | undefined,
): string | undefined {
  for (const [index, value] of values.entries()) {
    const problem = check(value, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
