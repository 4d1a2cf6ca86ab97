import {
  connectClient,
  type ConnectOptions,
  type McpClient,
  type Resource,
} from '@inpage-mcp/client';
import { connectToParent, MessagePortTransport } from '@inpage-mcp/transport';
import { html, LitElement, type TemplateResult } from 'lit';
import { sharedStyles } from '../ui/shared-styles.js';
import { styles } from './chat.styles.js';
import { failureInWords, listAll } from './scripted-replies.js';

/** The maximum time for which the page may wait for its user to let the assistant in, in milliseconds. */
const ADMISSION_TIMEOUT_MS = 600_000;

/** A small chat in a frame of its own, which reaches the page only over MCP. */
export abstract class Chat extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  protected client: McpClient | undefined;
  /** The reason why it has no connection; empty while it has one. */
  protected failure = '';
  /** The resources that it may read. */
  protected resources: readonly Resource[] = [];

  /** Whether the user may ask. */
  protected abstract get isReady(): boolean;
  protected abstract get isBusy(): boolean;
  /** Waits until the page at this origin lets it in. Never rejects. */
  abstract connect(parentOrigin: string): Promise<void>;
  protected abstract ask(question: string): Promise<void>;
  protected abstract fail(text: string): void;

  protected async openClient(parentOrigin: string, options: ConnectOptions): Promise<McpClient> {
    const port = await connectToParent({ parentOrigin, timeoutMs: ADMISSION_TIMEOUT_MS });
    const client = await connectClient(new MessagePortTransport(port), options);
    this.client = client;
    void client.closed.then(() => this.end('The page has closed the connection.'));
    client.watchList(() => void this.list());
    return client;
  }

  /** Lists the resources. The access may change at any time, also to none. */
  protected async list(): Promise<void> {
    try {
      this.resources = await listAll(this.client!);
    } catch (error) {
      this.fail(failureInWords(error));
    }
    this.requestUpdate();
  }

  protected end(words: string): void {
    this.failure = words;
    this.resources = [];
    this.requestUpdate();
  }

  /**
   * Renders the chat. It has no form, because the sandbox of the frame prevents a form from sending anything,
   * even to this script.
   */
  protected renderChat(parts: {
    title: string;
    about: unknown;
    /** Whether the card around the frame shows the same text, so that it can be omitted in a small frame. */
    isSaidOutside?: boolean;
    seen: unknown;
    lines: unknown;
    above: unknown;
    label: string;
    maxLength: number;
    button: TemplateResult;
  }): TemplateResult {
    return html`
      <header>
        <h1>${parts.title}</h1>
        <p class=${parts.isSaidOutside ? 'twice' : ''}>${parts.about}</p>
        <p class="sees" role="status">
          ${this.failure || (this.client ? parts.seen : 'Waiting until you let it in …')}
        </p>
      </header>
      <ol aria-label="Chat" aria-live="polite" aria-busy=${this.isBusy}>
        ${parts.lines}
      </ol>
      <div class="asking">
        ${parts.above}
        <div class="question">
          <input
            name="question"
            aria-label=${parts.label}
            placeholder="Ask about your notes"
            autocomplete="off"
            maxlength=${parts.maxLength}
            ?disabled=${!this.isReady}
            @keydown=${this.#onKey}
          />
          ${parts.button}
        </div>
      </div>
    `;
  }

  protected override updated(): void {
    const last = this.renderRoot.querySelector('ol li:last-child');
    if (last) scrollInList(last);
  }

  #onKey({ key, isComposing }: KeyboardEvent): void {
    if (key === 'Enter' && !isComposing) this.onAsk();
  }

  /** Asks the question in the field. */
  protected onAsk(): void {
    const input = this.renderRoot.querySelector('input')!;
    const question = input.value.trim();
    if (question === '' || !this.isReady || this.isBusy) return;
    input.value = '';
    void this.ask(question);
  }
}

/** The padding of the list, in pixels. */
const PADDING = 13;

/**
 * Scrolls the list until an item is visible, or its beginning is at the top. `scrollIntoView` would also move
 * the page around the frame, where the user may be about to click.
 */
function scrollInList(item: Element): void {
  const list = item.parentElement!;
  const { top, bottom } = item.getBoundingClientRect();
  const view = list.getBoundingClientRect();
  const distance = Math.min(bottom + PADDING - view.bottom, top - PADDING - view.top);
  list.scrollTop += Math.max(0, distance);
}

/** Shows the chat in the document of its frame, in the theme of the page. */
export function openChat(tag: string, chatClass: CustomElementConstructor): void {
  const settings = new URLSearchParams(location.search);
  const theme = settings.get('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  customElements.define(tag, chatClass);
  const chat = document.querySelector<Chat>(tag)!;
  keepFocusInFrame(chat.shadowRoot!);
  void chat.connect(settings.get('parent') ?? '');
}

/**
 * Returns the focus to the element that had it in this frame, when the frame gets the focus again, because
 * browsers forget it while a dialog of the page has the focus.
 */
function keepFocusInFrame(root: ShadowRoot): void {
  let last: HTMLElement | undefined;
  // The event is handled inside the root, because a focus move within the tree of an element fires no event
  // outside of it.
  root.addEventListener('focusin', ({ target }) => (last = target as HTMLElement));
  addEventListener('focus', () => {
    // It does not scroll, because a press may have brought the focus, and the pressed element would move
    // away.
    if (document.activeElement === document.body) last?.focus({ preventScroll: true });
  });
}
