import { mapSubschemas, type JsonSchema } from '../schemas/index.js';
import { isObject } from '../wire/is-object.js';
import type { ListedTool } from './tool.js';

/**
 * Up to 2025-11-25 the structured output of a tool must be an object (Schema › Tool,
 * CallToolResult): any other output is sent, and listed, as the member `result` of an object. The
 * schema of a property must be an object, too: clients refuse the whole list for `true`.
 */
export function toLegacyTool(tool: ListedTool): ListedTool {
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: withoutBooleans(inputSchema),
    ...(outputSchema && { outputSchema: withoutBooleans(wholeSchema(outputSchema)) }),
  };
}

/** The same for the structured output. */
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

/** A schema that becomes `properties/result`, where its references to itself lead then. */
function moved(schema: unknown): unknown {
  // The references in a schema with an `$id` are relative to that.
  if (!isObject(schema) || typeof schema['$id'] === 'string') return schema;
  const inner = mapSubschemas(schema, moved);
  const { $ref } = inner;
  if (typeof $ref !== 'string') return inner;
  return { ...inner, $ref: $ref.replace(/^#(?=\/|$)/, '#/properties/result') };
}

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
