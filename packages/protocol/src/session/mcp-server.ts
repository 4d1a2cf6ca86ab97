import { callSafely } from '../fairness/call-safely.js';
import { Deadlines } from '../calls/deadlines.js';
import { FairShare } from '../fairness/fair-share.js';
import { PAGE_LIMITS, limitsWith, type ConnectionLimits } from '../fairness/limits.js';
import { MessageTurns } from '../fairness/message-turns.js';
import type { ConnectionAccess } from '../features/access.js';
import {
  MAX_ROUNDS,
  ROUND_TIMEOUT_MS,
  type InputRequiredOptions,
  type RequestStateOptions,
} from '../features/input-required.js';
import type { Method } from '../features/methods.js';
import type { Prompt } from '../features/prompt.js';
import type { Resources } from '../features/resources.js';
import type { Tool } from '../features/tool.js';
import type { ListName } from '../subscriptions/subscriptions.js';
import type { Era } from '../wire/keys.js';
import type { Implementation, Params, ServerCapabilities } from '../wire/types.js';
import { Connection } from './connection.js';
import type { Observer } from './observer.js';

/** What a server is, for all its connections. */
export interface McpServerOptions<Context = unknown> {
  /** For the model: what the server is for. Default: nothing is said. */
  instructions?: string;
  tools?: readonly Tool<Context>[];
  prompts?: readonly Prompt<Context>[];
  /** Default: none, unless a connection is served with its own. */
  resources?: Resources<Context>;
  /** Which optional parts of `resources` are offered. Default: both. */
  resourceCapabilities?: { subscribe?: boolean; listChanged?: boolean };
  /** What the server can do beyond the protocol, in the modern era. Default: nothing. */
  extensions?: { [name: string]: object };
  /** Checks the states that clients bring back. Default: they are handed on as they come. */
  requestState?: RequestStateOptions<Context>;
  /** For clients of the legacy era, which are asked during a call. */
  inputRequired?: InputRequiredOptions;
  /** What a client may read of an error that a handler has thrown. Default: nothing. */
  describeError?(error: unknown): string | undefined;
  /** Whether a request may look through everything that is stored: few of those run at a time. */
  isHeavy?(method: string, params: Params | undefined): boolean;
  /** Called with each error of which no client learns. Default: a warning on the console. */
  onerror?(error: unknown): void;
}

/** How one port is served. */
export interface ServeOptions<Context = unknown> {
  /** What handlers get as `call.context`. */
  context?: Context;
  /** What there is for this connection. Default: the resources of the server. */
  resources?: Resources<Context>;
  /** Default: it may use everything. */
  access?: ConnectionAccess<Context>;
  /** What its holder may have, on all its connections. Default: one of its own, with `limits`. */
  share?: FairShare;
  /** What differs from `PAGE_LIMITS`, where no share is given. Default: nothing. */
  limits?: Partial<ConnectionLimits>;
  /** Watches its requests. Default: nobody. */
  observer?: Observer;
  /** Called once, when either side has ended the connection. */
  onclose?(): void;
}

/** A served port. */
export type ServedConnection<Context = unknown> = Pick<
  Connection<Context>,
  'close' | 'failOpen' | 'endSubscriptions' | 'announce'
>;

/**
 * An MCP server of both eras of the protocol, for any number of ports.
 *
 * @typeParam Context What each connection is served with, and its handlers get.
 */
export class McpServer<Context = unknown> {
  /** The turns of all holders of this thread. */
  readonly turns = new MessageTurns();
  readonly #info: Implementation;
  readonly #briefInfo: Implementation;
  readonly #options: McpServerOptions<Context>;
  readonly #tools = new Map<string, Tool<Context>>();
  readonly #prompts = new Map<string, Prompt<Context>>();
  readonly #methods = new Map<string, Method<Context>>();
  readonly #deadlines = new Deadlines();
  readonly #connections = new Set<Connection<Context>>();
  readonly #had = { tools: false, prompts: false };

  /** @param info Who the server is; its icons go out with `initialize` and `server/discover` only. */
  constructor(info: Implementation, options: McpServerOptions<Context> = {}) {
    const { icons: _icons, ...brief } = info;
    this.#info = info;
    this.#briefInfo = brief;
    this.#options = options;
    for (const tool of options.tools ?? []) this.addTool(tool);
    for (const prompt of options.prompts ?? []) this.addPrompt(prompt);
  }

