import { isObject } from '../wire/is-object.js';
import { References } from './references.js';
import type { JsonSchema } from './types.js';

/**
 * The schema with `type: 'object'` at its root: for an input if an object can be valid, for an
 * output if only an object can be valid.
 *
 * @throws TypeError if an input cannot be an object.
 */
export function objectRoot(schema: JsonSchema, direction: 'input' | 'output'): JsonSchema {
  if (schema['type'] === 'object') return schema;
  const types = rootTypes(schema);
  if (direction === 'output') {
    return types?.every((type) => type === 'object') ? { ...schema, type: 'object' } : schema;
  }
  if (types && !types.includes('object')) {
    throw new TypeError(
      `An input has to be an object, but this schema is of type ${types.join(' or ')}.`,
    );
  }
  return { ...schema, type: 'object' };
}

/** The types that the root states; `undefined` if it states none. */
function rootTypes(root: JsonSchema): readonly unknown[] | undefined {
  const seen = new Set<unknown>();
  const typesOf = (schema: unknown): readonly unknown[] | undefined => {
    if (!isObject(schema) || seen.has(schema)) return undefined;
    seen.add(schema);
    const { type, $ref, anyOf, oneOf = anyOf } = schema;
    if (type !== undefined) return [type].flat();
    if (typeof $ref === 'string') return typesOf(new References(root).target($ref, schema));
    if (!Array.isArray(oneOf)) return undefined;
    const types = oneOf.map(typesOf);
    return types.includes(undefined) ? undefined : types.flatMap((names) => names ?? []);
  };
  return typesOf(root);
}
