import { connectClient, type McpClient, type Resource } from '@inpage-mcp/client';
import { connectToParent, MessagePortTransport } from '@inpage-mcp/transport';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { sharedStyles } from '../shell/shared-styles.js';
import { styles } from './assistant-chat.styles.js';
import { type Line, failureInWords, listAll, reply, titleOf } from './scripted-replies.js';

/** How long the page may wait for its user to let the assistant in. */
const ADMISSION_TIMEOUT_MS = 600_000;

const MAX_QUESTION_LENGTH = 500;

/** How many titles are named; the others are counted. */
const MAX_TITLES = 6;

const SUGGESTIONS = [
  'What can you see?',
  'What is on the shopping list?',
  'Add bananas to the shopping list',
];

/** A small chat, whose assistant is a script that only quotes what the page has given it. */
export class AssistantChat extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  #client: McpClient | undefined;
  #failure = '';
  #resources: readonly Resource[] = [];
  #lines: readonly Line[] = [];
  #isBusy = false;

  /** Waits until the page at this origin lets it in. Never rejects. */
  async connect(parentOrigin: string): Promise<void> {
    try {
      const port = await connectToParent({ parentOrigin, timeoutMs: ADMISSION_TIMEOUT_MS });
      const client = await connectClient(new MessagePortTransport(port), {
        clientInfo: { name: 'scripted-assistant', title: 'Scripted assistant', version: '0.1.0' },
      });
      this.#client = client;
      void client.closed.then(() => {
        this.#resources = [];
        this.#fail('The page has closed the connection.');
      });
      client.watchList(() => void this.#list());
      await this.#list();
    } catch (error) {
      this.#fail(failureInWords(error));
    }
  }

  /** There is no form: the sandbox of the frame would let it send nothing, not even to this script. */
  protected override render(): TemplateResult {
    return html`
      <header>
        <h1>Scripted assistant</h1>
        <p>No model and no network: it only quotes what the page gives it.</p>
        <p class="sees" role="status">${this.#renderSeen()}</p>
      </header>
      <ol aria-label="Chat" aria-live="polite">
        ${repeat(
          this.#lines,
          (_, index) => index,
          (line) => renderLine(line),
        )}
      </ol>
      <div class="asking">
        <div class="suggestions">
          ${SUGGESTIONS.map(
            (words) =>
              html`<button
                ?disabled=${!this.#isConnected}
                aria-disabled=${this.#isBusy}
                @click=${() => void this.#ask(words)}
              >
                ${words}
              </button>`,
          )}
        </div>
        <div class="question">
          <input
            name="question"
            aria-label="Ask the assistant"
            placeholder="Ask about your notes"
            autocomplete="off"
            maxlength=${MAX_QUESTION_LENGTH}
            ?disabled=${!this.#isConnected}
            @keydown=${this.#onKey}
          />
          <button
            class="primary"
            ?disabled=${!this.#isConnected}
            aria-disabled=${this.#isBusy}
            @click=${this.#onAsk}
          >
            Ask
          </button>
        </div>
      </div>
    `;
  }

  protected override updated(): void {
    this.renderRoot.querySelector('ol li:last-child')?.scrollIntoView({ block: 'nearest' });
  }

  get #isConnected(): boolean {
    return this.#client !== undefined && this.#failure === '';
  }

  #renderSeen(): TemplateResult {
    if (this.#failure) return html`${this.#failure}`;
    if (!this.#client) return html`Waiting until you let it in …`;
    const count = this.#resources.length;
    if (count === 0) return html`<strong>It can see nothing.</strong>`;
    const more = count - MAX_TITLES;
    return html`<strong>It can see ${count}:</strong> ${this.#resources
        .slice(0, MAX_TITLES)
        .map((one) => html`<span class="title">${titleOf(one)}</span>`)}
      ${more > 0 ? html`and ${more} more` : nothing}`;
  }

  #onKey({ key, isComposing }: KeyboardEvent): void {
    if (key === 'Enter' && !isComposing) this.#onAsk();
  }

  #onAsk(): void {
    const input = this.renderRoot.querySelector('input')!;
    const question = input.value.trim();
    if (question === '' || !this.#isConnected || this.#isBusy) return;
    input.value = '';
    void this.#ask(question);
  }

  async #ask(question: string): Promise<void> {
    // Not disabled while it answers: the button would lose the focus.
    if (this.#isBusy) return;
    const client = this.#client!;
    this.#isBusy = true;
    this.#say({ by: 'user', text: question });
    try {
      await reply(question, client, (line) => this.#say(line));
    } catch (error) {
      this.#say({ by: 'assistant', text: failureInWords(error) });
    }
    this.#isBusy = false;
    this.requestUpdate();
  }

  #say(line: Line): void {
    this.#lines = [...this.#lines, line];
    this.requestUpdate();
  }

  /** What the page lets it see may change at any time, to nothing as well. */
  async #list(): Promise<void> {
    try {
      this.#resources = await listAll(this.#client!);
    } catch (error) {
      this.#say({ by: 'assistant', text: failureInWords(error) });
    }
    this.requestUpdate();
  }

  #fail(words: string): void {
    this.#failure = words;
    this.requestUpdate();
  }
}

function renderLine(line: Line): TemplateResult {
  if (line.by === 'call') return html`<li class="call"><code>${line.text}</code></li>`;
  if (line.by === 'quote')
    return html`<li class="quote">
      <figure>
        <blockquote>${line.text}</blockquote>
        <figcaption>from “${line.title}”</figcaption>
      </figure>
    </li>`;
  return html`<li class=${line.by}>${line.text}</li>`;
}
