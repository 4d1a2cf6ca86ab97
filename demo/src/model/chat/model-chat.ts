import { html, nothing, type TemplateResult } from 'lit';
import { Chat } from '../../assistant/chat.js';
import { failureInWords } from '../../assistant/scripted-replies.js';
import { allowOnly } from '../engines/endpoint.js';
import { MAX_QUESTION_LENGTH } from '../limits.js';
import { destinationOf, titleOf, type ModelSettings } from '../model-settings.js';
import { linkToPage } from '../page-link.js';
import { Conversation, tokensInWords } from './conversation.js';
import { modelStyles } from './model-chat.styles.js';
import { renderLine, Transcript } from './transcript.js';

/** A small chat with a real model. */
export class ModelChat extends Chat {
  static override readonly styles = [...Chat.styles, modelStyles];

  readonly #transcript = new Transcript(() => this.requestUpdate());
  #settings: ModelSettings | undefined;
  #conversation: Conversation | undefined;
  /** Whether the page still lets it do anything. */
  #isAdmitted = false;

  override async connect(parentOrigin: string): Promise<void> {
    try {
      const link = linkToPage(parentOrigin);
      const about = { name: 'model-assistant', title: 'Assistant with a model', version: '0.1.0' };
      const client = await this.openClient(parentOrigin, about, (one) => link.report(one));
      this.#settings = await link.settings;
      allowOnly(this.#settings);
      this.client = client;
      this.#conversation = new Conversation(client, this.#settings, this.#transcript);
      void client.closed.then(() => this.end('The page has closed the connection.'));
      client.watchList(() => void this.list());
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
        : html`<strong>It can see nothing, and is asked nothing any more.</strong>`,
      lines: this.#transcript.lines.map(renderLine),
      above: this.#renderTotal(),
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

  #renderTotal(): TemplateResult | typeof nothing {
    const { total } = this.#conversation ?? {};
    if (!total || total.input + total.output === 0) return nothing;
    return html`<p class="total">This chat: ${tokensInWords(total)}</p>`;
  }

  protected override async ask(question: string): Promise<void> {
    await this.#conversation!.ask(question);
    this.requestUpdate();
  }

  protected override fail(text: string): void {
    this.#transcript.add({ by: 'failure', text });
  }

  /** What the page lets it do may change at any time, to nothing as well: then it has no tools. */
  protected override async list(): Promise<void> {
    try {
      const { tools } = await this.client!.listTools();
      this.#isAdmitted = tools.length > 0;
      if (!this.#isAdmitted) this.#conversation!.forget();
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
