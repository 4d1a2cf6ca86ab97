import { callsOf } from './model-calls.js';
import { listAll } from './model-tools.js';
import type { ModelTools, ToolCaller, ToolFormat, ToolsOptions } from './tool-formats.js';
import { WRITERS } from './write-tools.js';

/**
 * Lists the tools of a server, and returns them in the form of the API of a model, with a function that calls
 * them. It sends nothing to a model. Call it again when the list has changed (`watchTools`).
 *
 * The model gets every answer: images and PDFs if the API accepts them, otherwise a text that describes them.
 * So no call fails only because of its answer, after the tool has changed data.
 *
 * If a tool has an argument `idempotencyKey`, the model does not see it; each call gets another key, so that
 * the client may repeat the call after a connection loss.
 *
 * @param client Usually an `McpClient`.
 * @throws {RangeError} if `budget` is negative or NaN.
 * @throws {TypeError} if the format is unknown.
 * @throws The error with which `listTools` rejects, and the reason of `signal`.
 */
export async function toTools<Format extends ToolFormat>(
  client: ToolCaller,
  options: ToolsOptions<Format>,
): Promise<ModelTools<Format>> {
  const { format, budget = Infinity, signal } = options;
  if (!(budget >= 0)) throw new RangeError('The budget of an answer is a number from 0.');
  if (!Object.hasOwn(WRITERS, format)) throw new TypeError(`No format is called “${format}”.`);

  const tools = await listAll(client, signal);
  const call = callsOf(client, tools, options);
  const named = [...tools].map(([name, tool]) => ({ name, ...tool }));
  const execute = (name: string, args: unknown, abort: AbortSignal | undefined) =>
    call(name, args, { signal: abort });
  return { tools: WRITERS[format].tools(named, execute), call };
}
