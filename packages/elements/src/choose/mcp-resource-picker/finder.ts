import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { isComposing } from '../../fields/options/is-composing.js';
import { Popup } from '../../fields/options/popup.js';
import { TypedTrigger, type TextField } from '../../fields/options/typed-trigger.js';
import { formatNumber } from '../../base/text/format.js';
import { Announcer } from './announcer.js';
import type { Choice } from './choice.js';
import { Suggestions } from './suggestions.js';
import { MENTION, mentionOf, titleOf } from './option.js';

/** What the finder needs from the picker. */
export interface FinderOptions {
  choice: Choice;
  isDisabled: () => boolean;
  /** Adds a resource to the choice of the user. */
  add: (resource: Resource) => void;
  /** Removes a resource from the choice. */
  remove: (uri: string) => void;
  /** Does what a key means that leads from the search field to the chips. Returns whether it did. */
  leave: (key: string) => boolean;
}

/** What the search field shows. */
export interface SearchField {
  label: string;
  placeholder: string | undefined;
  required: boolean;
  /** Whether the user knows that a resource is missing. */
  isInvalid: boolean;
}

/** Finds resources: in the search field, or after `@` in a text field of the page. */
export class Finder {
  readonly suggestions: Suggestions;
  readonly #announcer: Announcer;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: FinderOptions;
  readonly #input = createRef<HTMLInputElement>();
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup: Popup;
  readonly #mention: TypedTrigger;
  #typed = '';

