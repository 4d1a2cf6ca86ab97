import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { icon } from '../../shell/icons.js';
import type { Session } from '../../session/session.js';
import { sharedStyles } from '../../shell/shared-styles.js';

/** One row below the preview, which opens a form that shows what a model would get. */
export class AskDock extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        grid-template-rows: auto minmax(0, 1fr);
        min-block-size: 0;
        max-block-size: min(62dvh, 40rem);
        border-block-start: 1px solid var(--line);
        background: var(--surface);
      }

      .row {
        display: flex;
        align-items: center;
        gap: 0.7rem;
        padding: 0.45rem 0.9rem;
      }

      p {
        margin: 0;
        font-size: 0.8125rem;
      }

      .row p {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .failure {
        padding: 0 0.9rem 0.7rem;
        color: var(--danger);
      }

      .open .icon {
        rotate: 90deg;
      }

      ask-form {
        min-block-size: 0;
        overflow: auto;
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    isOpen: { state: true },
    failure: { state: true },
  };

  declare session: Session | undefined;
  declare private isOpen: boolean;
  declare private failure: string;

  constructor() {
    super();
    this.isOpen = false;
    this.failure = '';
  }

  protected override render(): TemplateResult {
    return html`<div class="row">
        <button
          class=${this.isOpen ? 'open' : ''}
          aria-expanded=${this.isOpen}
          ?disabled=${!this.session}
          @click=${() => void this.#toggle()}
        >
          ${icon(this.isOpen ? 'chevron' : 'prompts')} Ask
        </button>
        <p class="muted">See what a model would get. Nothing is sent.</p>
      </div>
      ${this.failure ? html`<p class="failure" role="alert">${this.failure}</p>` : nothing}
      ${
        // What the user has typed stays while the form is closed.
        html`<ask-form .session=${this.session} ?hidden=${!this.isOpen}></ask-form>`
      }`;
  }

  async #toggle(): Promise<void> {
    this.failure = '';
    this.isOpen = !this.isOpen;
    if (!this.isOpen) return;
    try {
      await import('./ask-form.js');
      await this.updateComplete;
      const form = this.renderRoot.querySelector('ask-form')!;
      await form.updateComplete;
      if (this.isOpen) form.focus();
    } catch {
      this.isOpen = false;
      this.failure = 'The form could not be loaded. Check your connection, and try again.';
    }
  }
}

customElements.define('ask-dock', AskDock);

declare global {
  interface HTMLElementTagNameMap {
    'ask-dock': AskDock;
  }
}
