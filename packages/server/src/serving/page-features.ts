import {
  ToolError,
  type Added,
  type App,
  type McpServer,
  type SchemaSource,
  type ToolDefinition,
} from '@inpage-mcp/protocol';
import type { Connection } from '../access/connection-context.js';
import { defineTool } from '../tools/define-tool.js';
import { loadScript } from './load-script.js';

/** The key of the global object under which a script leaves its {@link FeatureScript}. */
const FEATURE_KEY = 'inpage-mcp: feature';

/**
 * The parts of the server that the script of a feature gets. Its tools get the rest with each call, limited
 * to the data that their connection may see: `call.context.store` and `call.context.router`.
 */
export interface FeatureParts {
  /**
   * Offers a tool to all connections, whose access decides who may use it.
   *
   * @returns A function that removes it.
   * @throws {TypeError} if the definition is not valid, or the name exists already.
   */
  addTool<
    const Input extends SchemaSource = { readonly type: 'object' },
    const Output extends SchemaSource = SchemaSource,
  >(
    definition: ToolDefinition<Input, Output, Connection>,
  ): () => void;
  /** Offers an app in the same way; see `addApp` of `McpServer`. */
  addApp(app: App): Added<App>;
  /** The class of the errors whose message is for the model: the script has no copy of it. */
  ToolError: typeof ToolError;
}

/**
 * Adds a feature. The script leaves this function under the key `inpage-mcp: feature` of the global object of
 * the worker. If it throws, the tools and apps that it has added are removed.
 */
export type FeatureScript = (parts: FeatureParts) => void | Promise<void>;

/** The tools and apps that scripts of the page add to the server. */
export class PageFeatures {
  readonly #server: McpServer<Connection>;
  readonly #added = new Map<string, Promise<void>>();

  constructor(server: McpServer<Connection>) {
    this.#server = server;
  }

  /**
   * Imports a script and adds its feature, once: further calls resolve as the first does.
   *
   * @throws {Error} whose message names the script and the cause.
   */
  add(script: string): Promise<void> {
    const known = this.#added.get(script);
    if (known) return known;
    const adding = this.#load(script);
    this.#added.set(script, adding);
    // Another attempt may succeed.
    adding.catch(() => this.#added.delete(script));
    return adding;
  }

  /** Adds a feature without a script. If it throws, the tools and apps that it has added are removed. */
  async install(feature: FeatureScript): Promise<void> {
    const added: (() => void)[] = [];
    const keep = <Entry extends () => void>(entry: Entry): Entry => {
      added.push(entry);
      return entry;
    };
    try {
      await feature({
        addTool: (definition) => keep(this.#server.addTool(defineTool(definition))),
        addApp: (app) => keep(this.#server.addApp(app)),
        ToolError,
      });
    } catch (error) {
      for (const remove of added) remove();
      throw error;
    }
  }

  async #load(script: string): Promise<void> {
    const because = (what: string) => (cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The feature ${script} ${what}: ${reason}`, { cause });
    };
    const feature = await loadScript(script, FEATURE_KEY).catch(because('could not be loaded'));
    if (typeof feature !== 'function')
      throw new Error(`The script ${script} leaves no function under "${FEATURE_KEY}".`);
    await this.install(feature as FeatureScript).catch(because('could not be added'));
  }
}
