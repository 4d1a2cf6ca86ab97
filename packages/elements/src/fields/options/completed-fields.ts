import type { CompleteResult } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import {
  css,
  html,
  type CSSResultGroup,
  nothing,
  type LitElement,
  type ReactiveController,
  type TemplateResult,
} from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { isComposing } from '../../base/element/is-composing.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { translateText } from '../../base/text/translate-text.js';
import { labelStyles } from '../form/fields.styles.js';
import { OptionList } from './option-list.js';
import { Popup } from './popup.js';

/** A field of a form. */
export interface CompletedField {
  /** The name of the argument or variable; no other field of the form has it. */
  name: string;
  /** The name for the user. */
  label: string;
  description?: string | undefined;
  isRequired?: boolean | undefined;
  /** Whether it takes several values, one on each line. Such a field is not completed. */
  isList?: boolean | undefined;
  /** The maximum length of a value, in UTF-16 code units. */
  maxLength?: number | undefined;
}

/** The texts of fields, by name. */
export interface TypedValues {
  readonly [name: string]: string;
}

/** The text in a field. */
export function textIn(typed: TypedValues, name: string): string {
  return Object.hasOwn(typed, name) ? typed[name]! : '';
}

/** The names of the required fields without a text. */
export function missingIn(fields: readonly CompletedField[], typed: TypedValues): string[] {
  return fields
    .filter(({ name, isRequired }) => isRequired && textIn(typed, name).trim() === '')
    .map(({ name }) => name);
}

/** The parts of the form that the fields need. */
export interface CompletedFieldsOptions {
  /** Returns values for the typed text of a field; `undefined` if suggestions do not exist for it. */
  complete: (
    name: string,
    typed: string,
    signal: AbortSignal,
  ) => Promise<CompleteResult['completion']> | undefined;
  /** Called when the user has changed a value. */
  onchange: (name: string, value: string) => void;
}

/** The time without typing after which the server is asked, in milliseconds. */
const REST_MS = 150;

/** The maximum number of values that are shown; the specification allows 100. */
const MAX_VALUES = 100;

/** The maximum length of a value that is suggested. */
const MAX_VALUE_LENGTH = 10_000;

/** The maximum length of a name in attributes, in UTF-16 code units. */
const MAX_NAME_LENGTH = 200;

/**
 * Text fields with suggestions of the server while the user types, in a popup. An answer that arrives too
 * late is dropped, and after a failure no suggestions are shown.
 */
