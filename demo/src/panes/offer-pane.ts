import type { McpTemplateSubmitEvent, McpToolResourceEvent } from '@inpage-mcp/elements';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { LazyElements } from '../shell/lazy-elements.js';
import type { Offer } from './offers.js';
import type { Session } from '../session/session.js';
import { sharedStyles } from '../shell/shared-styles.js';

/** What one reads above each form. */
const ABOUT: { [offer in Offer]: string } = {
  tools: 'What a model may call. Here you call it yourself, with the same arguments and checks.',
  prompts:
    'Instructions that a user picks for a model: fill one in, and see exactly what the model gets.',
  templates: 'Addresses with gaps: the server completes them as you type.',
};

/**
 * The tools, prompts or templates of the server, with their forms.
 *
 * @fires open-resource - The user wants to see the resource at `wanted`.
 */
export class OfferPane extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        min-block-size: 0;
        padding: 1rem;
        overflow: auto;
      }

      p {
        margin: 0 0 1rem;
        color: var(--muted);
        font-size: 0.875rem;
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    offer: { type: String },
  };

  declare session: Session | undefined;
  declare offer: Offer;

  /** The address that the user has chosen last. */
  wanted = '';

  readonly #lazy = new LazyElements(this);

  protected override render(): TemplateResult {
    return html`<p>${ABOUT[this.offer]}</p>
      ${this.#renderForm()}`;
  }

  #renderForm(): TemplateResult {
    const client = this.session?.client;
    switch (this.offer) {
      case 'tools':
        return this.#lazy.show(
          'mcp-tool-form',
          () =>
            html`<mcp-tool-form
              .client=${client}
              @mcp-tool-resource=${({ resource }: McpToolResourceEvent) => this.#open(resource.uri)}
            ></mcp-tool-form>`,
        );
      case 'prompts':
        return this.#lazy.show(
          'mcp-prompt-menu',
          () => html`<mcp-prompt-menu .client=${client}></mcp-prompt-menu>`,
        );
      case 'templates':
        return this.#lazy.show(
          'mcp-template-form',
          () =>
            html`<mcp-template-form
              .client=${client}
              @mcp-template-submit=${({ uri }: McpTemplateSubmitEvent) => this.#open(uri)}
            ></mcp-template-form>`,
        );
    }
  }

  #open(uri: string): void {
    this.wanted = uri;
    this.dispatchEvent(new Event('open-resource', { bubbles: true, composed: true }));
  }
}

customElements.define('offer-pane', OfferPane);

declare global {
  interface HTMLElementTagNameMap {
    'offer-pane': OfferPane;
  }
}
