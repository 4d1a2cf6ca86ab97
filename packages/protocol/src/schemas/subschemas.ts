import { isObject } from '../wire/is-object.js';
import type { JsonSchema } from './types.js';

/** The keywords that contain schemas: one, a list, or an object of them. */
export const PLACES = {
  one:
    'items contains additionalProperties propertyNames if then else not unevaluatedItems ' +
    'unevaluatedProperties',
  list: 'prefixItems allOf anyOf oneOf',
  named: 'properties patternProperties $defs definitions dependentSchemas',
};
const KINDS = new Map(
  Object.entries(PLACES).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind] as const),
  ),
);

/** A copy of a schema in which `map` replaces each direct subschema. */
export function mapSubschemas(
  schema: JsonSchema,
  map: (subschema: unknown) => unknown,
): Record<string, unknown> {
  return mapValues(schema, (argument, keyword) => {
    const kind = KINDS.get(keyword);
    if (kind === 'one') return map(argument);
    if (kind === 'list' && Array.isArray(argument)) return argument.map((member) => map(member));
    return kind === 'named' && isObject(argument) ? mapValues(argument, map) : argument;
  });
}

/** The direct subschemas of a schema. */
export function subschemas(schema: JsonSchema): unknown[] {
  const found: unknown[] = [];
  mapSubschemas(schema, (subschema) => found.push(subschema));
  return found;
}

function mapValues(
  object: JsonSchema,
  map: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
