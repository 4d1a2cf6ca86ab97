import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ClientRequestEvent, isAboutClient, type ClientCallback } from './client-context.js';

/** The client of the nearest provider around an element. A change requests an update of the host. */
class ProvidedClient implements ReactiveController {
  /** The client, if a provider exists. A removed element keeps it until it is inserted again. */
  value: McpClient | undefined;
  readonly #host: ReactiveControllerHost & Element;
  #unsubscribe: (() => void) | undefined;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    // The element may have been moved out of its provider.
    this.value = undefined;
    this.#request();
    // A provider may be defined later than this element, also one that is nearer.
    document.addEventListener('context-provider', this.#onProvider, true);
  }

  hostDisconnected(): void {
    document.removeEventListener('context-provider', this.#onProvider, true);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #request(): void {
    this.#host.dispatchEvent(new ClientRequestEvent(this.#host, this.#onClient));
  }

  readonly #onProvider = (event: Event): void => {
    if (isAboutClient(event)) this.#request();
  };

  readonly #onClient: ClientCallback = (client, unsubscribe) => {
    if (unsubscribe !== this.#unsubscribe) this.#unsubscribe?.();
    this.#unsubscribe = unsubscribe;
    this.#take(client);
  };

  #take(client: McpClient | undefined): void {
    if (client === this.value) return;
    this.value = client;
    this.#host.requestUpdate();
  }
}

/** The state of the client of an element; `none` without a client. */
export type ConnectionState = McpClient['state'] | 'none';

type Host = ReactiveControllerHost & HTMLElement & { client: McpClient | undefined };

/**
 * The client of an element, and its state: the element's own `client` property, or otherwise the client of
 * the nearest provider. A change requests an update of the host.
 */
export class Connection implements ReactiveController {
  readonly #host: Host;
  readonly #provided: ProvidedClient;
  #watched: McpClient | undefined;
  #watching = new AbortController();

  constructor(host: Host) {
    this.#host = host;
    this.#provided = new ProvidedClient(host);
    host.addController(this);
  }

  /** The current client, if one exists. */
  get client(): McpClient | undefined {
    return this.#host.client ?? this.#provided.value;
  }

  get state(): ConnectionState {
    return this.client?.state ?? 'none';
  }

  hostUpdate(): void {
    const { client } = this;
    // An element that was just removed is updated once more. Without this check, its client would keep it
    // forever.
    if (client === this.#watched || !this.#host.isConnected) return;
    this.#watching.abort();
    this.#watched = client;
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    client?.watchState(() => this.#host.requestUpdate(), { signal });
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#watching.abort();
    this.#watched = undefined;
  }
}
