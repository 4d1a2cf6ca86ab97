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
  const known = new Map<JsonSchema, Facts>();
  const factsOf = (schema: JsonSchema): Facts => {
    const facts = known.get(schema) ?? factsAbout(schema, references);
    known.set(schema, facts);
    return facts;
  };
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
    const facts = applied.map(factsOf);
    const isOpen = facts.some((about) => about.isOpen);
    for (const name of Object.keys(object)) {
      if (!isOpen && !facts.some(({ isNamed }) => isNamed(name))) delete object[name];
      else
        leaveOut(
          object[name],
          facts.flatMap(({ schemasOf }) => schemasOf(name)),
        );
    }
  };
  return (value) => leaveOut(value, [root]);
}

/** What a schema says of members, made once: an output may have very many objects. */
interface Facts {
  isOpen: boolean;
  isNamed: (name: string) => boolean;
  /** The schemas of a member. */
  schemasOf: (name: string) => unknown[];
}

function factsAbout(schema: JsonSchema, references: References): Facts {
  return {
    isOpen: keepsAll(schema, references),
    isNamed: namedBy(schema),
    schemasOf: memberSchemas(schema),
  };
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

function memberSchemas({
  properties = {},
  patternProperties = {},
  additionalProperties,
  unevaluatedProperties,
}: JsonSchema): (name: string) => unknown[] {
  const patterns = Object.entries(patternProperties as JsonSchema).map(
    ([source, schema]) => [new RegExp(source, 'u'), schema] as const,
  );
  return (name) => {
    const known = patterns.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema);
    if (Object.hasOwn(properties as JsonSchema, name)) known.push((properties as JsonSchema)[name]);
    return known.length > 0 ? known : [additionalProperties, unevaluatedProperties];
  };
}

function itemSchema({ prefixItems = [], items }: JsonSchema, index: number): unknown {
  return (prefixItems as readonly unknown[])[index] ?? items;
}
