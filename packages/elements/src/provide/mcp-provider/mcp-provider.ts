import type { McpClient } from '@inpage-mcp/client';
import { updateWhenLocaleChanges } from '@lit/localize';
import {
  css,
  html,
  LitElement,
  nothing,
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
import { PartError } from '../../base/look/load-part.js';
import { renderError, renderReload } from '../../base/look/messages.js';

/** Answers the elements inside a provider that ask for its client, now and after each change. */
class ClientSubscribers implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #unsubscribers = new Map<ClientCallback, () => void>();
  client: McpClient | undefined;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('context-request', this.#onRequest);
  }

  hostConnected(): void {
    this.#host.dispatchEvent(new ClientEvent('context-provider', this.#host));
  }

  /** Gives a client to all elements that have asked. */
  provide(client: McpClient | undefined): void {
    this.client = client;
    for (const [callback, unsubscribe] of this.#unsubscribers) callback(client, unsubscribe);
  }

  readonly #onRequest = (event: Event): void => {
    if (!isAboutClient(event)) return;
    const { callback, subscribe } = event as ClientRequestEvent;
    // The provider around this one must not answer, too.
    event.stopImmediatePropagation();
    callback(this.client, subscribe ? this.#subscribe(callback) : undefined);
  };

  /**
   * Subscribes a callback. Returns the same function for the same callback, because an element may ask twice.
   */
  #subscribe(callback: ClientCallback): () => void {
    const known = this.#unsubscribers.get(callback);
    if (known) return known;
    const unsubscribe = (): void => void this.#unsubscribers.delete(callback);
    this.#unsubscribers.set(callback, unsubscribe);
    return unsubscribe;
  }
}

/**
 * Gives an MCP client to all `mcp-*` elements inside it, at any depth and in any shadow root. Where there
 * will be no client, because the start has failed or the app was deployed again, it says so above them, with
 * a button that loads the page again.
 *
 * @element mcp-provider
 * @slot - The elements that use the client.
 * @csspart failure - Why there is no client, with the button.
 * @csspart error - The reason.
 */
export class McpProvider extends LitElement {
  static override readonly styles = css`
    :host {
      display: contents;
    }

    [part='failure'] {
      display: flex;
      flex-wrap: wrap;
      gap: 0.75em;
      align-items: center;
      padding: 0.75em;
      overflow-wrap: anywhere;
    }

    [role='alert'] {
      color: var(--mcp-color-danger, light-dark(#b42318, #ffa49a));
    }

    button {
      padding: 0.4em 0.9em;
      font: inherit;
    }
  `;

  static override readonly properties = {
    client: { attribute: false },
    failure: { state: true },
  };

  /**
   * The client to provide, or a promise of one; may be set, replaced or taken away at any time. While a
   * promise is pending, the elements have no client; if it rejects, the reason is shown. Default: none.
   */
  declare client: McpClient | PromiseLike<McpClient> | undefined;
  /** The reason why there is no client. */
  declare protected failure: unknown;

  readonly #subscribers = new ClientSubscribers(this);

  constructor() {
    super();
    updateWhenLocaleChanges(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('mcp-outdated', this.#onOutdated);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('mcp-outdated', this.#onOutdated);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('client')) this.#take(this.client);
  }

  protected override render(): TemplateResult {
    const { failure } = this;
    if (!failure) return html`<slot></slot>`;
    const reload = failure instanceof PartError ? nothing : renderReload();
    return html`<div part="failure">${renderError(failure)} ${reload}</div>
      <slot></slot>`;
  }

  #take(client: McpClient | PromiseLike<McpClient> | undefined): void {
    this.failure = undefined;
    if (!client || !('then' in client)) return this.#subscribers.provide(client);
    this.#subscribers.provide(undefined);
    const ifStillWanted = (act: () => void) => this.client === client && act();
    client.then(
      (arrived) =>
        ifStillWanted(() => {
          this.failure = undefined;
          this.#subscribers.provide(arrived);
        }),
      (error: unknown) => ifStillWanted(() => (this.failure ??= error ?? new Error())),
    );
  }

  /**
   * Handles an outdated part while no client is open. Otherwise the missing part shows the message in its own
   * place.
   */
  readonly #onOutdated = (): void => {
    if (this.#subscribers.client?.state !== 'open') this.failure ??= new PartError(true, undefined);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-provider': McpProvider;
  }
}
