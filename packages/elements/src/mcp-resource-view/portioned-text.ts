import type { ResourceContents, TextResourceContents } from '@inpage-mcp/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { Slices } from '../reading/slices.js';
import { PlainPortions, type Portions } from './plain-portions.js';
import { renderMore } from './render-more.js';

/** Types that are prose rather than code. */
const PROSE_TYPES: readonly (string | undefined)[] = ['text/markdown', 'text/plain', undefined];

/** Shown above a text that stays unformatted. */
const UNFORMATTED = 'The Markdown reader could not be loaded. This is the text as it was written.';

/**
 * A text of which a part is shown, and more when the user asks for it. While a new version takes its
 * place, portion by portion, the old one stays.
 */
export class PortionedText {
  #contents: TextResourceContents;
  #portions: Portions | undefined;
  #isFormatted: boolean;
  /** What is shown. Past `#count` it is of an earlier version. */
  readonly #elements: HTMLElement[] = [];
  #count = 0;
  /** How much of the text is to be shown, in UTF-16 code units. */
  #limit: number;
  /** Which portion is to have the focus as soon as it is shown. */
  #focusAt = -1;

  constructor(contents: TextResourceContents, limit: number) {
    this.#contents = contents;
    this.#isFormatted = contents.mimeType === 'text/markdown';
    this.#limit = limit;
  }

  /**
   * Whether it shows these contents from now on, with as much of the text as before. Contents of
   * another type need another object.
   */
  accepts(contents: ResourceContents): boolean {
    if (contents === this.#contents) return true;
    if (!('text' in contents) || contents.mimeType !== this.#contents.mimeType) return false;
    this.#contents = contents;
    this.#portions = undefined;
    return true;
  }

  /** Whether there is something to show. */
  get isReady(): boolean {
    return this.#elements.length > 0 || this.#contents.text === '';
  }

  /** Wants twice as much of the text, and the focus where the new part begins. */
  askForMore(): void {
    this.#limit *= 2;
    this.#focusAt = this.#count;
  }

  /** Gets ready what is to be shown. */
  async prepare(slices: Slices): Promise<void> {
    if (!this.#portions) {
      const portions = await this.#openPortions();
      this.#portions = portions;
      this.#count = 0;
    }
    while (this.#portions.position < Math.min(this.#limit, this.#contents.text.length)) {
      await slices.next();
      this.#renderNext(this.#portions);
    }
    this.#elements.length = this.#count;
  }

  /** @param onmore Called when the user asks for more. */
  render(onmore: () => void): TemplateResult {
    const { text } = this.#contents;
    const shown = this.#portions?.position ?? text.length;
    const isWhole = text.length <= Math.max(this.#limit, shown);
    return html`${this.#isFormatted ? this.#renderFormatted() : this.#renderPlain()}
    ${isWhole ? nothing : renderMore(shown, text.length, 'characters', onmore)}`;
  }

  /** Moves the focus to the part that the user has asked for. */
  focusNew(): void {
    const asked = this.#elements[this.#focusAt];
    if (!asked?.isConnected) return;
    this.#focusAt = -1;
    focusContent(asked);
  }

  #renderFormatted(): TemplateResult {
    return html`<div class="markdown" part="markdown" dir="auto">${this.#elements}</div>`;
  }

  #renderPlain(): TemplateResult {
    const { mimeType } = this.#contents;
    const code = PROSE_TYPES.includes(mimeType) ? '' : ' code';
    const remark = mimeType === 'text/markdown' ? html`<p class="remark">${UNFORMATTED}</p>` : '';
    return html`${remark}
      <pre class=${`text${code}`} part="text" tabindex="0">${this.#elements}</pre>`;
  }

  async #openPortions(): Promise<Portions> {
    const { text } = this.#contents;
    if (this.#isFormatted) {
      const loaded = await import('./markdown-portions.js').catch(() => undefined);
      if (loaded) return new loaded.MarkdownPortions(text);
      this.#isFormatted = false;
    }
    return new PlainPortions(text);
  }

  #renderNext(portions: Portions): void {
    const element = this.#elements[this.#count] ?? newPortion();
    portions.renderNext(element);
    this.#elements[this.#count] = element;
    this.#count += 1;
  }
}

/** Moves the focus to a part that has come where the button was that asked for it. */
export function focusContent(part: HTMLElement): void {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** A block: the layout of one portion does not touch that of another. Valid in `<pre>`, too. */
function newPortion(): HTMLElement {
  const portion = document.createElement('span');
  portion.className = 'portion';
  return portion;
}
