import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ProvidedClient } from './provided-client.js';

/** The state of the client of an element; `none` without a client. */
export type ConnectionState = McpClient['state'] | 'none';

type Host = ReactiveControllerHost & HTMLElement & { client: McpClient | undefined };

/**
 * The client of an element, and its state: the element's own `client` property, else the client of
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

  /** The client to use now, if there is one. */
  get client(): McpClient | undefined {
    return this.#host.client ?? this.#provided.value;
  }

  get state(): ConnectionState {
    return this.client?.state ?? 'none';
  }

  hostUpdate(): void {
    const { client } = this;
    if (client === this.#watched) return;
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
