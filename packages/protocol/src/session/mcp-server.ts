import { callSafely } from '@inpage-mcp/transport';
import { Deadlines } from '../calls/deadlines.js';
import { FairShare } from '../fairness/fair-share.js';
import { PAGE_LIMITS, limitsWith, type ChangedLimits } from '../fairness/limits.js';
import { MessageTurns } from '../fairness/message-turns.js';
import type { ConnectionAccess } from '../features/access.js';
import { appEntry, APPS_CAPABILITY, type App, type AppEntry } from '../features/apps.js';
import {
  MAX_ROUNDS,
  ROUND_TIMEOUT_MS,
  type InputRequiredOptions,
  type RequestStateOptions,
} from '../features/input-required.js';
import type { Method } from '../features/methods.js';
import type { Prompt } from '../features/prompt.js';
import type { Resources } from '../features/resources.js';
import { IMPLEMENTATION, LISTED_ENTRY } from '../features/result-shapes.js';
import type { Tool } from '../features/tool.js';
import type { ListName } from '../subscriptions/subscriptions.js';
import type { Era } from '../wire/keys.js';
import { isObject } from '../wire/is-object.js';
import { boolean, object, optional, string } from '../wire/shapes.js';
import { omitUndefined } from '../wire/omit-undefined.js';
import type { Implementation, LogLevel, Params, ServerCapabilities } from '../wire/types.js';
import { Connection } from './connection.js';
import type { Observer } from './observer.js';

/** Options of a server, for all its connections. */
export interface McpServerOptions<Context = unknown> {
  /** The purpose of the server, for the model. Default: none. */
  instructions?: string | undefined;
  /** The tools that exist from the start. Default: none; `addTool` adds others. */
  tools?: readonly Tool<Context>[] | undefined;
  /** The prompts that exist from the start. Default: none; `addPrompt` adds others. */
  prompts?: readonly Prompt<Context>[] | undefined;
  /** The resources of the server. Default: none, except for connections that are served with their own. */
  resources?: Resources<Context> | undefined;
  /** The optional capabilities of `resources` that are offered. Default: both. */
  resourceCapabilities?:
    { subscribe?: boolean | undefined; listChanged?: boolean | undefined } | undefined;
  /** Extensions of the protocol that the server has, in the modern era. Default: none. */
  extensions?: { [name: string]: object } | undefined;
  /** Verifies the states that clients send back. Default: states are passed on unchecked. */
  requestState?: RequestStateOptions<Context> | undefined;
  /** Limits for questions to clients of the legacy era, which are asked during a call. */
  inputRequired?: InputRequiredOptions | undefined;
  /** The text that a client may read about an error of a handler. Default: none. */
  describeError?: ((error: unknown) => string | undefined) | undefined;
  /** Called with each error that is not sent to a client. Default: a warning on the console. */
  onerror?: ((error: unknown) => void) | undefined;
}

/** The options for serving one port. */
export interface ServeOptions<Context = unknown> {
  /** The value of `call.context` in handlers. */
  context?: Context | undefined;
  /** The resources of this connection. Default: the resources of the server. */
  resources?: Resources<Context> | undefined;
  /** The access of the connection. Default: full access. */
  access?: ConnectionAccess<Context> | undefined;
  /** The share of its holder, on all its connections. Default: a new share, with `limits`. */
  share?: FairShare | undefined;
  /** Changes to `PAGE_LIMITS`, if `share` is not set. Default: none. */
  limits?: ChangedLimits | undefined;
  /** The observer of its requests. Default: none. */
  observer?: Observer | undefined;
  /**
   * Called with each notification of the client, such as `notifications/initialized`, except
   * cancellations. If it throws, the error is reported. Default: notifications are ignored.
   */
  onnotification?: ((method: string, params: Params) => void) | undefined;
  /** Called once, after either side has ended the connection. */
  onclose?: (() => void) | undefined;
}

/** A tool, prompt or app that was added to a server. Calling it removes it. */
export interface Added<Entry> {
  (): void;
  /**
   * Replaces the entry, also under another name or uri, and notifies clients.
   *
   * @throws {TypeError} if it was removed, or if the other name or uri exists already.
   */
  update(entry: Entry): void;
}

/** The common members of tools, prompts and apps. */
interface Addable {
  readonly name: string;
  readonly listed: object;
  readonly run: unknown;
}

