import type { McpClient, ReadResourceResult } from '@inpage-mcp/client';
import { initialState, Task } from '@lit/task';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PartialReading, readBeginning, TextPart } from './ranged-reading.js';
import { Throttle } from './throttle.js';
import { fieldsOf, usableReading } from './usable-answers.js';

/** How much of a text is read at first from a server with ranges, in bytes. */
const FIRST_BYTES = 65_536;

/** What was read, and how long it took. */
export interface ResourceReading {
  uri: string;
  /** As far as it can be shown. */
  result: ReadResourceResult;
  /** Set if only the beginning of a text was read. */
  part?: TextPart | undefined;
  /** Milliseconds from the request to its answer. */
  durationMs: number;
}

/** What to read, and how. */
export interface ResourceSource {
  client: McpClient | undefined;
  uri: string | undefined;
  /** Whether updates only make the reading stale. Default: no. */
  isPaused?: boolean | undefined;
  /** The size that the list of resources names, in bytes. */
  size?: number | undefined;
}

/**
 * Reads one resource, and reads it again after changes: at most four times a second, and once more
 * after the last. Stale answers are dropped; while the resource is read again, what was read before
 * stays. Of a long text it reads the beginning if the server supports that.
 */
export class ResourceController implements ReactiveController {
  /** The reading, with its four states. */
  readonly task: Task<readonly [McpClient | undefined, string | undefined], ResourceReading>;
  readonly #host: ReactiveControllerHost;
  readonly #source: () => ResourceSource;
  readonly #onread: () => Promise<void>;
  #watched: { client: McpClient; uri: string } | undefined;
  #watching = new AbortController();
  #refreshes = new Throttle(() => this.task.run());
  #wantedBytes = FIRST_BYTES;
  #hasMissedUpdate = false;

  /**
   * @param source What to read; asked at every update of the host.
   * @param onread Called when a reading begins, which waits for what it returns. Default: nothing.
   */
  constructor(
    host: ReactiveControllerHost,
    source: () => ResourceSource,
    onload: (reading: ResourceReading) => void,
    onread: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#onread = onread;
    this.#host = host;
    this.#source = source;
    host.addController(this);
    this.task = new Task(host, {
      args: () => {
        const { client, uri } = source();
        return [client, uri] as const;
      },
      task: async ([client, uri], { signal }) => await this.#read(client, uri, signal),
      onComplete: onload,
    });
  }

  /** Whether the resource was updated while updates were paused, and was not read since. */
  get hasMissedUpdate(): boolean {
    return this.#hasMissedUpdate;
  }

  hostUpdate(): void {
    const { client, uri, isPaused } = this.#source();
    if (this.#hasMissedUpdate && !isPaused) this.#refresh();
    if (client === this.#watched?.client && uri === this.#watched?.uri) return;
    this.#stopWatching();
    if (!client || !uri) return;
    this.#watched = { client, uri };
    this.#watching = new AbortController();
    this.#refreshes = new Throttle(() => this.task.run());
    client.watch(uri, () => this.#onUpdate(), { signal: this.#watching.signal });
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#stopWatching();
  }

  /** Reads again now. A failure shows as the task's error. */
  reload(): void {
    this.#hasMissedUpdate = false;
    this.task.run().catch(() => undefined);
  }

  /** Reads twice as much of a text of which only a part was read. */
  readMore(): void {
    this.#wantedBytes *= 2;
    this.reload();
  }

  #onUpdate(): void {
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
    this.#hasMissedUpdate = false;
    this.#wantedBytes = FIRST_BYTES;
  }

  async #read(
    client: McpClient | undefined,
    uri: string | undefined,
    signal: AbortSignal,
  ): Promise<ResourceReading | typeof initialState> {
    // Not an error: the element shows that there is nothing to show.
    if (!client || !uri) return initialState;
    const isReady = this.#onread();
    const readRange = this.#isLong(client, uri) ? await loadRanged(signal) : undefined;
    const start = performance.now();
    const reading = readRange
      ? await readRange(client, uri, this.#wantedBytes, signal)
      : await this.#readWhole(client, uri, signal);
    const durationMs = performance.now() - start;
    await isReady;
    return { uri, ...reading, durationMs };
  }

  /**
   * Whether the beginning may be less than the whole, for a server with ranges. Where no size is
   * known, that goes for what has the name of a file.
   */
  #isLong(client: McpClient, uri: string): boolean {
    const { size } = this.#source();
    const isLong = size === undefined ? /\.\w+$/.test(uri) : size > this.#wantedBytes;
    return hasRanges(client) && (isLong || this.#wantedBytes > FIRST_BYTES);
  }

  /** Reads the beginning after all if the whole is too large for a message. */
  async #readWhole(client: McpClient, uri: string, signal: AbortSignal): Promise<PartialReading> {
    try {
      return { result: usableReading(await client.readResource(uri, { signal })) };
    } catch (error) {
      const { code, data } = fieldsOf(error);
      const isTooLarge = code === -32603 && fieldsOf(data)['limit'] !== undefined;
      const readRange = isTooLarge && hasRanges(client) && (await loadRanged(signal));
      if (readRange) return await readRange(client, uri, this.#wantedBytes, signal);
      throw error;
    }
  }
}

/** Whether the server can send a part of a resource: one of this project says so. */
function hasRanges({ serverCapabilities }: McpClient): boolean {
  const extensions = fieldsOf(fieldsOf(serverCapabilities)['extensions']);
  return extensions['io.github.inpage-mcp/blob'] !== undefined;
}

/** What reads ranges, which only few servers have. Without it, a resource is read as a whole. */
async function loadRanged(signal: AbortSignal): Promise<typeof readBeginning | undefined> {
  const loaded = await import('./ranged-reading.js').catch(() => undefined);
  signal.throwIfAborted();
  return loaded?.readBeginning;
}
