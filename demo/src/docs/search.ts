import MiniSearch, { type Options, type SearchResult } from 'minisearch';

const MAX_RESULTS = 12;

/** The search field in the header, with its results as a list box. */
export class DocsSearch {
  readonly #root: URL;
  readonly #field = document.querySelector<HTMLInputElement>('#search')!;
  readonly #list = document.querySelector<HTMLElement>('#results')!;
  #index: Promise<MiniSearch> | undefined;
  #active = -1;

  /** @param root The address of the docs. */
  constructor(root: URL) {
    this.#root = root;
  }

  start(): void {
    this.#field.addEventListener('focus', () => void this.#load());
    this.#field.addEventListener('input', () => void this.#search());
    this.#field.addEventListener('keydown', (event) => this.#onKeydown(event));
    document.addEventListener('click', ({ target }) => {
      if (!this.#field.parentElement!.contains(target as Node)) this.#show([]);
    });
  }

  async #load(): Promise<MiniSearch> {
    this.#index ??= fetch(new URL('search-index.json', this.#root))
      .then((response) => response.json())
      .then(({ index, options }: { index: string; options: Options }) =>
        MiniSearch.loadJSON(index, options),
      );
    return await this.#index;
  }

  async #search(): Promise<void> {
    const query = this.#field.value;
    const index = await this.#load();
    if (query !== this.#field.value) return;
    const options = { prefix: true, fuzzy: 0.15, boost: { heading: 4, title: 2 } };
    this.#show(query.trim() ? index.search(query, options).slice(0, MAX_RESULTS) : []);
  }

  #show(results: readonly SearchResult[]): void {
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

  #optionFor({ heading, title, url }: SearchResult, index: number): HTMLElement {
    const option = document.createElement('a');
    option.id = `result-${index}`;
    option.role = 'option';
    option.href = new URL(String(url), this.#root).href;
    option.tabIndex = -1;
    const where = document.createElement('small');
    where.textContent = String(title);
    option.append(String(heading), where);
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
