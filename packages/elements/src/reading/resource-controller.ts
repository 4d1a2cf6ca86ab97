import type { McpClient, ReadResourceResult } from '@inpage-mcp/client';
import { isTextType } from '@inpage-mcp/encoding';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { loadPart } from '../base/look/load-part.js';
import { declares } from './declared.js';
import type { ReadEncoding } from './decoded-contents.js';
import type { PartialReading, readBeginning, TextPart } from './ranged-reading.js';
import { Throttle } from './throttle.js';
import { fieldsOf, usableReading } from './gate.js';

/** The part of a text that is read at first from a server with ranges, in bytes. */
const FIRST_BYTES = 65_536;

/**
 * The maximum number of changes between two readings for which the author is determined. With more, it counts
 * as unknown.
 */
const MAX_METAS = 1_000;

/** A resource in the state in which it was read, and the time that this took. */
export interface ResourceReading {
  uri: string;
  /** The contents that can be shown. */
  result: ReadResourceResult;
  /** Set if only the beginning of a text was read. */
  part?: TextPart | undefined;
  /** Set if one of its texts is not UTF-8. */
  encoding?: ReadEncoding | undefined;
  /** The time from the request to its answer, in milliseconds. */
  durationMs: number;
  /** The `_meta` of the notifications of changes since the reading before. */
  metas?: readonly unknown[] | undefined;
}

/** The resource to read, and the way to read it. */
export interface ResourceSource {
  client: McpClient | undefined;
  uri: string | undefined;
  /** Whether updates only make the reading stale. Default: no. */
  isPaused?: boolean | undefined;
  /** The size that the list of resources names, in bytes. */
  size?: number | undefined;
  /** The encoding of texts that do not state theirs. Default: a guess. */
  encoding?: string | undefined;
}

interface Watched {
  client: McpClient;
  uri: string;
}

/**
 * Reads one resource, and reads it again after changes: at most four times a second, and once more after the
 * last. Stale answers are dropped; while the resource is read again, the previous reading stays. Of a long
 * text it reads only the beginning if the server supports that.
 */
