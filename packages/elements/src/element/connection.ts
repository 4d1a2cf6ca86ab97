import type { McpClient } from '@inpage-mcp/client';
import { ContextConsumer } from '@lit/context';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { clientContext } from './client-context.js';

/** The state of the client of an element; `none` without a client. */
export type ConnectionState = McpClient['state'] | 'none';

type Host = ReactiveControllerHost & HTMLElement & { client: McpClient | undefined };

/**
 * The client of an element, and its state: the element's own `client` property, else the client of
 * the nearest provider. A change requests an update of the host.
 */
export class Connection implements ReactiveController {
  readonly #host: Host;
  readonly #consumer: ContextConsumer<typeof clientContext, Host>;
  #hasProvider = false;
  #watched: McpClient | undefined;
  #watching = new AbortController();

  constructor(host: Host) {
    this.#host = host;
    this.#consumer = new ContextConsumer(host, {
      context: clientContext,
      subscribe: true,
      callback: () => (this.#hasProvider = true),
    });
    // After the consumer, which has then asked for a provider.
    host.addController(this);
  }

  /** The client to use now, if there is one. */
  get client(): McpClient | undefined {
    return this.#host.client ?? this.#consumer.value;
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
    // A provider that is defined after this element has missed its request.
    if (!this.#hasProvider) document.addEventListener('context-provider', this.#onProvider, true);
  }

  hostDisconnected(): void {
    this.#hasProvider = false;
    document.removeEventListener('context-provider', this.#onProvider, true);
    this.#watching.abort();
    this.#watched = undefined;
  }

  readonly #onProvider = (event: Event): void => {
    if ((event as Event & { context?: unknown }).context !== clientContext) return;
    this.#consumer.hostConnected();
    if (this.#hasProvider) document.removeEventListener('context-provider', this.#onProvider, true);
  };
}
