import { TYPES } from './assertions.js';
import { compileSchema } from './compile-schema.js';
import { issuesText } from './issues-text.js';
import { PLACES } from './subschemas.js';
import type { JsonSchema } from './types.js';
import { Validation, type Test } from './validation.js';

const each = (keywords: string, schema: JsonSchema): JsonSchema =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, schema]));

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const typeName = { enum: Object.keys(TYPES) };
const schema = {
  $ref: '#',
  type: ['object', 'boolean'],
  errorMessage: { type: 'must be a schema: an object, or true or false' },
};
const without = (message: string): JsonSchema => ({ not: {}, errorMessage: { not: message } });

/** A schema of schemas: of the keywords that are checked here, in 2020-12. */
const META_SCHEMA: JsonSchema = {
  type: ['object', 'boolean'],
  properties: {
    ...each(PLACES.one, schema),
    ...each(PLACES.list, { type: 'array', items: schema, minItems: 1 }),
    ...each(PLACES.named, { type: 'object', additionalProperties: schema }),
    ...each('$id $anchor $ref pattern', text),
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

let test: Test | undefined;

/** @throws TypeError, with the place, if a value is not a JSON Schema 2020-12. */
export function checkSchema(value: unknown): void {
  test ??= compileSchema(META_SCHEMA, false);
  const validation = new Validation();
  if (test(value, validation)) return;
  throw new TypeError(
    `This is not a JSON Schema: ${issuesText(validation.issuesOf(test, value))}.`,
  );
}
