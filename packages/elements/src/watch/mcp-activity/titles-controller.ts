import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { declares } from '../../reading/declared.js';
import { Throttle } from '../../reading/throttle.js';
import { usablePage } from '../../reading/gate.js';

/**
 * The titles of resources, from the first page of the list, which contains the newest notes. The list is read
 * when an unknown title is wanted, and again after changes of the list. Listing is not a use of data, so that
 * it does not cause an update of the log.
 */
export class TitlesController implements ReactiveController {
  /** The titles, by their addresses. */
  titles: ReadonlyMap<string, string> = new Map();
  readonly #host: ReactiveControllerHost & Element;
  readonly #client: () => McpClient | undefined;
  #watched: McpClient | undefined;
  #titlesOf: McpClient | undefined;
  #watching = new AbortController();
  #reads: Throttle | undefined;
  /** Addresses that the last list did not contain. */
  readonly #missing = new Set<string>();
  #isStale = true;

  constructor(host: ReactiveControllerHost & Element, client: () => McpClient | undefined) {
    this.#host = host;
    this.#client = client;
    host.addController(this);
  }

  /** Finds the titles of resources, if possible. */
  want(uris: readonly string[]): void {
    const isUnknown = (uri: string): boolean => !this.titles.has(uri) && !this.#missing.has(uri);
    const unknown = uris.filter(isUnknown);
    if (uris.length === 0 || (!this.#isStale && unknown.length === 0)) return;
    for (const uri of unknown) this.#missing.add(uri);
    this.#isStale = false;
    this.#reads?.request();
  }

  hostUpdate(): void {
    const client = this.#client();
    // A removed element may be updated, too. Without this check, its client would keep it forever.
    if (client === this.#watched || !this.#host.isConnected) return;
    this.hostDisconnected();
    this.#watched = client;
    if (client !== this.#titlesOf) this.titles = new Map();
    this.#titlesOf = client;
    if (!client || !declares(client, 'resources')) return;
    const { signal } = this.#watching;
    this.#reads = new Throttle(() => this.#read(client, signal));
    client.watchList(() => this.#forget(), { signal });
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#reads?.cancel();
    this.#watched = undefined;
    this.#forget();
  }

  /** Forgets the titles, because they may have changed. The known ones are shown until the next log. */
  #forget(): void {
    this.#isStale = true;
    this.#missing.clear();
  }

  async #read(client: McpClient, signal: AbortSignal): Promise<void> {
    try {
      const { resources } = usablePage(await client.listResources({ signal }));
      if (signal.aborted) return;
      this.titles = new Map(resources.map(({ uri, title, name }) => [uri, title ?? name]));
      this.#host.requestUpdate();
    } catch {
      // The log is readable even without titles.
    }
  }
}
