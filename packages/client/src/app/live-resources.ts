import { ClientError } from '../api/client-error.js';
import type { SubscriptionFilter } from '../api/protocol-types.js';
import type { ListToolsResult, Tool } from '../api/tool-types.js';
import { isVisibleTo } from '../apps/app-metadata.js';
import { backoffMs, pause } from '../connection/backoff.js';
import type { ClientConnection } from '../connection/client-connection.js';
import { checkResult } from '../results/check-result.js';
import { arrayOf, object, text } from '../results/checks.js';
import { ResourceSubscriptions } from '../subscriptions/resource-subscriptions.js';
import { Streams, type OpenStream } from '../subscriptions/streams.js';

/**
 * A tool of the server that waits for a change: `{ revision? }` → `{ revision, uris, listChanged }`. One of the
 * `uris` that ends in `/`, `?` or `=` stands for every uri that begins with it.
 */
const CHANGES_TOOL = 'changes_since';

/** The timeout of a poll. The tool answers after 20 s at the latest, and at once if it gets no revision. */
const POLL_TIMEOUT_MS = 30_000;

/**
 * The timeout of requests that are answered at once, so that a watch need not wait long for a silent host.
 */
const FIRST_TIMEOUT_MS = 10_000;

/** The minimum time between two polls, for a server that answers without waiting. */
const MIN_POLL_MS = 1_000;

/** The number of failures in a row after which the app no longer polls. */
const MAX_FAILURES = 5;

/** The delay of a report, because one return of the user causes several events. */
const REPORT_DELAY_MS = 200;

interface Changes {
  revision?: string;
  uris: Iterable<string>;
  listChanged: boolean;
}

/**
 * The source of an app's changes of resources, of which the extension knows nothing: subscriptions if the
 * host offers them, otherwise a tool of the server that waits for a change. In any other host, everything may
 * have changed when the user returns to the app, and after the app has called a tool that writes.
 */
export class LiveResources {
  readonly streams: Streams;
  readonly #connection: ClientConnection;
  readonly #subscriptions: ResourceSubscriptions;
  readonly #filters = new Set<SubscriptionFilter>();
  #stopping = new AbortController();
  /** Resolves when changes are reported. */
  #started: Promise<void> | undefined;
  #tools: Tool[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: ClientConnection) {
    this.#connection = connection;
    this.#subscriptions = new ResourceSubscriptions(connection);
    this.streams = new Streams(connection, (filter, signal) => this.#listen(filter, signal));
  }

  /** Reports the changes of a filter until the signal aborts. */
  async #listen(filter: SubscriptionFilter, signal: AbortSignal): Promise<OpenStream> {
    const { resources, tools, prompts } = this.#connection.discovered.capabilities ?? {};
    if (resources?.subscribe) return await this.#subscriptions.listen(filter, signal);
    this.#filters.add(filter);
    signal.addEventListener('abort', () => this.#remove(filter));
    this.#started ??= this.#start(this.#stopping.signal);
    await this.#started;
    signal.throwIfAborted();
    const { resourceSubscriptions, resourcesListChanged } = resources ? filter : {};
    const honoredFilter: SubscriptionFilter = {
      resourceSubscriptions,
      resourcesListChanged,
      toolsListChanged: tools?.listChanged,
      promptsListChanged: prompts?.listChanged,
    };
    return { honoredFilter };
  }

  /**
   * Reports changes after a call of a tool that may write.
   *
   * @param name The name of the tool.
   */
  afterCall(name: unknown): void {
    const tool = this.#tools.find((one) => one.name === name && name !== CHANGES_TOOL);
    if (tool && tool.annotations?.readOnlyHint !== true) this.#reportSoon();
  }

  #remove(filter: SubscriptionFilter): void {
    this.#filters.delete(filter);
    if (this.#filters.size > 0) return;
    clearTimeout(this.#timer);
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#started = this.#timer = undefined;
  }

  async #start(signal: AbortSignal): Promise<void> {
    addEventListener('focus', this.#reportSoon, { signal });
    document.addEventListener('visibilitychange', this.#reportSoon, { signal });
    try {
      const result = await this.#connection.request(
        'tools/list',
        {},
        { signal, timeoutMs: FIRST_TIMEOUT_MS },
      );
      this.#tools = (checkResult('tools/list', result) as ListToolsResult).tools;
    } catch {
      return;
    }
    if (this.#tools.some((tool) => tool.name === CHANGES_TOOL && isVisibleTo(tool, 'app')))
      await new Promise<void>((resolve) => void this.#poll(signal, resolve));
  }

  /**
   * Polls the server for changes.
   *
   * @param onready Called after each round: from the first answer on, changes are reported.
   */
  async #poll(signal: AbortSignal, onready: () => void): Promise<void> {
    let revision: string | undefined;
    let failures = 0;
    while (failures < MAX_FAILURES && !signal.aborted) {
      const startedAt = performance.now();
      try {
        const changes = await this.#changesSince(revision, signal);
        if (revision !== undefined) this.#report(changes);
        // The server cannot report the changes since the failure.
        else if (failures > 0) this.streams.interrupt();
        ({ revision } = changes);
        failures = 0;
      } catch {
        revision = undefined;
        failures += 1;
      }
      onready();
      const restMs = startedAt + MIN_POLL_MS - performance.now();
      await pause(Math.max(0, restMs, backoffMs(failures)), signal);
    }
  }

  async #changesSince(revision: string | undefined, signal: AbortSignal): Promise<Changes> {
    const params = { name: CHANGES_TOOL, arguments: revision === undefined ? {} : { revision } };
    const timeoutMs = revision === undefined ? FIRST_TIMEOUT_MS : POLL_TIMEOUT_MS;
    const result = await this.#connection.request('tools/call', params, { signal, timeoutMs });
    const changes = (object(result['structuredContent']) ?? {}) as Partial<Changes>;
    const uris = arrayOf(text)(changes.uris) as string[] | undefined;
    if (result['isError'] === true || text(changes.revision) === undefined || !uris)
      throw new ClientError('invalid-result', `The answer of ${CHANGES_TOOL} says nothing.`);
    return { revision: changes.revision!, uris, listChanged: changes.listChanged === true };
  }

  readonly #reportSoon = (): void => {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!document.hidden) this.streams.interrupt();
    }, REPORT_DELAY_MS);
  };

  #report({ uris, listChanged }: Changes): void {
    const changed = [...uris];
    const isChanged = (uri: string): boolean =>
      changed.some((one) => one === uri || (/[/?=]$/.test(one) && uri.startsWith(one)));
    for (const uri of this.#watched())
      if (isChanged(uri)) this.streams.forward('notifications/resources/updated', { uri });
    if (listChanged) this.streams.forward('notifications/resources/list_changed', {});
  }

  #watched(): Set<string> {
    return new Set([...this.#filters].flatMap((filter) => filter.resourceSubscriptions ?? []));
  }
}
