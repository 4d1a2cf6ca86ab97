import { isObject } from '../wire/is-object.js';
import { knownProperties } from './known-properties.js';
import type { References } from './references.js';
import type { JsonSchema } from './types.js';

/**
 * The keywords that concern members without naming them. An object with one of these keywords keeps all its
 * members.
 */
const OPENING =
  'additionalProperties unevaluatedProperties propertyNames minProperties maxProperties'.split(' ');

/** The keywords that name the members of an object. */
const NAMING = 'properties patternProperties dependentRequired dependentSchemas'.split(' ');

/**
 * Makes a function that deletes the members which an output schema does not name. The value must be a copy,
 * because it is changed. An author who returns a whole record wants to send only the members in the schema.
 * If the schema may be meant differently, all of them stay.
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
    // A value that no schema describes may have any members.
    if (applied.length === 0) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) leaveOut(item, itemSchemas(applied, index));
      return;
    }
    const object = value as Record<string, unknown>;
    const facts = applied.map(factsOf);
    if (facts.some((about) => about.isWhole)) return;
    // If no schema names members, the object may have any.
    const keepsAll = facts.some((about) => about.isOpen) || !facts.some((about) => about.isNaming);
    for (const name of Object.keys(object)) {
      if (!keepsAll && !facts.some(({ isNamed }) => isNamed(name))) delete object[name];
      else
        leaveOut(
          object[name],
          facts.flatMap(({ schemasOf }) => schemasOf(name)),
        );
    }
  };
  return (value) => leaveOut(value, [root]);
}

/**
 * The facts about members in a schema. They are computed once, because an output may have very many objects.
 */
interface Facts {
  isOpen: boolean;
  isNaming: boolean;
  isWhole: boolean;
  isNamed: (name: string) => boolean;
  /** The schemas of a member. */
  schemasOf: (name: string) => unknown[];
}

function factsAbout(schema: JsonSchema, references: References): Facts {
  return {
    isOpen: isOpen(schema, references),
    isNaming: has(schema, NAMING),
    isWhole: isWhole(schema),
    isNamed: namedBy(schema),
    schemasOf: memberSchemas(schema),
  };
}

const has = (schema: JsonSchema, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => Object.hasOwn(schema, keyword));

/**
 * Whether a schema allows any members. A form in `anyOf` or `oneOf` that only states that the value is an
 * object allows them, because this is the intention of such a form.
 */
function isOpen(schema: JsonSchema, references: References): boolean {
  const { anyOf = [], oneOf = [] } = schema;
  const forms = [anyOf, oneOf].flat() as readonly unknown[];
  const isAnything = (form: unknown): boolean => {
    const applied = references.withInPlace([form]);
    return applied.length > 0 && applied.every(takesObjects) && !applied.some(isNaming);
  };
  return has(schema, OPENING) || forms.some(isAnything);
}

const isNaming = (schema: JsonSchema): boolean => has(schema, [...NAMING, 'required']);

function takesObjects(schema: JsonSchema): boolean {
  const { type = 'object', const: only, enum: members = [only] } = schema;
  const isAny = !has(schema, ['const', 'enum']) || (members as readonly unknown[]).some(isObject);
  return isAny && [type].flat().includes('object');
}

/** Whether a schema states whole objects. */
function isWhole({ const: only, enum: members = [only] }: JsonSchema): boolean {
  return (members as readonly unknown[]).some(isObject);
}

function namedBy(schema: JsonSchema): (name: string) => boolean {
  const isKnown = knownProperties(schema);
  const { required = [], dependentRequired = {}, dependentSchemas = {} } = schema;
  const names = new Set([
    ...(required as readonly string[]),
    ...Object.entries(dependentRequired as Record<string, readonly string[]>).flat(2),
    ...Object.keys(dependentSchemas as object),
  ]);
  return (name) => isKnown(name) || names.has(name);
}

/** The schemas that a schema has for a member of an object. */
export function memberSchemas({
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

/**
 * The schemas of an item: those that name it, or otherwise those for the remaining items; `contains` may
 * describe it, too.
 */
function itemSchemas(schemas: readonly JsonSchema[], index: number): unknown[] {
  const named = schemas.map(
    ({ prefixItems = [], items }) => (prefixItems as readonly unknown[])[index] ?? items,
  );
  const left = named.some((schema) => schema !== undefined)
    ? named
    : schemas.map(({ unevaluatedItems }) => unevaluatedItems);
  const isStated = left.some((schema) => schema !== undefined);
  return isStated ? [...left, ...schemas.map(({ contains }) => contains)] : [];
}
