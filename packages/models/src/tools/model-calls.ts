import {
  type CallToolResult,
  DEFAULT_TOTAL_TIMEOUT_MS,
  type RequestOptions,
} from '@inpage-mcp/client';
import { withinBudget } from './answer-budget.js';
import { note, partsOf } from './answer-pieces.js';
import { failureInWords } from './call-failures.js';
import type { ModelTool } from './model-tools.js';
import type { ModelTools, ToolCaller, ToolFormat, ToolsOptions } from './tool-formats.js';
import { argumentsFor } from './tool-schemas.js';
import { WRITERS } from './write-tools.js';

/** Calls these tools for a model; see {@link ModelTools.call}. */
export function callsOf<Format extends ToolFormat>(
  client: ToolCaller,
  tools: ReadonlyMap<string, ModelTool>,
  options: ToolsOptions<Format>,
): ModelTools<Format>['call'] {
  const writer = WRITERS[options.format];
  const taken = options.media === false ? { ...writer, kinds: [] } : writer;
  return async (name, args = {}, limits = {}) => {
    const answer = await answerOf(client, tools.get(name), name, args, options, limits);
    const isError = answer.isError === true;
    try {
      const pieces = await withinBudget(partsOf(answer, taken), options.budget ?? Infinity, taken);
      return writer.answer(pieces, isError);
    } catch {
      // The maximum length of a string in the browser is a limit, too.
      return writer.answer([note('The tool has run, but its answer cannot be given.')], isError);
    }
  };
}

/** The answer of a tool; if the call fails, an answer with the error. */
async function answerOf(
  client: ToolCaller,
  modelTool: ModelTool | undefined,
  name: string,
  args: unknown,
  options: ToolsOptions<ToolFormat>,
  limits: RequestOptions,
): Promise<CallToolResult> {
  const signals = [options.signal, limits.signal].filter((signal) => signal !== undefined);
  const signal = AbortSignal.any(signals);
  signal.throwIfAborted();
  if (!modelTool) return failed(`The tool ${JSON.stringify(name)} does not exist.`);
  const object = objectOf(args);
  if (!object) return failed('The arguments are not a JSON object.');
  const { tool, argumentNames } = modelTool;
  const timeoutMs = limits.timeoutMs ?? options.timeoutMs ?? DEFAULT_TOTAL_TIMEOUT_MS;
  try {
    const own = argumentsFor(tool, argumentNames, object);
    // Not every caller is an `McpClient`, which checks what it returns.
    return { ...(await client.callTool(tool.name, own, { signal, timeoutMs })) };
  } catch (error) {
    signal.throwIfAborted();
    return failed(failureInWords(error));
  }
}

const failed = (words: string): CallToolResult => ({
  content: [{ type: 'text', text: words }],
  isError: true,
});

/** The arguments as an object. Some APIs return them as JSON, which may be incomplete. */
function objectOf(args: unknown): { [name: string]: unknown } | undefined {
  let value = args;
  if (typeof args === 'string') {
    try {
      value = args.trim() === '' ? {} : JSON.parse(args);
    } catch {
      return undefined;
    }
  }
  if (value === null || value === undefined) return {};
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return isObject ? (value as { [name: string]: unknown }) : undefined;
}
