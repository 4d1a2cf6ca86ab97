import type { ResourceContents, TextResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { loadPart } from '../../../base/look/load-part.js';
import { renderOutdated } from '../../../base/look/messages.js';
import { formatNumber } from '../../../base/text/format.js';
import { endOfPortion } from '../../../base/text/portion.js';
import type { Slices } from '../../../reading/slices.js';
import {
  focusContent,
  type Portions,
  type Showing,
  type ShownContent,
} from '../content/shown-content.js';

/** The types of prose, not code. */
const PROSE_TYPES: readonly (string | undefined)[] = ['text/plain', undefined];

/** The options for showing a text. */
interface TextOptions {
  kind: 'text' | 'markdown' | 'code';
  /** The length of the part that is shown at first, in UTF-16 code units. */
  limit: number;
  /** The reason why the text is not shown in its format. Default: empty; it is. */
  remark?: string | TemplateResult | undefined;
}

/**
 * A text of which a part is shown, and more when the user asks for it. While a new version replaces it,
 * portion by portion, the old one stays.
 */
export class PortionedText implements ShownContent {
  readonly kind: string;
  readonly #showing: Showing;
  #contents: TextResourceContents;
  #portions: Portions | undefined;
  #format: 'text' | 'markdown' | 'code';
  #remark: string | TemplateResult;
  /** The shown portions. Those after `#count` belong to an earlier version. */
  readonly #elements: HTMLElement[] = [];
  #count = 0;
  /** The length of the part of the text that is to be shown, in UTF-16 code units. */
  #limit: number;
  /** The index of the portion that gets the focus as soon as it is shown. */
  #focusAt = -1;

  constructor(contents: TextResourceContents, showing: Showing, options: TextOptions) {
    const { limit, kind, remark = '' } = options;
    this.kind = kind;
    this.#contents = contents;
    this.#showing = showing;
    this.#format = kind;
    this.#remark = remark;
    this.#limit = limit;
  }

  accepts(contents: ResourceContents, remark: string | TemplateResult): boolean {
    if (!('text' in contents) || contents.mimeType !== this.#contents.mimeType) return false;
    this.#remark = remark;
    if (contents.text === this.#contents.text) return true;
    this.#contents = contents;
    this.#portions = undefined;
    return true;
  }

  get isReady(): boolean {
    return this.#elements.length > 0 || this.#contents.text === '';
  }

  /** Requests twice as much of the text, and moves the focus to the beginning of the new part. */
  askForMore(): void {
    this.#limit *= 2;
    this.#focusAt = this.#count;
  }

  async prepare(slices: Slices): Promise<void> {
    if (!this.#portions) {
      const portions = await this.#openPortions();
      slices.throwIfAborted();
      this.#portions = portions;
      this.#count = 0;
    }
    while (this.#portions.position < Math.min(this.#limit, this.#contents.text.length)) {
      await slices.next();
      const element = (this.#elements[this.#count] ??= newPortion());
      this.#portions.renderNext(element);
      this.#count += 1;
    }
    this.#elements.length = this.#count;
    await this.#portions.ready?.();
    // Another text may have been chosen meanwhile.
    slices.throwIfAborted();
  }

  render(): TemplateResult {
    const { text } = this.#contents;
    const shown = this.#portions?.position ?? text.length;
    const isWhole = text.length <= Math.max(this.#limit, shown);
    return html`${
      this.#remark ? html`<p class="remark" role="note">${this.#remark}</p>` : nothing
    }${this.#renderText()}
    ${isWhole ? nothing : this.#renderMore(shown, text.length)}`;
  }

  focusNew(): void {
    const asked = this.#elements[this.#focusAt];
    if (!asked?.isConnected) return;
    this.#focusAt = -1;
    focusContent(asked);
  }

  #renderText(): TemplateResult {
    if (this.#format === 'markdown')
      return html`<div class="markdown" part="markdown" dir="auto">${this.#elements}</div>`;
    if (this.#format === 'code')
      return html`<pre class="lines" part="text" dir="ltr" tabindex="0">${this.#elements}</pre>`;
    const code = PROSE_TYPES.includes(this.#contents.mimeType) ? '' : ' code';
    return html`<pre class=${`text${code}`} part="text" tabindex="0">${this.#elements}</pre>`;
  }

  #renderMore(shown: number, length: number): TemplateResult {
    const [part, all] = [formatNumber(shown), formatNumber(length)];
    const howMuch = msg(str`${part} of ${all} characters`, {
      id: 'mcp.resource-view.characters',
    });
    return renderMore(howMuch, () => {
      this.askForMore();
      this.#showing.prepare();
    });
  }

  async #openPortions(): Promise<Portions> {
    try {
      if (this.#format === 'markdown') {
        const { MarkdownPortions } = await loadPart(
          () => import('../markdown/markdown-portions.js'),
        );
        return new MarkdownPortions(this.#contents, this.#showing);
      }
      if (this.#format === 'code') {
        const { CodePortions } = await loadPart(() => import('./code-portions.js'));
        return await CodePortions.of(this.#contents, this.#showing);
      }
    } catch (error) {
      this.#format = 'text';
      const remark = msg(
        'The formatted view could not be loaded. This is the text as it was written.',
        { id: 'mcp.resource-view.unformatted' },
      );
      this.#remark = renderOutdated(remark, error);
    }
    return new PlainPortions(this.#contents.text);
  }
}

/** A text without formatting, in portions that end with a line if possible. */
class PlainPortions implements Portions {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  renderNext(portion: HTMLElement): void {
    const end = endOfPortion(this.#text, this.position);
    const part = this.#text.slice(this.position, end);
    if (portion.textContent !== part) portion.textContent = part;
    // The line continues in the next portion.
    portion.classList.toggle('cut', end < this.#text.length && !part.endsWith('\n'));
    this.position = end;
  }
}

/** Renders the amount that is shown, with a button for more. */
export function renderMore(howMuch: string, onmore: () => void): TemplateResult {
  return html`<div class="more" part="more">
    <span>${howMuch}</span>
    <button @click=${onmore}>${msg('Show more', { id: 'mcp.resource-view.more' })}</button>
  </div>`;
}

/** A new portion. It is a block, so that its layout does not affect that of another. Also valid in `<pre>`. */
function newPortion(): HTMLElement {
  const portion = document.createElement('span');
  portion.className = 'portion';
  return portion;
}
