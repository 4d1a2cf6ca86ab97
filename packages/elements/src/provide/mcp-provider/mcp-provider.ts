import type { McpClient } from '@inpage-mcp/client';
import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { ClientSubscribers } from './client-subscribers.js';

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
