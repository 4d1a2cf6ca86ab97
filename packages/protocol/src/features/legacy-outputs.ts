import type { JsonSchema } from '../schemas/index.js';
import { isObject } from '../wire/is-object.js';
import type { ListedTool } from './tool.js';

/**
 * Up to 2025-11-25 the structured output of a tool must be an object (Schema › Tool,
 * CallToolResult): any other output is sent, and listed, as the member `result` of an object.
 */
export function toLegacyTool(tool: ListedTool): ListedTool {
  const { outputSchema } = tool;
  if (!outputSchema || isObjectSchema(outputSchema)) return tool;
  const properties = { result: outputSchema };
  return { ...tool, outputSchema: { type: 'object', properties, required: ['result'] } };
}

/** The same for the structured output. */
export function toLegacyOutput(output: unknown, schema: JsonSchema | undefined): unknown {
  const isWhole = schema ? isObjectSchema(schema) : isObject(output);
  return output === undefined || isWhole ? output : { result: output };
}

function isObjectSchema({ type }: JsonSchema): boolean {
  return type === 'object';
}
