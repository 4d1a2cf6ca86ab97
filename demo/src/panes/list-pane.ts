import {
  truncateText,
  type McpResourceList,
  type McpResourceSelectEvent,
} from '@inpage-mcp/elements/classes';
import { html, type TemplateResult } from 'lit';
import type { Navigation } from '../addresses/navigation.js';
import { OFFERS, type Offer, type Opened } from '../addresses/opened.js';
import { recall, remember } from '../browser/remembered.js';
import { icon } from '../ui/icons.js';
import { SeenElement } from '../ui/seen-element.js';
import { styles } from './list-pane.styles.js';
import type { Session } from '../session/session.js';
import { sharedStyles } from '../ui/shared-styles.js';

/** The key of the form in which the user wants to see the list: `tree`, or `list`. */
const VIEW_KEY = 'inpage-mcp-demo-list';

/**
 * The list of all resources, or of the results of a search.
 *
 * @fires new-note - The user wants a new note.
 * @fires delete-resources - The user wants to delete the resources in `unwanted`.
 */
export class ListPane extends SeenElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
    navigation: { attribute: false },
    selected: { attribute: false },
  };

  declare session: Session | undefined;
  declare navigation: Navigation;
  /** The address of the open resource. */
  declare selected: string | undefined;

  /** The resources to delete. */
  unwanted: readonly string[] = [];

  /** The selected resources, if they are more than one. */
  #selection: readonly string[] = [];

  #isTree = recall(VIEW_KEY) === 'tree';

  /** Moves the focus to the first button, before the list. */
  focusNew(): void {
    this.renderRoot.querySelector<HTMLElement>('.actions button')!.focus();
  }

  /** Moves the focus into the list. */
  focusList(): void {
    this.#list.focus();
  }

  protected override render(): TemplateResult {
    return html`
      ${this.#selection.length > 1 ? this.#renderSelection() : this.#renderActions()}
      <mcp-resource-list
        multiple
        searchable
        view=${this.#isTree ? 'tree' : 'list'}
        .selected=${this.selected}
        @mcp-resource-select=${this.#onSelect}
        @keydown=${this.#onListKeydown}
        ><div slot="empty" class="empty">
          ${icon('preview')}
          <p>Nothing is here yet: write a note, or drop a file.</p>
        </div></mcp-resource-list
      >
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
    `;
  }

  #renderActions(): TemplateResult {
    return html`<div class="actions">
      <button
        class="new"
        ?disabled=${!this.session}
        @click=${() => this.dispatchEvent(new Event('new-note'))}
      >
        ${icon('plus')} New note
      </button>
      <button
        class="tree"
        aria-label="Show folders"
        title="Show folders"
        aria-pressed=${this.#isTree}
        @click=${this.#toggleTree}
      >
        ${icon('tree')}
      </button>
    </div>`;
  }

  #toggleTree(): void {
    this.#isTree = !this.#isTree;
    remember(VIEW_KEY, this.#isTree ? 'tree' : 'list');
    this.requestUpdate();
  }

  /**
   * Renders the actions for the selection in the same place, so that the rows stay where they are. A single
   * resource is opened instead.
   */
  #renderSelection(): TemplateResult {
    return html`<div class="actions selection" role="group" aria-label="Selection">
      <span role="status">${this.#selection.length} selected</span>
      <button class="danger" @click=${() => this.#delete(this.#selection)}>
        ${icon('remove')} Delete
      </button>
      <button @click=${this.#clearSelection}>Clear</button>
    </div>`;
  }

  /** Moves the focus into the search field. */
  search(): void {
    this.#list.focusSearch();
  }

  #onListKeydown(event: KeyboardEvent): void {
    if (event.key !== 'Delete' && !(event.key === 'Backspace' && event.metaKey)) return;
    if (event.composedPath()[0] instanceof HTMLInputElement) return;
    event.preventDefault();
    this.#delete(this.#list.selection);
  }

  #clearSelection(): void {
    const { selection } = this.#list;
    this.#list.selection = selection.slice(-1);
    this.#selection = [];
    this.requestUpdate();
    this.#list.focus();
  }

  /** Asks for the deletion of resources. Those about the page itself cannot be deleted. */
  #delete(uris: readonly string[]): void {
    this.unwanted = uris.filter((uri) => /^(note|file):/.test(uri));
    this.#selection = [];
    this.requestUpdate();
    if (this.unwanted.length > 0) this.dispatchEvent(new Event('delete-resources'));
  }

  get #list(): McpResourceList {
    return this.renderRoot.querySelector('mcp-resource-list')!;
  }

  #onSelect({ resource, intent }: McpResourceSelectEvent): void {
    // The event has only those that are loaded.
    const { selection } = this.#list;
    this.#selection = selection.length > 1 ? selection : [];
    this.requestUpdate();
    // If several are selected, the open one stays.
    if (selection.length !== 1) return;
    const { uri, name, title = name } = resource;
    this.#choose({ uri, title: truncateText(title) }, intent === 'open');
  }

  /**
   * Opens a chosen resource.
   *
   * @param isFinal Whether the user has finished choosing: the arrows only move through the list.
   */
  #choose(chosen: Opened, isFinal: boolean): void {
    // The rows that the arrows pass are not steps for Back.
    this.navigation.open(chosen, isFinal);
    // On a narrow screen the arrows move through the list, and Enter leaves it.
    if (isFinal) this.navigation.showPane('preview');
  }
}

customElements.define('list-pane', ListPane);

declare global {
  interface HTMLElementTagNameMap {
    'list-pane': ListPane;
  }
}
