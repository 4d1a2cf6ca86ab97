import type { McpClient, ReadResourceResult } from '@inpage-mcp/client';
import { initialState, Task } from '@lit/task';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Throttle } from './throttle.js';
import { usableReading } from './usable-answers.js';

/** What was read, and how long it took. */
export interface ResourceReading {
  uri: string;
  /** As far as it can be shown. */
  result: ReadResourceResult;
  /** Milliseconds from the request to its answer. */
  durationMs: number;
}

/**
 * Reads one resource, and reads it again after changes: at most four times a second, and once more
 * after the last. Stale answers are dropped; while the resource is read again, what was read before
 * stays.
 */
export class ResourceController implements ReactiveController {
  /** The reading, with its four states. */
  readonly task: Task<readonly [McpClient | undefined, string | undefined], ResourceReading>;
  readonly #host: ReactiveControllerHost;
  readonly #source: () => { client: McpClient | undefined; uri: string | undefined };
  #watched: { client: McpClient; uri: string } | undefined;
  #watching = new AbortController();
  #refreshes = new Throttle(() => this.task.run());

  /** @param source What to read; asked at every update of the host. */
  constructor(
    host: ReactiveControllerHost,
    source: () => { client: McpClient | undefined; uri: string | undefined },
    onload: (reading: ResourceReading) => void,
  ) {
    this.#host = host;
    this.#source = source;
    host.addController(this);
    this.task = new Task(host, {
      args: () => {
        const { client, uri } = source();
        return [client, uri] as const;
      },
      task: async ([client, uri], { signal }) => await read(client, uri, signal),
      onComplete: onload,
    });
  }

  hostUpdate(): void {
    const { client, uri } = this.#source();
    if (client === this.#watched?.client && uri === this.#watched?.uri) return;
    this.#stopWatching();
    if (!client || !uri) return;
    this.#watched = { client, uri };
    this.#watching = new AbortController();
    const refreshes = new Throttle(() => this.task.run());
    this.#refreshes = refreshes;
    client.watch(uri, () => refreshes.request(), { signal: this.#watching.signal });
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#stopWatching();
  }

  /** Reads again now. A failure shows as the task's error. */
  reload(): void {
    this.task.run().catch(() => undefined);
  }

  #stopWatching(): void {
    this.#watching.abort();
    this.#refreshes.cancel();
    this.#watched = undefined;
  }
}

async function read(
  client: McpClient | undefined,
  uri: string | undefined,
  signal: AbortSignal,
): Promise<ResourceReading | typeof initialState> {
  // Not an error: the element shows that there is nothing to show.
  if (!client || !uri) return initialState;
  const start = performance.now();
  const result = usableReading(await client.readResource(uri, { signal }));
  return { uri, result, durationMs: performance.now() - start };
}
