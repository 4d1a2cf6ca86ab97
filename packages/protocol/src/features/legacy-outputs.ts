import { mapSubschemas, References, subschemas, type JsonSchema } from '../schemas/index.js';
import { isObject } from '../wire/is-object.js';
import type { ListedTool } from './tool.js';

/**
 * Converts a tool for the legacy era. Up to 2025-11-25 the structured output of a tool must be an object
 * (Schema › Tool, CallToolResult): any other output is sent, and listed, as the member `result` of an object.
 * The schema of a property must be an object, too, because clients refuse the whole list for `true`. Version
 * 1 of the official SDK checks outputs by draft 7.
 */
export function toLegacyTool(tool: ListedTool): ListedTool {
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: withoutBooleans(inputSchema),
    ...(outputSchema && { outputSchema: withoutBooleans(ofDraft7(wholeSchema(outputSchema))) }),
  };
}

/** Converts the structured output in the same way. */
export function toLegacyOutput(output: unknown, schema: JsonSchema | undefined): unknown {
  const isWhole = schema ? isObjectSchema(schema) : isObject(output);
  return output === undefined || isWhole ? output : { result: output };
}

function isObjectSchema({ type }: JsonSchema): boolean {
  return type === 'object';
}

function wholeSchema(schema: JsonSchema): JsonSchema {
  if (isObjectSchema(schema)) return schema;
  return { type: 'object', properties: { result: moved(schema) }, required: ['result'] };
}

/** A schema that becomes `properties/result`, and whose references to itself are changed to lead there. */
function moved(schema: unknown): unknown {
  // The references in a schema with an `$id` are relative to that `$id`.
  if (!isObject(schema) || typeof schema['$id'] === 'string') return schema;
  const inner = mapSubschemas(schema, moved);
  const { $ref } = inner;
  if (typeof $ref !== 'string') return inner;
  return { ...inner, $ref: $ref.replace(/^#(?=\/|$)/, '#/properties/result') };
}

/**
 * A schema for 2020-12 and for draft 7 which accepts every value that the given one accepts. Draft 7 does not
 * know `prefixItems`, and so applies `items` to the first items, too, and it does not know `minContains`.
 */
function ofDraft7(schema: JsonSchema): JsonSchema {
  if (!hasKeyword(schema, UNKNOWN_TO_DRAFT_7)) return schema;
  const older = widened(schema);
  // Clients would refuse the whole list for a reference to a part that had to be removed.
  return hasAllTargets(older) ? older : { type: 'object' };
}

function hasAllTargets(schema: JsonSchema): boolean {
  try {
    const references = new References(schema);
    for (const one of references.places.keys())
      if (typeof one['$ref'] === 'string') references.target(one['$ref'], one);
    return true;
  } catch {
    return false;
  }
}

function widened(schema: JsonSchema): JsonSchema {
  const older = mapSubschemas(schema, (inner) => (isObject(inner) ? widened(inner) : inner));
  // A widened schema accepts more values. Under `not`, `if` and `oneOf` it would refuse more.
  if (isWidened(schema['not'])) delete older['not'];
  if (isWidened(schema['if'])) for (const name of ['if', 'then', 'else']) delete older[name];
  if (isWidened(schema['oneOf'])) {
    older['allOf'] = [...((older['allOf'] ?? []) as JsonSchema[]), { anyOf: older['oneOf'] }];
    delete older['oneOf'];
  }
  const { prefixItems, items, maxItems = Infinity } = older;
  if (Array.isArray(prefixItems) && items === false) {
    delete older['items'];
    older['maxItems'] = Math.min(maxItems as number, prefixItems.length);
  } else if (Array.isArray(prefixItems) && items !== undefined) {
    older['items'] = { anyOf: [items, ...prefixItems] };
  }
  if (older['minContains'] !== 0) return older;
  const { contains: _contains, minContains: _min, maxContains: _max, ...others } = older;
  return others;
}

/** Whether a schema, or one of a list, has one of these keywords, at any depth. */
function hasKeyword(schema: unknown, keywords: readonly string[]): boolean {
  if (Array.isArray(schema)) return schema.some((one) => hasKeyword(one, keywords));
  return (
    isObject(schema) &&
    (keywords.some((keyword) => schema[keyword] !== undefined) ||
      subschemas(schema).some(([inner]) => hasKeyword(inner, keywords)))
  );
}

/** The keywords of 2020-12 that draft 7 ignores, so that it accepts more. */
const UNKNOWN_TO_DRAFT_7 = (
  'prefixItems unevaluatedItems minContains maxContains unevaluatedProperties dependentRequired ' +
  'dependentSchemas'
).split(' ');

/**
 * Whether a schema may accept more values in draft 7. A reference counts as such, because its target is not
 * examined.
 */
const isWidened = (schema: unknown): boolean => hasKeyword(schema, [...UNKNOWN_TO_DRAFT_7, '$ref']);

function withoutBooleans(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const entries = Object.entries(properties).map(([name, one]) => [name, asObject(one)] as const);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** The object that means the same as the schema `true` or `false`. */
function asObject(schema: unknown): unknown {
  if (typeof schema !== 'boolean') return schema;
  return schema ? {} : { not: {} };
}
