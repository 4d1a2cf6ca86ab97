import type { Watch } from '@inpage-mcp/client';
import { truncateText } from '@inpage-mcp/elements';
import type { NoteMatch, StoredFile } from '@inpage-mcp/runtime';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { fileUri } from './addresses.js';
import { icon } from './icons.js';
import type { Opened } from './preview-pane.js';
import type { Session } from './session.js';
import { sharedStyles } from './shared-styles.js';
import { sizeInWords } from './sizes.js';
import { reasonOf } from './storage-words.js';

/** How many of each kind are shown, the best first. */
const MAX_SHOWN = 50;

/** What was found for a query. */
interface Found {
  query: string;
  notes: readonly NoteMatch[];
  files: readonly StoredFile[];
  total: number;
}

/**
 * The notes and files that have the words of a query, as one types, and as they change.
 *
 * @fires choose - The user wants to see what `chosen` says.
 */
export class SearchResults extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        overflow: auto;
      }

      p {
        margin: 0;
        padding: 0.5rem 0.9rem;
        font-size: 0.8125rem;
      }

      .failed {
        color: var(--danger);
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      /* Not at once: most searches are over before anybody sees it. */
      ul[aria-busy='true'] {
        opacity: 0.55;
        transition: opacity 0s 250ms;
      }

      button {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        justify-content: start;
        gap: 0 0.9rem;
        inline-size: 100%;
        padding: 0.45rem 0.9rem;
        border: 0;
        border-radius: 0;
        text-align: start;
      }

      button[aria-current='true']:not(:disabled) {
        background: var(--soft);
      }

      button:focus-visible {
        outline-offset: -2px;
      }

      .icon {
        grid-row: 1 / 3;
        align-self: center;
        color: var(--muted);
      }

      .title,
      .excerpt {
        overflow: hidden;
        text-overflow: ellipsis;
        unicode-bidi: plaintext;
        white-space: nowrap;
      }

      .title {
        font-size: 0.9375rem;
      }

      .excerpt {
        color: var(--muted);
        font-size: 0.8125rem;
      }
    `,
  ];

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
      <ul aria-label="Found" aria-busy=${this.#search ? 'true' : 'false'}>
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

  #renderState(): unknown {
    if (this.#failure !== undefined) return reasonOf(this.#failure);
    if (!this.#found) return this.#search ? 'Searching …' : nothing;
    // A new element for each query: as many as before are told again, too.
    return keyed(this.#found.query, html`<span>${foundInWords(this.#found)}</span>`);
  }

  #renderMatch(opened: Opened, excerpt: string): TemplateResult {
    const choose = (): void => {
      this.chosen = opened;
      this.dispatchEvent(new Event('choose'));
    };
    return html`<li>
      <button aria-current=${opened.uri === this.selected} @click=${choose}>
        ${icon(opened.uri.startsWith('note:') ? 'edit' : 'preview')}
        <span class="title">${truncateText(opened.title)}</span>
        <span class="excerpt">${excerpt}</span>
      </button>
    </li>`;
  }

  /** What tells of every change of notes and files, in any tab. */
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
      const total = notes.total + files.total;
      this.#found = { query, notes: notes.matches, files: files.matches, total };
      this.#failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = error;
    }
    this.requestUpdate();
  }
}

function foundInWords({ notes, files, total }: Found): string {
  if (total === 0) return 'Nothing has these words.';
  const shown = notes.length + files.length;
  return shown < total ? `The best ${shown} of ${total.toLocaleString('en')}` : `${total} found`;
}

customElements.define('search-results', SearchResults);

declare global {
  interface HTMLElementTagNameMap {
    'search-results': SearchResults;
  }
}
