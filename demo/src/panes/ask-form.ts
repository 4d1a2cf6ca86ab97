import '@inpage-mcp/elements/define/mcp-resource-picker';
import {
  toContext,
  type Context,
  type ContextFormat,
  type OmittedContent,
} from '@inpage-mcp/client/context';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { copyText } from '../session/clipboard.js';
import { icon } from '../shell/icons.js';
import type { Session } from '../session/session.js';
import { sharedStyles } from '../shell/shared-styles.js';

/** For the notes and files, in tokens. */
const BUDGET = 8_000;

/** What the user reads of each format. */
const FORMATS: { [format in ContextFormat]: string } = {
  anthropic: 'Anthropic: Messages API',
  openai: 'OpenAI: Responses API',
  'openai-chat': 'OpenAI: Chat Completions API',
  google: 'Google: Gemini API',
  'ai-sdk': 'AI SDK of Vercel',
  mcp: 'MCP: prompt messages',
  text: 'Plain text',
};

/** How much of a message is drawn, in UTF-16 code units: an image may have millions. */
const MAX_SHOWN_LENGTH = 50_000;

interface Shown {
  context: Context<ContextFormat>;
  message: string;
}

/** A question about the user's notes, and exactly what a model would get with it. */
export class AskForm extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        padding: 0.2rem 0.9rem 0.9rem;
      }

      form {
        display: grid;
        gap: 0.5rem;
      }

      label {
        font-size: 0.875rem;
      }

      textarea {
        inline-size: 100%;
        resize: vertical;
      }

      .actions,
      .heading {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
      }

      .actions > button {
        margin-inline-start: auto;
      }

      .heading > h2 {
        flex: 1;
      }

      p,
      ul {
        margin: 0.5rem 0 0;
        font-size: 0.8125rem;
      }

      ul {
        padding-inline-start: 1.2rem;
        overflow-wrap: anywhere;
      }

      h2 {
        margin-block-start: 0.7rem;
        font-size: 0.875rem;
      }

      pre {
        max-block-size: 22rem;
        margin: 0.5rem 0 0;
        padding: 0.8rem;
        overflow: auto;
        border-radius: 8px;
        background: var(--_raised);
        font: 0.78rem/1.6 var(--_mono);
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    shown: { state: true },
    remark: { state: true },
    failure: { state: true },
  };

  declare session: Session | undefined;
  declare private shown: Shown | undefined;
  /** For the user, in a status. */
  declare private remark: string;
  declare private failure: string;

  #format: ContextFormat = 'anthropic';
  #reading = new AbortController();

  constructor() {
    super();
    this.remark = '';
    this.failure = '';
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('textarea')?.focus(options);
  }

  protected override render(): TemplateResult {
    return html`<form @submit=${this.#onSubmit}>
        <label for="question">Ask about your notes; type @ to add one</label>
        <textarea
          id="question"
          rows="2"
          autocomplete="off"
          @input=${() => this.#forget()}
        ></textarea>
        <mcp-resource-picker
          for="question"
          budget=${BUDGET}
          .client=${this.session?.client}
          @mcp-resource-pick=${() => this.#forget()}
        ></mcp-resource-picker>
        <div class="actions">
          <label for="format">Format</label>
          <select id="format" @change=${this.#onFormat}>
            ${Object.entries(FORMATS).map(
              ([format, words]) =>
                html`<option value=${format} ?selected=${format === this.#format}>
                  ${words}
                </option>`,
            )}
          </select>
          <button class="primary">What the model gets</button>
        </div>
      </form>
      <p class="muted">Nothing is sent anywhere: this page has no model.</p>
      <p role="status">${this.remark}</p>
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
      ${this.shown ? this.#renderShown(this.shown) : nothing}`;
  }

  #renderShown({ context, message }: Shown): TemplateResult {
    return html`${context.omitted.length > 0 ? this.#renderOmitted(context.omitted) : nothing}
      <div class="heading">
        <h2>What the model gets</h2>
        <button @click=${() => void this.#copy(message)}>${icon('copy')} Copy</button>
      </div>
      <pre tabindex="0" role="region" aria-label="What the model gets">
${
          message.length > MAX_SHOWN_LENGTH
            ? `${message.slice(0, MAX_SHOWN_LENGTH)}\n… The rest is in the copy.`
            : message
        }</pre>`;
  }

  #renderOmitted(omitted: readonly OmittedContent[]): TemplateResult {
    return html`<h2>Left out</h2>
      <ul>
        ${omitted.map(({ uri, title, message }) => html`<li><b>${title ?? uri}</b>: ${message}</li>`)}
      </ul>`;
  }

  async #onSubmit(event: Event): Promise<void> {
    event.preventDefault();
    await this.#read();
    await this.updateComplete;
    if (!this.shown) return;
    // The answer is below the form, of which little is in sight in a low window.
    const status = this.renderRoot.querySelector('[role=status]')!;
    this.scrollBy(0, status.getBoundingClientRect().top - this.getBoundingClientRect().top);
  }

  #onFormat({ target }: Event): void {
    this.#format = (target as HTMLSelectElement).value as ContextFormat;
    if (this.shown) void this.#read();
  }

  async #read(): Promise<void> {
    this.#forget();
    const { signal } = this.#reading;
    const question = this.renderRoot.querySelector('textarea')!.value.trim();
    const uris = this.renderRoot.querySelector('mcp-resource-picker')!.value;
    if (!question && uris.length === 0) {
      this.remark = 'Write a question, or add a note with @.';
      return;
    }
    this.remark = 'Reading …';
    const format = this.#format;
    try {
      const options = { format, budget: BUDGET, signal };
      const context: Context<ContextFormat> = await toContext(this.session!.client, uris, options);
      this.shown = { context, message: messageOf(format, context, question) };
      this.remark = summaryOf(context);
    } catch (error) {
      if (signal.aborted) return;
      this.remark = '';
      this.failure = `Nothing could be read: ${(error as Error).message}`;
    }
  }

  /** What was shown is no longer what the model would get. */
  #forget(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.shown = undefined;
    this.remark = '';
    this.failure = '';
  }

  async #copy(message: string): Promise<void> {
    try {
      await copyText(message);
      this.remark = 'Copied.';
    } catch (error) {
      this.failure = `It was not copied: ${(error as Error).message}`;
    }
  }
}

function summaryOf({ included, tokens }: Context<ContextFormat>): string {
  const count = included.length === 1 ? '1 resource' : `${included.length} resources`;
  return `About ${tokens.toLocaleString()} of ${BUDGET.toLocaleString()} tokens, in ${count}.`;
}

/** The context and the question behind it, as an app would send both. */
function messageOf(
  format: ContextFormat,
  context: Context<ContextFormat>,
  question: string,
): string {
  if ('text' in context) return [context.text, question].filter(Boolean).join('\n\n');
  if (format === 'google') {
    const parts = [...context.parts, ...(question ? [{ text: question }] : [])];
    return JSON.stringify({ contents: [{ role: 'user', parts }] }, null, 2);
  }
  const type = format === 'openai' ? 'input_text' : 'text';
  const content = [...context.parts, ...(question ? [{ type, text: question }] : [])];
  // A message of a prompt has one block.
  const messages =
    format === 'mcp'
      ? content.map((block) => ({ role: 'user', content: block }))
      : [{ role: 'user', content }];
  return JSON.stringify({ [format === 'openai' ? 'input' : 'messages']: messages }, null, 2);
}

customElements.define('ask-form', AskForm);

declare global {
  interface HTMLElementTagNameMap {
    'ask-form': AskForm;
  }
}
