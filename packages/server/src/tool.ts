import {
  ProtocolError,
  type CallToolResult,
  type ContentBlock,
  type Icon,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Connection } from './connection.js';
import { ToolError } from './protocol-errors.js';

/** What a running tool may use. */
export interface ToolCall {
  /** Aborts when the client cancels or its connection ends. */
  signal: AbortSignal;
  /** Tells the client how far the call is, if it asked to be told (Utilities › Progress). */
  progress(done: number, total: number): void;
}

/** What a tool answers with. */
export interface ToolAnswer<Output> {
  /** Fits the output schema. Goes out as `structuredContent`, and as JSON in the first text. */
  structured: Output;
  /** Instead of the JSON, for an answer that is a text or an image by itself. */
  content?: ContentBlock[];
  /** The resources that the answer is about; they come last, where the connection takes links. */
  links?: ContentBlock[];
}

/** A tool, apart from the protocol. Schemas are strict: an unknown property is refused. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  /** For the model: what it does, and when to use it. */
  description: string;
  icons: Icon[];
  input: Input;
  output: Output;
  hints: ToolAnnotations;
  /**
   * Marks a tool that writes, and says what is about to happen, for the user who is asked whether
   * it may: `Delete the note "Shopping"?`
   */
  question?: (input: z.output<Input>) => string | Promise<string>;
  run(input: z.output<Input>, call: ToolCall): Promise<ToolAnswer<z.output<Output>>>;
}

/**
 * Offers a tool to a connection. `Access` decides whether the connection sees it. Of what it throws a
 * `ToolError` becomes a result with `isError: true` and its message, for the model to act on (Tools ›
 * Error Handling); a `ProtocolError` goes out as that error; anything else is an internal error.
 */
export function registerTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  mcp: McpServer,
  { writing, resourceLinks }: Connection,
  tool: ToolDefinition<Input, Output>,
): void {
  const { name, title, description, icons, input, output, hints, question, run } = tool;
  const config = {
    title,
    description,
    icons,
    inputSchema: input as z.ZodObject,
    outputSchema: output as z.ZodObject,
    // Everything happens inside this page.
    annotations: { ...hints, openWorldHint: false },
  };
  mcp.registerTool(
    name,
    config,
    async (checked, ctx): Promise<CallToolResult | InputRequiredResult> => {
      const args = checked as z.output<Input>;
      const refusal = question && (await writing.ask(name, () => question(args), ctx));
      if (refusal) return refusal;
      const { links = [], ...answer } = await run(args, toolCall(ctx));
      return toResult(answer, resourceLinks ? links : []);
    },
  );
}

/**
 * The same for the tools of this package. What they look up fails with errors of the protocol; in a
 * tool it is the model that has named what does not exist.
 */
export function registerOwnTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  mcp: McpServer,
  connection: Connection,
  tool: ToolDefinition<Input, Output>,
): void {
  const { question, run } = tool;
  registerTool<Input, Output>(mcp, connection, {
    ...tool,
    ...(question && { question: (input) => forModel(async () => await question(input)) }),
    run: (input, call) => forModel(() => run(input, call)),
  });
}

async function forModel<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProtocolError ? new ToolError(error.message) : error;
  }
}

function toResult(
  { structured, content }: ToolAnswer<object>,
  links: readonly ContentBlock[],
): CallToolResult {
  const text = (): ContentBlock => ({ type: 'text', text: JSON.stringify(structured) });
  return {
    content: [...(content ?? [text()]), ...links],
    structuredContent: structured,
  };
}

function toolCall({ mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  let last = 0;
  return {
    signal: mcpReq.signal,
    progress(done, total) {
      // Each notification has to name more than the one before.
      if (progressToken === undefined || done <= last || mcpReq.signal.aborted) return;
      last = done;
      const params = { progressToken, progress: done, total };
      // A connection that ends under way needs no progress.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
