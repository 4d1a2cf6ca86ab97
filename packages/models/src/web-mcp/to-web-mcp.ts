import { callsOf } from '../tools/model-calls.js';
import { listAll, type ModelTool } from '../tools/model-tools.js';
import type { ToolsOptions } from '../tools/tool-formats.js';
import { modelContextOfPage, type ModelContext, type WebMcpTool } from './model-context.js';
import { RegisteredTools, type RefusedTool } from './registered-tools.js';
import { withResourceTools } from './resource-tools.js';
import type { WebMcpClient } from './web-mcp-client.js';

/** Options of {@link toWebMcp}. */
export interface WebMcpOptions extends Omit<ToolsOptions<'text'>, 'format' | 'media'> {
  /** Removes all tools, and ends every call. Default: they stay until the client closes. */
  signal?: AbortSignal | undefined;
  /**
   * The origins of other documents of this page that may call the tools (WebMCP, `exposedTo`). Default: only
   * the origin of this document.
   */
  exposedTo?: string[] | undefined;
  /**
   * The model context in which the tools are registered. Default: `document.modelContext`, or
   * `navigator.modelContext` of older drafts.
   */
  modelContext?: ModelContext | undefined;
}

/** The tools of a client that are registered with the browser. */
export interface WebMcpTools {
  /** Whether the browser has WebMCP. If not, nothing was registered. */
  readonly isSupported: boolean;
  /** The names of the tools that are registered now. */
  readonly names: readonly string[];
  /** The tools that the browser has refused, for example because the page has another tool of that name. */
  readonly refused: readonly RefusedTool[];
}

/**
 * Registers the tools and resources of a server as tools of WebMCP, for the agent of the browser: all
 * tools of the server, and `list_resources` and `read_resource` if it has resources and no tools of these
 * names. Answers are texts, as those of `toTools` with the format `text`.
 *
 * The tools change with the list of the server. They are removed when the client closes (so also when the
 * runtime that has created it closes), and when `signal` aborts.
 *
 * An agent of the browser acts with the access of the client: connect a separate client for it.
 *
 * @param client Usually an `McpClient`.
 * @returns Resolves when the tools are registered; at once if the browser has no WebMCP.
 * @throws {RangeError} if `budget` is negative or NaN.
 * @throws The error with which `listTools` rejects, and the reason of `signal`.
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
      // If the list cannot be read, the tools stay as they are; after a reconnection, it is read again.
      following = following.then(follow).catch(() => undefined);
    },
    { signal: ended },
  );
  // The watch starts before the list is read, so that no change is missed. Many servers report no changes.
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
  { tool, title, description, schema }: ModelTool,
  call: (name: string, args: unknown, options: { signal?: AbortSignal }) => Promise<string>,
): WebMcpTool {
  return {
    name,
    ...(title && { title }),
    description: description || title || name,
    inputSchema: schema,
    annotations: {
      readOnlyHint: tool.annotations?.readOnlyHint === true,
      // The answers contain texts of the user or of others, not of the page that registers the tool.
      untrustedContentHint: true,
    },
    execute: (input, { signal } = {}) => call(name, input, signal ? { signal } : {}),
  };
}
