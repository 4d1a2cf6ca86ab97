import type { McpClient, Resource } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What a list is doing. `error` may come with rows: those that were loaded before. */
export type ListStatus = 'idle' | 'loading' | 'ready' | 'error';

/**
 * The resources of a client as a list that grows page by page and follows `list_changed`.
 *
 * A refresh fetches as many rows again as there were and replaces them at once, so that nothing
 * jumps or blinks; changes that come in meanwhile lead to one more refresh after it.
 */
export class ResourceListController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #client: McpClient | undefined;
  #resources: Resource[] = [];
  #nextCursor: string | undefined;
  #status: ListStatus = 'idle';
  #error: unknown;
  #connected = false;
  /** Aborted when the client changes or the host leaves: ends loads and the watch. */
  #session = new AbortController();
  #loading: Promise<void> | undefined;
  #stale = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The rows loaded so far. */
  get resources(): readonly Resource[] {
    return this.#resources;
  }

  /** Whether there is another page. */
  get hasMore(): boolean {
    return this.#nextCursor !== undefined;
  }

  get status(): ListStatus {
    return this.#status;
  }

  /** The failure of the last load, while `status` is `error`. */
  get error(): unknown {
    return this.#error;
  }

  /** Shows the resources of another client; the same one again does nothing. */
  set client(client: McpClient | undefined) {
    if (client === this.#client) return;
    this.#client = client;
    this.#restart();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#restart();
  }

  hostDisconnected(): void {
    this.#connected = false;
    this.#session.abort();
  }

  /** Loads the next page, unless one is on its way. */
  loadMore(): void {
    if (this.#loading || !this.hasMore || this.#status === 'error') return;
    this.#load(() => this.#fetchNextPage());
  }

  /** Fetches all loaded rows again; a load on its way is followed by another. */
  refresh(): void {
    if (this.#loading) this.#stale = true;
    else this.#load(() => this.#fetchAgain());
  }

  /** Tries again after an error. */
  retry(): void {
    this.#status = 'loading';
    this.#host.requestUpdate();
    this.refresh();
  }

  #restart(): void {
    this.#session.abort();
    this.#session = new AbortController();
    this.#loading = undefined;
    this.#stale = false;
    this.#resources = [];
    this.#nextCursor = undefined;
    const client = this.#client;
    this.#status = client ? 'loading' : 'idle';
    this.#host.requestUpdate();
    if (!client || !this.#connected) return;
    // Watched before it is read: what changes in between is told.
    client.watchList(() => this.refresh(), { signal: this.#session.signal });
    this.refresh();
  }

  #load(fetch: () => Promise<void>): void {
    const { signal } = this.#session;
    this.#stale = false;
    const loading = fetch()
      .then(
        () => this.#settle(signal, 'ready'),
        (error: unknown) => this.#settle(signal, 'error', error),
      )
      .finally(() => {
        if (this.#loading === loading) this.#loading = undefined;
        if (!signal.aborted && this.#stale) this.refresh();
      });
    this.#loading = loading;
  }

  #settle(signal: AbortSignal, status: ListStatus, error?: unknown): void {
    if (signal.aborted) return;
    this.#status = status;
    this.#error = error;
    this.#host.requestUpdate();
  }

  async #fetchNextPage(): Promise<void> {
    const { signal } = this.#session;
    const page = await this.#client!.listResources({ cursor: this.#nextCursor, signal });
    signal.throwIfAborted();
    this.#resources = [...this.#resources, ...page.resources];
    this.#nextCursor = page.nextCursor;
  }

  async #fetchAgain(): Promise<void> {
    const { signal } = this.#session;
    const wanted = this.#resources.length;
    const resources: Resource[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#client!.listResources({ cursor, signal });
      resources.push(...page.resources);
      cursor = page.nextCursor;
    } while (cursor !== undefined && resources.length < wanted);
    signal.throwIfAborted();
    this.#resources = resources;
    this.#nextCursor = cursor;
  }
}