  /**
   * Offers a tool to all connections, also those that are open.
   *
   * @returns What takes it back.
   * @throws {TypeError} where there is one of this name.
   */
  addTool(tool: Tool<Context>): () => void {
    return this.#add('tools', this.#tools, tool);
  }

  /** The same for a prompt. */
  addPrompt(prompt: Prompt<Context>): () => void {
    return this.#add('prompts', this.#prompts, prompt);
  }

  /**
   * Answers a method that is none of the protocol's, on connections that are served from now on.
   *
   * @returns What takes it back.
   * @throws {TypeError} where there is one of this name.
   */
  addMethod(name: string, method: Method<Context>): () => void {
    if (this.#methods.has(name)) throw new TypeError(`There is a method ${name} already.`);
    this.#methods.set(name, method);
    return () => void this.#methods.delete(name);
  }

  /** Serves a port, which nobody may have started, until either side ends the connection. */
  serve(port: MessagePort, options: ServeOptions<Context> = {}): ServedConnection<Context> {
    const { onclose, observer = {}, access = {}, resources = this.#options.resources } = options;
    const { inputRequired: { maxRounds = MAX_ROUNDS, roundTimeoutMs = ROUND_TIMEOUT_MS } = {} } =
      this.#options;
    const connection = new Connection<Context>(port, {
      info: this.#info,
      briefInfo: this.#briefInfo,
      instructions: this.#options.instructions,
      tools: this.#tools,
      prompts: this.#prompts,
      methods: this.#methods,
      had: this.#had,
      resources,
      access,
      errors: {
        describeError: (error) => this.#guarded(() => this.#options.describeError?.(error)),
        onerror: (error) => this.#onerror(error),
      },
      requestState: this.#options.requestState,
      maxRounds,
      roundTimeoutMs,
      capabilities: (era) => this.#capabilities(era, resources !== undefined),
      isHeavy: (method, params) =>
        this.#guarded(() => this.#options.isHeavy?.(method, params)) ?? false,
      context: options.context as Context,
      share: options.share ?? this.#newShare(options.limits),
      deadlines: this.#deadlines,
      observer,
      onclose: () => {
        this.#connections.delete(connection);
        onclose?.();
      },
    });
    this.#connections.add(connection);
    return connection;
  }

  /** Ends every connection. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #add<Entry extends { name: string }>(
    list: 'tools' | 'prompts',
    entries: Map<string, Entry>,
    entry: Entry,
  ): () => void {
    const { name } = entry;
    if (entries.has(name))
      throw new TypeError(`There is one of the name ${name} among the ${list}.`);
    entries.set(name, entry);
    this.#had[list] = true;
    this.#announce(list);
    return () => {
      if (entries.get(name) !== entry) return;
      entries.delete(name);
      this.#announce(list);
    };
  }

  #announce(list: ListName): void {
    for (const connection of this.#connections) connection.announce(list);
  }

  #newShare(limits: Partial<ConnectionLimits> | undefined): FairShare {
    return new FairShare({
      limits: limitsWith(PAGE_LIMITS, limits),
      isGuest: false,
      turns: this.turns,
    });
  }

  #capabilities(era: Era | undefined, hasResources: boolean): ServerCapabilities {
    const { tools, prompts } = this.#had;
    const { extensions, resourceCapabilities } = this.#options;
    return {
      ...((prompts || hasResources) && { completions: {} }),
      logging: {},
      ...(prompts && { prompts: { listChanged: true } }),
      ...(hasResources && {
        resources: { subscribe: true, listChanged: true, ...resourceCapabilities },
      }),
      ...(tools && { tools: { listChanged: true } }),
      // The legacy revisions know no extensions.
      ...(era !== 'legacy' && extensions && { extensions }),
    };
  }

  /** What an option throws is reported, and keeps no request from its answer. */
  #guarded<Value>(call: () => Value): Value | undefined {
    try {
      return call();
    } catch (error) {
      this.#onerror(error);
      return undefined;
    }
  }

  /** What the app's own listener throws is an error of its own, and ends nothing here. */
  #onerror(error: unknown): void {
    callSafely(() => {
      if (this.#options.onerror) this.#options.onerror(error);
      else console.warn('MCP server:', error);
    });
  }
}