/** A served port. */
export type ServedConnection<Context = unknown> = Pick<
  Connection<Context>,
  'close' | 'failOpen' | 'endSubscriptions' | 'announce' | 'log'
>;

/**
 * An MCP server of both eras of the protocol, for any number of ports.
 *
 * @typeParam Context The context that each connection is served with, and that its handlers get.
 */
export class McpServer<Context = unknown> {
  /** The turns of all holders of this thread. */
  readonly turns = new MessageTurns();
  readonly #info: Implementation;
  readonly #briefInfo: Implementation;
  readonly #options: McpServerOptions<Context>;
  readonly #tools = new Map<string, Tool<Context>>();
  readonly #prompts = new Map<string, Prompt<Context>>();
  readonly #apps = new Map<string, AppEntry>();
  readonly #methods = new Map<string, Method<Context>>();
  readonly #deadlines = new Deadlines();
  readonly #connections = new Set<Connection<Context>>();
  readonly #had = { tools: false, prompts: false, apps: false };

  /**
   * @param info The name and version of the server; its icons are sent with `initialize` and
   *   `server/discover` only.
   * @throws {TypeError} if a member of either is of the wrong type.
   */
  constructor(info: Implementation, options: McpServerOptions<Context> = {}) {
    checkSelf(info, options);
    const { icons: _icons, ...brief } = info;
    this.#info = info;
    this.#briefInfo = brief;
    this.#options = options;
    for (const tool of options.tools ?? []) this.addTool(tool);
    for (const prompt of options.prompts ?? []) this.addPrompt(prompt);
  }

  /**
   * Offers a tool to all connections, including open ones.
   *
   * @returns A function that removes it, with a method that updates it.
   * @throws {TypeError} if the name exists already, if `defineTool` has not made the tool, or if a
   *   member of its definition is of the wrong type.
   */
  addTool(tool: Tool<Context>): Added<Tool<Context>> {
    return this.#add('tools', this.#tools, tool);
  }

  /** Offers a prompt to all connections, like {@link addTool}. */
  addPrompt(prompt: Prompt<Context>): Added<Prompt<Context>> {
    return this.#add('prompts', this.#prompts, prompt);
  }

  /**
   * Offers an app to all connections whose client declares the extension `io.modelcontextprotocol/ui`, in
   * either era, and whose access permits its uri; for all others it does not exist. `resources/read`
   * returns it, with the tools that it may call in an element `inpage-mcp-tools`; it is in no list of
   * resources. Its changes are announced as changes of the tools.
   *
   * @returns A function that removes it, with a method that updates it.
   * @throws {TypeError} if the uri does not begin with `ui://` or exists already, or if a member is of the
   *   wrong type.
   */
  addApp(app: App): Added<App> {
    const added = this.#add('apps', this.#apps, appEntry(app));
    return Object.assign(() => added(), { update: (next: App) => added.update(appEntry(next)) });
  }

