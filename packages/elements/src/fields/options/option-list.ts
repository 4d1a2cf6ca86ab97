import { msg, str } from '@lit/localize';
import {
  css,
  html,
  nothing,
  type CSSResultGroup,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { rowStyles, VirtualRows } from '../../base/rows/virtual-rows.js';
import { formatNumber } from '../../base/text/format.js';

/** The time without typing after which the number of options is announced, in milliseconds. */
const REST_MS = 600;

/** The options for showing a list of options. */
interface OptionListOptions<Item> {
  /** The id of the list box in its shadow root; ids of options begin with it. */
  id: string;
  /** A string that no other item has. */
  keyOf: (item: Item) => string;
  /** Renders the content of an option. */
  render: (item: Item) => TemplateResult;
  /** Whether an option is chosen. Default: none is chosen. */
  isSelected?: (item: Item) => boolean;
  /** Called when the user chose an option by pointer. */
  onchoose: (item: Item) => void;
}

/**
 * The list box of a combobox with any number of options. The focus stays in the text field, which
 * names the active option with `aria-activedescendant`.
 */
export class OptionList<Item> {
  readonly #host: ReactiveControllerHost;
  readonly #options: OptionListOptions<Item>;
  readonly #scroller = createRef<HTMLElement>();
  readonly #rows: VirtualRows;
  #items: readonly Item[] = [];
  #active = -1;
  #announcement = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, options: OptionListOptions<Item>) {
    this.#host = host;
    this.#options = options;
    this.#rows = new VirtualRows(host, {
      scroller: () => this.#scroller.value,
      keyOf: (index) => options.keyOf(this.#items[index]!),
    });
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Sets other options. The active option stays active if it is among them. */
  set items(items: readonly Item[]) {
    if (items === this.#items) return;
    const { activeItem } = this;
    this.#items = items;
    this.#rows.count = items.length;
    const key = activeItem === undefined ? undefined : this.#options.keyOf(activeItem);
    this.#active =
      key === undefined ? -1 : items.findIndex((item) => this.#options.keyOf(item) === key);
  }

  /** The active option. */
  get activeItem(): Item | undefined {
    return this.#items[this.#active];
  }

  /** The index of the active option; −1 without one. */
  get activeIndex(): number {
    return this.#active;
  }

  /** The id of the active option, for `aria-activedescendant`. */
  get activeId(): string | typeof nothing {
    return this.#active < 0 ? nothing : this.#idOf(this.#active);
  }

  /** Makes an option the active one, and shows it; −1 for none. */
  activate(index: number): void {
    this.#active = Math.max(-1, Math.min(index, this.#items.length - 1));
    if (this.#active >= 0) this.#rows.scrollToRow(this.#active);
    else this.#host.requestUpdate();
  }

  /** Moves with the arrow keys and the keys for pages. Returns whether the key is one of these. */
  move({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (altKey || ctrlKey || metaKey || this.#items.length === 0) return false;
    const target = this.#targetOf(key);
    if (target === undefined) return false;
    this.activate(target);
    return true;
  }

  /**
   * The list box.
   *
   * @param label Its accessible name.
   * @param isMultiple Whether several options can be chosen.
   */
  render(label: string, isMultiple = false): TemplateResult {
    return html`<div
      id=${this.#options.id}
      class="options"
      part="options"
      role="listbox"
      aria-label=${label}
      aria-multiselectable=${isMultiple ? 'true' : nothing}
      tabindex="-1"
      ${ref(this.#scroller)}
      @click=${this.#onClick}
      @mousedown=${(event: Event) => event.preventDefault()}
    >
      ${this.#rows.render((index) => this.#renderOption(index))}
    </div>`;
  }

  /** Renders the polite status with the announcements, once in the shadow root. */
  renderStatus(): TemplateResult {
    return html`<div class="visually-hidden" role="status">${this.#announcement}</div>`;
  }

  /** Announces a text; an empty text announces nothing. */
  announce(text: string): void {
    this.#announcement = text;
    this.#host.requestUpdate();
  }

  /** Announces the active option, if the focus is in a field of the page, which cannot name it. */
  announceActive(titleOf: (item: Item) => string): void {
    const { activeItem } = this;
    if (activeItem === undefined) return;
    const [title, position] = [titleOf(activeItem), formatNumber(this.#active + 1)];
    const count = formatNumber(this.#items.length);
    this.announce(
      msg(str`${title}, ${position} of ${count}`, { id: 'mcp.resource-picker.active' }),
    );
  }

  /** Announces the number of options after a time without typing, if they are still shown then. */
  announceCount(areShown: () => boolean = () => true): void {
    this.stop();
    this.#timer = setTimeout(() => {
      const count = formatNumber(this.#items.length);
      if (areShown())
        this.announce(msg(str`Matches: ${count}`, { id: 'mcp.template-form.matches' }));
    }, REST_MS);
  }

  /** Drops an announcement that has not been made yet. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #renderOption(index: number): TemplateResult {
    const item = this.#items[index]!;
    return html`<div
      id=${this.#idOf(index)}
      class=${index === this.#active ? 'row active' : 'row'}
      part="option"
      role="option"
      aria-selected=${this.#options.isSelected?.(item) === true}
      aria-setsize=${this.#items.length}
      aria-posinset=${index + 1}
      data-index=${index}
    >
      ${this.#options.render(item)}
    </div>`;
  }

  #targetOf(key: string): number | undefined {
    const last = this.#items.length - 1;
    const page = this.#rows.rowsPerPage - 1 || 1;
    switch (key) {
      case 'ArrowDown':
        return this.#active >= last ? 0 : this.#active + 1;
      case 'ArrowUp':
        return this.#active <= 0 ? last : this.#active - 1;
      case 'PageDown':
        return Math.min(last, this.#active + page);
      case 'PageUp':
        return Math.max(0, this.#active - page);
      default:
        return undefined;
    }
  }

  #idOf(index: number): string {
    return `${this.#options.id}-${index}`;
  }

  readonly #onClick = (event: MouseEvent): void => {
    const option = (event.target as Element).closest<HTMLElement>('[data-index]');
    const index = Number(option?.dataset['index'] ?? -1);
    const item = this.#items[index];
    if (item === undefined) return;
    this.#active = index;
    this.#host.requestUpdate();
    this.#options.onchoose(item);
  };
}

/** The styles that the options need: one line with an icon, or two lines. */
export const optionStyles: CSSResultGroup = [
  rowStyles,
  css`
    .options {
      position: relative;
      /* With a basis of 0, Safari gives a popup no height. */
      flex: 1 1 auto;
      min-block-size: 0;
      max-block-size: 20rem;
      overflow: auto;
      overscroll-behavior: contain;
    }

    .options .row {
      display: flex;
      align-items: center;
      gap: 0.7rem;
      block-size: max(2.5rem, 3rem * var(--_density));
      padding-inline: 0.8rem;
      border-inline-start: 3px solid transparent;
      cursor: pointer;
    }

    .options .row > .icon {
      color: var(--_muted);
    }

    .options .row:hover {
      background: var(--_raised);
    }

    .options .row[aria-selected='true'] {
      background: var(--_selected);
      color: var(--_on-selected);
    }

    .options .row.active {
      border-inline-start-color: var(--_accent);
      outline: 2px solid var(--_accent);
      outline-offset: -2px;
    }

    .options .texts {
      flex: 1;
      min-inline-size: 0;
      line-height: 1.3;
    }

    .options .details {
      color: var(--_muted);
      font-size: 0.8125rem;
    }

    .options .row > .end {
      flex: none;
      color: var(--_muted);
      font-size: 0.8125rem;
    }

    @media (forced-colors: active) {
      /* A transparent line would be drawn. */
      .options .row:not(.active) {
        border-inline-start-color: Canvas;
      }

      .options .row[aria-selected='true'] {
        background: Highlight;
        color: HighlightText;
        forced-color-adjust: none;
      }

      .options .row[aria-selected='true'] :is(.icon, .details, .end) {
        color: inherit;
      }
    }
  `,
];
