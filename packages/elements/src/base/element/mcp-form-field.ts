import type { PropertyDeclarations } from 'lit';
import { McpElement } from './mcp-element.js';

/** The parts that elements share that are fields of a form, as native fields are. */
export abstract class McpFormField extends McpElement {
  /** Makes the browser treat the element as a field of its form. */
  static readonly formAssociated = true;

  static override readonly properties: PropertyDeclarations = {
    name: { reflect: true },
    label: {},
    required: { type: Boolean, reflect: true },
    disabled: { type: Boolean, reflect: true },
  };

  /** The name of the entries in the form. Default: none, so the form has no entry. */
  declare name: string | undefined;
  /** The accessible name. Default: the text of the `<label>`, else a general name. */
  declare label: string | undefined;
  /** Whether the form needs a value. Default: false. */
  declare required: boolean;
  /** Whether nothing can be changed. Default: false. */
  declare disabled: boolean;

  #isDisabledByForm = false;

  constructor() {
    super();
    this.required = false;
    this.disabled = false;
  }

  /** The form that the element belongs to. */
  get form(): HTMLFormElement | null {
    return this.internals.form;
  }

  /** The reasons why the value is not valid, as of every field of a form. */
  get validity(): ValidityState {
    return this.internals.validity;
  }

  /** The missing value, in the language of the page; empty if the value is valid. */
  get validationMessage(): string {
    return this.internals.validationMessage;
  }

  /** Whether the form checks this field: not while it is disabled. */
  get willValidate(): boolean {
    return this.internals.willValidate;
  }

  /** Whether the element is valid; fires `invalid` if not. */
  checkValidity(): boolean {
    return this.internals.checkValidity();
  }

  /** As `checkValidity()`; also shows the user what is missing. */
  reportValidity(): boolean {
    return this.internals.reportValidity();
  }

  /** Called by the browser when a `<fieldset>` around the element is disabled. */
  formDisabledCallback(isDisabled: boolean): void {
    this.#isDisabledByForm = isDisabled;
    this.requestUpdate();
  }

  /** Whether the element or a `<fieldset>` around it is disabled. */
  protected get isDisabled(): boolean {
    return this.disabled || this.#isDisabledByForm;
  }

  /** `label`, else the text of the `<label>` elements; empty without any. */
  protected get labelText(): string {
    const labels = [...this.internals.labels].map(({ textContent }) => textContent?.trim());
    return this.label || labels.join(' ');
  }
}
