import type { CallToolResult, McpClient } from '@inpage-mcp/client';
import { dynamicTool, jsonSchema, type ToolSet } from 'ai';
import { ASKING_TIMEOUT_MS, MAX_TOOL_CALLS, MAX_TOOL_RESULT_LENGTH } from './limits.js';
import type { Transcript } from './transcript.js';

/**
 * The tools that the connection offers, for one question: no others exist for the model, and each call
 * goes over MCP, where the page decides on it.
 */
export async function modelTools(
  client: McpClient,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<ToolSet> {
  const { tools } = await client.listTools({ signal });
  let calls = 0;
  const call = async (name: string, input: unknown): Promise<string> => {
    calls += 1;
    if (calls > MAX_TOOL_CALLS) throw new Error('No more tools may be called for this question.');
    const answer = transcript.call(name, input);
    try {
      const args = input as { [name: string]: unknown };
      const options = { signal, timeoutMs: ASKING_TIMEOUT_MS };
      const text = textOf(await client.callTool(name, args, options));
      answer(text, false);
      return text;
    } catch (error) {
      answer(error instanceof Error ? error.message : String(error), true);
      throw error;
    }
  };
  const entries = tools.map(({ name, description, inputSchema }) => [
    name,
    dynamicTool({
      ...(description !== undefined && { description }),
      inputSchema: jsonSchema(inputSchema),
      execute: (input) => call(name, input),
    }),
  ]);
  return Object.fromEntries(entries) as ToolSet;
}

/** @throws {Error} with the words of the tool, if it has failed: the library tells the model so. */
function textOf({ content, isError }: CallToolResult): string {
  const blocks = content.map((block) =>
    block.type === 'text' ? block.text : `[${block.type}: not given to the model]`,
  );
  const text = cut(blocks.join('\n'));
  if (isError) throw new Error(text);
  return text;
}

function cut(text: string): string {
  if (text.length <= MAX_TOOL_RESULT_LENGTH) return text;
  return `${text.slice(0, MAX_TOOL_RESULT_LENGTH)}\n[cut off here: ${text.length} characters in all]`;
}
