import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { isComposing } from '../../base/element/is-composing.js';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { formatNumber } from '../../base/text/format.js';
import { matchesIn } from '../../base/text/matching.js';
import { OptionList } from '../../fields/options/option-list.js';
import { Popup } from '../../fields/options/popup.js';
import { TypedTrigger, type TextField } from '../../fields/options/typed-trigger.js';
import { Catalog, MAX_ENTRIES } from '../../reading/catalog.js';
import { declares, noResourcesInWords } from '../../reading/declared.js';
import { usablePage } from '../../reading/gate.js';
import { ServerSearch } from '../../reading/server-search.js';
import type { Choice } from './choice.js';
import { MENTION, mentionOf, renderOption, textsOf, titleOf } from './option.js';

/** The minimum length of a text for which the server is searched. */
const MIN_LENGTH = 2;

/** The maximum number of results of the server that are shown. */
const MAX_RESULTS = 50;

/** The parts of the picker that the finder needs. */
export interface FinderOptions {
  choice: Choice;
  isDisabled: () => boolean;
  /** Adds a resource to the choice of the user. */
  add: (resource: Resource) => void;
  /** Removes a resource from the choice. */
  remove: (uri: string) => void;
  /** Moves the focus to the chips. Returns whether there are any. */
  leave: () => boolean;
}

/** The search field. */
export interface SearchField {
  label: string;
  placeholder: string | undefined;
  required: boolean;
  /** Whether the user was told that a resource is missing. */
  isInvalid: boolean;
}

/**
 * Finds resources that match a text: those of the list, and those of a search. The text is in the
 * search field, or after `@` in a text field of the page.
 */
export class Finder {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: FinderOptions;
  readonly #catalog: Catalog<Resource>;
  readonly #search: ServerSearch;
  readonly #list: OptionList<Resource>;
  readonly #input = createRef<HTMLInputElement>();
  readonly #popupElement = createRef<HTMLElement>();
  readonly #popup: Popup;
  readonly #mention: TypedTrigger;
  #client: McpClient | undefined;
  #typed = '';
  /** The inputs of the options that are shown. */
  #inputs: readonly unknown[] = [];

