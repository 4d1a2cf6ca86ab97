import type { Watch } from '@inpage-mcp/client';
import {
  truncateText,
  type McpNoteEditor,
  type McpNoteSaveEvent,
  type McpResourceLinkEvent,
  type McpResourceView,
  type NoteStorage,
} from '@inpage-mcp/elements/classes';
import { RuntimeError } from '@inpage-mcp/runtime';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon } from '../ui/icons.js';
import { folderOf, mountOf, noteIdOf, pathOf, titleIn } from '../addresses/addresses.js';
import type { Navigation } from '../addresses/navigation.js';
import { downloadFile } from '../data/downloads.js';
import { isOffer, OFFERS, type Opened } from '../addresses/opened.js';
import { renderOffer } from './offer-pane.js';
import { SeenElement } from '../ui/seen-element.js';
import { DRAFTS } from '../data/user-writes.js';
import type { Session } from '../session/session.js';
import type { NoticeStack } from '../ui/notice-stack.js';
import { sharedStyles } from '../ui/shared-styles.js';
import { styles } from './preview-pane.styles.js';

/**
 * The chosen resource: as any MCP client reads it, or, for a note, in the editor.
 *
 * @fires delete-resource - The user wants it deleted.
 * @fires close-folder - The user wants to close the open folder of the disk.
 * @fires new-note - The user wants a new note.
 */
