import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { declares } from '../../reading/declared.js';
import { Throttle } from '../../reading/throttle.js';
import { usableTools, type UsableTool } from './usable-tool.js';

/** A list that goes on after so many pages or tools is cut. */
const MAX_PAGES = 50;
const MAX_TOOLS = 1_000;

/** The tools of the server, read again when the server says that they have changed. */
export class ToolList implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #clientOf: () => McpClient | undefined;
  #client: McpClient | undefined;
  #isDeclared = false;
  /** The client that the tools are from. */
  #source: McpClient | undefined;
  #work = new AbortController();
  #reload = new Throttle(async () => {});

  /** The tools that were read last; `undefined` before the first page. */
  tools: readonly UsableTool[] | undefined;
  /** Those of them that can be called. */
  callable: readonly UsableTool[] = [];
  /** Whether pages are still being read, for the first time or again. */
  isReading = false;
  /** Why the last read failed. */
  error: unknown;
  /** How many entries cannot be shown. */
  unusable = 0;
  /** Whether the server has more tools than are read. */
  isCut = false;

  constructor(host: ReactiveControllerHost, clientOf: () => McpClient | undefined) {
    this.#host = host;
    this.#clientOf = clientOf;
    host.addController(this);
  }

  /** Reads the list again. */
  reload(): void {
    this.#reload.request();
  }

  hostUpdate(): void {
    const client = this.#clientOf();
    const isDeclared = client !== undefined && declares(client, 'tools');
    if (client === this.#client && isDeclared === this.#isDeclared) return;
    this.#stop();
    this.#client = client;
    this.#isDeclared = isDeclared;
    if (!client) return;
    // An element that is moved in its page keeps what the user has entered.
    if (client !== this.#source) this.#show(undefined);
    this.#source = client;
    this.error = undefined;
    if (isDeclared) this.#follow(client);
    else this.#show([]);
  }

  hostDisconnected(): void {
    this.#stop();
    this.#client = undefined;
  }

  #stop(): void {
    this.#work.abort();
    this.#reload.cancel();
  }

  #follow(client: McpClient): void {
    this.#work = new AbortController();
    const { signal } = this.#work;
    const reload = new Throttle(() => this.#read(client, signal));
    this.#reload = reload;
    reload.request();
    // A server need not report changes.
    const { ready } = client.watchTools(() => reload.request(), { signal });
    ready.catch(() => undefined);
  }

  async #read(client: McpClient, signal: AbortSignal): Promise<void> {
    const isFirst = this.tools === undefined;
    this.isReading = true;
    try {
      const list = await readTools(client, signal, (tools) => {
        if (isFirst && tools.length > 0 && !signal.aborted) this.#show(tools);
      });
      if (signal.aborted) return;
      this.#show(list.tools);
      this.unusable = list.unusable;
      this.isCut = list.isCut;
      this.error = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.error = error;
    }
    this.isReading = false;
    this.#host.requestUpdate();
  }

  #show(tools: readonly UsableTool[] | undefined): void {
    this.tools = tools;
    this.callable = tools?.filter(({ needsTask }) => !needsTask) ?? [];
    this.#host.requestUpdate();
  }
}

/** @param onpage Called with the tools so far, after each page. */
async function readTools(
  client: McpClient,
  signal: AbortSignal,
  onpage: (tools: readonly UsableTool[]) => void,
): Promise<{ tools: UsableTool[]; unusable: number; isCut: boolean }> {
  const tools = new Map<string, UsableTool>();
  const cursors = new Set<string>();
  let unusable = 0;
  let isCut = false;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.size < MAX_TOOLS; page += 1) {
    const read = usableTools(await client.listTools({ cursor, signal }));
    for (const tool of read.tools) {
      if (tools.size < MAX_TOOLS) tools.set(tool.name, tool);
      else isCut = true;
    }
    unusable += read.unusable;
    onpage([...tools.values()]);
    cursor = read.nextCursor;
    // Pages that lead back to themselves end here.
    if (cursor === undefined || cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return { tools: [...tools.values()], unusable, isCut: isCut || cursor !== undefined };
}
