import { msg, str } from '@lit/localize';
import { css, html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { formatNumber } from '../text/format.js';
import { endWithinCost } from '../text/layout-cost.js';
import { countUnseen, visibleText } from '../text/visible-text.js';
import { observeSizes } from './observe-sizes.js';

/** The layout costs of the part of a text that is shown at first, and of one portion. */
const FIRST_LENGTH = 16_384;
const PORTION_COST = 4_096;

/** The maximum cost of the next portions that one step shows. */
const MAX_STEP_COST = 4_194_304;

/** The maximum number of invisible characters without a remark: a word of a language may need them. */
const MAX_UNSEEN = 5;

/**
 * A text of any length that is shown exactly, with the codes of invisible characters: a first part at once,
 * and each time that the user asks, as much again. The browser lays out only the visible portions.
 */
export class LongText {
  readonly #text: string;
  #limit = FIRST_LENGTH;
  #portions: string[] = [];
  #shownLength = 0;
  #unseen = 0;
  #box: Element | undefined;
  /** The next frame is used because the marks of a box that overflows change its size. */
  readonly #sizes = observeSizes(() => requestAnimationFrame(() => this.#look()));
  #onread = (): void => undefined;
  #isEndSeen = false;

  constructor(text: string) {
    this.#text = text;
    this.#portion();
  }

  /** The length of the shown part of the text, and of the whole text, in UTF-16 code units. */
  get lengths(): readonly [shown: number, all: number] {
    return [this.#shownLength, this.#text.length];
  }

  /** Whether all of the text is shown. */
  get isWhole(): boolean {
    const [shown, all] = this.lengths;
    return shown === all;
  }

  /** Whether the user has seen all of it, in the box of `renderToRead`. */
  get isRead(): boolean {
    return this.isWhole && this.#isEndSeen;
  }

  /** The number of invisible characters in the shown part that are not replaced by codes: see `countUnseen`. */
  get unseen(): number {
    return this.#unseen;
  }

  /** Shows twice as much. */
  showMore(): void {
    this.#isEndSeen = false;
    this.#limit = Math.min(2 * this.#limit, MAX_STEP_COST);
    this.#portion();
  }

  /** The text, in an element that keeps its lines. */
  render(): TemplateResult {
    return html`<div class="long-text" part="text">
      ${this.#portions.map((portion) => html`<span class="portion">${portion}</span>`)}
    </div>`;
  }

  /**
   * The text in a box that scrolls, for a user who must read all of it before deciding.
   *
   * @param onread Called when more of it is shown, and when its end becomes visible.
   */
  renderToRead(part: 'message' | 'arguments', label: string, onread: () => void): TemplateResult {
    this.#onread = onread;
    const readOn = (): void => this.#box?.scrollBy(0, 0.9 * this.#box.clientHeight);
    return html`<div
        class="scroller ${part === 'message' ? 'words' : part}"
        part=${part}
        role="group"
        tabindex="0"
        aria-label=${label}
        dir=${part === 'arguments' ? 'ltr' : nothing}
        @scroll=${this.#look}
        ${ref(this.#observe)}
      >
        ${this.render()}
      </div>
      <p class="hint">
        <span>
          ${msg('The text is longer. Scroll to read all of it.', { id: 'mcp.consent.scroll' })}
        </span>
        <button type="button" class="read-on" @click=${readOn}>
          ${msg('Read on', { id: 'mcp.long-text.read-on' })}
        </button>
      </p>
      ${this.#renderUnseen()} ${this.renderMore(onread)}`;
  }

  #renderUnseen(): TemplateResult | typeof nothing {
    if (this.unseen <= MAX_UNSEEN) return nothing;
    const count = formatNumber(this.unseen);
    return html`<p class="facts unseen">
      ${msg(str`Characters in it that cannot be seen, such as spaces at the ends of lines: ${count}`, { id: 'mcp.long-text.unseen' })}
    </p>`;
  }

  readonly #observe = (box?: Element): void => {
    this.#box = box;
    this.#sizes?.disconnect();
    if (box) this.#sizes?.observe(box);
  };

  readonly #look = (): void => {
    const box = this.#box;
    // A hidden box has no size, so its end cannot be visible.
    if (!box?.clientHeight) return;
    box.toggleAttribute('data-overflows', box.scrollHeight > box.clientHeight + 1);
    const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    if (!isAtEnd || this.#isEndSeen) return;
    this.#isEndSeen = true;
    this.#onread();
  };

  /** The number of characters that are shown, with a button for more; nothing if all are shown. */
  renderMore(onmore: () => void): TemplateResult | typeof nothing {
    if (this.isWhole) return nothing;
    const [shown, all] = this.lengths.map(formatNumber) as [string, string];
    const more = (): void => {
      this.showMore();
      onmore();
    };
    return html`<p class="more">
      <span>${msg(str`Characters shown: ${shown} of ${all}`, { id: 'mcp.long-text.shown' })}</span>
      <button type="button" @click=${more}>
        ${msg('Show more', { id: 'mcp.long-text.more' })}
      </button>
    </p>`;
  }

  #portion(): void {
    let cost = 0;
    while (this.#shownLength < this.#text.length && cost < this.#limit) {
      const start = this.#shownLength;
      const end = endWithinCost(this.#text, start, PORTION_COST);
      const line = this.#text.lastIndexOf('\n', end - 1) + 1;
      // A portion ends with a line if possible, so that the end of a portion does not look like the end of a
      // line.
      this.#shownLength = end < this.#text.length && line > start ? line : end;
      const portion = this.#text.slice(start, this.#shownLength).replace(/\n$/, '');
      this.#portions.push(visibleText(portion));
      this.#unseen += countUnseen(portion);
      cost += PORTION_COST;
    }
  }
}

/** The style sheet of long texts; after that of the theme. */
export const longTextStyles = css`
  .long-text {
    overflow-wrap: anywhere;
    tab-size: 4;
  }

  .long-text > .portion {
    display: block;
    min-block-size: 1lh;
    white-space: pre-wrap;
    unicode-bidi: plaintext;
    text-align: start;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 40rem;
  }

  .long-text > .portion:first-child {
    content-visibility: visible;
  }

  .scroller {
    max-block-size: min(20rem, 40dvb);
    overflow: auto;
  }

  /* Not every browser shows a scroll bar. */
  .scroller:not([data-overflows]) + .hint {
    display: none;
  }

  .more,
  .hint {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
    margin: 0.5rem 0 0;
    color: var(--_muted);
    font-size: 0.8125rem;
  }

  .more > button,
  .hint > button {
    color: var(--_text);
  }
`;
