import { isObject } from '../../wire/is-object.js';
import { knownProperties } from '../known-properties.js';
import type { Place } from '../place.js';
import type { JsonSchema } from '../types.js';
import type { Validation } from '../validation.js';

type Members = Readonly<Record<string, unknown>> | readonly unknown[];

/**
 * Returns a test of whether a member of an object or an array was evaluated: by the schema with the
 * keyword `unevaluatedProperties` or `unevaluatedItems`, or by a schema that is applied to the same
 * value.
 */
export function isEvaluated(
  value: Members,
  place: Place,
  validation: Validation,
): (key: string) => boolean {
  const { unevaluatedProperties: _properties, unevaluatedItems: _items, ...schema } = place.schema;
  const tests = [place.schema, ...appliedSchemas(place.schema, value, place, validation)].map(
    (applied) => memberTest(applied === place.schema ? schema : applied, value, place, validation),
  );
  return (key) => tests.some((isKnown) => isKnown(key));
}

/** The schemas that are applied to the value itself, at any depth, and for which it is valid. */
function appliedSchemas(
  schema: JsonSchema,
  value: Members,
  place: Place,
  validation: Validation,
): JsonSchema[] {
  const holds = (applied: unknown): applied is JsonSchema =>
    isObject(applied) && validation.isValid(place.testOf(applied), value);
  return directSchemas(schema, value, place, holds)
    .filter(holds)
    .flatMap((applied) => [applied, ...appliedSchemas(applied, value, place, validation)]);
}

function directSchemas(
  schema: JsonSchema,
  value: Members,
  place: Place,
  holds: (schema: unknown) => boolean,
): unknown[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = schema;
  const condition =
    'if' in schema ? [schema['if'], schema[holds(schema['if']) ? 'then' : 'else']] : [];
  const dependent = Object.entries(dependentSchemas as JsonSchema)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([, applied]) => applied);
  const target = typeof $ref === 'string' ? place.target($ref, schema) : undefined;
  return [target, allOf, anyOf, oneOf, condition, dependent].flat();
}

function memberTest(
  schema: JsonSchema,
  value: Members,
  place: Place,
  validation: Validation,
): (key: string) => boolean {
  return Array.isArray(value) ? itemTest(schema, value, place, validation) : propertyTest(schema);
}

function propertyTest(schema: JsonSchema): (name: string) => boolean {
  const { additionalProperties, unevaluatedProperties } = schema;
  if (additionalProperties !== undefined || unevaluatedProperties !== undefined) return () => true;
  return knownProperties(schema);
}

function itemTest(
  schema: JsonSchema,
  items: readonly unknown[],
  place: Place,
  validation: Validation,
): (index: string) => boolean {
  const { items: rest, prefixItems = [], contains, unevaluatedItems } = schema;
  if (rest !== undefined || unevaluatedItems !== undefined) return () => true;
  const contained = contains === undefined ? undefined : place.testOf(contains);
  return (index) =>
    Number(index) < (prefixItems as readonly unknown[]).length ||
    (contained !== undefined && validation.isValid(contained, items[Number(index)]));
}
