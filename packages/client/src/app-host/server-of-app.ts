import { McpError } from '../api/client-error.js';
import type { CallToolResult, Tool } from '../api/tool-types.js';
import { isVisibleTo } from '../apps/app-metadata.js';
import { eachPage } from '../results/each-page.js';
import { ERROR, isRecord, pageOf } from './app-messages.js';
import type { AppCall, AppServer, Json } from './host-types.js';

/** The maximum number of resources that an app may watch at once. */
const MAX_WATCHES = 256;

/**
 * The time that a call of the server's tools may take without a sign of life, in milliseconds: the server may
 * ask the user.
 */
const CALL_MS = 600_000;

/** One request of the app. */
export interface AppRequest {
  signal: AbortSignal;
  report(progress: object): void;
}

/** The methods that an app may call, by their names. */
export interface Methods {
  readonly [method: string]: (params: Json, request: AppRequest) => unknown;
}

/** The parts of a {@link ServerOfApp}. */
interface ServerOfAppOptions {
  client: AppServer;
  /** Aborts with the session. */
  signal: AbortSignal;
  /** Whether the app may make a call; `undefined` if the page does not decide that. */
  mayCall(call: AppCall): Promise<boolean | undefined>;
  /** Called when a resource that the app watches was updated. */
  onupdate(uri: string): void;
}

/**
 * The part of its server that an app can reach: the tools that are visible to apps, and all resources and
 * prompts.
 */
export class ServerOfApp {
  readonly #options: ServerOfAppOptions;
  readonly #watches = new Map<string, { stop(): void }>();
  #tools: Promise<Map<string, Tool>> | undefined;

  constructor(options: ServerOfAppOptions) {
    this.#options = options;
  }

  readonly methods: Methods = {
    'tools/list': async () => ({ tools: [...(await this.#toolsForApps()).values()] }),
    'tools/call': ({ name, arguments: args }, request) =>
      this.#call(String(name), isRecord(args) ? args : {}, request),
    'resources/list': (params, request) =>
      this.#options.client.listResources(pageOf(params, request)),
    'resources/templates/list': (params, request) =>
      this.#options.client.listResourceTemplates(pageOf(params, request)),
    'resources/read': ({ uri }, { signal }) =>
      this.#options.client.readResource(String(uri), { signal }),
    'resources/subscribe': ({ uri }) => this.#watch(String(uri)),
    'resources/unsubscribe': ({ uri }) => {
      this.#watches.get(String(uri))?.stop();
      this.#watches.delete(String(uri));
    },
    'prompts/list': (params, request) => this.#options.client.listPrompts(pageOf(params, request)),
    'prompts/get': ({ name, arguments: args }, { signal }) =>
      this.#options.client.getPrompt(String(name), Object(args) as { [name: string]: string }, {
        signal,
      }),
    'completion/complete': async ({ ref, argument, context }, { signal }) => ({
      completion: await this.#options.client.complete(ref as never, argument as never, {
        signal,
        context: isRecord(context) ? (context['arguments'] as never) : undefined,
      }),
    }),
  };

  /** Forgets the list of tools, because it has changed. */
  forgetTools(): void {
    this.#tools = undefined;
  }

  /** Ends every watch. */
  stop(): void {
    for (const watch of this.#watches.values()) watch.stop();
  }

  async #call(name: string, args: Json, { signal, report }: AppRequest): Promise<CallToolResult> {
    const tool = (await this.#toolsForApps()).get(name);
    if (!tool)
      throw new McpError(ERROR.params, `Apps may not call the tool ${name.slice(0, 100)}.`);
    const may = await this.#options.mayCall({ tool, arguments: args, signal });
    if (!(may ?? tool.annotations?.readOnlyHint === true))
      return {
        content: [{ type: 'text', text: 'The user does not permit this call.' }],
        isError: true,
      };
    signal.throwIfAborted();
    return this.#options.client.callTool(tool.name, args, {
      signal,
      onprogress: report,
      timeoutMs: CALL_MS,
    });
  }

  async #watch(uri: string): Promise<void> {
    if (this.#watches.has(uri)) return;
    if (this.#watches.size >= MAX_WATCHES)
      throw new McpError(ERROR.refused, `More than ${MAX_WATCHES} resources are watched.`);
    const watch = this.#options.client.watch(uri, this.#options.onupdate);
    this.#watches.set(uri, watch);
    try {
      await watch.ready;
    } catch (error) {
      if (this.#watches.get(uri) === watch) this.#watches.delete(uri);
      throw error;
    }
  }

  /** The tools of the server that are visible to apps, by their names. */
  #toolsForApps(): Promise<Map<string, Tool>> {
    const tools = (this.#tools ??= this.#readTools());
    tools.catch(() => {
      if (this.#tools === tools) this.#tools = undefined;
    });
    return tools;
  }

  async #readTools(): Promise<Map<string, Tool>> {
    const all = new Map<string, Tool>();
    for await (const { tools } of eachPage((cursor) =>
      this.#options.client.listTools({ cursor, signal: this.#options.signal }),
    ))
      for (const tool of tools) if (isVisibleTo(tool, 'app')) all.set(tool.name, tool);
    return all;
  }
}
