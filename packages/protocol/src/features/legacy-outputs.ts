import type { JsonSchema } from '../schemas/index.js';
import { isObject } from '../wire/is-object.js';
import type { ListedTool } from './tool.js';

/**
 * Up to 2025-11-25 the structured output of a tool is an object (Schema › Tool, CallToolResult): any
 * other goes out as the member `result` of one, and is listed so.
 */
export function legacyListed(tool: ListedTool): ListedTool {
  const { outputSchema } = tool;
  if (!outputSchema || isOfObjects(outputSchema)) return tool;
  const properties = { result: outputSchema };
  return { ...tool, outputSchema: { type: 'object', properties, required: ['result'] } };
}

/** The structured output itself. */
export function legacyOutput(output: unknown, schema: JsonSchema | undefined): unknown {
  const isWhole = schema ? isOfObjects(schema) : isObject(output);
  return output === undefined || isWhole ? output : { result: output };
}

function isOfObjects({ type }: JsonSchema): boolean {
  return type === 'object';
}
