import type { McpClient } from '@inpage-mcp/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type ClientCallback, ClientRequestEvent, isAboutClient } from './client-context.js';

/** The client of the nearest provider around an element. A change requests an update of the host. */
export class ProvidedClient implements ReactiveController {
  /** The client, if there is a provider. A removed element keeps it until it is inserted again. */
  value: McpClient | undefined;
  readonly #host: ReactiveControllerHost & Element;
  #unsubscribe: (() => void) | undefined;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    // The element may have come out of its provider.
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
