import type { Meta, Watch } from '@inpage-mcp/client';
import type { McpNoteEditor, McpNoteSaveEvent } from '@inpage-mcp/elements/classes';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon } from '../shell/icons.js';
import './ask/ask-dock.js';
import { folderOf, noteIdOf, pathOf } from '../addresses/addresses.js';
import './offer-pane.js';
import { isOffer, OFFERS } from './offers.js';
import { LazyElements } from '../shell/lazy-elements.js';
import { SeenElement } from '../shell/seen-element.js';
import { DRAFTS } from '../session/drafts.js';
import type { Session } from '../session/session.js';
import { sharedStyles } from '../shell/shared-styles.js';
import { styles } from './preview-pane.styles.js';

/** The client that has made an update, as the server says it. */
interface ChangedBy {
  readonly own?: boolean;
  readonly from?: string;
}

/** The resource that is open. */
export interface Opened {
  uri: string;
  title: string;
  mimeType?: string | undefined;
  /** Whether it opens in the editor. Default: no. */
  edit?: boolean;
}

/**
 * The chosen resource: read as any MCP client reads it, or, for a note, in the editor.
 *
 * @fires copy-uri - The user wants the address.
 * @fires download - The user wants the file.
 * @fires delete-resource - The user wants it deleted.
 * @fires written - This page has changed what is open.
 * @fires changed-elsewhere - Another tab has changed it.
 * @fires was-read - It was read over MCP.
 * @fires saved-as-new - The words of a deleted note are those of the note `savedAs`.
 */
