import {
  defineTool as define,
  ProtocolError,
  ToolError,
  type Call,
  type SchemaSource,
  type Tool,
  type ToolDefinition,
} from '@inpage-mcp/protocol';
import { StoreError } from '@inpage-mcp/store';
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

/** The hints of a tool that only reads. No tool of this package leaves the page. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The hints of a tool that writes and loses nothing. */
export const ADDS = { ...READS, readOnlyHint: false, idempotentHint: false } as const;

/** The hints of a tool that replaces or deletes. */
export const REPLACES = { ...READS, readOnlyHint: false, destructiveHint: true } as const;

/**
 * The same as {@link defineTool}, for the tools of this package. Their lookups throw protocol errors; in a tool these
 * become tool errors for the model, which has named an entry that does not exist.
 *
 * @param definition.advice Added to the error if the store does not have the entry. Default: nothing.
 */
export function defineOwnTool<const Input extends SchemaSource, const Output extends SchemaSource>({
  advice,
  ...definition
}: ToolDefinition<Input, Output, Connection> & { advice?: string }): Tool<Connection> {
  const { question, run } = definition;
  return define<Input, Output, Connection>({
    ...definition,
    ...(question && {
      question: (input, call: Call<Connection>) =>
        throwToolErrors(async () => await question(input, call), advice),
    }),
    run: (input, call) => throwToolErrors(async () => await run(input, call), advice),
  });
}

async function throwToolErrors<Value>(
  work: () => Promise<Value>,
  advice: string | undefined,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw new ToolError(error.message);
    const isNotFound = error instanceof StoreError && error.code === 'not-found';
    if (isNotFound && advice !== undefined) throw new ToolError(`${error.message} ${advice}`);
    throw error;
  }
}
