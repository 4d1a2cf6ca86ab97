import {
  defineTool as define,
  ProtocolError,
  ToolError,
  type Call,
  type SchemaSource,
  type Tool,
  type ToolDefinition,
} from '@inpage-mcp/protocol';
import type { Connection } from '../access/connection.js';

/**
 * Defines a tool that works with what its connection may see: `call.context` is that. With a
 * `question` it is one that writes, and `Access` decides whether the connection sees it and who is
 * asked before. Otherwise as `defineTool` of `@inpage-mcp/protocol`.
 */
export function defineTool<
  const Input extends SchemaSource = { readonly type: 'object' },
  const Output extends SchemaSource = SchemaSource,
>(definition: ToolDefinition<Input, Output, Connection>): Tool<Connection> {
  return define(definition);
}

/**
 * The same for the tools of this package. What they look up fails with errors of the protocol; in a
 * tool it is the model that has named what does not exist.
 */
export function defineOwnTool<const Input extends SchemaSource, const Output extends SchemaSource>(
  definition: ToolDefinition<Input, Output, Connection>,
): Tool<Connection> {
  const { question, run, annotations } = definition;
  return define<Input, Output, Connection>({
    ...definition,
    // Everything happens inside this page.
    annotations: { ...annotations, openWorldHint: false },
    ...(question && {
      question: (input, call: Call<Connection>) =>
        forModel(async () => await question(input, call)),
    }),
    run: (input, call) => forModel(async () => await run(input, call)),
  });
}

async function forModel<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProtocolError ? new ToolError(error.message) : error;
  }
}
