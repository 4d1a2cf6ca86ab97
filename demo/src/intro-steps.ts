import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import { recall, remember } from './remembered.js';
import { sharedStyles } from './shared-styles.js';

const CLOSED_KEY = 'inpage-mcp-demo-steps-closed';

/** What to try first, until it is closed; this browser remembers that. */
export class IntroSteps extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      aside {
        display: flex;
        align-items: center;
        gap: 1.2rem;
        padding: 0.25rem 1rem;
        background: var(--soft);
        font-size: 0.8125rem;
      }

      ol {
        display: flex;
        flex: 1;
        flex-wrap: wrap;
        gap: 0.1rem 1.2rem;
        margin: 0;
        padding: 0;
        list-style: none;
        counter-reset: step;
      }

      li::before {
        margin-inline-end: 0.4rem;
        color: var(--accent);
        font-weight: 700;
        content: counter(step);
        counter-increment: step;
      }

      .promise {
        display: flex;
        align-items: center;
        gap: 0.4rem;
        color: var(--muted);
        white-space: nowrap;
      }

      @media (max-width: 1100px) {
        .promise {
          display: none;
        }
      }

      @media (max-width: 860px) {
        aside {
          display: none;
        }
      }
    `,
  ];

  #closed = recall(CLOSED_KEY) !== null;

  protected override render(): TemplateResult | typeof nothing {
    if (this.#closed) return nothing;
    return html`<aside aria-label="Introduction">
      <ol>
        <li>Drop a file or write a note</li>
        <li>It is an MCP resource now: click to read it</li>
        <li>Edit it in a second tab</li>
        <li>Watch the wire</li>
      </ol>
      <span class="promise">${icon('shield')} No server. Nothing leaves this browser.</span>
      <button
        class="plain square"
        title="Close the introduction"
        aria-label="Close the introduction"
        @click=${this.#close}
      >
        ${icon('close')}
      </button>
    </aside>`;
  }

  #close(): void {
    remember(CLOSED_KEY, 'yes');
    this.#closed = true;
    this.requestUpdate();
  }
}

customElements.define('intro-steps', IntroSteps);

declare global {
  interface HTMLElementTagNameMap {
    'intro-steps': IntroSteps;
  }
}