export class PreviewPane extends SeenElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
    navigation: { attribute: false },
    notes: { attribute: false },
    notices: { attribute: false },
    opened: { attribute: false },
    editing: { state: true },
  };

  declare session: Session | undefined;
  declare navigation: Navigation;
  declare notes: NoteStorage;
  declare notices: () => NoticeStack;
  declare opened: Opened | undefined;
  declare private editing: boolean;

  #title = '';
  /** Whether it was deleted while it was open, here or in another tab. */
  #isGone = false;
  /** Whether the editor gets the focus as soon as it is shown. */
  #isFocusWanted = false;
  /** Whether the user has left the editor, and the resource is still being read. */
  #isReadingAgain = false;
  #watch: Watch | undefined;

  constructor() {
    super();
    this.editing = false;
  }

  /** The current title, which differs if the note was renamed. */
  get shownTitle(): string {
    return this.#title;
  }

  /** Whether a note is in the editor. */
  get isEditing(): boolean {
    return this.editing;
  }

  /** Drops the unsaved changes, because the user has deleted everything. */
  discard(): void {
    this.#editor?.discard();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('opened')) return;
    this.#title = this.opened?.title ?? '';
    this.editing = this.opened?.edit ?? false;
    this.#isFocusWanted = this.editing;
    this.#isGone = false;
    this.#isReadingAgain = false;
    this.#watch?.stop();
    const uri = this.opened?.uri;
    this.#watch =
      uri && !isOffer(uri)
        ? this.session?.client.watch(uri, () => void this.#follow(uri))
        : undefined;
    if (uri && !this.#title) void this.#follow(uri);
  }

  protected override updated(changed: PropertyValues<this>): void {
    // A user who has opened a pane of forms continues in it, unless the page begins with it.
    if (changed.get('opened') && isOffer(this.opened?.uri))
      this.renderRoot.querySelector('h2')!.focus();
    if (!this.#isFocusWanted || !this.#editor) return;
    this.#isFocusWanted = false;
    // It is loaded when it is first shown.
    void customElements.whenDefined('mcp-note-editor').then(() => this.#editor?.focus());
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const uri = this.opened?.uri;
    if (uri !== undefined && isOffer(uri))
      return html`<h2 tabindex="-1">${OFFERS[uri]}</h2>
        ${renderOffer(uri, session ?? {}, (wanted) =>
          this.navigation.open({ uri: wanted, title: titleIn(wanted) }, true),
        )}`;
    const noteId = uri && noteIdOf(uri);
    if (this.editing && noteId)
      return html`<h2 class="visually-hidden">Edit a note</h2>
        <mcp-note-editor
          .storage=${session && this.notes}
          note-id=${noteId}
          drafts=${DRAFTS}
          @mcp-note-save=${this.#onSave}
          >${this.#renderActions(uri)}</mcp-note-editor
        >`;
    // This is not a failure, because the user has already seen the deleted resource.
    const isDeleted = this.#isGone && this.#title !== '';
    return html`<mcp-resource-view
      tabindex="0"
      header
      uri=${isDeleted ? nothing : (uri ?? nothing)}
      @mcp-resource-load=${this.#onLoad}
      @mcp-resource-link=${({ uri: linked }: McpResourceLinkEvent) =>
        this.navigation.open({ uri: linked, title: titleIn(linked) }, true)}
      >${uri === undefined || isDeleted ? this.#renderNothing(isDeleted) : this.#renderActions(uri)}</mcp-resource-view
    >`;
  }

  /**
   * Renders the pane without a resource; nothing until the server has started, because a resource is opened
   * then.
   */
  #renderNothing(isDeleted: boolean): TemplateResult {
    if (!this.session) return html`<span slot="empty"></span>`;
    return html`<div slot="empty" class="empty">
      ${icon('preview')}
      <p>
        ${isDeleted ? `“${truncateText(this.#title, 80)}” was deleted.` : 'Nothing is open.'} Choose
        something from the list, or write a note.
      </p>
      <button @click=${() => this.#fire('new-note')}>${icon('plus')} New note</button>
    </div>`;
  }

  /** Renders the actions. Folders, and resources that exist only while the page is open, can only be read. */
  #renderActions(uri: string): TemplateResult | typeof nothing {
    if (this.#isGone) return nothing;
    const isNote = noteIdOf(uri) !== undefined;
    const isFile = pathOf(uri) !== undefined;
    const canBeDeleted = isNote || isFile || folderOf(uri) !== undefined;
    return html`
      ${isNote ? this.#renderModeButton() : nothing}
      ${isFile ? this.#renderButton('Download', 'download', () => void this.#download(uri)) : nothing}
      ${
        mountOf(uri) === undefined
          ? nothing
          : this.#renderButton('Close the folder', 'close', () => this.#fire('close-folder'))
      }
      ${
        canBeDeleted
          ? this.#renderButton('Delete', 'remove', () => this.#fire('delete-resource'), 'danger')
          : nothing
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
    symbol: 'download' | 'remove' | 'close',
    act: () => unknown,
    className = '',
  ): TemplateResult {
    return html`<button
      slot="actions"
      class=${`square ${className}`}
      title=${words}
      aria-label=${words}
      @click=${act}
    >
      ${icon(symbol)}
    </button>`;
  }

  async #download(uri: string): Promise<void> {
    try {
      await downloadFile(this.session!.runtime, pathOf(uri)!);
    } catch (error) {
      this.notices().fail(error, `“${truncateText(this.#title, 80)}” was not downloaded`);
    }
  }

  /**
   * Switches between editor and view. After Edit the caret is in the text, and after Read the focus is where
   * it was.
   */
  async #toggleEditing(): Promise<void> {
    this.editing = !this.editing;
    this.#isFocusWanted = this.editing;
    await this.updateComplete;
    this.#isReadingAgain = !this.editing;
    if (this.#isReadingAgain) this.#view?.focus();
  }

  #onLoad(): void {
    // The actions exist once the resource is read; until then the focus is on the view.
    if (this.#isReadingAgain && this.#view?.matches(':focus'))
      this.renderRoot.querySelector<HTMLElement>('.mode')?.focus();
    this.#isReadingAgain = false;
  }

  #onSave({ noteId, isCopy }: McpNoteSaveEvent): void {
    // The text of a deleted note has become that of a new note.
    if (isCopy && this.#isGone)
      this.navigation.open({ uri: `note:///${noteId}`, title: this.#title, edit: true }, false);
  }

  #fire(type: string): void {
    this.dispatchEvent(new Event(type));
  }

  /**
   * Follows changes of a resource, which may be renamed or deleted, here or in another tab, while it is open.
   */
  async #follow(uri: string): Promise<void> {
    const { notes, files } = this.session!.runtime;
    const [id, path] = [noteIdOf(uri), pathOf(uri)];
    const look = id !== undefined ? notes.get(id) : path !== undefined && files.read(path);
    if (!look) return;
    const found = await look.catch((error: unknown) => error);
    // A resource that cannot be read now was not necessarily deleted.
    const isGone = found instanceof RuntimeError && found.code === 'not-found';
    if (this.opened?.uri !== uri || (found instanceof Error && !isGone)) return;
    this.#isGone = isGone;
    // An editor with changes that are stored nowhere else stays.
    if (this.#isGone && this.#editor?.hasUnsavedWords === false) this.editing = false;
    if (isNote(found)) this.#title = found.title || 'Untitled note';
    this.requestUpdate();
  }

  get #view(): McpResourceView | null {
    return this.renderRoot.querySelector('mcp-resource-view');
  }

  get #editor(): McpNoteEditor | null {
    return this.renderRoot.querySelector('mcp-note-editor');
  }
}

const isNote = (found: unknown): found is { title: string } => 'title' in Object(found);

customElements.define('preview-pane', PreviewPane);

declare global {
  interface HTMLElementTagNameMap {
    'preview-pane': PreviewPane;
  }
}
