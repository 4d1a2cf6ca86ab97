import { connectClient, type McpClient, type Resource } from '@inpage-mcp/client';
import { connectToParent, MessagePortTransport } from '@inpage-mcp/transport';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { sharedStyles } from '../../shell/shared-styles.js';
import { styles } from '../../assistant/assistant-chat.styles.js';
import { failureInWords, listAll } from '../../assistant/scripted-replies.js';
import { allowOnly } from '../engines/endpoint.js';
import { Conversation, tokensInWords } from './conversation.js';
import { MAX_QUESTION_LENGTH } from '../limits.js';
import { modelStyles } from './model-chat.styles.js';
import { destinationOf, titleOf, type ModelSettings } from '../model-settings.js';
import { linkToPage, type PageLink } from '../page-link.js';
import { renderLine, Transcript } from './transcript.js';

/** How long the page may wait for its user to let the model in. */
const ADMISSION_TIMEOUT_MS = 600_000;

/** A small chat with a real model, which reaches the page over MCP only. */
export class ModelChat extends LitElement {
  static override readonly styles = [sharedStyles, styles, modelStyles];

  readonly #transcript = new Transcript(() => this.requestUpdate());
  #settings: ModelSettings | undefined;
  #client: McpClient | undefined;
  #conversation: Conversation | undefined;
  #failure = '';
  #resources: readonly Resource[] = [];
  /** Whether the page still lets it do anything. */
  #isAdmitted = false;

  /** Waits until the page at this origin lets it in. Never rejects. */
  async connect(parentOrigin: string): Promise<void> {
    try {
      const link = linkToPage(parentOrigin);
      const client = await connect(parentOrigin, link);
      this.#settings = await link.settings;
      allowOnly(this.#settings);
      this.#client = client;
      this.#conversation = new Conversation(client, this.#settings, this.#transcript);
      void client.closed.then(() => this.#end('The page has closed the connection.'));
      client.watchList(() => void this.#look());
      client.watchTools(() => void this.#look());
      await this.#look();
    } catch (error) {
      this.#end(failureInWords(error));
    }
  }

  /** There is no form: the sandbox of the frame would let it send nothing, not even to this script. */
  protected override render(): TemplateResult {
    const settings = this.#settings;
    return html`
      <header>
        <h1>${settings ? titleOf(settings) : 'A real model'}</h1>
        <p>
          ${
            settings
              ? html`What it reads goes to <strong>${destinationOf(settings)}</strong>.`
              : 'It sends nothing before you let it in.'
          }
        </p>
        <p class="sees" role="status">${this.#renderSeen()}</p>
      </header>
      <ol aria-label="Chat" aria-live="polite" aria-busy=${this.#isBusy}>
        ${this.#transcript.lines.map(renderLine)}
      </ol>
      <div class="asking">
        ${this.#renderTotal()}
        <div class="question">
          <input
            name="question"
            aria-label="Ask the model"
            placeholder="Ask about your notes"
            autocomplete="off"
            maxlength=${MAX_QUESTION_LENGTH}
            ?disabled=${!this.#isAdmitted}
            @keydown=${this.#onKey}
          />
          <button
            class=${this.#isBusy ? '' : 'primary'}
            ?disabled=${!this.#isAdmitted && !this.#isBusy}
            @click=${() => (this.#isBusy ? this.#conversation!.stop() : this.#onAsk())}
          >
            ${this.#isBusy ? 'Stop' : 'Ask'}
          </button>
        </div>
      </div>
    `;
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.renderRoot.querySelector('ol li:last-child')?.scrollIntoView({ block: 'end' });
  }

  get #isBusy(): boolean {
    return this.#conversation?.isBusy === true;
  }

  #renderSeen(): TemplateResult {
    if (this.#failure) return html`${this.#failure}`;
    if (!this.#client) return html`Waiting until you let it in …`;
    if (!this.#isAdmitted)
      return html`<strong>It can see nothing, and is asked nothing any more.</strong>`;
    return html`<strong>It can see ${this.#resources.length}.</strong>`;
  }

  #renderTotal(): TemplateResult | typeof nothing {
    const { total } = this.#conversation ?? {};
    if (!total || total.input + total.output === 0) return nothing;
    return html`<p class="total">This chat: ${tokensInWords(total)}</p>`;
  }

  #onKey({ key, isComposing }: KeyboardEvent): void {
    if (key === 'Enter' && !isComposing) this.#onAsk();
  }

  #onAsk(): void {
    const input = this.renderRoot.querySelector('input')!;
    const question = input.value.trim();
    if (question === '' || !this.#isAdmitted || this.#isBusy) return;
    input.value = '';
    void this.#ask(question);
  }

  async #ask(question: string): Promise<void> {
    await this.#conversation!.ask(question);
    this.requestUpdate();
  }

  /** What the page lets it do may change at any time, to nothing as well: then it has no tools. */
  async #look(): Promise<void> {
    try {
      const { tools } = await this.#client!.listTools();
      this.#isAdmitted = tools.length > 0;
      if (!this.#isAdmitted) this.#conversation!.forget();
      this.#resources = await listAll(this.#client!);
    } catch (error) {
      this.#transcript.add({ by: 'failure', text: failureInWords(error) });
    }
    this.requestUpdate();
  }

  #end(words: string): void {
    this.#failure = words;
    this.#isAdmitted = false;
    this.#resources = [];
    this.#conversation?.forget();
    this.requestUpdate();
  }
}

async function connect(parentOrigin: string, link: PageLink): Promise<McpClient> {
  const port = await connectToParent({ parentOrigin, timeoutMs: ADMISSION_TIMEOUT_MS });
  return await connectClient(link.report(new MessagePortTransport(port)), {
    clientInfo: { name: 'model-assistant', title: 'Assistant with a model', version: '0.1.0' },
  });
}