  /**
   * Adds a method that is not part of the protocol, for connections that are served later.
   *
   * @returns A function that removes it.
   * @throws {TypeError} if the name exists already, or is one of the protocol.
   */
  addMethod(name: string, method: Method<Context>): () => void {
    if (METHODS_OF_MCP.test(name))
      throw new TypeError(
        `The method ${name} is one of the protocol, which an own one cannot replace.`,
      );
    if (this.#methods.has(name)) throw new TypeError(`The method ${name} exists already.`);
    if (typeof (method as Partial<Method<Context>> | undefined)?.run !== 'function')
      throw new TypeError(`The method ${name} needs a function \`run\`.`);
    this.#methods.set(name, method);
    return () => void this.#methods.delete(name);
  }

  /** Serves a port until either side ends the connection. The port must not have been started. */
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
      apps: this.#apps,
      methods: this.#methods,
      had: this.#had,
      resources,
      access,
      errors: {
        describeError: (error) => this.#describeError(error),
        onerror: (error) => this.#onerror(error),
      },
      requestState: this.#options.requestState,
      maxRounds,
      roundTimeoutMs,
      capabilities: (era) => this.#capabilities(era, resources !== undefined),
      context: options.context as Context,
      share: options.share ?? this.#newShare(options.limits),
      deadlines: this.#deadlines,
      observer,
      onnotification: options.onnotification,
      onclose: () => {
        this.#connections.delete(connection);
        onclose?.();
      },
    });
    this.#connections.add(connection);
    return connection;
  }

  /**
   * Sends a log message to each client of the legacy era, unless its level is higher. In the modern
   * era, log messages belong to requests: see `log` of a call.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    for (const connection of this.#connections) connection.log(level, data, logger);
  }

  /** Closes every connection. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #add<Entry extends Addable>(
    list: 'tools' | 'prompts' | 'apps',
    entries: Map<string, Entry>,
    entry: Entry,
  ): Added<Entry> {
    let current: Entry | undefined;
    const set = (next?: Entry): void => {
      const old = current?.name;
      if (next) checkEntry(list, next, (name) => name !== old && entries.has(name));
      if (old !== undefined && old !== next?.name) entries.delete(old);
      if (next) entries.set(next.name, next);
      current = next;
      this.#had[list] = true;
      // Hosts read the app of a tool after they have listed the tools.
      this.#announce(list === 'apps' ? 'tools' : list);
    };
    const setDefined = (next: Entry): void => {
      // Without an entry, the update would remove it.
      if (!isObject(next))
        throw new TypeError(
          `In ${list}: expected the result of a define function, received ${typeof next}.`,
        );
      set(next);
    };
    setDefined(entry);
    const update = (next: Entry): void => {
      if (!current) throw new TypeError(`${next?.name} was removed from ${list}.`);
      setDefined(next);
    };
    return Object.assign(() => current && set(), { update });
  }

  #announce(list: ListName): void {
    for (const connection of this.#connections) connection.announce(list);
  }

  #newShare(limits: ChangedLimits | undefined): FairShare {
    return new FairShare({
      limits: limitsWith(PAGE_LIMITS, limits),
      isGuest: false,
      turns: this.turns,
    });
  }

  #capabilities(era: Era | undefined, hasResources: boolean): ServerCapabilities {
    const { tools, prompts, apps } = this.#had;
    const { extensions, resourceCapabilities } = this.#options;
    // The legacy revisions have no extensions except apps, which were made for them.
    const declared = era === 'legacy' ? undefined : extensions;
    return {
      ...((prompts || hasResources) && { completions: {} }),
      logging: {},
      ...(prompts && { prompts: { listChanged: true } }),
      ...((hasResources || apps) && {
        resources: hasResources
          ? { subscribe: true, listChanged: true, ...omitUndefined(resourceCapabilities ?? {}) }
          : {},
      }),
      ...(tools && { tools: { listChanged: true } }),
      ...((apps || declared) && { extensions: { ...declared, ...(apps && APPS_CAPABILITY) } }),
    };
  }

  /**
   * Describes an error with the app's function. If that function throws, its error is reported, and the
   * request is still answered.
   */
  #describeError(error: unknown): string | undefined {
    try {
      return this.#options.describeError?.(error);
    } catch (failure) {
      this.#onerror(failure);
      return undefined;
    }
  }

  /**
   * Calls the app's listener. If it throws, its error is reported as an uncaught error, and nothing here
   * fails.
   */
  #onerror(error: unknown): void {
    callSafely(() => {
      if (this.#options.onerror) this.#options.onerror(error);
      else console.warn('MCP server:', error);
    });
  }
}

/** The methods of the specification, and those that its next version may add. */
const METHODS_OF_MCP =
  /^(?:initialize|ping|(?:server|tools|prompts|resources|completion|logging|subscriptions)\/)/;

const OPTIONS = object({
  instructions: optional(string),
  resourceCapabilities: optional(
    object({ subscribe: optional(boolean), listChanged: optional(boolean) }),
  ),
});

/**
 * Checks the description of the server.
 *
 * @throws {TypeError} for a value for which official clients would refuse each connection.
 */
function checkSelf(info: Implementation, options: McpServerOptions<never>): void {
  const problem = IMPLEMENTATION(info, 'server') ?? OPTIONS(options, 'options');
  if (problem !== undefined) throw new TypeError(problem);
}

function checkEntry(
  list: ListName | 'apps',
  { name, listed, run }: Addable,
  isTaken: (name: string) => boolean,
): void {
  if (typeof name !== 'string' || !listed || typeof run !== 'function') {
    const problem =
      'use what defineTool or definePrompt returns; html of an app is a text or a function';
    throw new TypeError(`${name} in ${list}: ${problem}.`);
  }
  const wrong = LISTED_ENTRY(listed, name);
  if (wrong !== undefined) throw new TypeError(`In ${list}: ${wrong}.`);
  if (isTaken(name)) throw new TypeError(`The name ${name} exists already in ${list}.`);
}
