import { inOneLine } from '../context/source.js';
import type { ModelContext, WebMcpTool } from './model-context.js';

/** A tool that the browser has refused. */
export interface RefusedTool {
  /** The name of the tool. */
  name: string;
  /** The message of the browser, in one line. */
  message: string;
}

/** The tools that a page has registered, and their registrations. */
export class RegisteredTools {
  readonly #context: ModelContext;
  readonly #exposedTo: string[] | undefined;
  /** Aborts when all tools have to be removed. */
  readonly #ended: AbortSignal;
  readonly #registrations = new Map<string, { facts: string; stopping: AbortController }>();
  /** The tools of the present list by their names. */
  #latest = new Map<string, WebMcpTool>();
  #refused: RefusedTool[] = [];

  constructor(context: ModelContext, ended: AbortSignal, exposedTo: string[] | undefined) {
    this.#context = context;
    this.#ended = ended;
    this.#exposedTo = exposedTo;
    ended.addEventListener('abort', () => this.#removeAll(), { once: true });
  }

  get names(): string[] {
    return [...this.#registrations.keys()];
  }

  get refused(): readonly RefusedTool[] {
    return this.#refused;
  }

  /** Removes old and changed tools, and registers new and changed ones. Call it for one list at a time. */
  async replaceWith(tools: readonly WebMcpTool[]): Promise<void> {
    this.#latest = new Map(tools.map((tool) => [tool.name, tool]));
    const wanted = new Map(tools.map((tool) => [tool.name, factsOf(tool)]));
    for (const [name, { facts, stopping }] of this.#registrations) {
      if (wanted.get(name) === facts) continue;
      stopping.abort();
      this.#registrations.delete(name);
    }
    this.#refused = [];
    const fresh = tools.filter(({ name }) => !this.#registrations.has(name));
    await Promise.all(fresh.map((tool) => this.#register(tool)));
  }

  async #register(tool: WebMcpTool): Promise<void> {
    if (this.#ended.aborted) return;
    const stopping = new AbortController();
    this.#registrations.set(tool.name, { facts: factsOf(tool), stopping });
    const options = {
      signal: stopping.signal,
      ...(this.#exposedTo && { exposedTo: this.#exposedTo }),
    };
    try {
      // A tool that looks the same stays registered, but may call another tool of the server now.
      const execute: WebMcpTool['execute'] = (...args) =>
        (this.#latest.get(tool.name) ?? tool).execute(...args);
      await this.#context.registerTool({ ...tool, execute }, options);
    } catch (error) {
      if (stopping.signal.aborted) return;
      this.#registrations.delete(tool.name);
      const message = inOneLine(error instanceof Error ? error.message : String(error));
      this.#refused.push({ name: tool.name, message });
    }
  }

  #removeAll(): void {
    for (const { stopping } of this.#registrations.values()) stopping.abort();
    this.#registrations.clear();
  }
}

/** All of a tool except its function, to detect changes. */
const factsOf = (tool: WebMcpTool): string => JSON.stringify(tool);
