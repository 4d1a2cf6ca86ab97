import {
  truncateText,
  type McpResourceSelectEvent,
  type McpResourceUpdateEvent,
} from '@inpage-mcp/elements';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import { OFFERS, type Offer } from './offers.js';
import type { Opened } from './preview-pane.js';
import './search-results.js';
import type { SearchResults } from './search-results.js';
import type { Session } from './session.js';
import { sharedStyles } from './shared-styles.js';

/**
 * All that there is, or what was searched for, and how to add to it.
 *
 * @fires new-note - The user wants a new note.
 * @fires choose - The user has chosen what `chosen` says; see `isFinal`.
 */
export class ListPane extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        grid-template-rows: auto auto minmax(0, 1fr) auto auto;
        container-type: inline-size;
        min-inline-size: 0;
        min-block-size: 0;
      }

      .search {
        position: relative;
        display: block;
        padding: 0.6rem 0.9rem 0.3rem;
      }

      .search input {
        inline-size: 100%;
        min-block-size: 2.1rem;
        padding-inline: 2.1rem 0.6rem;
        font-size: 0.875rem;
      }

      .search .icon {
        position: absolute;
        inset-block-start: 1.2rem;
        inset-inline-start: 1.55rem;
        color: var(--muted);
        pointer-events: none;
      }

      .actions {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        min-block-size: 3.4rem;
        padding: 0.5rem 0.9rem;
        border-block-end: 1px solid var(--line);
      }

      .actions > * {
        flex: 1;
      }

      mcp-resource-list {
        block-size: 100%;
      }

      mcp-resource-list[hidden] {
        display: none;
      }

      .offers {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, auto));
        gap: 0.4rem;
        padding: 0.6rem 0.9rem 0;
        border-block-start: 1px solid var(--line);
      }

      .offers button {
        padding-inline: 0.3rem;
        font-size: 0.8125rem;
      }

      @container (max-width: 20rem) {
        .offers .icon {
          display: none;
        }
      }

      .offers [aria-current='true'] {
        border-color: var(--accent);
        background: var(--soft);
        color: var(--accent);
      }

      .drop {
        display: grid;
        place-items: center;
        margin: 0.9rem;
        padding: 0.9rem;
        border: 1.5px dashed var(--line);
        border-radius: 10px;
        color: var(--muted);
        font-size: 0.875rem;
        text-align: center;
      }

      /* Where there is little room, or nothing to drop, the rows have it. */
      @media (max-height: 860px), (pointer: coarse) {
        .drop {
          display: none;
        }

        .offers {
          padding-block-end: 0.6rem;
        }
      }

      /* As at 400 % zoom, where the rows would have no room beside all of it. */
      @media (max-height: 420px) {
        :host {
          display: block;
          overflow: auto;
        }

        .actions {
          min-block-size: 0;
          padding-block: 0.3rem;
        }

        .search {
          padding-block: 0.3rem 0;
        }

        .search .icon {
          inset-block-start: 0.9rem;
        }

        mcp-resource-list {
          block-size: 12rem;
          margin-block-start: -0.75rem;
        }
      }

      .link {
        display: inline;
        min-block-size: 0;
        padding: 0;
        border: 0;
        background: none;
        color: var(--accent);
        font-size: inherit;
        text-decoration: underline;
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    selected: { attribute: false },
    onfiles: { attribute: false },
  };

  declare session: Session | undefined;
  /** The address of what is open. */
  declare selected: string | undefined;
  /** Takes the files of an event, which have to be read in the same turn. */
  declare onfiles: ((event: Event) => Promise<void>) | undefined;

  /** What was chosen last. */
  chosen: Opened | undefined;
  /** Whether the user has arrived: the arrows only walk through the list. */
  isFinal = false;

  /** What is searched for; while it is empty, the list shows everything. */
  #query = '';

  /** Moves the focus into the list. */
  focusList(): void {
    this.renderRoot.querySelector('mcp-resource-list')?.focus();
  }

  protected override render(): TemplateResult {
    const isSearching = this.#query.trim() !== '';
    return html`
      <div class="actions">
        <button
          class="primary"
          ?disabled=${!this.session}
          @click=${() => this.dispatchEvent(new Event('new-note'))}
        >
          ${icon('plus')} New note
        </button>
        <button ?disabled=${!this.session} @click=${this.#browse}>
          ${icon('upload')} Add files
        </button>
        <input type="file" multiple hidden @change=${this.#onFilesChosen} />
      </div>
      <label class="search">
        ${icon('search')}
        <input
          type="search"
          aria-label="Search notes and files"
          placeholder="Search notes and files"
          maxlength="1000"
          ?disabled=${!this.session}
          @input=${this.#onSearch}
        />
      </label>
      ${isSearching ? this.#renderResults() : nothing}
      <mcp-resource-list
        ?hidden=${isSearching}
        .selected=${this.selected}
        @mcp-resource-select=${this.#onSelect}
        @mcp-resource-update=${this.#onUpdate}
      ></mcp-resource-list>
      <nav class="offers" aria-label="What the server offers besides resources">
        ${Object.entries(OFFERS).map(
          ([offer, title]) =>
            html`<button
              aria-current=${this.selected === offer}
              ?disabled=${!this.session}
              @click=${() => this.#choose({ uri: offer, title }, true)}
            >
              ${icon(offer as Offer)} ${title}
            </button>`,
        )}
      </nav>
      <div class="drop">
        <span>
          Drop files or folders, paste, or
          <button class="link" ?disabled=${!this.session} @click=${this.#browse}>browse</button>
        </span>
      </div>
    `;
  }

  #renderResults(): TemplateResult {
    return html`<search-results
      .session=${this.session}
      .query=${this.#query}
      .selected=${this.selected}
      @choose=${this.#onFound}
    ></search-results>`;
  }

  #browse(): void {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')!.click();
  }

  async #onFilesChosen(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    await this.onfiles?.(event);
    // The same file can be chosen again.
    input.value = '';
  }

  #onSearch(event: Event): void {
    this.#query = (event.target as HTMLInputElement).value;
    this.requestUpdate();
  }

  #onFound(event: Event): void {
    const { chosen } = event.target as SearchResults;
    if (chosen) this.#choose(chosen, true);
  }

  #onSelect({ resource, intent }: McpResourceSelectEvent): void {
    const { uri, name, title = name, mimeType = '' } = resource;
    const opened = { uri, title: truncateText(title), mimeType: truncateText(mimeType) };
    this.#choose(opened, intent === 'open');
  }

  /** What the page tells of itself changes with each request: that is no news. */
  #onUpdate(event: McpResourceUpdateEvent): void {
    if (event.resource.uri.startsWith('inpage:')) event.preventDefault();
  }

  #choose(chosen: Opened, isFinal: boolean): void {
    this.chosen = chosen;
    this.isFinal = isFinal;
    this.dispatchEvent(new Event('choose'));
  }
}

customElements.define('list-pane', ListPane);

declare global {
  interface HTMLElementTagNameMap {
    'list-pane': ListPane;
  }
}
