// The facts about a value in a schema of a server, whose keywords may be of any type.
import { decodeSafely } from '../../base/text/decode-safely.js';
import { truncateText } from '../../base/text/truncate-text.js';

/** A JSON Schema, as the server has sent it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** The maximum number of references that lead to one schema. */
const MAX_STEPS = 10;

/** The maximum length of a JSON pointer that is followed. */
const MAX_POINTER_LENGTH = 1_000;

/** The members of an object; no members for any other value. */
export function schemaOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Schema)
    : {};
}

/** The first entries of an array; no entries for any other value. An array may have billions of holes. */
export function entriesOf(value: unknown, maxLength: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, maxLength) : [];
}

/** The value if it is a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value if it is a length or an amount. */
export function amountOf(value: unknown): number | undefined {
  const amount = numberOf(value);
  return amount !== undefined && amount >= 0 ? amount : undefined;
}

/** A text for people, cut. */
export function textOf(value: unknown, maxLength = 200): string {
  return truncateText(value as string, maxLength).trim();
}

/**
 * The schema without indirection: references inside the document are followed (`$ref` with a JSON pointer),
 * and a list of one schema is replaced by that schema. The keywords next to them take precedence.
 */
export function resolveSchema(schema: unknown, root: unknown): Schema {
  let resolved = schemaOf(schema);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { $ref, allOf, anyOf, oneOf, ...rest } = resolved;
    const lists = defined({ allOf, anyOf, oneOf });
    const isReference = typeof $ref === 'string';
    const list = Object.keys(lists).find((name) => onlyOf(lists[name]) !== undefined);
    const next = isReference ? targetOf($ref, root) : list && onlyOf(lists[list]);
    if (!next) return resolved;
    const others = list && !isReference ? { ...lists, [list]: undefined } : lists;
    resolved = { ...defined(others), ...next, ...rest };
  }
  // References in a circle do not describe anything.
  return {};
}

/** The schema of a list with only one. A value with a title is a choice instead. */
function onlyOf(list: unknown): Schema | undefined {
  const [first, ...others] = entriesOf(list, 2);
  const only = schemaOf(first);
  return first === undefined || others.length > 0 || 'const' in only ? undefined : only;
}

/** The target of a JSON pointer (RFC 6901) in a fragment. */
function targetOf(reference: string, root: unknown): Schema | undefined {
  if (!/^#(?:\/|$)/.test(reference) || reference.length > MAX_POINTER_LENGTH) return undefined;
  let target: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const name = decodeSafely(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name))
      return undefined;
    target = (target as Schema)[name];
  }
  return typeof target === 'object' && target !== null ? schemaOf(target) : undefined;
}

function defined(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** A schema apart from `null`. */
export interface WithoutNull {
  readonly schema: Schema;
  /** Whether `null` is a value, too. */
  readonly isNullable: boolean;
}

/** Separates `null` from the other values of a schema. */
export function separateNull(schema: Schema, root: unknown): WithoutNull {
  const { type } = schema;
  if (Array.isArray(type)) return separateType(schema, entriesOf(type, 8));
  for (const keyword of ['anyOf', 'oneOf']) {
    const list = entriesOf(schema[keyword], 3);
    const other = list.filter((one) => schemaOf(one)['type'] !== 'null');
    if (list.length !== 2 || other.length !== 1) continue;
    const { [keyword]: _, ...rest } = schema;
    return { schema: { ...resolveSchema(other[0], root), ...rest }, isNullable: true };
  }
  return { schema, isNullable: schema['nullable'] === true };
}

function separateType(schema: Schema, types: readonly unknown[]): WithoutNull {
  const others = types.filter((type) => type !== 'null');
  const type = others.length === 1 ? others[0] : others;
  return { schema: { ...schema, type }, isNullable: others.length < types.length };
}
