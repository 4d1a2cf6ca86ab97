import { css, html, type TemplateResult } from 'lit';
import { Chat } from '../assistant/chat.js';
import { failureInWords } from '../assistant/scripted-replies.js';
import { Conversation, type ChatLine } from './conversation.js';
import { allowOnly } from './endpoint.js';
import { destinationOf, SETTINGS_HELLO, titleOf, type ModelSettings } from './model-settings.js';

/** The maximum length of a question, in characters. */
const MAX_QUESTION_LENGTH = 4_000;

/** A small chat with a real model. */
export class ModelChat extends Chat {
  static override readonly styles = [
    ...Chat.styles,
    css`
      .assistant {
        white-space: pre-wrap;
      }

      .call {
        max-inline-size: 100%;
      }

      summary {
        cursor: pointer;
      }

      pre {
        max-block-size: 12rem;
        margin: 0.3rem 0;
        padding: 0.4rem 0.6rem;
        overflow: auto;
        border-radius: 6px;
        background: var(--_raised);
        font-size: inherit;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }

      .notice {
        color: var(--_muted);
        font-size: 0.8125rem;
      }

      .failure {
        padding: 0.35rem 0.7rem;
        border-inline-start: 3px solid light-dark(#b42318, #ffa49a);
        background: var(--_raised);
      }
    `,
  ];

  #settings: ModelSettings | undefined;
  #conversation: Conversation | undefined;
  /** Whether the page still gives it any access. */
  #isAdmitted = false;

  override async connect(parentOrigin: string): Promise<void> {
    try {
      const settings = settingsOf(parentOrigin);
      const clientInfo = {
        name: 'model-assistant',
        title: 'Assistant with a model',
        version: '0.1.0',
      };
      const client = await this.openClient(parentOrigin, { clientInfo });
      this.#settings = await settings;
      allowOnly(this.#settings);
      this.#conversation = new Conversation(client, this.#settings, () => this.requestUpdate());
      client.watchTools(() => void this.list());
      await this.list();
    } catch (error) {
      this.end(failureInWords(error));
    }
  }

  protected override get isReady(): boolean {
    return this.#isAdmitted;
  }

  protected override get isBusy(): boolean {
    return this.#conversation?.isBusy === true;
  }

  protected override render(): TemplateResult {
    const settings = this.#settings;
    return this.renderChat({
      title: settings ? titleOf(settings) : 'A real model',
      about: settings
        ? html`What it reads goes to <strong>${destinationOf(settings)}</strong>.`
        : 'It sends nothing before you let it in.',
      seen: this.#isAdmitted
        ? html`<strong>It can see ${this.resources.length}.</strong>`
        : html`<strong>It can see nothing, and gets no more questions.</strong>`,
      lines: this.#conversation?.lines.map(renderLine),
      above: '',
      label: 'Ask the model',
      maxLength: MAX_QUESTION_LENGTH,
      button: html`<button
        class=${this.isBusy ? '' : 'primary'}
        ?disabled=${!this.#isAdmitted && !this.isBusy}
        @click=${() => (this.isBusy ? this.#conversation!.stop() : this.onAsk())}
      >
        ${this.isBusy ? 'Stop' : 'Ask'}
      </button>`,
    });
  }

  protected override async ask(question: string): Promise<void> {
    await this.#conversation!.ask(question);
  }

  protected override fail(text: string): void {
    this.#conversation?.add({ by: 'failure', text });
  }

  /** Lists the resources. The access may change at any time, also to none: it has no tools then. */
  protected override async list(): Promise<void> {
    if (!this.#conversation) return;
    try {
      const { tools } = await this.client!.listTools();
      this.#isAdmitted = tools.length > 0;
      if (!this.#isAdmitted) this.#conversation.forget();
    } catch (error) {
      this.fail(failureInWords(error));
    }
    await super.list();
  }

  protected override end(words: string): void {
    this.#isAdmitted = false;
    this.#conversation?.forget();
    super.end(words);
  }
}

/**
 * Asks the page for the settings, by a port that only this document has. In an address, they would be
 * visible, and stored.
 */
async function settingsOf(parentOrigin: string): Promise<ModelSettings> {
  const { port1, port2 } = new MessageChannel();
  return await new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<ModelSettings>) => resolve(data);
    window.parent.postMessage(SETTINGS_HELLO, parentOrigin, [port2]);
  });
}

/** Renders a line. Any text of a model is shown as text: without markup, and without links to click. */
function renderLine(line: ChatLine): TemplateResult {
  // The template is on one line, because the white space in a model's text is shown.
  if (line.by !== 'call') return html`<li class=${line.by}>${line.text}</li>`;
  const { name, input, output } = line;
  return html`<li class="call">
    <details>
      <summary><code>tools/call ${name}</code>${output === undefined ? ' …' : ''}</summary>
      <pre>${input}</pre>
      ${
        output === undefined
          ? html`<p>No answer yet. If it changes something, the page asks you.</p>`
          : html`<pre>${output}</pre>`
      }
    </details>
  </li>`;
}
