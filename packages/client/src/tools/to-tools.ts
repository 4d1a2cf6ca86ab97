import { DEFAULT_TOTAL_TIMEOUT_MS, type RequestOptions } from '../api/request-options.js';
import type { CallToolResult, Tool } from '../api/tool-types.js';
import { eachPage } from '../results/each-page.js';
import { withinBudget } from './answer-budget.js';
import { piecesOf } from './answer-pieces.js';
import { failureInWords } from './call-failures.js';
import type {
  ModelTools,
  ToolCaller,
  ToolFormat,
  ToolFormats,
  ToolsOptions,
} from './tool-formats.js';
import { byModelName } from './tool-names.js';
import { schemaFor, withKey } from './tool-schemas.js';
import { WRITERS } from './write-tools.js';

/**
 * Lists the tools of a server, and returns them in the form of the API of a model, with a function that
 * calls them. It sends nothing to a model. Call it again when the list has changed (`watchTools`).
 *
 * The model gets something of every answer: an image or a PDF as such where the API has a place for
 * it, and otherwise words that say what there was. So no call fails after it has written something.
 *
 * If a tool has an argument `idempotencyKey`, the model does not see it; each call gets a key of its own,
 * and the client may repeat the call after a connection loss.
 *
 * @param client Usually an `McpClient`.
 * @throws {RangeError} if `budget` is negative or NaN.
 * @throws {TypeError} if the format is unknown.
 * @throws whatever `listTools` rejects with, and the reason of `signal`.
 */
export async function toTools<Format extends ToolFormat>(
  client: ToolCaller,
  options: ToolsOptions<Format>,
): Promise<ModelTools<Format>> {
  const { format, budget = Infinity, signal } = options;
  if (!(budget >= 0)) throw new RangeError('The budget of an answer is a number from 0.');
  if (!Object.hasOwn(WRITERS, format)) throw new TypeError(`No format is called “${format}”.`);

  const writer = WRITERS[format];
  const tools = byModelName(await listAll(client, signal));
  const call = async (
    name: string,
    args: unknown = {},
    limits: RequestOptions = {},
  ): Promise<ToolFormats[Format]['answer']> => {
    const answer = await answerOf(client, tools.get(name), name, args, options, limits);
    const isTold = options.media === false ? [] : writer.takes;
    const pieces = withinBudget(await piecesOf(answer, isTold), budget);
    return writer.answer(pieces, answer.isError === true);
  };
  const named = [...tools].map(([name, tool]) => ({
    name,
    description: tool.description,
    schema: schemaFor(tool),
  }));
  const execute = (name: string, args: unknown, abort: AbortSignal | undefined) =>
    call(name, args, { signal: abort });
  return { tools: writer.tools(named, execute), call };
}

async function listAll(client: ToolCaller, signal: AbortSignal | undefined): Promise<Tool[]> {
  const all: Tool[] = [];
  for await (const { tools } of eachPage((cursor) => client.listTools({ cursor, signal })))
    all.push(...tools);
  return all;
}

/** The answer of a tool; a failure of the call is one, too. */
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
  if (!tool) return failed(`There is no tool ${JSON.stringify(name)}.`);
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

/** Some APIs give the arguments as JSON, which the model may have broken off. */
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