  constructor(host: ReactiveControllerHost & HTMLElement, options: FinderOptions) {
    const { choice } = options;
    this.#host = host;
    this.#options = options;
    this.#catalog = new Catalog<Resource>(host, {
      capability: 'resources',
      keyOf: ({ uri }) => uri,
      textsOf,
      fetchPage: async (client, page) => {
        const { resources, nextCursor } = usablePage(await client.listResources(page));
        return { entries: resources, nextCursor };
      },
      watch: (client, listener, watching) => client.watchList(listener, watching),
    });
    this.#search = new ServerSearch(() => host.requestUpdate());
    this.#list = new OptionList<Resource>(host, {
      id: 'suggestions',
      keyOf: ({ uri }) => uri,
      render: (resource) => renderOption(resource, choice),
      isSelected: ({ uri }) => choice.has(uri),
      onchoose: (resource) => this.#choose(resource),
    });
    this.#popup = new Popup(host, {
      element: () => this.#popupElement.value,
      anchor: () => this.#mention.field ?? this.#input.value,
    });
    this.#mention = new TypedTrigger(host, {
      pattern: MENTION,
      onchange: () => this.#onMention(),
      onkeydown: (event) => this.#press(event),
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

  /** All resources that are loaded. */
  get resources(): readonly Resource[] {
    return this.#catalog.entries;
  }

  /** Whether the last load has failed. */
  get hasFailed(): boolean {
    return this.#catalog.status === 'error';
  }

  /** Whether it is known that no other suggestions exist for now. */
  get #isReady(): boolean {
    return this.#catalog.status === 'ready' && !this.#search.isBusy;
  }

  /** Watches a text field of the page, or the one with an id in the tree of the host. */
  watch(field: TextField | undefined, id: string): void {
    this.#mention.watch(field, id);
  }

  /** Empties the search field. */
  clear(): void {
    this.#typed = '';
  }

  /** Loads the resources again after an error. */
  retry(): void {
    this.#catalog.retry();
  }

  /** Ends all running work. */
  stop(): void {
    this.#list.stop();
    this.#search.search(undefined, '', undefined);
  }

  /**
   * Finds the resources that match now. Must be called before each rendering.
   *
   * @param isNeeded Whether the resources are needed for another purpose, too.
   */
  update(client: McpClient | undefined, isNeeded: boolean): void {
    const isOpen = this.isOpen && !this.#options.isDisabled();
    const query = this.#typed.trim();
    this.#popup.isOpen = isOpen;
    this.#client = client;
    this.#catalog.client = client;
    this.#catalog.isNeeded = isOpen || isNeeded;
    this.#search.search(client, isOpen && query.length >= MIN_LENGTH ? query : '', undefined);
    const inputs = isOpen ? [this.#catalog.entries, this.#typed, this.#search.found] : [];
    const isSame = inputs.every((input, index) => input === this.#inputs[index]);
    if (isSame && inputs.length === this.#inputs.length) return;
    this.#inputs = inputs;
    this.#list.items = isOpen ? this.#matches() : [];
    if (!isOpen) return;
    // The first match is chosen with Enter. Without any text, this would choose a resource by accident.
    if (this.#list.activeIndex < 0 && query !== '') this.#list.activate(0);
    this.#list.announceCount(() => this.isOpen && this.#isReady);
  }

  renderInput({ label, placeholder, required, isInvalid }: SearchField): TemplateResult {
    const isShown = this.isOpen && this.#list.items.length > 0;
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
      aria-activedescendant=${isShown ? this.#list.activeId : nothing}
      aria-required=${required}
      aria-invalid=${isInvalid || nothing}
      placeholder=${placeholder ?? msg('Add a resource…', { id: 'mcp.resource-picker.add' })}
      ?disabled=${this.#options.isDisabled()}
      .value=${this.#typed}
      ${ref(this.#input)}
      @input=${({ target }: InputEvent) => this.#find((target as HTMLInputElement).value)}
      @keydown=${this.#onKeydown}
      @click=${() => this.#open()}
    />`;
  }

  renderPopup(): TemplateResult {
    return html`<div class="popup" part="popup" popover="manual" ${ref(this.#popupElement)}>
        ${this.isOpen ? this.#renderSuggestions() : nothing}
      </div>
      ${this.#list.renderStatus()}`;
  }

  /** The reason why the resources cannot be loaded. */
  renderError(): TemplateResult {
    const canRetry = this.#client?.state !== 'closed';
    return renderError(this.#catalog.error, canRetry ? () => this.retry() : undefined);
  }

  #renderSuggestions(): TemplateResult {
    const hasMatches = this.#list.items.length > 0;
    const label = msg('Resources', { id: 'mcp.resource-list.label' });
    const isCut = this.#catalog.isCut && this.#catalog.status === 'ready';
    const count = formatNumber(MAX_ENTRIES);
    return html`
      ${hasMatches ? this.#list.render(label, true) : this.#renderNoMatch()}
      ${this.hasFailed && hasMatches ? this.renderError() : nothing}
      ${
        isCut
          ? html`<p class="remark">
              ${msg(str`Only the first resources of the server are searched: ${count}`, { id: 'mcp.resource-picker.cut' })}
            </p>`
          : nothing
      }
    `;
  }

  #renderNoMatch(): TemplateResult {
    if (this.hasFailed) return this.renderError();
    if (!this.#isReady) return renderLoading(3);
    if (this.#client && !declares(this.#client, 'resources'))
      return html`<div class="message">${noResourcesInWords(this.#client)}</div>`;
    const text =
      this.resources.length === 0
        ? msg('The server has no resources.', { id: 'mcp.resource-picker.empty' })
        : msg('No resource matches.', { id: 'mcp.resource-picker.no-match' });
    return html`<div class="message">${text}</div>`;
  }

  #matches(): readonly Resource[] {
    const listed = matchesIn(this.#catalog.entries, this.#typed, textsOf);
    const known = new Set(listed.map(({ uri }) => uri));
    const found = this.#search.found.slice(0, MAX_RESULTS).filter(({ uri }) => !known.has(uri));
    return [...listed, ...found.map((one) => this.#options.choice.resourceOf(one.uri) ?? one)];
  }

  #open(): void {
    if (!this.#options.isDisabled()) this.#popup.isOpen = true;
  }

  #close(): void {
    this.#popup.isOpen = false;
    this.#list.activate(-1);
    this.#list.announce('');
  }

  #find(typed: string): void {
    this.#typed = typed;
    this.#list.activate(-1);
    this.#open();
  }

  #onMention(): void {
    const { typed } = this.#mention;
    if (typed && !this.#options.isDisabled()) this.#find(typed.query);
    else this.#close();
  }

  #onFocusout(): void {
    // The focus may move to another part of the element.
    queueMicrotask(() => {
      if (this.#host.matches(':focus-within') || this.#mention.typed) return;
      this.#typed = '';
      this.#close();
    });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const { key } = event;
    const isOpening = !this.isOpen && (key === 'ArrowDown' || key === 'ArrowUp');
    if (isOpening) this.#open();
    if (isOpening || this.#press(event)) event.preventDefault();
  };

  /** Handles a key in the search field, or after `@`. Returns whether it had an effect. */
  #press(event: KeyboardEvent): boolean {
    const { key, altKey } = event;
    if (this.isOpen && (key === 'Escape' || (key === 'ArrowUp' && altKey))) {
      this.#mention.dismiss();
      this.#close();
      return true;
    }
    if (this.#list.move(event)) {
      if (this.#mention.typed) this.#list.announceActive(titleOf);
      return true;
    }
    if (key === 'Enter' && this.#list.activeItem) {
      this.#choose(this.#list.activeItem);
      return true;
    }
    // Backspace in the empty search field goes to the chips, unless it is held to clear the field.
    if (key !== 'Backspace' || event.repeat) return false;
    if (this.#typed !== '' || this.#mention.typed) return false;
    if (!this.#options.leave()) return false;
    this.#close();
    return true;
  }

  #choose(resource: Resource): void {
    const { choice, add, remove } = this.#options;
    if (this.#mention.typed) {
      this.#mention.replace(mentionOf(resource));
      this.#close();
      if (!choice.isChosen(resource.uri)) add(resource);
      return;
    }
    if (choice.has(resource.uri)) remove(resource.uri);
    else add(resource);
    // The next search replaces the text of this one.
    this.input?.select();
  }
}
