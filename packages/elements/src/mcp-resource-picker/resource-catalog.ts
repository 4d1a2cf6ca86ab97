import type { McpClient, Resource } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Throttle } from '../reading/throttle.js';
import { usablePage } from '../reading/usable-answers.js';

/** How many resources are loaded at most. */
export const MAX_RESOURCES = 20_000;

/** So many pages in a row without a new resource mean that the list never ends. */
const MAX_EMPTY_PAGES = 100;

/** How often the resources are shown while pages arrive, in milliseconds. */
const PUBLISH_INTERVAL_MS = 250;

/** What a catalogue is doing. `error` may come with resources that were loaded before. */
export type CatalogStatus = 'idle' | 'loading' | 'ready' | 'error';

/**
 * The resources of a client, up to a bound, as one list that can be searched. It is loaded when it is
 * first needed, and again after changes: at once while it is needed, else when it is needed again.
 */
export class ResourceCatalog implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #client: McpClient | undefined;
  #connected = false;
  #isNeeded = false;
  #isStale = true;
  #session = new AbortController();
  #loads = new Throttle(() => Promise.resolve());
  #resources: readonly Resource[] = [];
  #status: CatalogStatus = 'idle';
  #error: unknown;
  #isCut = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The resources loaded so far, in the order of the server, each uri once. */
  get resources(): readonly Resource[] {
    return this.#resources;
  }

  get status(): CatalogStatus {
    return this.#status;
  }

  /** Why the last load failed, while `status` is `error`. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether the server has more resources than are loaded. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Loads from another client; the same one again does nothing. */
  set client(client: McpClient | undefined) {
    if (client === this.#client) return;
    this.#client = client;
    this.#restart();
  }

  /** Whether the resources are needed now. */
  set isNeeded(isNeeded: boolean) {
    if (isNeeded === this.#isNeeded) return;
    this.#isNeeded = isNeeded;
    this.#requestLoad();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#restart();
  }

  hostDisconnected(): void {
    this.#connected = false;
    this.#session.abort();
    this.#loads.cancel();
  }

  /** Loads again after an error. */
  retry(): void {
    this.#status = 'loading';
    this.#isStale = true;
    this.#host.requestUpdate();
    this.#requestLoad();
  }

  #restart(): void {
    this.#session.abort();
    this.#loads.cancel();
    const session = new AbortController();
    this.#session = session;
    this.#loads = new Throttle(() => this.#load(session.signal));
    this.#resources = [];
    this.#status = this.#client ? 'loading' : 'idle';
    this.#isCut = false;
    this.#isStale = true;
    this.#host.requestUpdate();
    if (!this.#client || !this.#connected) return;
    // The watch begins before the load: no change in between is missed.
    this.#client.watchList(() => this.#noteChange(), { signal: session.signal });
    this.#requestLoad();
  }

  #noteChange(): void {
    this.#isStale = true;
    this.#requestLoad();
  }

  #requestLoad(): void {
    if (this.#client && this.#connected && this.#isNeeded && this.#isStale) this.#loads.request();
  }

  async #load(signal: AbortSignal): Promise<void> {
    if (signal.aborted || !this.#isStale) return;
    this.#isStale = false;
    try {
      await this.#loadPages(this.#client!, signal);
      this.#status = 'ready';
      this.#error = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#status = 'error';
      this.#error = error;
    }
    this.#host.requestUpdate();
  }

  async #loadPages(client: McpClient, signal: AbortSignal): Promise<void> {
    const found = new Map<string, Resource>();
    const isFirstLoad = this.#status === 'loading';
    const cursors = new Set<string | undefined>();
    let publishedAt = -Infinity;
    let emptyInRow = 0;
    let cursor: string | undefined;
    do {
      if (cursors.has(cursor) || emptyInRow >= MAX_EMPTY_PAGES) throw endlessError();
      cursors.add(cursor);
      const before = found.size;
      const { resources, nextCursor } = usablePage(await client.listResources({ cursor, signal }));
      signal.throwIfAborted();
      for (const resource of resources.slice(0, MAX_RESOURCES - before))
        found.set(resource.uri, resource);
      this.#isCut = resources.length > MAX_RESOURCES - before || nextCursor !== undefined;
      emptyInRow = found.size === before ? emptyInRow + 1 : 0;
      cursor = nextCursor;
      if (isFirstLoad && performance.now() - publishedAt > PUBLISH_INTERVAL_MS) {
        publishedAt = performance.now();
        this.#publish(found);
      }
    } while (cursor !== undefined && found.size < MAX_RESOURCES);
    this.#publish(found);
  }

  #publish(found: ReadonlyMap<string, Resource>): void {
    this.#resources = [...found.values()];
    this.#host.requestUpdate();
  }
}

function endlessError(): Error {
  return new Error('The pages of the list that the server sends never end.');
}
