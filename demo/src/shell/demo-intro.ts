import { css, html, LitElement, type TemplateResult } from 'lit';
import { recall, remember } from '../session/remembered.js';
import { icon } from './icons.js';
import { sharedStyles } from './shared-styles.js';

/** The steps by which a visitor comes to know this page, in this order. */
const STEPS = {
  write: 'Write a note',
  read: 'Read it through MCP',
  tab: 'Change it in a second tab',
  assistant: 'Let an assistant in',
};
export type Step = keyof typeof STEPS;
const NAMES = Object.keys(STEPS) as Step[];

const DONE_KEY = 'inpage-mcp-demo-steps-done';
const CLOSED_KEY = 'inpage-mcp-demo-steps-closed';

/** Which of the steps have really happened, in any tab; this browser remembers that. Fires `change`. */
export class Steps extends EventTarget {
  #done = doneBefore();

  constructor() {
    super();
    addEventListener('storage', () => this.#show(doneBefore()));
  }

  get done(): ReadonlySet<Step> {
    return this.#done;
  }

  /** Takes note that a step has happened. */
  tick(step: Step): void {
    if (this.#done.has(step)) return;
    this.#show(new Set([...doneBefore(), step]));
    remember(DONE_KEY, [...this.#done].join(' '));
  }

  #show(steps: Set<Step>): void {
    this.#done = new Set([...this.#done, ...steps]);
    this.dispatchEvent(new Event('change'));
  }
}

function doneBefore(): Set<Step> {
  const words = (recall(DONE_KEY) ?? '').split(' ');
  return new Set(NAMES.filter((step) => words.includes(step)));
}

/** A line about this page, with the one thing to try next. Closed, it is gone. */
export class DemoIntro extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      section {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.2rem 1rem;
        padding: 0.4rem 1rem;
        background: var(--_selected);
        font-size: 0.875rem;
      }

      h2 {
        display: inline;
        font-size: inherit;
      }

      .words {
        flex: 1 1 24rem;
      }

      .progress {
        display: flex;
        align-items: center;
        gap: 0.6rem;
      }

      a {
        color: var(--_accent);
      }

      .step {
        border-color: var(--_accent);
        background: none;
        color: var(--_accent);
      }

      /* One line: the panes have the rest. */
      @media (max-width: 84em) {
        .promise {
          display: none;
        }
      }

      @media (max-width: 53.75em) {
        section {
          padding-inline: 0.75rem;
        }

        .words {
          flex-basis: 12rem;
        }

        .progress {
          flex: 1 1 100%;
          order: 1;
        }

        .more {
          display: none;
        }
      }

      @media (forced-colors: active) {
        section {
          border-block-end: 1px solid;
          background: Canvas;
        }
      }

      /* As at 400 % zoom. */
      @media (max-height: 26.25em) {
        section {
          display: none;
        }
      }
    `,
  ];

  static override readonly properties = {
    steps: { attribute: false },
    take: { attribute: false },
    ready: { type: Boolean },
  };

  declare steps: Steps;
  /** Called when the user wants to take a step. */
  declare take: (wanted: Step) => unknown;
  /** Whether the steps can be taken. */
  declare ready: boolean;

  /** The address of the source code, if the build has set `SOURCE_URL`. */
  readonly #source = document.querySelector('demo-app')?.getAttribute('source');

  protected override firstUpdated(): void {
    this.steps.addEventListener('change', () => this.requestUpdate());
  }

  protected override render(): TemplateResult {
    if (recall(CLOSED_KEY) !== null) return html``;
    return html`<section aria-label="Introduction">
      <div class="words">
        <h2>An MCP server is running inside this tab,</h2>
        so that an AI assistant can use your app without a backend or an upload.
        <span class="more">
          <span class="promise"><strong>Nothing leaves it</strong> until you say so.</span>
          <a href="./docs/guides/embed.html">Embed it</a>
          ${this.#source ? html`· <a href=${this.#source}>Source code</a>` : ''}
        </span>
      </div>
      ${this.#renderProgress()}
      <button
        class="plain square"
        title="Close the introduction"
        aria-label="Close the introduction"
        @click=${this.#close}
      >
        ${icon('close')}
      </button>
    </section>`;
  }

  #renderProgress(): TemplateResult {
    const { done } = this.steps;
    const next = NAMES.find((step) => !done.has(step));
    return html`<div class="progress">
      <span role="status">${done.size} of ${NAMES.length} steps</span>
      ${
        next
          ? html`<button class="step" ?disabled=${!this.ready} @click=${() => this.take(next)}>
              ${STEPS[next]}
            </button>`
          : icon('check')
      }
    </div>`;
  }

  #close(): void {
    remember(CLOSED_KEY, 'yes');
    this.requestUpdate();
  }
}

customElements.define('demo-intro', DemoIntro);
