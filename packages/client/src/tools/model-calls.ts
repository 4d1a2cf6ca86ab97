import { DEFAULT_TOTAL_TIMEOUT_MS, type RequestOptions } from '../api/request-options.js';
import type { CallToolResult, Tool } from '../api/tool-types.js';
import { eachPage } from '../results/each-page.js';
import { withinBudget } from './answer-budget.js';
import { piecesOf } from './answer-pieces.js';
import { failureInWords } from './call-failures.js';
import type { ModelTools, ToolCaller, ToolFormat, ToolsOptions } from './tool-formats.js';
import { byModelName } from './tool-names.js';
import { withKey } from './tool-schemas.js';
import { WRITERS } from './write-tools.js';

/** The tools of all pages, by the names that the model gets. */
export async function listAll(
  client: ToolCaller,
  signal: AbortSignal | undefined,
): Promise<Map<string, Tool>> {
  const all: Tool[] = [];
  for await (const { tools } of eachPage((cursor) => client.listTools({ cursor, signal })))
    all.push(...tools);
  return byModelName(all);
}

/** Calls these tools for a model; see {@link ModelTools.call}. */
export function callsOf<Format extends ToolFormat>(
  client: ToolCaller,
  tools: ReadonlyMap<string, Tool>,
  options: ToolsOptions<Format>,
): ModelTools<Format>['call'] {
  const writer = WRITERS[options.format];
  const taken = options.media === false ? [] : writer.takes;
  return async (name, args = {}, limits = {}) => {
    const answer = await answerOf(client, tools.get(name), name, args, options, limits);
    const pieces = withinBudget(await piecesOf(answer, taken), options.budget ?? Infinity);
    return writer.answer(pieces, answer.isError === true);
  };
}

/** The answer of a tool; if the call fails, an answer with the error. */
async function answerOf(
  client: ToolCaller,
  tool: Tool | undefined,
  name: string,
  args: unknown,
  options: ToolsOptions<ToolFormat>,
  limits: RequestOptions,
): Promise<CallToolResult> {
  const signals = [options.signal, limits.signal].filter((signal) => signal !== undefined);
  const signal = AbortSignal.any(signals);
  signal.throwIfAborted();
  if (!tool) return failed(`The tool ${JSON.stringify(name)} does not exist.`);
  const object = objectOf(args);
  if (!object) return failed('The arguments are not a JSON object.');
  const timeoutMs = limits.timeoutMs ?? options.timeoutMs ?? DEFAULT_TOTAL_TIMEOUT_MS;
  try {
    return await client.callTool(tool.name, withKey(tool, object), { signal, timeoutMs });
  } catch (error) {
    signal.throwIfAborted();
    return failed(failureInWords(error));
  }
}

const failed = (words: string): CallToolResult => ({
  content: [{ type: 'text', text: words }],
  isError: true,
});

/** Some APIs return the arguments as JSON, which may be incomplete. */
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
