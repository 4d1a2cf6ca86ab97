import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Session } from '../session/session.js';
import { icon } from '../shell/icons.js';
import { sharedStyles } from '../shell/shared-styles.js';

/** One row below the preview, which opens a form that shows what a model would get. */
export class AskDock extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        min-block-size: 0;
        max-block-size: min(62dvh, 40rem);
        overflow: auto;
        border-block-start: 1px solid var(--_line);
      }

      summary {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        padding: 0.7rem 0.9rem;
        font-size: 0.875rem;
        white-space: nowrap;
        cursor: pointer;
      }

      summary:focus-visible {
        outline-offset: -2px;
      }

      .muted {
        overflow: hidden;
        font-size: 0.8125rem;
        text-overflow: ellipsis;
      }

      [open] > summary > .icon {
        rotate: 90deg;
      }

      .problem {
        padding: 0 0.9rem 0.7rem;
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    problem: { state: true },
  };

  declare session: Session | undefined;
  declare private problem: string;

  constructor() {
    super();
    this.problem = '';
  }

  protected override render(): TemplateResult {
    return html`<details @toggle=${this.#onToggle}>
      <summary>
        ${icon('chevron')} Preview a prompt
        <span class="muted">See what a model would get. Nothing is sent.</span>
      </summary>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <ask-form .session=${this.session}></ask-form>
    </details>`;
  }

  /** The form is loaded when it is first opened. What the user has typed stays while it is closed. */
  async #onToggle({ target }: Event): Promise<void> {
    this.problem = '';
    const details = target as HTMLDetailsElement;
    if (!details.open) return;
    try {
      await import('./ask-form.js');
      const form = this.renderRoot.querySelector('ask-form')!;
      await form.updateComplete;
      if (details.open) form.focus();
    } catch {
      this.problem = 'The form could not be loaded. Check your connection, and reload the page.';
    }
  }
}

customElements.define('ask-dock', AskDock);

declare global {
  interface HTMLElementTagNameMap {
    'ask-dock': AskDock;
  }
}
