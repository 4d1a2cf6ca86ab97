import type { ContentBlock } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-app';
import { html, type TemplateResult } from 'lit';
import { Chat } from './chat.js';
import {
  type Line,
  type Say,
  type ShownCall,
  failureInWords,
  linkedNotes,
  quoteAll,
  reply,
  titleOf,
} from './scripted-replies.js';

const MAX_QUESTION_LENGTH = 500;

/** The maximum number of titles that are named; the others are counted. */
const MAX_TITLES = 6;

/**
 * The file of the app frame, next to the document of the assistant. Its script is not a module, which could
 * find the file by its own address.
 */
const APP_FRAME = 'mcp-app-frame.htm';

/** The display modes of apps. The chat is too small for others. */
const DISPLAY_MODES = ['inline'] as const;

/** The host context of apps. An app fills its frame, whose size is in the styles of the chat. */
const HOST_CONTEXT = { containerDimensions: { height: 352 } };

const SUGGESTIONS = [
  'What is on the shopping list?',
  'Add bananas to the shopping list',
  'Show me my notes',
  'What can you see?',
];

/** A small chat, whose assistant is a script that only quotes what the page has given it. */
export class AssistantChat extends Chat {
  #lines: readonly Line[] = [];
  #isBusy = false;

  override async connect(parentOrigin: string): Promise<void> {
    try {
      const clientInfo = {
        name: 'scripted-assistant',
        title: 'Scripted assistant',
        version: '0.1.0',
      };
      await this.openClient(parentOrigin, { clientInfo, apps: true });
      await this.list();
    } catch (error) {
      this.end(failureInWords(error));
    }
  }

  protected override get isReady(): boolean {
    return this.client !== undefined && this.failure === '';
  }

  protected override get isBusy(): boolean {
    return this.#isBusy;
  }

  protected override render(): TemplateResult {
    return this.renderChat({
      title: 'Scripted assistant',
      about: 'A script that only quotes your notes: no AI, no network.',
      isSaidOutside: true,
      seen: this.#renderSeen(),
      lines: this.#lines.map((line) => this.#renderLine(line)),
      // The chat needs this space later.
      above: html`<div class=${this.#isFresh ? 'suggestions all' : 'suggestions'}>
        ${SUGGESTIONS.map((words) => this.#renderButton(words, () => void this.ask(words)))}
      </div>`,
      label: 'Ask the assistant',
      maxLength: MAX_QUESTION_LENGTH,
      button: this.#renderButton('Ask', () => this.onAsk(), 'primary'),
    });
  }

  /** Whether no question has been asked. */
  get #isFresh(): boolean {
    return !this.#lines.some(({ by }) => by === 'user');
  }

  /** Renders a button. It is not disabled during an answer, because it would lose the focus. */
  #renderButton(words: string, run: () => void, className = ''): TemplateResult {
    return html`<button
      class=${className}
      ?disabled=${!this.isReady}
      aria-disabled=${this.#isBusy}
      @click=${run}
    >
      ${words}
    </button>`;
  }

  #renderSeen(): TemplateResult {
    const count = this.resources.length;
    if (count === 0) return html`<strong>It can see nothing.</strong>`;
    const titles = this.resources.slice(0, MAX_TITLES);
    return html`<strong>It can see ${count}:</strong> ${titles.map(
        (one) => html`<span class="title">${titleOf(one)}</span>`,
      )}
      ${count > MAX_TITLES ? `and ${count - MAX_TITLES} more` : ''}`;
  }

  protected override async ask(question: string): Promise<void> {
    await this.#answer(question, (say) => reply(question, this.client!, say));
  }

  async #answer(question: string, answer: (say: Say) => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#add({ by: 'user', text: question });
    try {
      await answer((line) => this.#add(line));
    } catch (error) {
      this.fail(failureInWords(error));
    }
    this.#isBusy = false;
    this.requestUpdate();
  }

  protected override fail(text: string): void {
    this.#add({ by: 'assistant', text });
  }

  #add(line: Line): void {
    this.#lines = [...this.#lines, line];
    this.requestUpdate();
  }

  #renderLine(line: Line): TemplateResult {
    return line.by === 'app' ? this.#renderApp(line.call) : renderWords(line);
  }

  #renderApp({ tool, arguments: args, result }: ShownCall): TemplateResult {
    return html`<li class="app">
      <mcp-app
        .client=${this.client}
        tool=${tool}
        .arguments=${args}
        .result=${result}
        .displayModes=${DISPLAY_MODES}
        .hostContext=${HOST_CONTEXT}
        .sendMessage=${this.#onMessage}
        frame-url=${APP_FRAME}
      ></mcp-app>
    </li>`;
  }

  /** Receives the notes that the user has chosen in an app for the conversation. */
  readonly #onMessage = (content: ContentBlock[]): boolean => {
    const notes = linkedNotes(content);
    if (this.#isBusy || !this.isReady || notes.length === 0) return false;
    const titles = notes.map((one) => `“${titleOf(one)}”`).join(', ');
    void this.#answer(titles.slice(0, MAX_QUESTION_LENGTH), (say) =>
      quoteAll(notes, this.client!, say),
    );
    return true;
  };
}

function renderWords(line: Exclude<Line, { by: 'app' }>): TemplateResult {
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