  constructor(host: ReactiveControllerHost & HTMLElement, options: FinderOptions) {
    this.#host = host;
    this.#options = options;
    this.#announcer = new Announcer(host);
    this.suggestions = new Suggestions(host, options.choice, (one) => this.#choose(one));
    this.#popup = new Popup(host, {
      element: () => this.#popupElement.value,
      anchor: () => this.#mention.rect() ?? this.#input.value?.getBoundingClientRect(),
    });
    this.#mention = new TypedTrigger(host, {
      pattern: MENTION,
      onchange: () => this.#onMention(),
      onkeydown: (event) => this.#pressOpen(event),
    });
    host.addEventListener('focusout', () => this.#onFocusout());
  }

  /** Whether the suggestions are open. */
  get isOpen(): boolean {
    return this.#popup.isOpen;
  }

  /** The search field; `undefined` without one. */
  get input(): HTMLInputElement | undefined {
    return this.#input.value;
  }

  /** The text field of the page; `undefined` without one. */
  get field(): TextField | undefined {
    return this.#mention.field;
  }

  /** Watches a text field of the page, or the one with an id in the tree of the host. */
  watch(field: TextField | undefined, id: string): void {
    this.#mention.watch(field, id);
  }

  /**
   * Finds what matches now. To be called before each rendering.
   *
   * @param isNeeded Whether the resources are needed for something else, too.
   */
  update(client: McpClient | undefined, isNeeded: boolean): void {
    const isOpen = this.isOpen && !this.#options.isDisabled();
    this.#popup.isOpen = isOpen;
    const input = { client, typed: this.#typed, isOpen, isNeeded };
    if (this.suggestions.update(input)) this.#announceMatches();
  }

  /** Empties the search field. */
  clear(): void {
    this.#typed = '';
  }

  /** Ends what is under way. */
  stop(): void {
    this.#announcer.stop();
    this.suggestions.stop();
  }

  renderInput({ label, placeholder, required, isInvalid }: SearchField): TemplateResult {
    const { list } = this.suggestions;
    const isShown = this.isOpen && list.items.length > 0;
    return html`<input
      part="input"
      type="text"
      role="combobox"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      aria-label=${label}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-expanded=${isShown}
      aria-controls=${isShown ? 'suggestions' : nothing}
      aria-activedescendant=${isShown ? list.activeId : nothing}
      aria-required=${required}
      aria-invalid=${isInvalid || nothing}
      placeholder=${placeholder ?? msg('Add a resource…', { id: 'mcp.resource-picker.add' })}
      ?disabled=${this.#options.isDisabled()}
      .value=${this.#typed}
      ${ref(this.#input)}
      @input=${this.#onInput}
      @keydown=${this.#onKeydown}
      @click=${() => this.#open()}
    />`;
  }

  renderPopup(): TemplateResult {
    return html`<div class="popup" part="popup" popover="manual" ${ref(this.#popupElement)}>
        ${this.isOpen ? this.suggestions.render() : nothing}
      </div>
      <div class="visually-hidden" role="status">${this.#announcer.text}</div>`;
  }

  #announceMatches(): void {
    this.#announcer.announceLater(() => {
      if (!this.isOpen || !this.suggestions.isReady) return undefined;
      const count = formatNumber(this.suggestions.list.items.length);
      return msg(str`Matching resources: ${count}`, { id: 'mcp.resource-picker.matches' });
    });
  }

  /** The focus is in a field of the page, which cannot name an option inside this element. */
  #announceActive(): void {
    const { activeItem, activeIndex, items } = this.suggestions.list;
    if (!activeItem) return;
    const [title, position, count] = [titleOf(activeItem), activeIndex + 1, items.length];
    this.#announcer.announce(
      msg(str`${title}, ${formatNumber(position)} of ${formatNumber(count)}`, {
        id: 'mcp.resource-picker.active',
      }),
    );
  }

  #open(): void {
    if (!this.#options.isDisabled()) this.#popup.isOpen = true;
  }

  #close(): void {
    this.#popup.isOpen = false;
    this.suggestions.list.activate(-1);
    this.#announcer.announce('');
  }

  #find(typed: string): void {
    this.#typed = typed;
    this.suggestions.list.activate(-1);
    this.#open();
  }

  readonly #onInput = (event: InputEvent): void => {
    this.#find((event.target as HTMLInputElement).value);
  };

  #onMention(): void {
    const { typed } = this.#mention;
    if (typed && !this.#options.isDisabled()) this.#find(typed.query);
    else this.#close();
  }

  #onFocusout(): void {
    // The focus may go on to another part of the element.
    queueMicrotask(() => {
      if (this.#host.matches(':focus-within') || this.#mention.typed) return;
      this.#typed = '';
      this.#close();
    });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (this.isOpen ? this.#pressOpen(event) : this.#pressClosed(event)) event.preventDefault();
  };

  /** What a key does while the popup is closed. Returns whether it did something. */
  #pressClosed({ key, target }: KeyboardEvent): boolean {
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      this.#open();
      return true;
    }
    const { selectionStart, selectionEnd } = target as HTMLInputElement;
    return selectionStart === 0 && selectionEnd === 0 && this.#options.leave(key);
  }

  /** What a key does while the popup is open. Returns whether it did something. */
  #pressOpen(event: KeyboardEvent): boolean {
    const { key, altKey } = event;
    const { list } = this.suggestions;
    if (key === 'Escape' || (key === 'ArrowUp' && altKey)) {
      this.#mention.dismiss();
      this.#close();
      return true;
    }
    if (list.move(event)) {
      if (this.#mention.typed) this.#announceActive();
      return true;
    }
    if (key === 'Enter' && list.activeItem) {
      this.#choose(list.activeItem);
      return true;
    }
    return key === 'Backspace' && this.#leave();
  }

  /** Backspace in the empty search field goes to the chips, with the popup open, too. */
  #leave(): boolean {
    if (this.#typed !== '' || this.#mention.typed || !this.#options.leave('Backspace'))
      return false;
    this.#close();
    return true;
  }

  #choose(resource: Resource): void {
    if (this.#mention.typed) return this.#insertMention(resource);
    const { choice, add, remove } = this.#options;
    if (choice.has(resource.uri)) remove(resource.uri);
    else add(resource);
    // The next search replaces the text of this one.
    this.input?.select();
  }

  #insertMention(resource: Resource): void {
    const { choice, add } = this.#options;
    this.#mention.replace(mentionOf(resource));
    this.#close();
    if (!choice.isChosen(resource.uri)) add(resource);
  }
}
