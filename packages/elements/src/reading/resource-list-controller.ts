import type { ListResourcesResult, McpClient, Resource } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { declares } from './declared.js';
import { ResourcePages, type Sight } from './resource-pages.js';
import { Throttle } from './throttle.js';
import { codeOf, isUnknownMethod, usablePage } from './gate.js';

/** The state of a list. `error` may still have rows that were loaded before. */
export type ListStatus = 'idle' | 'loading' | 'ready' | 'error';

/** The distance to the end of the loaded rows at which the next page is requested. */
const ROWS_AHEAD = 40;

/** The JSON-RPC error for a cursor that the server does not know, or no longer knows (Pagination). */
const INVALID_PARAMS = -32602;

interface Failure {
  error: unknown;
}

/**
 * The resources of a client as a list that grows page by page and follows `list_changed`.
 *
 * After a change only the visible pages are fetched again, one at a time and at most four a second,
 * regardless of the number of changes. The other pages are fetched again when they become visible. The list
 * grows as fast as it is scrolled. A page that could not be fetched is requested again after the next change.
 */
export class ResourceListController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #client: McpClient | undefined;
  /** Whether the server has resources. */
  #isDeclared = false;
  #connected = false;
  /** Aborted when the client changes or the host leaves: ends loads and the watch. */
  #session = new AbortController();
  #refreshes = new Throttle(() => Promise.resolve());
  #pages = new ResourcePages();
  #sight: Sight = { first: 0, last: 0 };
  #isLoading = false;
  /** Settles when the page after the last one is loaded. */
  #growing: Promise<void> | undefined;
  /** The failure of a page that was fetched again. */
  #refreshFailure: Failure | undefined;
  /** The failure of the page after the last one. */
  #growthFailure: Failure | undefined;
  /** Whether the page after the last one is to be tried again, because the server has answered since. */
  #isGrowthDue = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The rows loaded so far, each uri once. */
  get resources(): readonly Resource[] {
    return this.#pages.resources;
  }

  /** The number of entries of the loaded pages that cannot be shown. */
  get unusable(): number {
    return this.#pages.unusable;
  }

  /** Whether another page exists. */
  get hasMore(): boolean {
    return this.#pages.hasMore;
  }

  get status(): ListStatus {
    if (this.#failure) return 'error';
    if (!this.#isDeclared) return this.#client ? 'ready' : 'idle';
    const isEmptySoFar = this.resources.length === 0 && (this.#pages.length === 0 || this.hasMore);
    return isEmptySoFar ? 'loading' : 'ready';
  }

  /** The failure of the last load, while `status` is `error`. */
  get error(): unknown {
    return this.#failure?.error;
  }

  /** Shows the resources of another client; the same one again does nothing. */
  set client(client: McpClient | undefined) {
    const isDeclared = client !== undefined && declares(client, 'resources');
    if (client === this.#client && isDeclared === this.#isDeclared) return;
    this.#client = client;
    this.#isDeclared = isDeclared;
    this.#restart();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#restart();
  }

  hostDisconnected(): void {
    this.#connected = false;
    this.#endSession();
  }

  /** Sets the rows that are visible now. Fast enough to be called with every render. */
  show(sight: Sight): void {
    this.#sight = sight;
    if (!this.#isDeclared || !this.#connected) return;
    const isNearEnd = sight.last >= this.resources.length - ROWS_AHEAD;
    if (isNearEnd && !sight.isEnough) this.#grow();
    if (!this.#failure && this.#isRefreshNeeded()) this.#refreshes.request();
  }

  /** Fetches the visible pages again, and the rest when it becomes visible. */
  refresh(): void {
    if (!this.#isDeclared) return;
    this.#pages.markStale();
    this.#refreshes.request();
  }

  /** Fetches the page of a resource again. */
  refreshResource(uri: string): void {
    this.#pages.markResourceStale(uri);
    this.#refreshes.request();
  }

  /** Tries again after an error. */
  retry(): void {
    this.#forgetFailures();
    this.#host.requestUpdate();
    this.refresh();
  }

  get #failure(): Failure | undefined {
    return this.#refreshFailure ?? this.#growthFailure;
  }

  #endSession(): void {
    this.#session.abort();
    this.#refreshes.cancel();
  }

  #restart(): void {
    this.#endSession();
    const session = new AbortController();
    this.#session = session;
    this.#refreshes = new Throttle(() => this.#refreshOne(session.signal));
    this.#pages = new ResourcePages();
    this.#sight = { first: 0, last: 0 };
    this.#isLoading = false;
    this.#growing = undefined;
    this.#forgetFailures();
    this.#host.requestUpdate();
    if (!this.#client || !this.#isDeclared || !this.#connected) return;
    // The watch begins before the list is read, so that no change in between is missed.
    this.#client.watchList(() => this.refresh(), { signal: session.signal });
    this.refresh();
  }

  #forgetFailures(): void {
    this.#refreshFailure = undefined;
    this.#growthFailure = undefined;
    this.#isGrowthDue = false;
  }

  #isRefreshNeeded(): boolean {
    return this.#pages.staleIn(this.#sight) !== undefined;
  }

  async #refreshOne(signal: AbortSignal): Promise<void> {
    await this.#growing;
    if (signal.aborted) return;
    const index = this.#pages.staleIn(this.#sight);
    if (index !== undefined) await this.#load(() => this.#fetchAgain(index, signal), signal);
    else if (this.#isGrowthDue) await this.#load(() => this.#fetchNext(signal), signal);
  }

  #grow(): void {
    if (this.#isLoading || !this.hasMore || this.#failure) return;
    const { signal } = this.#session;
    this.#growing = this.#load(() => this.#fetchNext(signal), signal);
  }

  async #load(fetch: () => Promise<void>, signal: AbortSignal): Promise<void> {
    this.#isLoading = true;
    await fetch();
    if (signal.aborted) return;
    this.#isLoading = false;
    this.#host.requestUpdate();
    const isDue = this.#isRefreshNeeded() || this.#isGrowthDue;
    if (!this.#refreshFailure && isDue) this.#refreshes.request();
  }

  async #fetchAgain(index: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#fetch(index, signal);
      this.#refreshFailure = undefined;
      this.#isGrowthDue = this.#growthFailure !== undefined && this.hasMore;
      // The list now ends here.
      if (index === this.#pages.length - 1 && !this.hasMore) this.#growthFailure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = index > 0 && codeOf(error) === INVALID_PARAMS;
      if (isRefused && !this.#pages.isRenewing) return this.#pages.renewUpTo(index);
      this.#pages.stopRenewing();
      this.#refreshFailure = { error };
    }
  }

  async #fetchNext(signal: AbortSignal): Promise<void> {
    this.#isGrowthDue = false;
    try {
      await this.#fetch(this.#pages.length, signal);
      this.#growthFailure = undefined;
    } catch (error) {
      if (!signal.aborted) this.#growthFailure = { error };
    }
  }

  async #fetch(index: number, signal: AbortSignal): Promise<void> {
    const pages = this.#pages;
    const asOf = pages.changes;
    const cursor = pages.cursorOf(index);
    let result: ListResourcesResult = { resources: [] };
    try {
      result = await this.#client!.listResources({ cursor, signal });
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
    }
    signal.throwIfAborted();
    pages.put(index, usablePage(result), asOf);
  }
}
