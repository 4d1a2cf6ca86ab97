import type { McpClient } from '@inpage-mcp/client';
import { toTools, type AiSdkTool, type AiSdkToolAnswer } from '@inpage-mcp/client/tools';
import type { ToolSet } from 'ai';
import { MAX_TOOL_CALLS, MAX_TOOL_RESULT_TOKENS } from './limits.js';
import type { Transcript } from './chat/transcript.js';

/**
 * The tools that the connection offers, for one question: no others exist for the model, and each call
 * goes over MCP, where the page decides on it. The transcript has each call and its answer.
 */
export async function modelTools(
  client: McpClient,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<ToolSet> {
  const { tools } = await toTools(client, {
    format: 'ai-sdk',
    // Not every model of these endpoints accepts images and PDFs in the answer of a tool.
    media: false,
    budget: MAX_TOOL_RESULT_TOKENS,
    signal,
  });
  let calls = 0;
  const recorded = (name: string, { execute, ...tool }: AiSdkTool): AiSdkTool => ({
    ...tool,
    async execute(input, callOptions) {
      calls += 1;
      if (calls > MAX_TOOL_CALLS) return TOO_MANY;
      const answer = transcript.call(name, input);
      try {
        const output = await execute(input, callOptions);
        answer(wordsOf(output), output.type === 'error-text');
        return output;
      } catch (error) {
        answer(error instanceof Error ? error.message : String(error), true);
        throw error;
      }
    },
  });
  const entries = Object.entries(tools).map(([name, tool]) => [name, recorded(name, tool)]);
  return Object.fromEntries(entries) as ToolSet;
}

const TOO_MANY: AiSdkToolAnswer = {
  type: 'error-text',
  value: 'No more tools may be called for this question.',
};

/** The text of an answer without media. */
const wordsOf = (answer: AiSdkToolAnswer): string =>
  answer.type === 'content' ? '' : answer.value;
