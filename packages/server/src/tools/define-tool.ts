import {
  defineTool as define,
  ProtocolError,
  ToolError,
  type Call,
  type SchemaSource,
  type Tool,
  type ToolDefinition,
} from '@inpage-mcp/protocol';
import type { Connection } from '../access/connection-context.js';

/**
 * Defines a tool whose `call.context` contains what its connection may see. A tool with a
 * `question` writes: `Access` decides whether the connection sees it, and who is asked first.
 * Otherwise the same as `defineTool` of `@inpage-mcp/protocol`.
 */
export function defineTool<
  const Input extends SchemaSource = { readonly type: 'object' },
  const Output extends SchemaSource = SchemaSource,
>(definition: ToolDefinition<Input, Output, Connection>): Tool<Connection> {
  return define(definition);
}

/**
 * The same for the tools of this package. Their lookups throw protocol errors; in a tool these
 * become tool errors for the model, which has named an entry that does not exist.
 */
export function defineOwnTool<const Input extends SchemaSource, const Output extends SchemaSource>(
  definition: ToolDefinition<Input, Output, Connection>,
): Tool<Connection> {
  const { question, run, annotations } = definition;
  return define<Input, Output, Connection>({
    ...definition,
    // No tool leaves this page.
    annotations: { ...annotations, openWorldHint: false },
    ...(question && {
      question: (input, call: Call<Connection>) =>
        throwToolErrors(async () => await question(input, call)),
    }),
    run: (input, call) => throwToolErrors(async () => await run(input, call)),
  });
}

async function throwToolErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProtocolError ? new ToolError(error.message) : error;
  }
}
