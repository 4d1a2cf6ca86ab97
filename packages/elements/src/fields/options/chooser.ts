import { msg } from '@lit/localize';
import { css, html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { isComposing } from '../../base/element/is-composing.js';
import { matchesIn } from '../../base/text/matching.js';
import { OptionList } from './option-list.js';

/** The options for showing the entries of a chooser. */
export interface ChooserOptions<Entry> {
  keyOf: (entry: Entry) => string;
  /** Renders the content of an option. */
  render: (entry: Entry) => TemplateResult;
  /** The texts by which an entry is found. */
  textsOf: (entry: Entry) => readonly unknown[];
  /** Called when the user has chosen an entry. */
  onchoose: (entry: Entry) => void;
}

/** The number of entries from which on the list has a filter. */
const MIN_FILTERED = 8;

/**
 * Chooses one of the entries of a server: a combobox whose list is always open. It is also the list
 * of a popup at a text field of the page.
 */
export class Chooser<Entry extends object> {
  readonly #host: ReactiveControllerHost;
  readonly #options: ChooserOptions<Entry>;
  /** The matches, for the keys and the announcements of a popup. */
  readonly list: OptionList<Entry>;
  #entries: readonly Entry[] = [];
  #typed = '';
  #inputs: readonly unknown[] = [];

  constructor(host: ReactiveControllerHost, options: ChooserOptions<Entry>) {
    this.#host = host;
    this.#options = options;
    this.list = new OptionList(host, {
      id: 'entries',
      keyOf: options.keyOf,
      render: options.render,
      onchoose: options.onchoose,
    });
  }

  /** The text by which the entries are filtered. */
  get typed(): string {
    return this.#typed;
  }

  set typed(typed: string) {
    if (typed === this.#typed) return;
    this.#typed = typed;
    this.list.activate(-1);
    this.#host.requestUpdate();
  }

  /** Updates the matches. Must be called before each rendering. */
  update(entries: readonly Entry[]): void {
    const inputs = [entries, this.#typed];
    if (inputs.every((input, index) => input === this.#inputs[index])) return;
    this.#inputs = inputs;
    this.#entries = entries;
    this.list.items = matchesIn(entries, this.#typed, this.#options.textsOf);
    // The first match is chosen with Enter.
    if (this.list.activeIndex < 0 && this.#typed.trim() !== '') this.list.activate(0);
  }

  /** Handles a key of a combobox. Returns whether it had an effect. */
  onkeydown(event: KeyboardEvent): boolean {
    if (isComposing(event)) return false;
    if (this.list.move(event)) return true;
    const { activeItem } = this.list;
    if (event.key !== 'Enter' || activeItem === undefined) return false;
    this.#options.onchoose(activeItem);
    return true;
  }

  /**
   * The filter and the list.
   *
   * @param label The accessible name.
   */
  render(label: string): TemplateResult {
    const isFiltered = this.#entries.length >= MIN_FILTERED || this.#typed !== '';
    return html`<div class="chooser">
      <input
        class=${isFiltered ? nothing : 'visually-hidden'}
        part="filter"
        type="text"
        role="combobox"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-label=${label}
        aria-autocomplete="list"
        aria-expanded=${this.list.items.length > 0}
        aria-controls=${this.list.items.length > 0 ? 'entries' : nothing}
        aria-activedescendant=${this.list.activeId}
        placeholder=${msg('Search', { id: 'mcp.resource-list.search' })}
        .value=${this.#typed}
        @input=${this.#onInput}
        @keydown=${(event: KeyboardEvent) => {
          if (this.onkeydown(event)) event.preventDefault();
        }}
      />
      ${this.renderList(label)} ${this.list.renderStatus()}
    </div>`;
  }

  /** Renders only the list, for a popup. */
  renderList(label: string): TemplateResult {
    if (this.list.items.length > 0) return this.list.render(label);
    const noMatch = msg('Nothing matches.', { id: 'mcp.template-form.no-match' });
    return html`<div class="message">${noMatch}</div>`;
  }

  readonly #onInput = (event: InputEvent): void => {
    this.typed = (event.target as HTMLInputElement).value;
    this.list.announceCount();
  };
}

/** The styles that a chooser needs. */
export const chooserStyles = css`
  .chooser {
    display: flex;
    flex-direction: column;
    position: relative;
  }

  .chooser > input:not(.visually-hidden) {
    margin-block-end: 0.5rem;
  }

  .chooser > .options {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  /* The way back to the list. */
  .back > .icon {
    transform: rotate(180deg);
  }

  .back:dir(rtl) > .icon {
    transform: none;
  }

  /* Without a filter, the list shows the focus of the hidden field. */
  .chooser > input.visually-hidden:focus-visible + .options {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
`;
