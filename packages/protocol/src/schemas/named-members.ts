import { knownProperties } from './known-properties.js';
import type { References } from './references.js';
import type { JsonSchema } from './types.js';

/** The keywords that are about members without naming them: an object that has one keeps all its members. */
const OPENING = (
  'additionalProperties unevaluatedProperties propertyNames dependentRequired minProperties ' +
  'maxProperties const enum'
).split(' ');

/**
 * Deletes the members that an output schema does not name from a value of its own: an author who returns a
 * whole record means to send what the schema has. Where it may be meant otherwise, all of them stay.
 */
export function leaveOutUnnamed(
  root: JsonSchema,
  references: References,
): (value: unknown) => void {
  const leaveOut = (value: unknown, schemas: readonly unknown[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const applied = references.withInPlace(schemas);
    // What no schema is about may have anything.
    if (applied.length === 0) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        leaveOut(
          item,
          applied.map((schema) => itemSchema(schema, index)),
        );
      return;
    }
    const object = value as Record<string, unknown>;
    const isOpen = applied.some((schema) => keepsAll(schema, references));
    const names = applied.map(namedBy);
    for (const name of Object.keys(object)) {
      if (!isOpen && !names.some((isNamed) => isNamed(name))) delete object[name];
      else
        leaveOut(
          object[name],
          applied.flatMap((schema) => memberSchemas(schema, name)),
        );
    }
  };
  return (value) => leaveOut(value, [root]);
}

function keepsAll(schema: JsonSchema, references: References): boolean {
  if (OPENING.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  if (schema['properties'] !== undefined || references.inPlace(schema).length > 0) return false;
  // What says nothing of an object but that it is one allows any.
  const { type, required } = schema;
  return type === undefined ? required === undefined : [type].flat().includes('object');
}

function namedBy(schema: JsonSchema): (name: string) => boolean {
  const isKnown = knownProperties(schema);
  const { required = [] } = schema;
  return (name) => isKnown(name) || (required as readonly string[]).includes(name);
}

function memberSchemas(schema: JsonSchema, name: string): unknown[] {
  const {
    properties = {},
    patternProperties = {},
    additionalProperties,
    unevaluatedProperties,
  } = schema;
  const known = Object.entries(patternProperties as JsonSchema)
    .filter(([source]) => new RegExp(source, 'u').test(name))
    .map(([, one]) => one);
  if (Object.hasOwn(properties as JsonSchema, name)) known.push((properties as JsonSchema)[name]);
  return known.length > 0 ? known : [additionalProperties, unevaluatedProperties];
}

function itemSchema({ prefixItems = [], items }: JsonSchema, index: number): unknown {
  return (prefixItems as readonly unknown[])[index] ?? items;
}
