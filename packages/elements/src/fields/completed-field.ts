import type { CompleteResult } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { truncateText } from '../text/truncate-text.js';
import { isComposing } from './is-composing.js';
import { OptionList } from './option-list.js';
import { Popup } from './popup.js';

/** A field of a form. */
export interface CompletedField {
  /** The name of the argument or variable; no other field of the form has it. */
  name: string;
  /** What the user sees as its name. */
  label: string;
  description?: string | undefined;
  isRequired?: boolean | undefined;
  /** Whether it takes several values, one on each line. Such a field is not completed. */
  isList?: boolean | undefined;
  /** The longest value, in UTF-16 code units. */
  maxLength?: number | undefined;
}

/** What the fields need from the form. */
export interface CompletedFieldsOptions {
  /** Values for what is typed in a field, or `undefined` if there are none for it. */
  complete: (
    name: string,
    typed: string,
    signal: AbortSignal,
  ) => Promise<CompleteResult['completion']> | undefined;
  /** The user has changed a value. */
  onchange: (name: string, value: string) => void;
}

/** A value that the server suggests. */
interface Suggestion {
  value: string;
}

/** How long the user must rest before the server is asked, in milliseconds. */
const REST_MS = 150;

/** How much of a name is in attributes, in UTF-16 code units. */
const MAX_NAME_LENGTH = 200;

/** How many values are shown; the specification allows 100. */
const MAX_VALUES = 100;

/** A longer value is not suggested. */
const MAX_VALUE_LENGTH = 10_000;

/**
 * Text fields with suggestions of the server while the user types. An answer that comes too late is
 * dropped, and a failure suggests nothing.
 */
export class CompletedFields implements ReactiveController {
  readonly #host: LitElement;
  readonly #options: CompletedFieldsOptions;
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup: Popup;
  readonly #list: OptionList<Suggestion>;
  #current: HTMLInputElement | undefined;
  #currentName = '';
  #hasMore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor(host: LitElement, options: CompletedFieldsOptions) {
    this.#host = host;
    this.#options = options;
    this.#popup = new Popup(host, {
      element: () => this.#popupElement.value,
      anchor: () => this.#current?.getBoundingClientRect(),
    });
    this.#list = new OptionList<Suggestion>(host, {
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

  /** Closes the suggestions, and drops answers that are still to come. */
  close(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#popup.isOpen = false;
    this.#list.items = [];
  }

  /**
   * A field with its label, description and error.
   *
   * @param error Why the value is not accepted.
   */
  render(field: CompletedField, value: string, error?: string): TemplateResult {
    const { label, description, isRequired } = field;
    const id = idOf(field);
    return html`<div class="field" part="field">
      <label for=${id}>
        <bdi>${truncateText(label)}</bdi>
        ${
          isRequired
            ? html`<span class="required"
                >${msg('required', { id: 'mcp.template-form.required' })}</span
              >`
            : nothing
        }
      </label>
      ${
        description
          ? html`<span class="description" id=${`${id}-description`}
              >${truncateText(description, 500)}</span
            >`
          : nothing
      }
      ${field.isList ? this.#renderArea(field, value, error) : this.#renderInput(field, value, error)}
      ${error ? html`<span class="error" id=${`${id}-error`}>${error}</span>` : nothing}
    </div>`;
  }

  /** The suggestions; once in the form. */
  renderPopup(): TemplateResult {
    const isOpen = this.#popup.isOpen;
    return html`<div class="popup values" part="popup" popover="manual" ${ref(this.#popupElement)}>
      ${isOpen ? this.#list.render(msg('Suggestions', { id: 'mcp.template-form.suggestions' })) : nothing}
      ${
        isOpen && this.#hasMore
          ? html`<p class="remark">
              ${msg('There are more values. Type more to find them.', { id: 'mcp.template-form.more' })}
            </p>`
          : nothing
      }
    </div>`;
  }

  #renderInput(field: CompletedField, value: string, error?: string): TemplateResult {
    const isOpen = this.#popup.isOpen && this.#current?.id === idOf(field);
    return html`<input
      id=${idOf(field)}
      name=${field.name.slice(0, MAX_NAME_LENGTH)}
      type="text"
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
      name=${field.name.slice(0, MAX_NAME_LENGTH)}
      rows="3"
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
    this.#current = input;
    // What was suggested for another text is gone when the answer for this one is there.
    this.#list.activate(-1);
    this.#ask(name, REST_MS);
  }

  #onKeydown({ name }: CompletedField, event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const input = event.target as HTMLInputElement;
    if (!this.#popup.isOpen) {
      if (event.key !== 'ArrowDown') return;
      this.#current = input;
      this.#ask(name, 0);
    } else if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && this.#list.activeItem)
      this.#choose(this.#list.activeItem.value);
    else if (!this.#list.move(event)) return;
    event.preventDefault();
    // A dialog around the form stays open.
    event.stopPropagation();
  }

  #choose(value: string): void {
    const input = this.#current;
    this.close();
    if (!input) return;
    input.value = value;
    this.#options.onchange(this.#currentName, value);
  }

  #ask(name: string, delayMs: number): void {
    this.#currentName = name;
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
    const completion = await this.#options.complete(name, this.#current?.value ?? '', signal);
    if (signal.aborted) return;
    this.#list.items = suggestionsIn(completion?.values);
    this.#hasMore = completion?.hasMore === true;
    this.#popup.isOpen = this.#list.items.length > 0;
    this.#host.requestUpdate();
  }
}

/** Of a client that checks nothing, they may be anything. */
function suggestionsIn(values: unknown): readonly Suggestion[] {
  if (!Array.isArray(values)) return [];
  const texts = (values as unknown[])
    .slice(0, MAX_VALUES)
    .filter((value) => typeof value === 'string' && value.length <= MAX_VALUE_LENGTH);
  return [...new Set(texts as string[])].map((value) => ({ value }));
}

function idOf({ name }: CompletedField): string {
  // An id has no spaces; a name of a server may have any.
  return `field-${encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed())}`;
}

function describedBy(field: CompletedField, error?: string): string | typeof nothing {
  const id = idOf(field);
  const ids = [error && `${id}-error`, field.description && `${id}-description`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : nothing;
}
