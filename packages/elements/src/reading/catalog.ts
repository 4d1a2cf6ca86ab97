import type { McpClient, PageOptions, WatchOptions } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { prepareMatching } from '../base/text/matching.js';
import { declares, type Capability } from './declared.js';
import { isUnknownMethod } from './gate.js';
import { Slices } from './slices.js';
import { Throttle } from './throttle.js';

/** The maximum number of entries that are loaded. */
export const MAX_ENTRIES = 20_000;

/** The number of pages in a row without a new entry after which the list counts as endless. */
const MAX_EMPTY_PAGES = 100;

/** The interval at which the entries are shown while pages arrive, in milliseconds. */
const PUBLISH_INTERVAL_MS = 250;

/** The state of a catalogue. `error` may still have entries that were loaded before. */
export type CatalogStatus = 'idle' | 'loading' | 'ready' | 'error';

/** The list of a server that a catalogue loads. */
export interface CatalogSource<Entry extends object> {
  /** The capability of the list. A server that does not declare it has no entries, and is not asked. */
  capability: Capability;
  /** The key of an entry; a later entry replaces one with the same key. */
  keyOf: (entry: Entry) => string;
  /** The texts by which an entry is found (text/matching.ts). */
  textsOf: (entry: Entry) => readonly unknown[];
  /** Fetches a page, and leaves out entries that cannot be shown. */
  fetchPage: (
    client: McpClient,
    options: PageOptions,
  ) => Promise<{ entries: readonly Entry[]; nextCursor: string | undefined }>;
  /** Watches the list. */
  watch: (client: McpClient, listener: () => void, options: WatchOptions) => void;
}

/**
 * A list of a server, up to a limit, as a whole that can be searched. It is loaded when it is first needed,
 * and again after changes: at once while it is needed, otherwise when it is needed again.
 */
export class Catalog<Entry extends object> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #source: CatalogSource<Entry>;
  #client: McpClient | undefined;
  #isDeclared = false;
  #connected = false;
  #isNeeded = false;
  #isStale = true;
  #session = new AbortController();
  #loads = new Throttle(() => Promise.resolve());
  #entries: readonly Entry[] = [];
  #status: CatalogStatus = 'idle';
  #error: unknown;
  #isCut = false;

  constructor(host: ReactiveControllerHost, source: CatalogSource<Entry>) {
    this.#host = host;
    this.#source = source;
    host.addController(this);
  }

  /** The entries loaded so far, in the order of the server, each key once. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get status(): CatalogStatus {
    return this.#status;
  }

  /** The reason of the last failure, while `status` is `error`. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether the server has more entries than are loaded. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Loads from another client; the same one again does nothing. Must be set before each rendering. */
  set client(client: McpClient | undefined) {
    const isDeclared = client !== undefined && declares(client, this.#source.capability);
    if (client === this.#client && isDeclared === this.#isDeclared) return;
    this.#client = client;
    this.#isDeclared = isDeclared;
    this.#restart();
  }

  /** Whether the entries are needed now. */
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
    this.#entries = [];
    this.#status = this.#isDeclared ? 'loading' : this.#client ? 'ready' : 'idle';
    this.#isCut = false;
    this.#isStale = true;
    this.#host.requestUpdate();
    if (!this.#client || !this.#isDeclared || !this.#connected) return;
    // The watch begins before the load, so that no change in between is missed.
    this.#source.watch(this.#client, () => this.#noteChange(), { signal: session.signal });
    this.#requestLoad();
  }

  #noteChange(): void {
    this.#isStale = true;
    this.#requestLoad();
  }

  #requestLoad(): void {
    if (this.#isDeclared && this.#connected && this.#isNeeded && this.#isStale)
      this.#loads.request();
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
      const isNone = isUnknownMethod(error);
      if (isNone) this.#entries = [];
      this.#status = isNone ? 'ready' : 'error';
      this.#error = error;
    }
    this.#host.requestUpdate();
  }

  async #loadPages(client: McpClient, signal: AbortSignal): Promise<void> {
    const found = new Map<string, Entry>();
    const isFirstLoad = this.#status === 'loading';
    const slices = new Slices(signal, () => undefined);
    const cursors = new Set<string | undefined>();
    let publishedAt = -Infinity;
    let emptyInRow = 0;
    let cursor: string | undefined;
    do {
      if (cursors.has(cursor) || emptyInRow >= MAX_EMPTY_PAGES) throw endlessError();
      cursors.add(cursor);
      const before = found.size;
      const { entries, nextCursor } = await this.#source.fetchPage(client, { cursor, signal });
      await prepareMatching(entries, this.#source.textsOf, slices);
      signal.throwIfAborted();
      for (const entry of entries.slice(0, MAX_ENTRIES - before))
        found.set(this.#source.keyOf(entry), entry);
      this.#isCut = entries.length > MAX_ENTRIES - before || nextCursor !== undefined;
      emptyInRow = found.size === before ? emptyInRow + 1 : 0;
      cursor = nextCursor;
      if (isFirstLoad && performance.now() - publishedAt > PUBLISH_INTERVAL_MS) {
        publishedAt = performance.now();
        this.#publish(found);
      }
    } while (cursor !== undefined && found.size < MAX_ENTRIES);
    this.#publish(found);
  }

  #publish(found: ReadonlyMap<string, Entry>): void {
    this.#entries = [...found.values()];
    this.#host.requestUpdate();
  }
}

function endlessError(): Error {
  return new Error('The pages of the list that the server sends never end.');
}
