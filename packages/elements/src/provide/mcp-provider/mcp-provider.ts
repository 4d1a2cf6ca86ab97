import type { McpClient } from '@inpage-mcp/client';
import {
  css,
  html,
  LitElement,
  type ReactiveController,
  type ReactiveControllerHost,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import {
  ClientEvent,
  isAboutClient,
  type ClientCallback,
  type ClientRequestEvent,
} from '../../base/element/client-context.js';

/** Answers the elements inside a provider that ask for its client, now and after each change. */
class ClientSubscribers implements ReactiveController {
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

/**
 * Gives an MCP client to all `mcp-*` elements inside it, at any depth and in any shadow root.
 *
 * @element mcp-provider
 * @slot - The elements that use the client.
 */
export class McpProvider extends LitElement {
  static override readonly styles = css`
    :host {
      display: contents;
    }
  `;

  static override readonly properties = {
    client: { attribute: false },
  };

  /** The client to provide; may be set, replaced or taken away at any time. Default: none. */
  declare client: McpClient | undefined;

  readonly #subscribers = new ClientSubscribers(this);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('client')) this.#subscribers.provide(this.client);
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-provider': McpProvider;
  }
}
