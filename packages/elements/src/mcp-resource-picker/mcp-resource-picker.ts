import type { Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { McpFormField } from '../element/mcp-form-field.js';
import { optionStyles, type OptionList } from '../fields/option-list.js';
import { isComposing } from '../fields/is-composing.js';
import { Popup, popupStyles } from '../fields/popup.js';
import { TypedTrigger, type TextField } from '../fields/typed-trigger.js';
import { renderConnection } from '../look/messages.js';
import { theme } from '../look/theme.js';
import { formatNumber } from '../text/format.js';
import { nameOf } from '../text/name-of.js';
import { truncateText } from '../text/truncate-text.js';
import { Choice } from './choice.js';
import { McpResourcePickEvent } from './events.js';
import { styles } from './mcp-resource-picker.styles.js';
import { renderBudget } from './budget.js';
import { titleOf } from './title-of.js';
import { PickedChips } from './picked-chips.js';
import { Suggestions } from './suggestions.js';

/** `@` and what follows, if no letter or digit is before it, as in an address of e-mail. */
const MENTION = /(?<![\p{Script=Latin}\p{N}._\-\0])@(?<query>[^\s@]{0,100})$/u;

/** How long the user must rest before the number of matches is announced, in milliseconds. */
const ANNOUNCEMENT_REST_MS = 600;

/** The longest title that is put into a text field as a mention. */
const MAX_MENTION_LENGTH = 80;

/**
 * Chooses the resources that a model gets: by a search field with suggestions, or by `@` in a text
 * field of the page. It can include resources automatically, up to a budget of tokens.
 *
 * A form field: its value is the uris of the resources, one entry for each.
 *
 * @element mcp-resource-picker
 * @fires mcp-resource-pick - The chosen resources have changed, by the user or automatically.
 * @csspart input - The search field.
 * @csspart chips - The list of the chosen resources.
 * @csspart chip - A chosen resource.
 * @csspart popup - The popup with the suggestions.
 * @csspart options - The list box in the popup.
 * @csspart option - A suggestion.
 * @csspart budget - The tokens that are used of the budget.
 * @csspart error - A failure to load the resources.
 * @csspart connection - The remark about a lost or ended connection.
 */
export class McpResourcePicker extends McpFormField {
  static override readonly styles = [theme, optionStyles, popupStyles, styles];

  /** `focus()` on the element reaches the search field. */
  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    placeholder: {},
    budget: { type: Number },
    for: {},
    field: { attribute: false },
    defaultValue: {
      attribute: 'value',
      converter: (text: string | null): string[] => text?.split(/\s+/).filter(Boolean) ?? [],
    },
  };

  /** The hint in the empty search field. Default: `Add a resource…`. */
  declare placeholder: string | undefined;
  /** For automatic inclusion, in tokens. Default: none, so nothing is included automatically. */
  declare budget: number | undefined;
  /** The id of a text field in the same tree, where `@` opens the suggestions. Default: none. */
  declare for: string | undefined;
  /** A text field where `@` opens the suggestions, instead of the one with the id `for`. Default: none. */
  declare field: TextField | undefined;
  /** The uris at the start and after a reset of the form; as attribute with spaces between them. */
  declare defaultValue: readonly string[];

  readonly #choice = new Choice();
  readonly #suggestions = new Suggestions(this, this.#choice, (one) => this.#toggle(one));
  readonly #input = createRef<HTMLInputElement>();
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup = new Popup(this, {
    element: () => this.#popupElement.value,
    anchor: () => this.#mention.rect() ?? this.#input.value?.getBoundingClientRect(),
  });
  readonly #mention = new TypedTrigger(this, {
    pattern: MENTION,
    onchange: () => this.#onMention(),
    onkeydown: (event) => this.#onPopupKey(event),
  });
  readonly #chips = new PickedChips(this, {
    resourceOf: (uri) => this.#choice.resourceOf(uri),
    remove: (uri) => this.#remove(uri),
    leave: () => (this.#mention.field ?? this).focus(),
  });
  #typed = '';
  #synced: readonly unknown[] = [];
  #isTouched = false;
  #announcement = '';
  #announcementTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.defaultValue = [];
    this.addEventListener('focusout', () => this.#onFocusout());
  }

  /**
   * The uris that the model gets: those that the user chose, in that order, then those that are
   * included automatically. Setting it replaces the choice of the user, and fires no event.
   */
  get value(): readonly string[] {
    return this.#choice.uris;
  }

  set value(uris: readonly string[]) {
    this.#isTouched = true;
    this.#choice.chosen = uris;
    this.#choice.revoked = [];
    this.#syncForm();
    this.requestUpdate();
  }

  /** Those of `value` that are included automatically, the first to be left out last. */
  get automatic(): readonly string[] {
    return this.#choice.included.map(({ uri }) => uri);
  }

  /** Loads the resources again after an error. */
  retry(): void {
    this.#suggestions.retry();
  }

  /** Called by the browser when the form is reset. */
  formResetCallback(): void {
    this.#isTouched = false;
    this.#choice.chosen = this.defaultValue;
    this.#choice.revoked = [];
    this.#typed = '';
    this.#syncForm();
    this.requestUpdate();
  }

  /** Called by the browser when it restores a form. */
  formStateRestoreCallback(state: unknown): void {
    if (typeof state !== 'string') return;
    this.#isTouched = true;
    this.#choice.restore(state);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#announcementTimer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('defaultValue') && !this.#isTouched) this.#choice.chosen = this.defaultValue;
    this.#mention.watch(this.field, this.for ?? '');
    const isOpen = this.#popup.isOpen && !this.isDisabled;
    this.#popup.isOpen = isOpen;
    const { client } = this.connection;
    const isNeeded = this.#budget > 0 || this.#choice.chosen.length > 0;
    const input = { client, typed: this.#typed, isOpen, isNeeded };
    if (this.#suggestions.update(input)) this.#announceMatches();
    const hasChanged = this.#choice.update(this.#suggestions.resources, this.#budget);
    if (hasChanged) void this.updateComplete.then(() => this.#fire('automatic'));
  }

  protected override updated(): void {
    this.#syncForm();
  }

  protected override render(): TemplateResult {
    return html`
      ${this.#hasField ? nothing : this.#renderInput()}
      ${this.#chips.render(this.#choice, this.isDisabled)}
      ${renderBudget(this.#choice, this.#budget, this.isDisabled, (resource) => this.#add(resource))}
      ${this.#suggestions.hasFailed && !this.#popup.isOpen ? this.#suggestions.renderError() : nothing}
      ${renderConnection(this.connection.state)}
      <div class="popup" part="popup" popover="manual" ${ref(this.#popupElement)}>
        ${this.#popup.isOpen ? this.#suggestions.render() : nothing}
      </div>
      <div class="visually-hidden" role="status">${this.#announcement}</div>
    `;
  }

  #renderInput(): TemplateResult {
    return html`<input
      part="input"
      type="text"
      role="combobox"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      aria-label=${this.#label}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-expanded=${this.#isListShown}
      aria-controls=${this.#isListShown ? 'suggestions' : nothing}
      aria-activedescendant=${this.#isListShown ? this.#list.activeId : nothing}
      aria-required=${this.required}
      placeholder=${this.placeholder ?? msg('Add a resource…', { id: 'mcp.resource-picker.add' })}
      ?disabled=${this.isDisabled}
      .value=${this.#typed}
      ${ref(this.#input)}
      @input=${this.#onInput}
      @keydown=${this.#onKeydown}
      @click=${() => this.#open()}
    />`;
  }

  get #hasField(): boolean {
    return this.field !== undefined || (this.for ?? '') !== '';
  }

  get #budget(): number {
    const { budget } = this;
    return typeof budget === 'number' && budget > 0 ? budget : 0;
  }

  get #isListShown(): boolean {
    return this.#popup.isOpen && this.#list.items.length > 0;
  }

  get #list(): OptionList<Resource> {
    return this.#suggestions.list;
  }

  get #label(): string {
    const general = msg('Resources for the model', { id: 'mcp.resource-picker.label' });
    return this.labelText || general;
  }

  #announceMatches(): void {
    clearTimeout(this.#announcementTimer);
    this.#announcementTimer = setTimeout(() => {
      if (!this.#popup.isOpen || !this.#suggestions.isReady) return;
      const count = formatNumber(this.#list.items.length);
      this.#announce(msg(str`Matching resources: ${count}`, { id: 'mcp.resource-picker.matches' }));
    }, ANNOUNCEMENT_REST_MS);
  }

  #announce(text: string): void {
    this.#announcement = text;
    this.requestUpdate();
  }

  #open(): void {
    if (!this.isDisabled) this.#popup.isOpen = true;
  }

  #close(): void {
    this.#popup.isOpen = false;
    this.#list.activate(-1);
    this.#announcement = '';
  }

  #onInput(event: InputEvent): void {
    this.#typed = (event.target as HTMLInputElement).value;
    this.#list.activate(-1);
    this.#open();
    this.requestUpdate();
  }

  #onMention(): void {
    const { typed } = this.#mention;
    if (!typed || this.isDisabled) return this.#close();
    this.#typed = typed.query;
    this.#list.activate(-1);
    this.#open();
    this.requestUpdate();
  }

  #onFocusout(): void {
    // The focus may go on to another part of the element.
    queueMicrotask(() => {
      if (this.matches(':focus-within') || this.#mention.typed) return;
      this.#typed = '';
      this.#close();
    });
  }

  #onKeydown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (this.#popup.isOpen ? this.#onPopupKey(event) : this.#onClosedKey(event))
      event.preventDefault();
  }

  /** What a key does while the popup is closed. */
  #onClosedKey({ key, target }: KeyboardEvent): boolean {
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      this.#open();
      return true;
    }
    const input = target as HTMLInputElement;
    const isAtStart = input.selectionStart === 0 && input.selectionEnd === 0;
    if (!isAtStart || (key !== 'Backspace' && key !== this.#chips.backKey)) return false;
    return this.#chips.focusLast();
  }

  /** What a key does while the popup is open. Returns whether it did something. */
  #onPopupKey(event: KeyboardEvent): boolean {
    if (event.key === 'Escape' || (event.key === 'ArrowUp' && event.altKey)) {
      this.#mention.dismiss();
      this.#close();
      return true;
    }
    if (this.#list.move(event)) {
      if (this.#mention.typed) this.#announceActive();
      return true;
    }
    if (event.key === 'Enter' && this.#list.activeItem) {
      this.#toggle(this.#list.activeItem);
      return true;
    }
    return this.#onClosedKeyOfOpenPopup(event);
  }

  /** Backspace in the empty search field goes to the chips, with the popup open, too. */
  #onClosedKeyOfOpenPopup(event: KeyboardEvent): boolean {
    if (event.key !== 'Backspace' || this.#typed !== '' || this.#mention.typed) return false;
    if (!this.#chips.focusLast()) return false;
    this.#close();
    return true;
  }

  /** The focus is in a field of the page, which cannot name an option inside this element. */
  #announceActive(): void {
    const { activeItem, activeIndex, items } = this.#list;
    if (!activeItem) return;
    const [title, position, count] = [titleOf(activeItem), activeIndex + 1, items.length];
    this.#announce(
      msg(str`${title}, ${formatNumber(position)} of ${formatNumber(count)}`, {
        id: 'mcp.resource-picker.active',
      }),
    );
  }

  #toggle(resource: Resource): void {
    if (this.#mention.typed) {
      const title = (titleOf(resource) || nameOf(resource.uri)).replaceAll(/\s+/g, ' ');
      this.#mention.replace(`@${truncateText(title, MAX_MENTION_LENGTH)} `);
      this.#close();
      if (!this.#choice.isChosen(resource.uri)) this.#add(resource);
      return;
    }
    if (this.#choice.has(resource.uri)) this.#remove(resource.uri);
    else this.#add(resource);
    // The next search replaces the text of this one.
    this.#input.value?.select();
  }

  #add(resource: Resource): void {
    this.#choice.add(resource);
    this.#changeByUser();
  }

  #remove(uri: string): void {
    this.#choice.remove(uri);
    this.#changeByUser();
  }

  #changeByUser(): void {
    this.#isTouched = true;
    this.#choice.update(this.#suggestions.resources, this.#budget);
    this.#syncForm();
    this.requestUpdate();
    this.#fire('user');
  }

  #fire(reason: 'user' | 'automatic'): void {
    this.dispatchEvent(new McpResourcePickEvent(this.value, this.automatic, reason));
  }

  #syncForm(): void {
    const { uris } = this.#choice;
    const inputs = [uris, this.name, this.required, this.#input.value];
    if (inputs.every((input, index) => input === this.#synced[index])) return;
    this.#synced = inputs;
    const entries = new FormData();
    if (this.name) for (const uri of uris) entries.append(this.name, uri);
    this.internals.setFormValue(entries, this.#choice.state);
    const isMissing = this.required && uris.length === 0;
    const missing = msg('Choose at least one resource.', { id: 'mcp.resource-picker.missing' });
    const anchor = this.#input.value;
    if (isMissing) this.internals.setValidity({ valueMissing: true }, missing, anchor);
    else this.internals.setValidity({});
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-picker': McpResourcePicker;
  }
}
