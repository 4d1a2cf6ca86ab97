import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Coach, Step } from './coach.js';
import { styles } from './demo-intro.styles.js';
import { icon } from '../icons.js';
import { sharedStyles } from '../shared-styles.js';

/** What each step is, and what it is called while it can be done here. */
const WORDS: { [step in Step]: string } = {
  write: 'Write a note',
  read: 'Read it through MCP',
  tab: 'Change it in a second tab',
  assistant: 'Let an assistant in',
};

/** What stands at the side while a step is taken, and with the code. */
export const SIDE_OF = { read: 'wire', assistant: 'clients', code: 'code' } as const;

/** What a user may want from here. */
type Wanted = Step | 'code';

/**
 * What this page is, in a sentence, where to read more, and four steps that tick themselves. Closed, it is one line.
 *
 * @fires take-step - The user wants to take the step that `wanted` says, or to see the code.
 */
export class DemoIntro extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    coach: { attribute: false },
    ready: { type: Boolean },
    expanded: { type: Boolean },
  };

  declare coach: Coach;
  /** Whether the steps can be taken. */
  declare ready: boolean;

  /** What the user wants to do. */
  wanted: Wanted = 'write';
  /** The address of the source code, if the build has set `SOURCE_URL`. */
  readonly #source = document.querySelector('demo-app')?.getAttribute('source');
  readonly #onChange = (): void => this.requestUpdate();

  constructor() {
    super();
    this.ready = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.coach.addEventListener('change', this.#onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.coach.removeEventListener('change', this.#onChange);
  }

  protected override render(): TemplateResult {
    const { coach } = this;
    if (coach.isClosed) return html``;
    return html`<section aria-label="Introduction">
      <div class="words">
        <h2>An MCP server is running inside this tab.</h2>
        <p>
          MCP is how AI assistants read and use what an app has. Here the app is this page:
          <strong>nothing leaves this browser</strong> unless you let a real model in, and there is
          no backend.
        </p>
        <p class="links">
          <a href="./docs/">Docs</a>
          <a href="#code" @click=${(event: Event) => this.#showCode(event)}
            >The lines that embed it</a
          >
          ${this.#source ? html`<a href=${this.#source}>Source code</a>` : nothing}
        </p>
      </div>
      <ol aria-label="Four steps">
        ${Object.entries(WORDS).map(([step, words]) => this.#renderStep(step as Step, words))}
      </ol>
      <button
        class="plain square close"
        title="Close the introduction"
        aria-label="Close the introduction"
        @click=${() => coach.close()}
      >
        ${icon('close')}
      </button>
    </section>`;
  }

  #renderStep(step: Step, words: string): TemplateResult {
    const isDone = this.coach.done.has(step);
    return html`<li class=${isDone ? 'done' : ''}>
      <button class="plain" ?disabled=${!this.ready} @click=${() => this.#take(step)}>
        <span class="mark">${isDone ? icon('check') : nothing}</span>
        <span>${words}</span>
        ${isDone ? html`<span class="hidden">: done</span>` : nothing}
      </button>
    </li>`;
  }

  /** Beside what is open, which the address alone does not know. */
  #showCode(event: Event): void {
    event.preventDefault();
    this.#take('code');
  }

  #take(wanted: Wanted): void {
    this.wanted = wanted;
    this.dispatchEvent(new Event('take-step'));
  }
}

customElements.define('demo-intro', DemoIntro);

declare global {
  interface HTMLElementTagNameMap {
    'demo-intro': DemoIntro;
  }
}