export class ResourceController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #source: () => ResourceSource;
  readonly #onload: (reading: ResourceReading) => void;
  readonly #onread: () => Promise<void>;
  /** The last reading; stays while the resource is read again, until a read fails. */
  #value: ResourceReading | undefined;
  #error: unknown;
  #isFailed = false;
  /** Aborted when another read begins, because only the last one of several counts. */
  #work = new AbortController();
  /** The source of the latest reads. */
  #origin: Partial<Watched> = {};
  #watched: Watched | undefined;
  #watching = new AbortController();
  #refreshes = new Throttle(() => this.#run());
  #wantedBytes = FIRST_BYTES;
  #hasMissedUpdate = false;
  #metas: unknown[] = [];

  /**
   * @param source Returns the resource to read; called at every update of the host.
   * @param onload Called with each reading, before the host updates.
   * @param onread Called when a reading begins, which waits for the result of this call. Default: nothing.
   */
  constructor(
    host: ReactiveControllerHost & Element,
    source: () => ResourceSource,
    onload: (reading: ResourceReading) => void,
    onread: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#host = host;
    this.#source = source;
    this.#onload = onload;
    this.#onread = onread;
    host.addController(this);
  }

  /** The last reading, if it belongs to the current source. */
  get reading(): ResourceReading | undefined {
    return this.#isOfSource ? this.#value : undefined;
  }

  /** Whether the last read has failed. */
  get isFailed(): boolean {
    return this.#isOfSource && this.#isFailed;
  }

  /** The reason why the last read has failed; `undefined` if it has not. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether the resource was updated while updates were paused, and has not been read since. */
  get hasMissedUpdate(): boolean {
    return this.#hasMissedUpdate;
  }

  /** Whether nothing is read because the server has no resources. */
  get hasNoResources(): boolean {
    const { client } = this.#source();
    return client !== undefined && !this.#watched && !declares(client, 'resources');
  }

  hostUpdate(): void {
    // A removed element may be updated, too. Without this check, its client would keep it forever.
    if (!this.#host.isConnected) return;
    const { client, uri, isPaused } = this.#source();
    if (this.#hasMissedUpdate && !isPaused) this.#refresh();
    if (client === this.#watched?.client && uri === this.#watched?.uri) return;
    this.#stopWatching();
    if (!client || !uri || !declares(client, 'resources')) return;
    if (!this.#isOfSource) {
      this.#work.abort();
      this.#settle({});
    }
    this.#origin = this.#watched = { client, uri };
    this.#watching = new AbortController();
    this.#refreshes = new Throttle(() => this.#run());
    client.watch(uri, (_, meta) => this.#onUpdate(meta), { signal: this.#watching.signal });
    void this.#run();
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#work.abort();
    this.#stopWatching();
  }

  /** Reads again now. */
  reload(): void {
    this.#hasMissedUpdate = false;
    void this.#run();
  }

  /** Reads twice as much of a text that was only partly read. */
  readMore(): void {
    this.#wantedBytes *= 2;
    this.reload();
  }

  #onUpdate(meta: unknown): void {
    if (this.#metas.push(meta) > MAX_METAS) this.#metas = [undefined];
    if (!this.#source().isPaused) return this.#refresh();
    this.#hasMissedUpdate = true;
    this.#host.requestUpdate();
  }

  #refresh(): void {
    this.#hasMissedUpdate = false;
    this.#refreshes.request();
  }

  #stopWatching(): void {
    this.#watching.abort();
    this.#refreshes.cancel();
    this.#watched = undefined;
    this.#metas = [];
    this.#hasMissedUpdate = false;
    this.#wantedBytes = FIRST_BYTES;
  }

  get #isOfSource(): boolean {
    const { client, uri } = this.#source();
    return client === this.#origin.client && uri === this.#origin.uri;
  }

  async #run(): Promise<void> {
    if (!this.#watched) return;
    const { client, uri } = this.#watched;
    // A reading may already include a change that is reported while it is read; the next reading includes it
    // for certain.
    const known = this.#metas.length;
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#settle({ value: this.#value });
    try {
      const value = await this.#read(client, uri, signal);
      if (signal.aborted) return;
      value.metas = this.#metas;
      this.#metas = this.#metas.slice(known);
      this.#onload(value);
      this.#settle({ value });
    } catch (error) {
      if (!signal.aborted) this.#settle({ error, isFailed: true });
    }
  }

  #settle(state: {
    value?: ResourceReading | undefined;
    error?: unknown;
    isFailed?: boolean;
  }): void {
    this.#value = state.value;
    this.#error = state.error;
    this.#isFailed = state.isFailed ?? false;
    this.#host.requestUpdate();
  }

  async #read(client: McpClient, uri: string, signal: AbortSignal): Promise<ResourceReading> {
    const isReady = this.#onread();
    const readRange = this.#isLong(client, uri) ? await loadRanged(signal) : undefined;
    const start = performance.now();
    const reading = readRange
      ? await readRange(client, uri, this.#rangeOptions(signal))
      : await this.#readWhole(client, uri, signal);
    const durationMs = performance.now() - start;
    const { encoding } = this.#source();
    const decoded = await withTexts(reading, encoding, signal);
    await isReady;
    return { uri, ...decoded, durationMs };
  }

  /**
   * Whether the beginning may be shorter than the whole, for a server with ranges. If the size is not known,
   * this is assumed for addresses that have the name of a file.
   */
  #isLong(client: McpClient, uri: string): boolean {
    const { size, encoding } = this.#source();
    const isLong = size === undefined ? /\.\w+$/.test(uri) : size > this.#wantedBytes;
    // A range has the bytes for which an encoding was chosen.
    return hasRanges(client) && (isLong || !!encoding || this.#wantedBytes > FIRST_BYTES);
  }

  /** Reads a resource completely, or its beginning if the whole is too large for a message. */
  async #readWhole(client: McpClient, uri: string, signal: AbortSignal): Promise<PartialReading> {
    try {
      return { result: usableReading(await client.readResource(uri, { signal })) };
    } catch (error) {
      const { code, data } = fieldsOf(error);
      const isTooLarge = code === -32603 && fieldsOf(data)['limit'] !== undefined;
      const readRange = isTooLarge && hasRanges(client) && (await loadRanged(signal));
      if (readRange) return await readRange(client, uri, this.#rangeOptions(signal));
      throw error;
    }
  }

  #rangeOptions(signal: AbortSignal): Parameters<typeof readBeginning>[2] {
    return { length: this.#wantedBytes, encoding: this.#source().encoding, signal };
  }
}

/** A reading with texts instead of their bytes; with the bytes if the decoder cannot be loaded. */
export async function withTexts(
  reading: PartialReading,
  encoding: string | undefined,
  signal: AbortSignal,
): Promise<PartialReading> {
  const isPlain = reading.result.contents.every((one) =>
    'text' in one
      ? !one.text.startsWith('\uFEFF') && !one._meta?.['io.github.inpage-mcp/encoding']
      : !isTextType(one.mimeType ?? ''),
  );
  const loaded = isPlain
    ? undefined
    : await loadPart(() => import('./decoded-contents.js')).catch(() => undefined);
  signal.throwIfAborted();
  return loaded
    ? { ...reading, ...(await loaded.decodeContents(reading.result, { encoding, signal })) }
    : reading;
}

/** Whether the server can send a part of a resource, which servers of this project declare. */
function hasRanges({ serverCapabilities }: McpClient): boolean {
  const extensions = fieldsOf(fieldsOf(serverCapabilities)['extensions']);
  return extensions['io.github.inpage-mcp/blob'] !== undefined;
}

/** Loads the code for ranges, which only few servers support. Without it, a resource is read completely. */
async function loadRanged(signal: AbortSignal): Promise<typeof readBeginning | undefined> {
  const loaded = await loadPart(() => import('./ranged-reading.js')).catch(() => undefined);
  signal.throwIfAborted();
  return loaded?.readBeginning;
}
