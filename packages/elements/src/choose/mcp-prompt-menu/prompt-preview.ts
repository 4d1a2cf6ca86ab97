import type { GetPromptResult, PromptMessage } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { fileIcon, icon, iconFor } from '../../base/look/icons.js';
import { blobOf } from '../../reading/content-bytes.js';
import { Slices } from '../../reading/slices.js';
import { usableMessages } from '../../reading/gate.js';
import { formatNumber, formatSize } from '../../base/text/format.js';
import { formatTokens } from '../../base/text/format-tokens.js';
import { nameOf } from '../../base/text/name-of.js';
import { tokensOfText } from '../../base/text/tokens.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { partOf, type MessagePart } from './message-parts.js';

/** How many messages are shown. */
const MAX_MESSAGES = 50;

/** How much of a text is shown at first, and at most, in UTF-16 code units. */
const FIRST_LENGTH = 1_000;
const MAX_LENGTH = 65_536;

/** A message, ready to be shown. */
interface ShownMessage {
  role: PromptMessage['role'];
  part: MessagePart;
  tokens: number | undefined;
  /** How much of a text is shown. */
  length: number;
  /** Of an image, as soon as it is decoded. */
  url?: string;
  isBroken?: boolean;
}

/**
 * The messages of a prompt, as the model gets them: texts as plain text, images of simple formats, and
 * facts about anything else. Nothing is run, and nothing is loaded from elsewhere.
 */
export class PromptPreview implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #messages: readonly ShownMessage[] = [];
  #hidden = 0;
  #unusable = 0;
  #work = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.clear();
  }

  /** Whether there is something to show. */
  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /**
   * Shows other messages.
   *
   * @throws {Error} if nothing of the answer can be shown.
   */
  show(result: GetPromptResult): void {
    this.clear();
    const { messages, unusable } = usableMessages(result);
    this.#unusable = unusable;
    this.#hidden = Math.max(0, messages.length - MAX_MESSAGES);
    this.#messages = messages.slice(0, MAX_MESSAGES).map(shownMessage);
    this.#work = new AbortController();
    const { signal } = this.#work;
    const slices = new Slices(signal, () => this.#host.requestUpdate());
    this.#decodeImages(slices).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Shows nothing. */
  clear(): void {
    this.#work.abort();
    for (const { url } of this.#messages) if (url !== undefined) URL.revokeObjectURL(url);
    this.#messages = [];
    this.#hidden = 0;
    this.#unusable = 0;
    this.#host.requestUpdate();
  }

  render(): TemplateResult {
    const count = formatNumber(this.#messages.length + this.#hidden);
    return html`<section
      class="preview"
      part="preview"
      aria-label=${msg('What the model gets', { id: 'mcp.prompt-menu.preview' })}
    >
      <p class="facts" role="status">
        ${msg(str`What the model gets. Messages: ${count}`, { id: 'mcp.prompt-menu.messages' })}
      </p>
      <ol role="list">
        ${this.#messages.map((message) => this.#renderMessage(message))}
      </ol>
      ${
        this.#hidden > 0
          ? html`<p class="facts">
              ${msg(str`Messages that are not shown: ${formatNumber(this.#hidden)}`, { id: 'mcp.prompt-menu.hidden' })}
            </p>`
          : nothing
      }
      ${
        this.#unusable > 0
          ? html`<p class="facts">
              ${msg(str`Messages that cannot be shown: ${formatNumber(this.#unusable)}`, { id: 'mcp.prompt-menu.unusable' })}
            </p>`
          : nothing
      }
    </section>`;
  }

  #renderMessage(message: ShownMessage): TemplateResult {
    const { role, part, tokens } = message;
    return html`<li class=${`turn ${role}`} part="message">
      <div class="from">
        <strong
          >${
            role === 'user'
              ? msg('User', { id: 'mcp.prompt-menu.user' })
              : msg('Assistant', { id: 'mcp.prompt-menu.assistant' })
          }</strong
        >
        ${tokens === undefined ? nothing : html`<span>${formatTokens(tokens)}</span>`}
      </div>
      ${part.uri ? html`<div class="source">${icon(fileIcon)}<span class="one-line" dir="ltr">${truncateText(part.uri)}</span></div>` : nothing}
      ${this.#renderPart(message)}
    </li>`;
  }

  #renderPart(message: ShownMessage): TemplateResult {
    const { part } = message;
    switch (part.kind) {
      case 'text':
        return this.#renderText(message, part.text);
      case 'image':
        return renderImage(message, () => this.#host.requestUpdate());
      case 'link':
        return html`<div class="file">${truncateText(part.name)}</div>`;
      default:
        return html`<div class="file">
          ${icon(iconFor(part.mimeType))}
          <span>${truncateText(part.mimeType)} · ${formatSize(part.sizeBytes)}</span>
        </div>`;
    }
  }

  #renderText(message: ShownMessage, text: string): TemplateResult {
    const isCut = message.length < Math.min(text.length, MAX_LENGTH);
    const showMore = (): void => {
      message.length = Math.min(message.length * 8, MAX_LENGTH);
      this.#host.requestUpdate();
    };
    return html`<pre dir="auto">${truncateText(text, message.length)}</pre>
      ${
        isCut
          ? html`<button type="button" @click=${showMore}>
              ${msg('Show more', { id: 'mcp.prompt-menu.more' })}
            </button>`
          : nothing
      }`;
  }

  async #decodeImages(slices: Slices): Promise<void> {
    for (const message of this.#messages) {
      const { part } = message;
      if (part.kind !== 'image') continue;
      try {
        const blob = await blobOf(part.contents, slices);
        slices.throwIfAborted();
        message.url = URL.createObjectURL(blob.slice(0, blob.size, part.contents.mimeType));
      } catch {
        slices.throwIfAborted();
        message.isBroken = true;
      }
      this.#host.requestUpdate();
    }
  }
}

function shownMessage(message: PromptMessage): ShownMessage {
  const part = partOf(message);
  const tokens = part.kind === 'text' ? tokensOfText(part.text) : undefined;
  return { role: message.role, part, tokens, length: FIRST_LENGTH };
}

function renderImage(message: ShownMessage, onchange: () => void): TemplateResult {
  const fail = (): void => {
    message.isBroken = true;
    onchange();
  };
  if (message.isBroken) {
    return html`<div class="file">
      ${msg('This image cannot be shown.', { id: 'mcp.prompt-menu.broken' })}
    </div>`;
  }
  if (message.url === undefined) return html`<div class="skeleton" aria-hidden="true"></div>`;
  const name = nameOf(message.part.uri ?? '') || msg('Image', { id: 'mcp.prompt-menu.image' });
  return html`<img src=${message.url} alt=${name} decoding="async" @error=${fail} />`;
}
