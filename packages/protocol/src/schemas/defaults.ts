import { isObject } from '../wire/is-object.js';
import { References } from './references.js';
import { subschemas } from './subschemas.js';
import type { JsonSchema } from './types.js';

/** Gives a value the defaults that it lacks, on a copy. Returns the value itself if it lacks none. */
export type FillDefaults = (value: unknown) => unknown;

/**
 * Fills in the `default` of each absent property that `properties` describes, at any depth: in
 * `properties`, in `items` without `prefixItems`, and behind a `$ref`. What stands in `anyOf`, `allOf` and the
 * like is not filled in: the value has to be valid before the schema that applies is known. A default
 * does not get defaults of its own.
 */
export function defaultsOf(root: JsonSchema): FillDefaults {
  if (!hasDefault(root)) return (value) => value;
  const references = new References(root);
  // The schema itself may hold what its reference leads to: one of the two, so that each value is
  // visited once, however deep a recursive schema goes.
  const described = (schema: unknown): JsonSchema => {
    if (!isObject(schema)) return {};
    const { $ref, properties, items } = schema;
    return typeof $ref === 'string' && properties === undefined && items === undefined
      ? { ...described(references.target($ref, schema)), ...schema }
      : schema;
  };
  return (value) => filled(value, root, described);
}

type Described = (schema: unknown) => JsonSchema;

function filled(value: unknown, schema: unknown, described: Described): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, items, prefixItems } = described(schema);
  return isObject(value)
    ? filledObject(value, properties as JsonSchema, described)
    : filledArray(value as unknown[], prefixItems === undefined ? items : undefined, described);
}

function filledObject(
  object: Record<string, unknown>,
  properties: JsonSchema,
  described: Described,
): Record<string, unknown> {
  const changes = Object.entries(properties).flatMap(([name, schema]) => {
    const isAbsent = !Object.hasOwn(object, name) || object[name] === undefined;
    const member = isAbsent
      ? defaultOf(schema, described)
      : filled(object[name], schema, described);
    return member === undefined || (!isAbsent && member === object[name]) ? [] : [[name, member]];
  });
  return changes.length > 0 ? { ...object, ...Object.fromEntries(changes) } : object;
}

/** A copy: who gets it may change it. */
function defaultOf(schema: unknown, described: Described): unknown {
  return structuredClone(described(schema)['default']);
}

function filledArray(items: unknown[], schema: unknown, described: Described): unknown[] {
  if (schema === undefined) return items;
  const members = items.map((item) => filled(item, schema, described));
  return members.some((member, index) => member !== items[index]) ? members : items;
}

function hasDefault(schema: unknown): boolean {
  return (
    isObject(schema) && (Object.hasOwn(schema, 'default') || subschemas(schema).some(hasDefault))
  );
}
