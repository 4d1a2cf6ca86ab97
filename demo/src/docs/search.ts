import MiniSearch, { type Options } from 'minisearch';
import { findIn, ranked, type Found } from './ranking.js';

const MAX_RESULTS = 12;

/** The search field in the header, with its results as a list box. */
export class DocsSearch {
  readonly #root: URL;
  readonly #field = document.querySelector<HTMLInputElement>('#search')!;
  readonly #list = document.querySelector<HTMLElement>('#results')!;
  /** The parts of the index, which load when the reader begins to search. */
  #parts: Promise<MiniSearch | undefined>[] | undefined;
  #active = -1;

  /** @param root The address of the docs. */
  constructor(root: URL) {
    this.#root = root;
  }

  start(): void {
    this.#field.addEventListener('input', () => void this.#search());
    this.#field.addEventListener('keydown', (event) => this.#onKeydown(event));
    document.addEventListener('click', ({ target }) => {
      if (!this.#field.parentElement!.contains(target as Node)) this.#show([]);
    });
    // This also searches for a text that was typed before this script was loaded.
    if (this.#field.value) void this.#search();
  }

  #load(): Promise<MiniSearch | undefined>[] {
    const names = document.body.dataset['search']?.split(' ') ?? [];
    this.#parts ??= names.map((name) =>
      fetch(new URL(name, this.#root))
        .then((response) => response.json())
        .then(({ index, options }: { index: string; options: Options }) =>
          MiniSearch.loadJSON(index, options),
        )
        // Without a connection, only the kept parts are available. The next search tries again.
        .catch(() => {
          this.#parts = undefined;
          return undefined;
        }),
    );
    return this.#parts;
  }

  /** Searches, and shows the matches of each part as soon as it is loaded. */
  async #search(): Promise<void> {
    const query = this.#field.value;
    if (!query.trim()) return this.#show([]);
    const found: Found[] = [];
    const addFrom = async (loading: Promise<MiniSearch | undefined>): Promise<void> => {
      const part = await loading;
      if (part) found.push(...findIn(part, query));
      if (found.length > 0) this.#showBest(query, found);
    };
    await Promise.all(this.#load().map(addFrom));
    this.#showBest(query, found);
  }

  /** Shows the best matches, unless the reader has changed the query. */
  #showBest(query: string, found: readonly Found[]): void {
    if (query !== this.#field.value) return;
    this.#show(ranked(found).slice(0, MAX_RESULTS));
  }

  #show(results: readonly Found[]): void {
    this.#active = -1;
    const hasQuery = this.#field.value.trim() !== '' && document.activeElement === this.#field;
    this.#list.replaceChildren(
      ...results.map((result, index) => this.#optionFor(result, index)),
      ...(results.length === 0 && hasQuery ? [noResult()] : []),
    );
    this.#list.hidden = this.#list.childElementCount === 0;
    this.#field.ariaExpanded = String(!this.#list.hidden);
    this.#field.removeAttribute('aria-activedescendant');
  }

  #optionFor({ heading, title, url }: Found, index: number): HTMLElement {
    const option = document.createElement('a');
    option.id = `result-${index}`;
    option.role = 'option';
    option.href = new URL(url, this.#root).href;
    option.tabIndex = -1;
    const where = document.createElement('small');
    where.textContent = title;
    option.append(heading, where);
    return option;
  }

  #onKeydown(event: KeyboardEvent): void {
    const options = this.#list.querySelectorAll<HTMLElement>('[role=option]');
    if (event.key === 'Escape') return this.#show([]);
    if (event.key === 'Enter') {
      options[Math.max(0, this.#active)]?.click();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || options.length === 0) return;
    event.preventDefault();
    this.#active = (this.#active + step + options.length) % options.length;
    for (const [index, option] of options.entries())
      option.ariaSelected = String(index === this.#active);
    options[this.#active]!.scrollIntoView({ block: 'nearest' });
    this.#field.setAttribute('aria-activedescendant', `result-${this.#active}`);
  }
}

function noResult(): HTMLElement {
  const words = document.createElement('p');
  words.textContent = 'Nothing found.';
  return words;
}
