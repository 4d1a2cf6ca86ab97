import type { ResourceContents, TextResourceContents } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { loadPart } from '../../../base/look/load-part.js';
import { renderOutdated } from '../../../base/look/messages.js';
import type { Slices } from '../../../reading/slices.js';
import { endWithinCost } from '../../../base/text/layout-cost.js';
import { formatNumber } from '../../../base/text/format.js';
import type { Portions, Showing, ShownContent } from '../content/shown-content.js';

/** Types that are prose rather than code. */
const PROSE_TYPES: readonly (string | undefined)[] = ['text/plain', undefined];

/** How a text is shown. */
interface TextOptions {
  /** How much of it is shown at first, in UTF-16 code units. */
  limit: number;
  /** `markdown` is formatted; any other is plain text. */
  kind: string;
  /** Why the formatted view in whose place it stands could not be loaded. Default: in no place. */
  failure?: unknown;
}

/**
 * A text of which a part is shown, and more when the user asks for it. While a new version takes its
 * place, portion by portion, the old one stays.
 */
export class PortionedText implements ShownContent {
  readonly kind: string;
  readonly #showing: Showing;
  #contents: TextResourceContents;
  #portions: Portions | undefined;
  #isFormatted: boolean;
  /** Why the formatted view could not be loaded. */
  #failure: unknown;
  /** What is shown. Past `#count` it is of an earlier version. */
  readonly #elements: HTMLElement[] = [];
  #count = 0;
  /** How much of the text is to be shown, in UTF-16 code units. */
  #limit: number;
  /** Which portion is to have the focus as soon as it is shown. */
  #focusAt = -1;

  constructor(contents: TextResourceContents, showing: Showing, options: TextOptions) {
    const { limit, kind, failure } = options;
    this.kind = kind;
    this.#contents = contents;
    this.#showing = showing;
    this.#isFormatted = kind === 'markdown';
    this.#failure = failure;
    this.#limit = limit;
  }

  accepts(contents: ResourceContents): boolean {
    if (contents === this.#contents) return true;
    if (!('text' in contents) || contents.mimeType !== this.#contents.mimeType) return false;
    this.#contents = contents;
    this.#portions = undefined;
    return true;
  }

  get isReady(): boolean {
    return this.#elements.length > 0 || this.#contents.text === '';
  }

  /** Wants twice as much of the text, and the focus where the new part begins. */
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
      this.#renderNext(this.#portions);
    }
    this.#elements.length = this.#count;
    await this.#portions.ready?.();
  }

  render(): TemplateResult {
    const { text } = this.#contents;
    const shown = this.#portions?.position ?? text.length;
    const isWhole = text.length <= Math.max(this.#limit, shown);
    return html`${this.#isFormatted ? this.#renderFormatted() : this.#renderPlain()}
    ${isWhole ? nothing : this.#renderMore(shown, text.length)}`;
  }

  focusNew(): void {
    const asked = this.#elements[this.#focusAt];
    if (!asked?.isConnected) return;
    this.#focusAt = -1;
    focusContent(asked);
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

  #renderFormatted(): TemplateResult {
    return html`<div class="markdown" part="markdown" dir="auto">${this.#elements}</div>`;
  }

  #renderPlain(): TemplateResult {
    const code = PROSE_TYPES.includes(this.#contents.mimeType) ? '' : ' code';
    return html`${this.#failure ? renderUnformatted(this.#failure) : nothing}
      <pre class=${`text${code}`} part="text" tabindex="0">${this.#elements}</pre>`;
  }

  async #openPortions(): Promise<Portions> {
    const { text } = this.#contents;
    if (this.#isFormatted) {
      try {
        const loaded = await loadPart(() => import('../markdown/markdown-portions.js'));
        return new loaded.MarkdownPortions(this.#contents, this.#showing);
      } catch (error) {
        this.#isFormatted = false;
        this.#failure = error;
      }
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

/** What a portion costs to lay out at most, in the unit of {@link endWithinCost}. */
const MAX_COST = 16_384;

/** A text as it is, in portions that end with a line where they can. */
class PlainPortions implements Portions {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  renderNext(portion: HTMLElement): void {
    const end = this.#nextEnd();
    const part = this.#text.slice(this.position, end);
    if (portion.textContent !== part) portion.textContent = part;
    // The line goes on in the next portion.
    portion.classList.toggle('cut', end < this.#text.length && !part.endsWith('\n'));
    this.position = end;
  }

  #nextEnd(): number {
    const end = endWithinCost(this.#text, this.position, MAX_COST);
    if (end === this.#text.length) return end;
    const lines = this.#text.slice(this.position, end).lastIndexOf('\n') + 1;
    return lines > 0 ? this.position + lines : end;
  }
}

/** Says how much of something is shown, and offers more. */
export function renderMore(howMuch: string, onmore: () => void): TemplateResult {
  return html`<div class="more" part="more">
    <span>${howMuch}</span>
    <button @click=${onmore}>${msg('Show more', { id: 'mcp.resource-view.more' })}</button>
  </div>`;
}

/** Above a text that stays unformatted. */
function renderUnformatted(failure: unknown): TemplateResult {
  return html`<p class="remark" role="note">
    ${msg('The formatted view could not be loaded. This is the text as it was written.', {
      id: 'mcp.resource-view.unformatted',
    })}
    ${renderOutdated(failure)}
  </p>`;
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