export class PreviewPane extends SeenElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
    opened: { attribute: false },
    editing: { state: true },
  };

  declare session: Session | undefined;
  declare opened: Opened | undefined;
  declare private editing: boolean;

  /** The id of the note that has the words of a deleted one. */
  savedAs = '';

  #title = '';
  /** Whether it was deleted while it was open, here or in another tab. */
  #isGone = false;
  /** Whether the editor gets the focus as soon as it is shown. */
  #isFocusWanted = false;
  readonly #lazy = new LazyElements(this);
  #watch: Watch | undefined;

  constructor() {
    super();
    this.editing = false;
  }

  /** The title as it is now, which is another one when the note was renamed. */
  get shownTitle(): string {
    return this.#title;
  }

  /** Shows it as any MCP client reads it. */
  read(): void {
    this.editing = false;
    this.renderRoot.querySelector('mcp-resource-view')?.reload();
  }

  /** Drops the words that are not saved: the user has deleted everything. */
  discard(): void {
    this.#editor?.discard();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('opened')) return;
    this.#title = this.opened?.title ?? '';
    this.editing = this.opened?.edit ?? false;
    this.#isFocusWanted = this.editing;
    this.#isGone = false;
    this.#watch?.stop();
    const uri = this.opened?.uri;
    this.#watch =
      uri && !isOffer(uri)
        ? this.session?.client.watch(uri, (_, meta) => this.#onUpdate(uri, meta))
        : undefined;
    if (uri && !this.#title) void this.#follow(uri);
  }

  protected override updated(): void {
    if (!this.#isFocusWanted || !this.#editor) return;
    this.#isFocusWanted = false;
    this.#editor.focus();
  }

  protected override render(): TemplateResult {
    return html`${this.#renderOpened()}<ask-dock .session=${this.session}></ask-dock>`;
  }

  #renderOpened(): TemplateResult {
    const { session } = this;
    const uri = this.opened?.uri;
    if (uri !== undefined && isOffer(uri))
      return html`<h2>${OFFERS[uri]}</h2>
        <offer-pane .session=${session} offer=${uri}></offer-pane>`;
    const noteId = uri && noteIdOf(uri);
    if (this.editing && noteId)
      return this.#lazy.show(
        'mcp-note-editor',
        () =>
          html`<mcp-note-editor
            .storage=${session?.runtime.notes}
            note-id=${noteId}
            drafts=${DRAFTS}
            @mcp-note-save=${this.#onSave}
            >${this.#renderActions(uri)}</mcp-note-editor
          >`,
      );
    return html`<mcp-resource-view
      tabindex="0"
      header
      uri=${uri ?? nothing}
      @mcp-resource-load=${() => this.dispatchEvent(new Event('was-read'))}
      >${uri === undefined ? this.#renderNothing() : this.#renderActions(uri)}</mcp-resource-view
    >`;
  }

  /** Nothing until the server has started: then something is open. */
  #renderNothing(): TemplateResult | typeof nothing {
    return this.session ? nothing : html`<span slot="empty"></span>`;
  }

  /** Folders, and what is only known while the page is open, are there to be read. */
  #renderActions(uri: string): TemplateResult | typeof nothing {
    if (this.#isGone) return nothing;
    const isNote = noteIdOf(uri) !== undefined;
    const isFile = pathOf(uri) !== undefined;
    const canBeDeleted = isNote || isFile || folderOf(uri) !== undefined;
    return html`
      ${isNote ? this.#renderModeButton() : nothing}
      ${isFile ? this.#renderButton('Download', 'download', 'download') : nothing}
      ${this.#renderButton('Copy the address', 'copy', 'copy-uri')}
      ${
        canBeDeleted ? this.#renderButton('Delete', 'remove', 'delete-resource', 'danger') : nothing
      }
    `;
  }

  #renderModeButton(): TemplateResult {
    return html`<button slot="actions" class="mode" @click=${this.#toggleEditing}>
      ${icon(this.editing ? 'read' : 'edit')} ${this.editing ? 'Read' : 'Edit'}
    </button>`;
  }

  #renderButton(
    words: string,
    symbol: 'copy' | 'download' | 'remove',
    event: string,
    className = '',
  ): TemplateResult {
    return html`<button
      slot="actions"
      class=${`square ${className}`}
      title=${words}
      aria-label=${words}
      @click=${() => this.dispatchEvent(new Event(event))}
    >
      ${icon(symbol)}
    </button>`;
  }

  /** After Edit the caret is in the text, and after Read the focus is where it was. */
  async #toggleEditing(): Promise<void> {
    await this.#lazy.load('mcp-note-editor');
    this.editing = !this.editing;
    this.#isFocusWanted = this.editing;
    await this.updateComplete;
    if (!this.editing) this.renderRoot.querySelector<HTMLElement>('.mode')?.focus();
  }

  #onSave({ noteId, isCopy }: McpNoteSaveEvent): void {
    if (!isCopy || !this.#isGone) return;
    this.savedAs = noteId;
    this.dispatchEvent(new Event('saved-as-new'));
  }

  #onUpdate(uri: string, meta: Meta | undefined): void {
    void this.#follow(uri);
    const by = meta?.['io.github.inpage-mcp/changed-by'] as ChangedBy | undefined;
    if (by?.own) this.dispatchEvent(new Event('written'));
    else if (by?.from === 'tab') this.dispatchEvent(new Event('changed-elsewhere'));
  }

  /** It may be renamed or deleted, here or in another tab, while it is open. */
  async #follow(uri: string): Promise<void> {
    const { notes, files } = this.session!.runtime;
    const [id, path] = [noteIdOf(uri), pathOf(uri)];
    const look = id !== undefined ? notes.get(id) : path !== undefined && files.read(path);
    if (!look) return;
    const found = await look.catch(() => undefined);
    if (this.opened?.uri !== uri) return;
    this.#isGone = found === undefined;
    if (found && 'title' in found) this.#title = found.title || 'Untitled note';
    this.requestUpdate();
  }

  get #editor(): McpNoteEditor | null {
    return this.renderRoot.querySelector('mcp-note-editor');
  }
}

customElements.define('preview-pane', PreviewPane);

declare global {
  interface HTMLElementTagNameMap {
    'preview-pane': PreviewPane;
  }
}
