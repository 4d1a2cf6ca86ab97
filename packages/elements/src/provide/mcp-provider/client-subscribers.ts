import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import {
  type ClientCallback,
  ClientEvent,
  type ClientRequestEvent,
  isAboutClient,
} from '../../base/element/client-context.js';

/** Answers the elements inside a provider that ask for its client, now and after each change. */
export class ClientSubscribers implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #unsubscribers = new Map<ClientCallback, () => void>();
  #client: McpClient | undefined;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('context-request', this.#onRequest);
  }

  hostConnected(): void {
    this.#host.dispatchEvent(new ClientEvent('context-provider', this.#host));
  }

  /** Gives a client to all that have asked. */
  provide(client: McpClient | undefined): void {
    this.#client = client;
    for (const [callback, unsubscribe] of this.#unsubscribers) callback(client, unsubscribe);
  }

  readonly #onRequest = (event: Event): void => {
    if (!isAboutClient(event)) return;
    const { callback, subscribe } = event as ClientRequestEvent;
    // The provider around this one does not answer, too.
    event.stopImmediatePropagation();
    callback(this.#client, subscribe ? this.#subscribe(callback) : undefined);
  };

  /** The same function for the same callback: an element may ask twice. */
  #subscribe(callback: ClientCallback): () => void {
    const known = this.#unsubscribers.get(callback);
    if (known) return known;
    const unsubscribe = (): void => void this.#unsubscribers.delete(callback);
    this.#unsubscribers.set(callback, unsubscribe);
    return unsubscribe;
  }
}
