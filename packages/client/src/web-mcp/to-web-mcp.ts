import type { Tool } from '../api/tool-types.js';
import { callsOf, listAll } from '../tools/model-calls.js';
import type { ToolsOptions } from '../tools/tool-formats.js';
import { schemaFor } from '../tools/tool-schemas.js';
import { modelContextOfPage, type ModelContext, type WebMcpTool } from './model-context.js';
import { RegisteredTools, type RefusedTool } from './registered-tools.js';
import { withResourceTools } from './resource-tools.js';
import type { WebMcpClient } from './web-mcp-client.js';

/** What the agent of the browser gets, and for how long. */
export interface WebMcpOptions extends Omit<ToolsOptions<'text'>, 'format' | 'media'> {
  /** Removes all tools, and ends every call. Default: they stay until the client closes. */
  signal?: AbortSignal | undefined;
  /**
   * The origins of other documents of this page that may call the tools (WebMCP, `exposedTo`). Default:
   * none but this one.
   */
  exposedTo?: string[] | undefined;
  /**
   * Where the tools are registered. Default: `document.modelContext`, or `navigator.modelContext` of older
   * drafts.
   */
  modelContext?: ModelContext | undefined;
}

/** The tools of a client that the browser has. */
export interface WebMcpTools {
  /** Whether the browser has WebMCP. If not, nothing was registered. */
  readonly isSupported: boolean;
  /** The names of the tools that are registered now. */
  readonly names: readonly string[];
  /** Those that the browser has refused, for example because the page has another tool of that name. */
  readonly refused: readonly RefusedTool[];
}

/**
 * Registers the tools and resources of a server as tools of WebMCP, for the agent of the browser: all
 * tools of the server, and `list_resources` and `read_resource` if it has resources and no tools of these
 * names. Answers are texts, as those of `toTools` with the format `text`.
 *
 * The tools follow the list of the server. They are removed when the client closes (so also when the
 * runtime that has made it closes), and when `signal` aborts.
 *
 * An agent of the browser acts with the access of the client: connect one of its own for it.
 *
 * @param client Usually an `McpClient`.
 * @returns When the tools are registered. If the browser has no WebMCP, at once.
 * @throws {RangeError} if `budget` is negative or NaN.
 * @throws whatever `listTools` rejects with, and the reason of `signal`.
 */
export async function toWebMcp(
  client: WebMcpClient,
  options: WebMcpOptions = {},
): Promise<WebMcpTools> {
  const { signal, exposedTo, budget = Infinity } = options;
  if (!(budget >= 0)) throw new RangeError('The budget of an answer is a number from 0.');
  const context = options.modelContext ?? modelContextOfPage();
  if (!context) return { isSupported: false, names: [], refused: [] };
  signal?.throwIfAborted();

  const ending = new AbortController();
  const ended = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  void client.closed.then(() => ending.abort());
  const registered = new RegisteredTools(context, ended, exposedTo);
  const caller = withResourceTools(client);
  const follow = async (): Promise<void> => {
    const tools = await listAll(caller, ended);
    const call = callsOf(caller, tools, { ...options, format: 'text', signal: ended });
    await registered.replaceWith([...tools].map(([name, tool]) => webMcpTool(name, tool, call)));
  };

  let following = Promise.resolve();
  const watch = client.watchTools(
    () => {
      // A list that cannot be had leaves the tools as they are; after a reconnection there is another.
      following = following.then(follow).catch(() => undefined);
    },
    { signal: ended },
  );
  // No change is missed between the list and the watch. Many servers do not report changes of their tools.
  await watch.ready.catch(() => undefined);
  try {
    await (following = following.then(follow));
  } catch (error) {
    ending.abort();
    throw error;
  }
  signal?.throwIfAborted();
  return {
    isSupported: true,
    get names() {
      return registered.names;
    },
    get refused() {
      return registered.refused;
    },
  };
}

function webMcpTool(
  name: string,
  tool: Tool,
  call: (name: string, args: unknown, options: { signal?: AbortSignal }) => Promise<string>,
): WebMcpTool {
  const title = tool.title ?? tool.annotations?.title;
  return {
    name,
    ...(title && { title }),
    description: tool.description || title || name,
    inputSchema: schemaFor(tool),
    annotations: {
      readOnlyHint: tool.annotations?.readOnlyHint === true,
      // Texts of the user, or of others: not of the page that registers the tool.
      untrustedContentHint: true,
    },
    execute: (input, { signal } = {}) => call(name, input, signal ? { signal } : {}),
  };
}
