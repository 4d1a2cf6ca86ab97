import type { CompleteResult } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { OptionList } from './option-list.js';
import { Popup } from './popup.js';

/** What the suggestions need from the fields. */
export interface SuggestedValuesOptions {
  /** Values for what is typed in a field, or `undefined` if there are none for it. */
  complete: (
    name: string,
    typed: string,
    signal: AbortSignal,
  ) => Promise<CompleteResult['completion']> | undefined;
  /** The user has taken a value. */
  onchoose: (name: string, value: string) => void;
}

/** A value that the server suggests. */
interface Suggestion {
  value: string;
}

/** How many values are shown; the specification allows 100. */
const MAX_VALUES = 100;

/** A longer value is not suggested. */
const MAX_VALUE_LENGTH = 10_000;

/** The values that the server suggests for one text field at a time, in a popup. */
export class SuggestedValues {
  readonly #host: LitElement;
  readonly #options: SuggestedValuesOptions;
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup: Popup;
  readonly #list: OptionList<Suggestion>;
  #input: HTMLInputElement | undefined;
  #name = '';
  #hasMore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor(host: LitElement, options: SuggestedValuesOptions) {
    this.#host = host;
    this.#options = options;
    this.#popup = new Popup(host, {
      element: () => this.#popupElement.value,
      anchor: () => this.#input?.getBoundingClientRect(),
    });
    this.#list = new OptionList<Suggestion>(host, {
      id: 'values',
      keyOf: ({ value }) => value,
      render: ({ value }) => html`<span class="one-line">${truncateText(value)}</span>`,
      onchoose: ({ value }) => this.choose(value),
    });
  }

  get isOpen(): boolean {
    return this.#popup.isOpen;
  }

  /** The value that the keyboard is at. */
  get activeValue(): string | undefined {
    return this.#list.activeItem?.value;
  }

  /** For `aria-activedescendant`. */
  get activeId(): string | typeof nothing {
    return this.#list.activeId;
  }

  /** Whether the values are for a control. */
  isFor(id: string): boolean {
    return this.isOpen && this.#input?.id === id;
  }

  /** Asks the server after a delay, in milliseconds, and drops the question before. */
  ask(name: string, input: HTMLInputElement, delayMs: number): void {
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

  /** Makes no value the active one. */
  deactivate(): void {
    this.#list.activate(-1);
  }

  /** Moves through the values. Returns whether the key does that. */
  move(event: KeyboardEvent): boolean {
    return this.#list.move(event);
  }

  /** Puts a value into the field, and closes. */
  choose(value: string): void {
    const input = this.#input;
    this.close();
    if (!input) return;
    input.value = value;
    this.#options.onchoose(this.#name, value);
  }

  /** Closes the popup, and drops answers that are still to come. */
  close(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#popup.isOpen = false;
    this.#list.items = [];
  }

  /** The popup; once in the form. */
  render(): TemplateResult {
    return html`<div class="popup values" part="popup" popover="manual" ${ref(this.#popupElement)}>
      ${
        this.isOpen
          ? this.#list.render(msg('Suggestions', { id: 'mcp.template-form.suggestions' }))
          : nothing
      }
      ${
        this.isOpen && this.#hasMore
          ? html`<p class="remark">
              ${msg('There are more values. Type more to find them.', { id: 'mcp.template-form.more' })}
            </p>`
          : nothing
      }
    </div>`;
  }

  async #complete(name: string, signal: AbortSignal): Promise<void> {
    const completion = await this.#options.complete(name, this.#input?.value ?? '', signal);
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
