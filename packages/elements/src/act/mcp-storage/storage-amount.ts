import type { McpClient } from '@inpage-mcp/client';
import type { LitElement, ReactiveController } from 'lit';
import { amountOf, fieldsOf } from '../../reading/gate.js';
import { Throttle } from '../../reading/throttle.js';
import type { DataEstimate, DataStorage } from './data-storage.js';

/** The resource of a server of this project that changes with the amount of stored data. */
const STORAGE_URI = 'inpage:///storage';

/**
 * The amount of data. It is counted while the element is visible, and again after each change that a client
 * reports.
 */
export class StorageAmount implements ReactiveController {
  estimate: DataEstimate | undefined;
  /** The reason why the amount is not known. */
  failure: unknown;
  readonly #host: LitElement;
  #storage: DataStorage | undefined;
  #client: McpClient | undefined;
  /** The throttle of one storage. Another storage gets its own, because the first may never answer. */
  #counting: Throttle | undefined;
  #watching = new AbortController();
  #observer: IntersectionObserver | undefined;
  #isInSight = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    // jsdom does not report whether an element is visible.
    this.#isInSight = typeof IntersectionObserver === 'undefined';
    if (this.#isInSight) return;
    this.#observer = new IntersectionObserver((entries) => {
      this.#isInSight = entries.at(-1)?.isIntersecting === true;
      if (this.#isInSight) this.refresh();
    });
    this.#observer.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#watching.abort();
    this.#counting?.cancel();
    this.#storage = this.#client = this.#counting = undefined;
  }

  /** Starts to count in a storage, whose changes a client reports. */
  watch(storage: DataStorage | undefined, client: McpClient | undefined): void {
    if (storage === this.#storage && client === this.#client) return;
    if (storage !== this.#storage) this.estimate = this.failure = undefined;
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#storage = storage;
    this.#client = client;
    this.#counting?.cancel();
    this.#counting = storage && new Throttle(() => this.#count(storage));
    this.refresh();
    client?.watch(STORAGE_URI, () => this.refresh(), { signal: this.#watching.signal });
  }

  /** Counts again. */
  refresh(): void {
    this.#counting?.request();
  }

  async #count(storage: DataStorage): Promise<void> {
    if (!this.#isInSight) return;
    let estimate: DataEstimate | undefined;
    let failure: unknown;
    try {
      estimate = usableEstimate(await storage.estimate());
    } catch (error) {
      failure = error ?? new Error();
    }
    if (storage !== this.#storage) return;
    this.failure = failure;
    this.estimate = estimate ?? this.estimate;
    this.#host.requestUpdate();
  }
}

/**
 * Checks an estimate.
 *
 * @throws {Error} if it has no amounts.
 */
function usableEstimate(answer: unknown): DataEstimate {
  const fields = fieldsOf(answer);
  const [notes, files] = [amountOf(fields['notes']), amountOf(fields['files'])];
  if (notes === undefined || files === undefined) throw new Error();
  return {
    notes,
    files,
    usedBytes: amountOf(fields['usedBytes']),
    quotaBytes: amountOf(fields['quotaBytes']),
    persisted: fields['persisted'] === true,
  };
}