export class CompletedFields implements ReactiveController {
  readonly #host: LitElement;
  readonly #options: CompletedFieldsOptions;
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup: Popup;
  readonly #list: OptionList<{ value: string }>;
  /** The field for which values are suggested. */
  #input: HTMLInputElement | undefined;
  #name = '';
  #hasMore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor(host: LitElement, options: CompletedFieldsOptions) {
    this.#host = host;
    this.#options = options;
    this.#popup = new Popup(host, {
      element: () => this.#popupElement.value,
      anchor: () => this.#input,
    });
    this.#list = new OptionList(host, {
      id: 'values',
      keyOf: ({ value }) => value,
      render: ({ value }) => html`<span class="one-line">${truncateText(value)}</span>`,
      onchoose: ({ value }) => this.#choose(value),
    });
    host.addController(this);
  }

  hostDisconnected(): void {
    this.close();
  }

  /** Closes the suggestions, and drops answers that have not arrived yet. */
  close(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#popup.isOpen = false;
    this.#list.items = [];
  }

  /**
   * The fields, with labels and descriptions.
   *
   * @param isTried Whether the user has tried to submit, after which a missing value is an error.
   */
  render(
    fields: readonly CompletedField[],
    values: TypedValues,
    isTried: boolean,
  ): readonly TemplateResult[] {
    const missing = new Set(isTried ? missingIn(fields, values) : []);
    const needed = msg('A value is needed.', { id: 'mcp.template-form.needed' });
    return fields.map((field) => {
      const error = missing.has(field.name) ? needed : undefined;
      const value = textIn(values, field.name);
      const control = field.isList
        ? this.#renderArea(field, value, error)
        : this.#renderInput(field, value, error);
      return renderField(field, control, error);
    });
  }

  /** Renders the suggestions, once in the form. */
  renderPopup(): TemplateResult {
    const label = msg('Suggestions', { id: 'mcp.template-form.suggestions' });
    const more = msg('There are more values. Type more to find them.', {
      id: 'mcp.template-form.more',
    });
    const { isOpen } = this.#popup;
    return html`<div class="popup values" part="popup" popover="manual" ${ref(this.#popupElement)}>
      ${isOpen ? this.#list.render(label) : nothing}
      ${isOpen && this.#hasMore ? html`<p class="remark">${more}</p>` : nothing}
    </div>`;
  }

  #renderInput(field: CompletedField, value: string, error?: string): TemplateResult {
    const id = idOf(field);
    const isOpen = this.#popup.isOpen && this.#input?.id === id;
    return html`<input
      id=${id}
      name=${attributeOf(field)}
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
      aria-activedescendant=${isOpen ? this.#list.activeId : nothing}
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
      name=${attributeOf(field)}
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
    // Suggestions for another text are removed when the answer for this one arrives.
    this.#list.activate(-1);
    this.#ask(name, input, REST_MS);
  }

  #onKeydown({ name }: CompletedField, event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const { activeItem } = this.#list;
    if (!this.#popup.isOpen) {
      if (event.key !== 'ArrowDown') return;
      this.#ask(name, event.target as HTMLInputElement, 0);
    } else if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && activeItem) this.#choose(activeItem.value);
    else if (!this.#list.move(event)) return;
    event.preventDefault();
    // A dialog around the form must stay open.
    event.stopPropagation();
  }

  /** Asks the server after a delay, and drops the previous request. */
  #ask(name: string, input: HTMLInputElement, delayMs: number): void {
    this.#name = name;
    this.#input = input;
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#timer = setTimeout(() => {
      this.#complete(name, signal).catch(() => {
        if (!signal.aborted) this.close();
      });
    }, delayMs);
  }

  async #complete(name: string, signal: AbortSignal): Promise<void> {
    const completion = await this.#options.complete(name, this.#input?.value ?? '', signal);
    if (signal.aborted) return;
    this.#list.items = suggestionsIn(completion?.values);
    this.#hasMore = completion?.hasMore === true;
    this.#popup.isOpen = this.#list.items.length > 0;
    this.#host.requestUpdate();
  }

  /** Puts a value into the field, and closes. */
  #choose(value: string): void {
    this.close();
    if (!this.#input) return;
    this.#input.value = value;
    this.#options.onchange(this.#name, value);
  }
}

/** The valid suggestions. A client that checks nothing may deliver any values. */
function suggestionsIn(values: unknown): readonly { value: string }[] {
  if (!Array.isArray(values)) return [];
  const texts = (values as unknown[])
    .slice(0, MAX_VALUES)
    .filter((value) => typeof value === 'string' && value.length <= MAX_VALUE_LENGTH);
  return [...new Set(texts as string[])].map((value) => ({ value }));
}

function attributeOf({ name }: CompletedField): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

function idOf(field: CompletedField): string {
  // An id contains no spaces, but a name of a server may contain any characters.
  return `field-${encodeURIComponent(attributeOf(field).toWellFormed())}`;
}

/** The ids of the texts that describe the control of a field. */
function describedBy(field: CompletedField, error?: string): string | typeof nothing {
  const id = idOf(field);
  const ids = [error && `${id}-error`, field.description && `${id}-description`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : nothing;
}

function renderField(
  field: CompletedField,
  control: TemplateResult,
  error?: string,
): TemplateResult {
  const id = idOf(field);
  const required = msg('required', { id: 'mcp.field.is-required' });
  return html`<div class="field" part="field">
    <label for=${id}>
      <bdi class="title">${truncateText(field.label)}</bdi>
      ${field.isRequired ? html`<span class="required">${required}</span>` : nothing}
    </label>
    ${
      field.description
        ? html`<span class="description" id=${`${id}-description`}
            >${truncateText(translateText(field.description), 500)}</span
          >`
        : nothing
    }
    ${control} ${error ? html`<span class="problem" id=${`${id}-error`}>${error}</span>` : nothing}
  </div>`;
}

/** The styles that the fields need. */
export const completedFieldStyles: CSSResultGroup = [
  labelStyles,
  css`
    .popup.values .row {
      block-size: max(24px, 1.75rem, 2.25rem * var(--_density));
    }

    .popup.values .remark {
      flex: none;
    }
  `,
];
