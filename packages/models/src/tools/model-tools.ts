import { fieldsOf } from '../context/source.js';
import { ClientError, eachPage, type Tool } from '@inpage-mcp/client';
import { byModelName, type NameRule } from './model-names.js';
import type { ToolCaller } from './tool-formats.js';
import { jsonCopy, schemaFor } from './tool-schemas.js';
import type { ToolSchema } from './vendor-types.js';

/**
 * The maximum number of tools; a list with more counts as endless, because no model can choose among them.
 */
const MAX_TOOLS = 10_000;

/** A tool as a model gets it. */
export interface ModelTool {
  /** The tool, as the server lists it. */
  tool: Tool;
  /** The title for people. */
  title: string | undefined;
  description: string | undefined;
  schema: ToolSchema;
  /** The original names of the arguments that have another name in `schema`. */
  argumentNames: ReadonlyMap<string, string>;
}

const TOOL_NAMES: NameRule = { refused: /[^\w-]/g, start: /^[a-z_]/i };

/**
 * The tools of all pages, by the names that the model gets. A tool whose schema is not JSON is omitted, and
 * so are tools that a server offers only to its apps, or runs only as tasks.
 *
 * @throws {ClientError} `endless-list`
 */
export async function listAll(
  client: ToolCaller,
  signal: AbortSignal | undefined,
): Promise<Map<string, ModelTool>> {
  const all = new Map<string, Tool>();
  for await (const { tools } of eachPage((cursor) => client.listTools({ cursor, signal }))) {
    for (const tool of tools.filter(isForModels)) if (!all.has(tool.name)) all.set(tool.name, tool);
    if (all.size > MAX_TOOLS)
      throw new ClientError('endless-list', `The server has more than ${MAX_TOOLS} tools.`);
  }
  const named = new Map<string, ModelTool>();
  for (const [name, own] of byModelName(all.keys(), TOOL_NAMES)) {
    const tool = modelToolOf(all.get(own)!);
    if (tool) named.set(name, tool);
  }
  return named;
}

/**
 * Whether a model may get a tool: MCP Apps (SEP-1865) has tools that only an app may call, and this client
 * does not speak the tasks that others need (decision 54).
 */
export function isForModels(tool: Tool): boolean {
  const { visibility } = fieldsOf(tool._meta?.['ui']);
  const isHidden =
    Array.isArray(visibility) && visibility.length > 0 && !visibility.includes('model');
  return tool.execution?.taskSupport !== 'required' && !isHidden;
}

function modelToolOf(tool: Tool): ModelTool | undefined {
  try {
    const { schema, argumentNames } = schemaFor(tool);
    const { description } = tool;
    const title = tool.title ?? tool.annotations?.title;
    return { tool, argumentNames, ...jsonCopy({ title, description, schema }) };
  } catch {
    return undefined;
  }
}
