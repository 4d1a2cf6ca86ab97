import { msg } from '@lit/localize';
import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { describedBy, idOf, nameOf, renderField, type CompletedField } from './completed-field.js';
import { isComposing } from './is-composing.js';
import { SuggestedValues, type SuggestedValuesOptions } from './suggested-values.js';

/** What the fields need from the form. */
export interface CompletedFieldsOptions {
  complete: SuggestedValuesOptions['complete'];
  /** The user has changed a value. */
  onchange: (name: string, value: string) => void;
}

/** How long the user must rest before the server is asked, in milliseconds. */
const REST_MS = 150;

/**
 * Text fields with suggestions of the server while the user types. An answer that comes too late is
 * dropped, and a failure suggests nothing.
 */
export class CompletedFields implements ReactiveController {
  readonly #options: CompletedFieldsOptions;
  readonly #values: SuggestedValues;

  constructor(host: LitElement, options: CompletedFieldsOptions) {
    this.#options = options;
    const { complete, onchange } = options;
    this.#values = new SuggestedValues(host, { complete, onchoose: onchange });
    host.addController(this);
  }

  hostDisconnected(): void {
    this.close();
  }

  /** Closes the suggestions, and drops answers that are still to come. */
  close(): void {
    this.#values.close();
  }

  /**
   * A field with its label, description and error.
   *
   * @param error Why the value is not accepted.
   */
  render(field: CompletedField, value: string, error?: string): TemplateResult {
    const control = field.isList
      ? this.#renderArea(field, value, error)
      : this.#renderInput(field, value, error);
    return renderField(field, control, error);
  }

  /** The suggestions; once in the form. */
  renderPopup(): TemplateResult {
    return this.#values.render();
  }

  #renderInput(field: CompletedField, value: string, error?: string): TemplateResult {
    const isOpen = this.#values.isFor(idOf(field));
    return html`<input
      id=${idOf(field)}
      name=${nameOf(field)}
      type="text"
      dir="auto"
      role="combobox"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      maxlength=${field.maxLength ?? nothing}
      aria-autocomplete="list"
      aria-expanded=${isOpen}
      aria-controls=${isOpen ? 'values' : nothing}
      aria-activedescendant=${isOpen ? this.#values.activeId : nothing}
      aria-required=${field.isRequired === true}
      aria-invalid=${error !== undefined}
      aria-describedby=${describedBy(field, error)}
      .value=${value}
      @input=${(event: InputEvent) => this.#onInput(field, event.target as HTMLInputElement)}
      @keydown=${(event: KeyboardEvent) => this.#onKeydown(field, event)}
      @blur=${() => this.close()}
    />`;
  }

  #renderArea(field: CompletedField, value: string, error?: string): TemplateResult {
    return html`<textarea
      id=${idOf(field)}
      name=${nameOf(field)}
      rows="3"
      dir="auto"
      spellcheck="false"
      aria-required=${field.isRequired === true}
      aria-invalid=${error !== undefined}
      aria-describedby=${describedBy(field, error)}
      placeholder=${msg('One value on each line', { id: 'mcp.template-form.list' })}
      .value=${value}
      @input=${(event: InputEvent) =>
        this.#options.onchange(field.name, (event.target as HTMLTextAreaElement).value)}
    ></textarea>`;
  }

  #onInput({ name }: CompletedField, input: HTMLInputElement): void {
    this.#options.onchange(name, input.value);
    // What was suggested for another text is gone when the answer for this one is there.
    this.#values.deactivate();
    this.#values.ask(name, input, REST_MS);
  }

  #onKeydown({ name }: CompletedField, event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const values = this.#values;
    if (!values.isOpen) {
      if (event.key !== 'ArrowDown') return;
      values.ask(name, event.target as HTMLInputElement, 0);
    } else if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && values.activeValue !== undefined)
      values.choose(values.activeValue);
    else if (!values.move(event)) return;
    event.preventDefault();
    // A dialog around the form stays open.
    event.stopPropagation();
  }
}
