import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Throttle } from '../reading/throttle.js';
import { usablePage } from '../reading/usable-answers.js';

/** The log is about what was used lately, and new notes come first. */
const MAX_PAGES = 2;

/**
 * The titles of the first resources of a server, read again when the list changes. Listing is not a
 * use of data: it does not lead to an update of the log.
 */
export class TitlesController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #client: () => McpClient | undefined;
  #watched: McpClient | undefined;
  #watching = new AbortController();
  titles: ReadonlyMap<string, string> = new Map();

  constructor(host: ReactiveControllerHost, client: () => McpClient | undefined) {
    this.#host = host;
    this.#client = client;
    host.addController(this);
  }

  hostUpdate(): void {
    const client = this.#client();
    if (client === this.#watched) return;
    this.hostDisconnected();
    this.#watched = client;
    this.titles = new Map();
    if (!client) return;
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    const reads = new Throttle(() => this.#read(client, signal));
    client.watchList(() => reads.request(), { signal });
    reads.request();
  }

  hostDisconnected(): void {
    this.#watching.abort();
    this.#watched = undefined;
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  async #read(client: McpClient, signal: AbortSignal): Promise<void> {
    const titles = new Map<string, string>();
    try {
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const result = await client.listResources(cursor ? { cursor, signal } : { signal });
        const { resources, nextCursor } = usablePage(result);
        for (const { uri, title, name } of resources) titles.set(uri, title ?? name);
        if (!nextCursor) break;
        cursor = nextCursor;
      }
    } catch {
      // The log is readable without titles.
      return;
    }
    if (signal.aborted) return;
    this.titles = titles;
    this.#host.requestUpdate();
  }
}
