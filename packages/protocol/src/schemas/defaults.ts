import { isObject } from '../wire/is-object.js';
import { schemaError } from './issues-text.js';
import { memberSchemas } from './named-members.js';
import type { References } from './references.js';
import type { JsonSchema } from './types.js';
import { checkBy, type Test } from './validation.js';

/** Adds the missing defaults to a copy of a value. Returns the value itself if none is missing. */
export type FillDefaults = (value: unknown) => unknown;

/**
 * Fills in the `default` of each absent property that `properties` describes, at any depth: in `properties`,
 * in `items` without `prefixItems`, and in the target of a `$ref`. Defaults in `anyOf`, `allOf` and similar
 * keywords are not filled in, because it is known only after validation which schema applies. A default
 * itself does not get defaults.
 */
export function defaultsOf(root: JsonSchema, references: References): FillDefaults {
  const schemas = [...references.places.keys()];
  if (!schemas.some((schema) => Object.hasOwn(schema, 'default'))) return (value) => value;
  const resolve = resolveBy(references);
  return (value) => fill(value, root, resolve);
}

/**
 * Checks the defaults of properties.
 *
 * @throws TypeError, with the place, for a default that the property's own schema forbids, or another schema
 *   that the property has in each object.
 */
export function checkDefaults(references: References, testOf: (schema: unknown) => Test): void {
  const resolve = resolveBy(references);
  for (const [schema, path] of references.places) {
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as JsonSchema)) {
      const { default: value } = resolve(property);
      if (value === undefined) continue;
      const place = [...path, 'properties', name, 'default'];
      for (const one of references.alwaysInPlace(schema))
        for (const member of memberSchemas(one)(name)) {
          // The schema of a member that is left over depends on the other schemas.
          if (member === undefined || member === one['unevaluatedProperties']) continue;
          const { issues } = checkBy(testOf(member), value);
          if (issues) throw schemaError(place, issues, 'A schema forbids its own default');
        }
    }
  }
}

type Resolve = (schema: unknown) => JsonSchema;

/**
 * Makes a function that resolves schemas. It follows a `$ref` only if the schema has no `properties` and
 * `items` itself, so that each value is visited once, at any depth of a recursive schema.
 */
function resolveBy(references: References): Resolve {
  const resolve = (schema: unknown): JsonSchema => {
    if (!isObject(schema)) return {};
    const { $ref, properties, items } = schema;
    return typeof $ref === 'string' && properties === undefined && items === undefined
      ? { ...resolve(references.target($ref, schema)), ...schema }
      : schema;
  };
  return resolve;
}

function fill(value: unknown, schema: unknown, resolve: Resolve): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, items, prefixItems } = resolve(schema);
  return isObject(value)
    ? fillObject(value, properties as JsonSchema, resolve)
    : fillArray(value as unknown[], prefixItems === undefined ? items : undefined, resolve);
}

function fillObject(
  object: Record<string, unknown>,
  properties: JsonSchema,
  resolve: Resolve,
): Record<string, unknown> {
  const changes = Object.entries(properties).flatMap(([name, schema]) => {
    const isAbsent = !Object.hasOwn(object, name) || object[name] === undefined;
    const member = isAbsent ? defaultOf(schema, resolve) : fill(object[name], schema, resolve);
    return member === undefined || (!isAbsent && member === object[name]) ? [] : [[name, member]];
  });
  return changes.length > 0 ? { ...object, ...Object.fromEntries(changes) } : object;
}

/** A copy of the default, because the caller may change it. */
function defaultOf(schema: unknown, resolve: Resolve): unknown {
  return structuredClone(resolve(schema)['default']);
}

function fillArray(items: unknown[], schema: unknown, resolve: Resolve): unknown[] {
  if (schema === undefined) return items;
  const members = items.map((item) => fill(item, schema, resolve));
  return members.some((member, index) => member !== items[index]) ? members : items;
}
