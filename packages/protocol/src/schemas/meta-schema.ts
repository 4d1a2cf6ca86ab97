import { TYPES } from './keywords/assertions.js';
import { compileSchema } from './compile-schema.js';
import { isObject } from '../wire/is-object.js';
import { schemaError } from './issues-text.js';
import { References } from './references.js';
import { PLACES, type Path } from './subschemas.js';
import type { JsonSchema } from './types.js';
import { checkBy, type Test } from './validation.js';

const each = (keywords: string, schema: JsonSchema): JsonSchema =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, schema]));

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const typeName = { enum: Object.keys(TYPES) };
const anySchema = {
  $ref: '#',
  type: ['object', 'boolean'],
  errorMessage: { type: 'must be a schema: an object, or true or false' },
};
const regex = {
  ...text,
  format: 'regex',
  errorMessage: { format: 'is not a regular expression with the flag u' },
};
const without = (message: string): JsonSchema => ({ not: {}, errorMessage: { not: message } });

/** A schema of schemas, for the keywords of 2020-12 that are checked here. */
const META_SCHEMA: JsonSchema = {
  type: ['object', 'boolean'],
  properties: {
    ...each(PLACES.one, anySchema),
    ...each(PLACES.list, { type: 'array', items: anySchema, minItems: 1 }),
    ...each(PLACES.named, { type: 'object', additionalProperties: anySchema }),
    patternProperties: {
      type: 'object',
      additionalProperties: anySchema,
      propertyNames: regex,
      errorMessage: {
        propertyNames: 'has a name that is not a regular expression with the flag u',
      },
    },
    ...each('$id $anchor $ref format', text),
    pattern: regex,
    ...each('minimum maximum exclusiveMinimum exclusiveMaximum', { type: 'number' }),
    ...each(
      'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
      { type: 'integer', minimum: 0 },
    ),
    $schema: { const: 'https://json-schema.org/draft/2020-12/schema' },
    type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1 }] },
    enum: { type: 'array' },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    uniqueItems: { type: 'boolean' },
    required: texts,
    dependentRequired: { type: 'object', additionalProperties: texts },
    $dynamicRef: without('is not supported: use $ref'),
    ...each('$recursiveRef additionalItems dependencies', without('is not a keyword of 2020-12')),
  },
};

/**
 * The same schema for an output. It excludes keywords that official clients do not compile, or that they
 * check beyond the standard.
 */
const OUTPUT_META_SCHEMA: JsonSchema = {
  ...META_SCHEMA,
  properties: {
    ...(META_SCHEMA['properties'] as object),
    enum: { type: 'array', minItems: 1 },
    id: without('is not a keyword of 2020-12: use $id'),
    ...each(
      'formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum',
      without('is not a keyword of JSON Schema'),
    ),
  },
  dependentRequired: { nullable: ['type'] },
  errorMessage: {
    dependentRequired: 'has nullable without a type, which is not a keyword of 2020-12',
  },
};

const tests = new Map<JsonSchema, Test>();

/**
 * Checks a schema.
 *
 * @throws TypeError, with the place, if a value is not a JSON Schema 2020-12, or if a reference in it does
 *   not lead to a schema, or leads back without an end.
 */
export function checkSchema(root: unknown, isInput: boolean): void {
  const meta = isInput ? META_SCHEMA : OUTPUT_META_SCHEMA;
  checkForm(root, [], meta);
  const references = new References(root);
  references.addTargets((target, path) => checkForm(target, path, meta));
  checkEnds(references);
}

function checkForm(value: unknown, path: Path, meta: JsonSchema): void {
  const test = tests.get(meta) ?? compileSchema(meta, false);
  tests.set(meta, test);
  const { issues } = checkBy(test, value);
  if (issues) throw schemaError(path, issues);
}

/** Rejects a schema that a `$ref` applies to the same value again, because it would be checked forever. */
function checkEnds(references: References): void {
  const open = new Set<unknown>();
  const ended = new Set<unknown>();
  const visit = (schema: unknown): void => {
    if (!isObject(schema) || ended.has(schema)) return;
    const path = references.places.get(schema) ?? [];
    if (open.has(schema)) throw schemaError(path, 'has a $ref that leads back to it');
    open.add(schema);
    references.inPlace(schema).forEach(visit);
    open.delete(schema);
    ended.add(schema);
  };
  for (const schema of references.places.keys()) visit(schema);
}
