import { msg } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { McpElement } from '../../base/element/mcp-element.js';
import { optionStyles } from '../../fields/options/option-list.js';
import { popupStyles } from '../../fields/options/popup.js';
import type { TextField } from '../../fields/options/typed-trigger.js';
import { renderConnection } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { renderBudget } from './option.js';
import { Choice } from './choice.js';
import { McpResourcePickEvent } from './events.js';
import { Finder } from './finder.js';
import { styles } from './mcp-resource-picker.styles.js';
import { PickedChips } from './picked-chips.js';

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
 * @csspart icon - The icon of a suggestion or a chip.
 * @csspart title - The title of a suggestion or a chip.
 * @csspart details - What stands below a title.
 * @csspart connection - The remark about a lost or ended connection.
 * @cssstate open - The suggestions are open.
 * @cssstate error - The resources could not be loaded.
 * @cssstate reconnecting - The connection is lost; what is shown may be out of date.
 * @cssstate closed - The connection has ended.
 */
export class McpResourcePicker extends McpElement {
  /** Makes the browser treat the element as a field of its form. */
  static readonly formAssociated = true;

  static override readonly styles = [theme, optionStyles, popupStyles, styles];

  /** The options of the shadow root: `focus()` on the element reaches the search field. */
  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    name: { reflect: true },
    label: {},
    required: { type: Boolean, reflect: true },
    disabled: { type: Boolean, reflect: true },
    placeholder: {},
    budget: { type: Number },
    for: {},
    field: { attribute: false },
    defaultValue: {
      attribute: 'value',
      converter: (text: string | null): string[] => text?.split(/\s+/).filter(Boolean) ?? [],
    },
  };

  /** The name of the entries in the form. Default: none, so the form has no entry. */
  declare name: string | undefined;
  /** The accessible name. Default: the text of the `<label>`, or otherwise a general name. */
  declare label: string | undefined;
  /** Whether the form needs a value. Default: false. */
  declare required: boolean;
  /** Whether nothing can be changed. Default: false. */
  declare disabled: boolean;
  /** The hint in the empty search field. Default: `Add a resource…`. */
  declare placeholder: string | undefined;
  /** The budget for automatic inclusion, in tokens. Default: none, so nothing is included automatically. */
  declare budget: number | undefined;
  /** The id of a text field in the same tree, where `@` opens the suggestions. Default: none. */
  declare for: string | undefined;
  /** A text field where `@` opens the suggestions, instead of the one with the id `for`. Default: none. */
  declare field: TextField | undefined;
  /** The uris at the start and after a reset of the form. As an attribute they are separated by spaces. */
  declare defaultValue: readonly string[];

  readonly #choice = new Choice();
  readonly #chips = new PickedChips(this, {
    resourceOf: (uri) => this.#choice.resourceOf(uri),
    remove: (uri) => this.#changeByUser(() => this.#choice.remove(uri)),
    leave: () => (this.#finder.field ?? this).focus(),
  });
  readonly #finder: Finder = new Finder(this, {
    choice: this.#choice,
    isDisabled: () => this.#isDisabled,
    add: (resource) => this.#changeByUser(() => this.#choice.add(resource)),
    remove: (uri) => this.#changeByUser(() => this.#choice.remove(uri)),
    leave: () => this.#chips.enter(),
  });
  /** The inputs of the value that the form has. */
  #synced: readonly unknown[] = [];
  /** Whether the value differs from that of the attribute. */
  #isTouched = false;
  /** Whether the user was told that a resource is missing. */
  #isReported = false;
  #isDisabledByForm = false;

  constructor() {
    super();
    this.required = false;
    this.disabled = false;
    this.defaultValue = [];
    this.addEventListener('invalid', () => {
      this.#isReported = true;
      this.requestUpdate();
    });
  }

  /**
   * The uris of the resources for the model: those that the user chose, in that order, then those that are
   * included automatically. Setting it replaces the choice of the user, and fires no event.
   */
  get value(): readonly string[] {
    return this.#choice.uris;
  }

  set value(uris: readonly string[]) {
    this.#isTouched = true;
    this.#choose(uris);
  }

  /** The uris of `value` that are included automatically. The last one is left out first. */
  get automatic(): readonly string[] {
    return this.#choice.included.map(({ uri }) => uri);
  }

  /** Loads the resources again after an error. */
  retry(): void {
    this.#finder.retry();
  }

  /** The form that the element belongs to. */
  get form(): HTMLFormElement | null {
    return this.internals.form;
  }

  /** The reasons why the value is not valid, in the same form as for every field of a form. */
  get validity(): ValidityState {
    return this.internals.validity;
  }

  /** The message about the missing value, in the language of the page; empty if the value is valid. */
  get validationMessage(): string {
    return this.internals.validationMessage;
  }

  /** Whether the form checks this field: false while it is disabled. */
  get willValidate(): boolean {
    return this.internals.willValidate;
  }

  /** Whether the element is valid; fires `invalid` if not. */
  checkValidity(): boolean {
    return this.internals.checkValidity();
  }

  /** Checks the value as `checkValidity()` does, and also shows the user what is missing. */
  reportValidity(): boolean {
    return this.internals.reportValidity();
  }

  /** Called by the browser when a `<fieldset>` around the element is disabled. */
  formDisabledCallback(isDisabled: boolean): void {
    this.#isDisabledByForm = isDisabled;
    this.requestUpdate();
  }

  /** Called by the browser when the form is reset. */
  formResetCallback(): void {
    this.#isTouched = false;
    this.#isReported = false;
    this.#finder.clear();
    this.#choose(this.defaultValue);
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
    this.#finder.stop();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('defaultValue') && !this.#isTouched) this.#choice.chosen = this.defaultValue;
    this.#finder.watch(this.field, this.for ?? '');
    const isNeeded = this.#budget > 0 || this.#choice.chosen.length > 0;
    this.#finder.update(this.connection.client, isNeeded);
    this.#updateStates();
    if (this.#chooseAutomatically()) void this.updateComplete.then(() => this.#fire('automatic'));
  }

  #updateStates(): void {
    const { state } = this.connection;
    this.setState('open', this.#finder.isOpen);
    this.setState('error', this.#finder.hasFailed);
    this.setState('reconnecting', state === 'reconnecting');
    this.setState('closed', state === 'closed');
  }

  protected override updated(): void {
    this.#syncForm();
  }

  protected override render(): TemplateResult {
    const { hasFailed, isOpen } = this.#finder;
    return html`
      ${this.#hasField ? nothing : this.#renderInput()}
      ${this.#chips.render(this.#choice, this.#isDisabled)}
      ${renderBudget(this.#choice, this.#budget, this.#isDisabled, (resource) =>
        this.#changeByUser(() => this.#choice.add(resource)),
      )}
      ${this.#hasField && this.#isInvalid ? this.#renderMissing() : nothing}
      ${hasFailed && !isOpen ? this.#finder.renderError() : nothing}
      ${renderConnection(this.connection.state)} ${this.#finder.renderPopup()}
    `;
  }

  #renderInput(): TemplateResult {
    const general = msg('Resources for the model', { id: 'mcp.resource-picker.label' });
    const labels = [...this.internals.labels].map(({ textContent }) => textContent?.trim());
    return this.#finder.renderInput({
      label: this.label || labels.join(' ') || general,
      placeholder: this.placeholder,
      required: this.required,
      isInvalid: this.#isInvalid,
    });
  }

  /**
   * Renders the message about a missing resource. Without a search field, the browser has no place to show
   * it.
   */
  #renderMissing(): TemplateResult {
    return html`<p class="note missing" role="alert">${this.validationMessage}</p>`;
  }

  /** Whether the element or a `<fieldset>` around it is disabled. */
  get #isDisabled(): boolean {
    return this.disabled || this.#isDisabledByForm;
  }

  get #hasField(): boolean {
    return this.field !== undefined || (this.for ?? '') !== '';
  }

  get #isInvalid(): boolean {
    return this.#isReported && this.required && this.value.length === 0;
  }

  get #budget(): number {
    const { budget } = this;
    return typeof budget === 'number' && budget > 0 ? budget : 0;
  }

  #choose(uris: readonly string[]): void {
    this.#choice.chosen = uris;
    this.#choice.revoked = [];
    this.#syncForm();
    this.requestUpdate();
  }

  /** Chooses automatically. Returns whether other resources are included now. */
  #chooseAutomatically(): boolean {
    return this.#choice.update(this.#finder.resources, this.#budget);
  }

  #changeByUser(change: () => void): void {
    this.#isTouched = true;
    change();
    this.#chooseAutomatically();
    this.#syncForm();
    this.requestUpdate();
    this.#fire('user');
  }

  #fire(reason: 'user' | 'automatic'): void {
    this.dispatchEvent(new McpResourcePickEvent(this.value, this.automatic, reason));
  }

  /** Passes the uris to the form, one entry for each, and reports whether one is missing. */
  #syncForm(): void {
    const { uris, revoked } = this.#choice;
    const { name } = this;
    const missing =
      this.required && uris.length === 0
        ? msg('Choose at least one resource.', { id: 'mcp.resource-picker.missing' })
        : '';
    // The browser points to the search field when a resource is missing.
    const anchor = this.#finder.input;
    const inputs = [uris, revoked, name, missing, anchor];
    if (inputs.every((input, index) => input === this.#synced[index])) return;
    this.#synced = inputs;
    const entries = new FormData();
    if (name) for (const uri of uris) entries.append(name, uri);
    this.internals.setFormValue(entries, this.#choice.state);
    this.internals.setValidity({ valueMissing: missing !== '' }, missing, anchor);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-resource-picker': McpResourcePicker;
  }
}
