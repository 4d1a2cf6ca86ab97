import type { McpClient, Resource } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { OptionList } from '../../fields/options/option-list.js';
import { renderError, renderLoading } from '../../base/look/messages.js';
import { Catalog, MAX_ENTRIES } from '../../reading/catalog.js';
import { declares, noResourcesInWords } from '../../reading/declared.js';
import { ServerSearch } from '../../reading/server-search.js';
import { usablePage } from '../../reading/gate.js';
import { formatNumber } from '../../base/text/format.js';
import { matchesIn } from '../../base/text/matching.js';
import type { Choice } from './choice.js';
import { renderOption, textsOf } from './option.js';

/** The server is asked for no shorter text. */
const MIN_LENGTH = 2;

/** How many results of the server are shown. */
const MAX_RESULTS = 50;

/** What is to be suggested now. */
export interface SuggestionsInput {
  client: McpClient | undefined;
  typed: string;
  /** Whether the suggestions are shown. */
  isOpen: boolean;
  /** Whether the resources are needed for something else. */
  isNeeded: boolean;
}

/** The resources that match what the user has typed: those of the list, and those of a search. */
export class Suggestions {
  readonly #choice: Choice;
  readonly #catalog: Catalog<Resource>;
  readonly #search: ServerSearch;
  readonly #list: OptionList<Resource>;
  #inputs: readonly unknown[] = [];
  #client: McpClient | undefined;

  /** @param onchoose The user chose a resource by pointer. */
  constructor(
    host: ReactiveControllerHost,
    choice: Choice,
    onchoose: (resource: Resource) => void,
  ) {
    this.#choice = choice;
    this.#catalog = new Catalog<Resource>(host, {
      capability: 'resources',
      keyOf: ({ uri }) => uri,
      textsOf,
      fetchPage: async (client, options) => {
        const { resources, nextCursor } = usablePage(await client.listResources(options));
        return { entries: resources, nextCursor };
      },
      watch: (client, listener, options) => client.watchList(listener, options),
    });
    this.#search = new ServerSearch(() => host.requestUpdate());
    this.#list = new OptionList<Resource>(host, {
      id: 'suggestions',
      keyOf: ({ uri }) => uri,
      render: (resource) => renderOption(resource, choice),
      isSelected: ({ uri }) => choice.has(uri),
      onchoose,
    });
  }

  /** The list box, for its keys and its active option. */
  get list(): OptionList<Resource> {
    return this.#list;
  }

  /** All resources that are loaded. */
  get resources(): readonly Resource[] {
    return this.#catalog.entries;
  }

  /** Whether the last load has failed. */
  get hasFailed(): boolean {
    return this.#catalog.status === 'error';
  }

  /** Whether it is known that there is nothing else to suggest for now. */
  get isReady(): boolean {
    return this.#catalog.status === 'ready' && !this.#search.isBusy;
  }

  /** Ends the search of the server. */
  stop(): void {
    this.#search.search(undefined, '', undefined);
  }

  /** Loads the resources again after an error. */
  retry(): void {
    this.#catalog.retry();
  }

  /** To be called before each rendering. Returns whether other resources match. */
  update({ client, typed, isOpen, isNeeded }: SuggestionsInput): boolean {
    this.#client = client;
    this.#catalog.client = client;
    this.#catalog.isNeeded = isOpen || isNeeded;
    const query = typed.trim();
    this.#search.search(client, isOpen && query.length >= MIN_LENGTH ? query : '', undefined);
    const inputs = isOpen ? [this.#catalog.entries, typed, this.#search.found] : [];
    const isSame = inputs.every((input, index) => input === this.#inputs[index]);
    if (isSame && inputs.length === this.#inputs.length) return false;
    this.#inputs = inputs;
    this.#list.items = isOpen ? this.#matches(typed) : [];
    // What is typed first finds the first; without any text, nothing is chosen by accident.
    if (isOpen && this.#list.activeIndex < 0 && typed.trim() !== '') this.#list.activate(0);
    return isOpen;
  }

  /** The inside of the popup. */
  render(): TemplateResult {
    const hasMatches = this.#list.items.length > 0;
    const label = msg('Resources', { id: 'mcp.resource-picker.suggestions' });
    const isCut = this.#catalog.isCut && this.#catalog.status === 'ready';
    return html`
      ${hasMatches ? this.#list.render(label, true) : this.#renderNoMatch()}
      ${this.hasFailed && hasMatches ? this.renderError() : nothing}
      ${isCut ? renderCut() : nothing}
    `;
  }

  /** Why the resources cannot be loaded. */
  renderError(): TemplateResult {
    const canRetry = this.#client?.state !== 'closed';
    return renderError(this.#catalog.error, canRetry ? () => this.retry() : undefined);
  }

  #matches(typed: string): readonly Resource[] {
    const listed = matchesIn(this.#catalog.entries, typed, textsOf);
    const known = new Set(listed.map(({ uri }) => uri));
    const found = this.#search.found.slice(0, MAX_RESULTS).filter(({ uri }) => !known.has(uri));
    return [...listed, ...found.map((one) => this.#choice.resourceOf(one.uri) ?? one)];
  }

  #renderNoMatch(): TemplateResult {
    if (this.hasFailed) return this.renderError();
    if (!this.isReady) return renderLoading(3);
    if (this.#client && !declares(this.#client, 'resources'))
      return html`<div class="message">${noResourcesInWords(this.#client)}</div>`;
    const text =
      this.resources.length === 0
        ? msg('The server has no resources.', { id: 'mcp.resource-picker.empty' })
        : msg('No resource matches.', { id: 'mcp.resource-picker.no-match' });
    return html`<div class="message">${text}</div>`;
  }
}

function renderCut(): TemplateResult {
  const count = formatNumber(MAX_ENTRIES);
  return html`<p class="remark">
    ${msg(str`Only the first resources of the server are searched: ${count}`, { id: 'mcp.resource-picker.cut' })}
  </p>`;
}
