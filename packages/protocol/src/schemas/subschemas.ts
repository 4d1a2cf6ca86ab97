import { isObject } from '../wire/is-object.js';
import type { Issue, JsonSchema } from './types.js';

/** The path of a schema from the root. */
export type Path = Issue['path'];

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

/** A copy of a schema in which `map` replaces each direct subschema, which it gets with its path. */
export function mapSubschemas(
  schema: JsonSchema,
  map: (subschema: unknown, path: Path) => unknown,
): Record<string, unknown> {
  return mapValues(schema, (argument, keyword) => {
    const kind = KINDS.get(keyword);
    if (kind === 'one') return map(argument, [keyword]);
    if (kind === 'list' && Array.isArray(argument)) {
      return argument.map((member, index) => map(member, [keyword, index]));
    }
    return kind === 'named' && isObject(argument)
      ? mapValues(argument, (member, name) => map(member, [keyword, name]))
      : argument;
  });
}

/** The direct subschemas of a schema, with their paths. */
export function subschemas(schema: JsonSchema): [subschema: unknown, path: Path][] {
  const found: [unknown, Path][] = [];
  mapSubschemas(schema, (subschema, path) => found.push([subschema, path]));
  return found;
}

function mapValues(
  object: JsonSchema,
  map: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
