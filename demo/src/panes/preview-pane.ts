import type { Meta, Watch } from '@inpage-mcp/client';
import { truncateText, type McpResourceLoadEvent } from '@inpage-mcp/elements/classes';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon } from '../shell/icons.js';
import type { DraftOutcome, NoteDraft } from './editor/note-draft.js';
import './ask/ask-dock.js';
import './editor/note-editor.js';
import { folderOf, noteIdOf, pathOf } from '../addresses/addresses.js';
import './offer-pane.js';
import { isOffer, OFFERS, type Offer } from './offers.js';
import { SeenElement } from '../shell/seen-element.js';
import type { Session } from '../session/session.js';
import { sharedStyles } from '../shell/shared-styles.js';
import { styles } from './preview-pane.styles.js';

/** Who has made an update, as the server says it. */
interface ChangedBy {
  readonly own?: boolean;
  readonly from?: string;
}

/** What is open. */
export interface Opened {
  uri: string;
  title: string;
  mimeType?: string | undefined;
  /** Whether it opens in the editor. Default: no. */
  edit?: boolean;
}

/**
 * What was chosen: read as any MCP client reads it, or, for a note, in the editor.
 *
 * @fires copy-uri - The user wants the address.
 * @fires download - The user wants the file.
 * @fires delete-resource - The user wants it deleted.
 * @fires written - This page has changed what is open.
 * @fires changed-elsewhere - Another tab has changed it.
 * @fires was-read - It was read over MCP.
 */
export class PreviewPane extends SeenElement {
  static override readonly styles = [sharedStyles, styles];

  static override readonly properties = {
    session: { attribute: false },
    opened: { attribute: false },
    ondraft: { attribute: false },
    editing: { state: true },
  };

  declare session: Session | undefined;
  declare opened: Opened | undefined;
  /** Told what became of words of the editor, which may have left by then. */
  declare ondraft: ((outcome: DraftOutcome, draft: NoteDraft) => void) | undefined;
  declare private editing: boolean;

  #title = '';
  #readMs: number | undefined;
  /** Whether it was deleted while it was open, here or in another tab. */
  #gone = false;
  #watch: Watch | undefined;

  constructor() {
    super();
    this.editing = false;
  }

  /** The title as it is now, which is another one when the note was renamed. */
  get shownTitle(): string {
    return this.#title;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('opened')) return;
    this.#title = this.opened?.title ?? '';
    this.editing = this.opened?.edit ?? false;
    this.#readMs = undefined;
    this.#gone = false;
    this.#watch?.stop();
    const uri = this.opened?.uri;
    this.#watch =
      uri && !isOffer(uri)
        ? this.session?.client.watch(uri, (_, meta) => this.#onUpdate(uri, meta))
        : undefined;
    if (uri && !this.#title) void this.#follow(uri);
  }

  protected override render(): TemplateResult {
    return html`${this.#renderOpened()}<ask-dock .session=${this.session}></ask-dock>`;
  }

  #renderOpened(): TemplateResult {
    const { opened } = this;
    if (!opened) {
      return html`<div class="bar"><h2>Preview</h2></div>
        ${this.session ? html`<div class="welcome">Choose a resource to read it.</div>` : nothing}`;
    }
    if (isOffer(opened.uri)) return this.#renderOffer(opened.uri);
    const noteId = noteIdOf(opened.uri);
    const editing = this.editing && noteId !== undefined;
    return html`
      <div class="bar">
        <h2 title=${this.#title}>${this.#title}</h2>
        ${this.#gone ? nothing : this.#renderActions(opened.uri)}
      </div>
      ${this.#renderFacts(opened)}
      ${
        editing
          ? html`<note-editor
              .session=${this.session}
              .noteId=${noteId}
              .onoutcome=${this.ondraft}
            ></note-editor>`
          : html`<mcp-resource-view
              tabindex="0"
              uri=${opened.uri}
              @mcp-resource-load=${this.#onLoad}
            ></mcp-resource-view>`
      }
    `;
  }

  #renderOffer(offer: Offer): TemplateResult {
    return html`<div class="bar"><h2>${OFFERS[offer]}</h2></div>
      <offer-pane .session=${this.session} offer=${offer}></offer-pane>`;
  }

  /** Folders, and what is only known while the page is open, are there to be read. */
  #renderActions(uri: string): TemplateResult {
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
    return html`<button @click=${this.#toggleEditing}>
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
      class=${`square ${className}`}
      title=${words}
      aria-label=${words}
      @click=${() => this.dispatchEvent(new Event(event))}
    >
      ${icon(symbol)}
    </button>`;
  }

  #renderFacts({ uri, mimeType }: Opened): TemplateResult {
    const read =
      this.#readMs === undefined || this.editing ? '' : `read in ${this.#readMs.toFixed(1)} ms`;
    return html`<p class="facts">
      <code>${truncateText(uri)}</code>
      ${mimeType ? html`<span>${mimeType}</span>` : nothing}
      ${read ? html`<span>${read}</span>` : nothing}
    </p>`;
  }

  /** Shows it as any MCP client reads it. */
  read(): void {
    this.editing = false;
    this.renderRoot.querySelector('mcp-resource-view')?.reload();
  }

  #toggleEditing(): void {
    this.editing = !this.editing;
  }

  #onUpdate(uri: string, meta: Meta | undefined): void {
    void this.#follow(uri);
    const by = meta?.['io.github.inpage-mcp/changed-by'] as ChangedBy | undefined;
    if (by?.own) this.dispatchEvent(new Event('written'));
    else if (by?.from === 'tab') this.dispatchEvent(new Event('changed-elsewhere'));
  }

  #onLoad({ durationMs }: McpResourceLoadEvent): void {
    this.#readMs = durationMs;
    this.requestUpdate();
    this.dispatchEvent(new Event('was-read'));
  }

  /** It may be renamed or deleted, here or in another tab, while it is open. */
  async #follow(uri: string): Promise<void> {
    const { notes, files } = this.session!.runtime;
    const [id, path] = [noteIdOf(uri), pathOf(uri)];
    const look = id !== undefined ? notes.get(id) : path !== undefined && files.read(path);
    if (!look) return;
    const found = await look.catch(() => undefined);
    if (this.opened?.uri !== uri) return;
    this.#gone = found === undefined;
    if (found && 'title' in found) this.#title = found.title || 'Untitled note';
    this.requestUpdate();
  }
}

customElements.define('preview-pane', PreviewPane);

declare global {
  interface HTMLElementTagNameMap {
    'preview-pane': PreviewPane;
  }
}
