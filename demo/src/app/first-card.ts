import { css, html, LitElement, type TemplateResult } from 'lit';
import { icon } from '../ui/icons.js';
import { sharedStyles } from '../ui/shared-styles.js';

/**
 * The purpose of this page, shown at the first visit, while no resource is open yet.
 *
 * @fires let-in - The user wants to let the assistant in.
 */
export class FirstCard extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        min-block-size: 0;
        overflow: auto;
      }

      .card {
        display: grid;
        justify-items: start;
        gap: 1rem;
        box-sizing: border-box;
        max-inline-size: 42rem;
        margin: auto;
        padding: 1.5rem;
      }

      h2 {
        font-size: 1.5rem;
        line-height: 1.25;
        text-wrap: balance;
      }

      /* A tab of a browser, and all that happens is in it. */
      .tab {
        inline-size: 100%;
        border: 1px solid var(--_field-line);
        border-radius: 10px;
        background: var(--_selected);
      }

      .dots {
        display: flex;
        gap: 0.35rem;
        padding: 0.5rem 0.7rem;
        border-block-end: 1px solid var(--_field-line);
      }

      .dots > span {
        inline-size: 0;
        border: 0.25rem solid var(--_field-line);
        border-radius: 50%;
      }

      .steps {
        display: flex;
        justify-content: center;
        gap: clamp(0.25rem, 3cqi, 1.5rem);
        padding: 1rem 0.5rem;
        text-align: center;
        font-size: 0.875rem;
      }

      .steps > span {
        display: grid;
        flex: 0 1 8rem;
        justify-items: center;
        align-content: start;
        gap: 0.5rem;
        min-inline-size: 0;
      }

      .steps .icon {
        inline-size: 2.5rem;
        block-size: 2.5rem;
        color: var(--_accent);
      }

      .steps > .icon {
        flex: none;
        inline-size: 1.25rem;
        color: var(--_muted);
      }

      .steps > .icon:dir(rtl) {
        scale: -1 1;
      }

      .promise {
        display: flex;
        gap: 0.5rem;
      }

      .promise > .icon {
        flex: none;
        block-size: 1.5em;
        color: var(--_success);
      }

      button.primary {
        min-block-size: 2.75rem;
        padding-inline: 1.25rem;
        font-size: 1rem;
        white-space: normal;
      }

      a {
        color: var(--_accent);
      }

      @media (forced-colors: active) {
        .tab {
          background: Canvas;
        }

        .tab .icon {
          color: CanvasText;
        }
      }

      @media (max-width: 53.75em) {
        .card {
          gap: 0.75rem;
          padding: 1rem;
        }

        h2 {
          font-size: 1.25rem;
        }
      }
    `,
  ];

  static override readonly properties = {
    ready: { type: Boolean },
  };

  /** Whether the server has started, so that an assistant can be let in. */
  declare ready: boolean;

  /** The address of the source code, if the build has set `SOURCE_URL`. */
  readonly #source = document.querySelector('demo-app')?.getAttribute('source');

  protected override render(): TemplateResult {
    return html`<div class="card">
      <h2>Ask an assistant about your notes</h2>
      ${renderDrawing()}
      <p>
        A sample assistant reads the notes that you choose, answers your questions from them, and
        asks you before it adds a word.
      </p>
      <p>
        Your own app can offer this without a backend, because the server that assistants talk to,
        in their common language MCP, runs inside this tab.
      </p>
      <p class="promise">
        ${icon('shield')}
        <span>
          <strong>Nothing leaves this browser</strong> until you say so. The sample assistant is a
          script, without AI and without network.
        </span>
      </p>
      <button
        class="primary"
        ?disabled=${!this.ready}
        @click=${() => this.dispatchEvent(new Event('let-in'))}
      >
        ${icon('assistant')} Let an assistant in
      </button>
      <p>
        <a href="./docs/guides/embed.html">Embed it in your app</a>
        ${this.#source ? html`· <a href=${this.#source}>Source code</a>` : ''}
      </p>
    </div>`;
  }
}

/** The drawing. The sentences below have the same content. */
const renderDrawing = (): TemplateResult =>
  html`<div class="tab" aria-hidden="true">
    <div class="dots"><span></span><span></span><span></span></div>
    <div class="steps">
      <span>${icon('preview')} Your notes</span>
      ${icon('arrow')}
      <span>${icon('question')} Your question</span>
      ${icon('arrow')}
      <span>${icon('robot')} An answer</span>
    </div>
  </div>`;

customElements.define('first-card', FirstCard);

declare global {
  interface HTMLElementTagNameMap {
    'first-card': FirstCard;
  }
}
