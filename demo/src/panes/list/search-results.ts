import type { Watch } from '@inpage-mcp/client';
import { truncateText } from '@inpage-mcp/elements/classes';
import type { FileMatches, NoteMatch, NoteMatches, StoredFile } from '@inpage-mcp/runtime';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { fileUri } from '../../addresses/addresses.js';
import { icon } from '../../shell/icons.js';
import { highlighted } from './highlighted.js';
import type { Opened } from '../preview-pane.js';
import type { Session } from '../../session/session.js';
import { sharedStyles } from '../../shell/shared-styles.js';
import { styles } from './search-results.styles.js';
import { sizeInWords } from '../../data/sizes.js';
import { reasonOf } from '../../data/storage-words.js';

/** How many of each kind are shown, the best first. */
const MAX_SHOWN = 50;

/** What was found for a query. */
interface Found {
  query: string;
  notes: readonly NoteMatch[];
  files: readonly StoredFile[];
  total: number;
  /** Whether a word differs from what was typed. */
  isApproximate: boolean;
}

/**
 * The notes and files that have the words of a query, as one types, and as they change.
 *
 * @fires choose - The user wants to see what `chosen` says.
 * @fires leave - The user goes up from the first of them.
 */
export class SearchResults extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
    query: { attribute: false },
    selected: { attribute: false },
  };

  declare session: Session | undefined;
  /** What is searched for; of no use when it is empty. */
  declare query: string;
  /** The address of what is open. */
  declare selected: string | undefined;

  /** What was chosen last. */
  chosen: Opened | undefined;

  #found: Found | undefined;
  #failure: unknown;
  /** The search under way. */
  #search: AbortController | undefined;
  /** Whether what there is has changed since it began. */
  #isStale = false;
  #watch: Watch | undefined;

  constructor() {
    super();
    this.query = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.stop();
    this.#search?.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session')) this.#follow();
    if (changed.has('query') || changed.has('session')) void this.#begin();
  }

  protected override render(): TemplateResult {
    const { notes = [], files = [] } = this.#found ?? {};
    return html`
      <p class=${this.#failure === undefined ? 'muted' : 'failed'} role="status">
        ${this.#renderState()}
      </p>
      <ul
        aria-label="Found"
        aria-busy=${this.#search ? 'true' : 'false'}
        @keydown=${this.#onKeydown}
      >
        ${notes.map(({ note: { id, title }, excerpt }) =>
          this.#renderMatch(
            { uri: `note:///${id}`, title: title || 'Untitled note', mimeType: 'text/markdown' },
            excerpt,
          ),
        )}
        ${files.map(({ path, mediaType, size }) =>
          this.#renderMatch(
            { uri: fileUri(path), title: path, mimeType: mediaType },
            `${mediaType} · ${sizeInWords(size)}`,
          ),
        )}
      </ul>
    `;
  }

  /** Moves the focus to the first of what was found; returns whether there is one. */
  focusFirst(): boolean {
    const [first] = this.#buttons;
    first?.focus();
    return first !== undefined;
  }

  /** Opens the first of what was found. */
  chooseFirst(): void {
    this.#buttons[0]?.click();
  }

  get #buttons(): HTMLButtonElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLButtonElement>('li > button')];
  }

  #onKeydown(event: KeyboardEvent): void {
    const buttons = this.#buttons;
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: buttons.length - 1 }[
      event.key
    ];
    if (next === undefined || index === -1) return;
    event.preventDefault();
    if (next < 0) this.dispatchEvent(new Event('leave'));
    else buttons[Math.min(next, buttons.length - 1)]?.focus();
  }

  #renderState(): unknown {
    if (this.#failure !== undefined) return reasonOf(this.#failure);
    if (!this.#found) return this.#search ? 'Searching …' : nothing;
    // A new element for each query, so that screen readers announce the same number again.
    return keyed(this.#found.query, html`<span>${foundInWords(this.#found)}</span>`);
  }

  #renderMatch(opened: Opened, excerpt: string): TemplateResult {
    const choose = (): void => {
      this.chosen = opened;
      this.dispatchEvent(new Event('choose'));
    };
    const { query = '' } = this.#found ?? {};
    return html`<li>
      <button aria-current=${opened.uri === this.selected} @click=${choose}>
        ${icon(opened.uri.startsWith('note:') ? 'edit' : 'preview')}
        <span class="title">${highlighted(truncateText(opened.title), query)}</span>
        <span class="excerpt">${highlighted(excerpt, query)}</span>
      </button>
    </li>`;
  }

  /** The resource that is updated at every change of notes and files, in any tab. */
  #follow(): void {
    this.#watch?.stop();
    this.#watch = this.session?.client.watch('inpage:///storage', () => this.#onChange());
  }

  /** Not in place of the search under way: while much is written, none would ever end. */
  #onChange(): void {
    if (this.#search) this.#isStale = true;
    else void this.#begin();
  }

  /** Searches for what the query is now, in place of the search before. */
  async #begin(): Promise<void> {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    this.requestUpdate();
    do {
      this.#isStale = false;
      await this.#find(this.query, search.signal);
    } while (this.#isStale && !search.signal.aborted);
    if (this.#search !== search) return;
    this.#search = undefined;
    this.requestUpdate();
  }

  async #find(query: string, signal: AbortSignal): Promise<void> {
    const runtime = this.session?.runtime;
    if (!runtime || query.trim() === '') return;
    try {
      const options = { limit: MAX_SHOWN, signal };
      const [notes, files] = await Promise.all([
        runtime.notes.search(query, options),
        runtime.files.search(query, options),
      ]);
      if (signal.aborted) return;
      this.#found = foundIn(query, notes, files);
      this.#failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = error;
    }
    this.requestUpdate();
  }
}

/** What is only similar counts where nothing else was found. */
function foundIn(query: string, notes: NoteMatches, files: FileMatches): Found {
  const isApproximate = [notes, files].every((one) => one.isApproximate ?? one.total === 0);
  const kept = <Matches extends NoteMatches | FileMatches>(one: Matches): Matches['matches'] =>
    one.isApproximate && !isApproximate ? [] : one.matches;
  const total = [notes, files].reduce(
    (sum, one) => sum + (one.isApproximate && !isApproximate ? 0 : one.total),
    0,
  );
  return { query, notes: kept(notes), files: kept(files), total, isApproximate };
}

function foundInWords({ notes, files, total, isApproximate }: Found): string {
  if (total === 0) return 'Nothing has these words.';
  const shown = notes.length + files.length;
  const count =
    shown < total ? `The best ${shown} of ${total.toLocaleString('en')}` : `${total} found`;
  return isApproximate ? `Nothing has exactly these words. Similar: ${count}` : count;
}

customElements.define('search-results', SearchResults);

declare global {
  interface HTMLElementTagNameMap {
    'search-results': SearchResults;
  }
}
