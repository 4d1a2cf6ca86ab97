import type { McpResourceLoadEvent, McpResourceSelectEvent } from '@inpage-mcp/elements';
import type { Resource, Watch } from '@inpage-mcp/client';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { styles } from './demo-app.styles.js';
import { icon } from './icons.js';
import './note-editor.js';
import type { Session } from './session.js';
import { sharedStyles } from './shared-styles.js';
import { nextTheme, showTheme } from './theme.js';
import { filesOf, uploadAll } from './uploads.js';
import './wire-pane.js';

type Pane = 'list' | 'preview' | 'wire';

interface Selected {
  uri: string;
  title: string;
  /** As it was listed; absent for what was made a moment ago. */
  resource?: Resource;
}

interface Notice {
  id: number;
  kind: 'info' | 'error';
  text: string;
}

/** How long a notice stays, in milliseconds; errors stay until they are dismissed. */
const NOTICE_MS = 4_000;

const STEPS_CLOSED_KEY = 'inpage-mcp-demo-steps-closed';

/** The whole demo: the list, what was chosen from it, and the messages behind both. */
export class DemoApp extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  #session: Session | undefined;
  #failure: unknown;
  #selected: Selected | undefined;
  #watch: Watch | undefined;
  #editing = false;
  #pane: Pane = 'list';
  #readMs: number | undefined;
  #notices: readonly Notice[] = [];
  #noticeCount = 0;
  #dragging = false;
  #stepsClosed = localStorage.getItem(STEPS_CLOSED_KEY) !== null;

  constructor() {
    super();
    showTheme();
  }

  /** Shows the session once it has started, or why it has not. */
  async start(session: Promise<Session>): Promise<void> {
    try {
      this.#session = await session;
      void this.#session.client.closed.then(() => this.#fail('The connection has ended.'));
    } catch (error) {
      this.#failure = error;
    }
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const [type, listener] of this.#windowListeners) window.addEventListener(type, listener);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const [type, listener] of this.#windowListeners)
      window.removeEventListener(type, listener);
  }

  protected override render(): TemplateResult {
    return html`
      ${this.#renderTop()} ${this.#stepsClosed ? nothing : this.#renderSteps()}
      ${this.#failure === undefined ? this.#renderPanes() : this.#renderFailure()}
      ${this.#renderTabs()} ${this.#renderNotices()}
      ${this.#dragging ? html`<div class="veil">${icon('upload')} Drop to add</div>` : nothing}
      ${this.#renderDeleteDialog()}
    `;
  }

  #renderTop(): TemplateResult {
    return html`<header class="top">
      <h1 class="brand"><img src="./icon.svg" alt="" /> in-page MCP</h1>
      ${this.#renderStatus()}
      <span class="grow"></span>
      <a class="button wide" href=${location.href} target="_blank" rel="noopener">
        Open a second tab ${icon('newTab')}
      </a>
      <button
        class="square"
        title="Light or dark"
        aria-label="Light or dark"
        @click=${() => nextTheme()}
      >
        ${icon('theme')}
      </button>
    </header>`;
  }

  #renderStatus(): TemplateResult {
    if (this.#failure !== undefined) return html`<span class="pill failed">not connected</span>`;
    if (!this.#session) return html`<span class="pill">starting</span>`;
    const { protocolVersion } = this.#session.client;
    return html`<span class="pill connected"
      >connected<span> · ${protocolVersion} · worker</span></span
    >`;
  }

  #renderSteps(): TemplateResult {
    return html`<div class="steps">
      <ol>
        <li>Drop a file or write a note</li>
        <li>It is an MCP resource now: click to read it</li>
        <li>Edit it in a second tab</li>
        <li>Watch the wire</li>
      </ol>
      <span class="promise">${icon('shield')} No server. Nothing leaves this browser.</span>
      <button
        class="plain square"
        title="Close the introduction"
        aria-label="Close the introduction"
        @click=${this.#closeSteps}
      >
        ${icon('close')}
      </button>
    </div>`;
  }

  #renderPanes(): TemplateResult {
    return html`<mcp-provider .client=${this.#session?.client}>
      <main class="panes" data-pane=${this.#pane}>
        ${this.#renderListPane()} ${this.#renderPreviewPane()}
        <section class="pane wire" aria-label="Wire">
          <wire-pane .log=${this.#session?.wire}></wire-pane>
        </section>
      </main>
    </mcp-provider>`;
  }

  #renderListPane(): TemplateResult {
    return html`<section class="pane list" aria-label="Resources">
      <div class="actions">
        <button class="primary" ?disabled=${!this.#session} @click=${this.#createNote}>
          ${icon('plus')} New note
        </button>
        <button ?disabled=${!this.#session} @click=${this.#browse}>
          ${icon('upload')} Add files
        </button>
        <input type="file" multiple hidden @change=${this.#onFiles} />
      </div>
      <mcp-resource-list .selected=${this.#selected?.uri} @mcp-resource-select=${this.#onSelect}>
        <span slot="empty">Nothing here yet. Write a note, or drop a file anywhere.</span>
      </mcp-resource-list>
      <div class="drop">
        <span>
          Drop files or folders, paste, or
          <button class="link" ?disabled=${!this.#session} @click=${this.#browse}>browse</button>
        </span>
      </div>
    </section>`;
  }

  #renderPreviewPane(): TemplateResult {
    const selected = this.#selected;
    if (!selected) {
      return html`<section class="pane preview" aria-label="Preview">
        <div class="bar"><h2 class="muted">Preview</h2></div>
        <div></div>
        <div class="welcome">Choose a resource to read it.</div>
      </section>`;
    }
    const editable = noteIdOf(selected.uri) !== undefined;
    return html`<section class="pane preview" aria-label="Preview">
      <div class="bar">
        <h2 title=${selected.title}>${selected.title}</h2>
        ${
          editable
            ? html`<button aria-pressed=${this.#editing} @click=${this.#toggleEditing}>
                ${icon(this.#editing ? 'read' : 'edit')} ${this.#editing ? 'Read' : 'Edit'}
              </button>`
            : nothing
        }
        <button
          class="square"
          title="Copy the address"
          aria-label="Copy the address"
          @click=${this.#copyUri}
        >
          ${icon('copy')}
        </button>
        <button
          class="square danger"
          title="Delete"
          aria-label="Delete"
          @click=${() => this.#dialog.showModal()}
        >
          ${icon('remove')}
        </button>
      </div>
      <p class="facts">
        <code>${selected.uri}</code>
        ${selected.resource?.mimeType ? html`<span>${selected.resource.mimeType}</span>` : nothing}
        ${
          this.#readMs === undefined || this.#editing
            ? nothing
            : html`<span>read in ${this.#readMs.toFixed(1)} ms</span>`
        }
      </p>
      ${
        this.#editing && editable
          ? html`<note-editor
              .runtime=${this.#session?.runtime}
              .client=${this.#session?.client}
              .noteId=${noteIdOf(selected.uri)}
            ></note-editor>`
          : html`<mcp-resource-view
              uri=${selected.uri}
              @mcp-resource-load=${this.#onLoad}
            ></mcp-resource-view>`
      }
    </section>`;
  }

  #renderFailure(): TemplateResult {
    const { message } = this.#failure instanceof Error ? this.#failure : { message: '' };
    return html`<main class="failure" role="alert">
      <h2>The server of this page is not running</h2>
      <p>${message || String(this.#failure)}</p>
      <button class="primary" @click=${() => location.reload()}>Reload the page</button>
    </main>`;
  }

  #renderTabs(): TemplateResult {
    const tab = (pane: Pane, words: string, symbol: 'list' | 'preview' | 'wire'): TemplateResult =>
      html`<button aria-current=${this.#pane === pane} @click=${() => this.#showPane(pane)}>
        ${icon(symbol)} ${words}
      </button>`;
    return html`<nav class="tabs" aria-label="Panes">
      ${tab('list', 'List', 'list')} ${tab('preview', 'Preview', 'preview')}
      ${tab('wire', 'Wire', 'wire')}
    </nav>`;
  }

  #renderNotices(): TemplateResult {
    return html`<div class="notices" role="status">
      ${this.#notices.map(
        ({ id, kind, text }) =>
          html`<div class=${`notice ${kind}`}>
            <span>${text}</span>
            <button aria-label="Dismiss" @click=${() => this.#dismiss(id)}>${icon('close')}</button>
          </div>`,
      )}
    </div>`;
  }

  #renderDeleteDialog(): TemplateResult {
    return html`<dialog aria-label="Delete" @close=${this.#onDialogClose}>
      <p>Delete “${this.#selected?.title}”? This cannot be undone.</p>
      <form method="dialog">
        <button value="cancel" autofocus>Cancel</button>
        <button class="danger" value="delete">Delete</button>
      </form>
    </dialog>`;
  }

  readonly #windowListeners: readonly [string, (event: Event) => void][] = [
    ['dragenter', (event) => this.#onDrag(event as DragEvent)],
    ['dragover', (event) => this.#onDrag(event as DragEvent)],
    ['dragleave', (event) => this.#onDragLeave(event as DragEvent)],
    ['drop', (event) => void this.#onDrop(event as DragEvent)],
    ['paste', (event) => void this.#onPaste(event as ClipboardEvent)],
  ];

  #onDrag(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.#setDragging(true);
  }

  #onDragLeave(event: DragEvent): void {
    // Entering a child leaves its parent; only leaving the window has nowhere to go.
    if (event.relatedTarget === null) this.#setDragging(false);
  }

  async #onDrop(event: DragEvent): Promise<void> {
    this.#setDragging(false);
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    await this.#addFiles(event);
  }

  async #onPaste(event: ClipboardEvent): Promise<void> {
    if (event.clipboardData?.types.includes('Files')) await this.#addFiles(event);
  }

  async #onFiles(event: Event): Promise<void> {
    await this.#addFiles(event);
    (event.target as HTMLInputElement).value = '';
  }

  async #addFiles(event: Event): Promise<void> {
    const runtime = this.#session?.runtime;
    if (!runtime) return;
    const uploads = await uploadAll(runtime, await filesOf(event));
    const added = uploads.filter((upload) => 'path' in upload);
    for (const upload of uploads) {
      if ('error' in upload) this.#fail(upload.error, `“${shortened(upload.name)}” was not added`);
    }
    const [only] = added;
    if (added.length === 1 && only) this.#notify('info', `Added “${shortened(only.path)}”.`);
    else if (added.length > 1) this.#notify('info', `Added ${added.length} files.`);
  }

  async #createNote(): Promise<void> {
    try {
      const note = await this.#session!.runtime.notes.create({ title: 'New note', text: '' });
      this.#open({ uri: `note:///${note.id}`, title: note.title }, true);
    } catch (error) {
      this.#fail(error, 'The note was not created');
    }
  }

  #browse(): void {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')!.click();
  }

  #onSelect({ resource }: McpResourceSelectEvent): void {
    const title = resource.title ?? resource.name;
    this.#open({ uri: resource.uri, title, resource }, false);
  }

  #open(selected: Selected, editing: boolean): void {
    this.#watch?.stop();
    this.#watch = this.#session?.client.watch(selected.uri, () => void this.#followTitle(selected));
    this.#selected = selected;
    this.#editing = editing;
    this.#readMs = undefined;
    this.#showPane('preview');
  }

  /** A note may be renamed, here or in another tab, while it is open. */
  async #followTitle(selected: Selected): Promise<void> {
    const id = noteIdOf(selected.uri);
    if (id === undefined) return;
    // It may be gone; the view says so.
    const note = await this.#session!.runtime.notes.get(id).catch(() => undefined);
    if (!note || this.#selected?.uri !== selected.uri) return;
    this.#selected = { ...this.#selected, title: note.title || 'Untitled note' };
    this.requestUpdate();
  }

  #onLoad({ durationMs }: McpResourceLoadEvent): void {
    this.#readMs = durationMs;
    this.requestUpdate();
  }

  #toggleEditing(): void {
    this.#editing = !this.#editing;
    this.requestUpdate();
  }

  async #copyUri(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#selected!.uri);
      this.#notify('info', 'Copied the address.');
    } catch (error) {
      this.#fail(error, 'The address was not copied');
    }
  }

  async #onDialogClose(): Promise<void> {
    const selected = this.#selected;
    if (this.#dialog.returnValue !== 'delete' || !selected) return;
    this.#dialog.returnValue = '';
    try {
      await this.#delete(selected.uri);
      this.#watch?.stop();
      this.#selected = undefined;
      this.#editing = false;
      this.#notify('info', `Deleted “${selected.title}”.`);
      this.#showPane('list');
    } catch (error) {
      this.#fail(error, `“${selected.title}” was not deleted`);
    }
  }

  async #delete(uri: string): Promise<void> {
    const { notes, files } = this.#session!.runtime;
    const id = noteIdOf(uri);
    if (id !== undefined) await notes.delete(id);
    else await files.delete(pathOf(uri));
  }

  #closeSteps(): void {
    localStorage.setItem(STEPS_CLOSED_KEY, 'yes');
    this.#stepsClosed = true;
    this.requestUpdate();
  }

  #showPane(pane: Pane): void {
    this.#pane = pane;
    this.requestUpdate();
  }

  #setDragging(dragging: boolean): void {
    if (dragging === this.#dragging) return;
    this.#dragging = dragging;
    this.requestUpdate();
  }

  #fail(error: unknown, what?: string): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#notify('error', what ? `${what}: ${why}` : why);
  }

  #notify(kind: Notice['kind'], text: string): void {
    const id = (this.#noticeCount += 1);
    this.#notices = [...this.#notices.slice(-2), { id, kind, text }];
    if (kind === 'info') setTimeout(() => this.#dismiss(id), NOTICE_MS);
    this.requestUpdate();
  }

  #dismiss(id: number): void {
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
    this.requestUpdate();
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }
}

/** A name short enough for a sentence. */
function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 60)}…${name.slice(-15)}` : name;
}

function noteIdOf(uri: string): string | undefined {
  return uri.startsWith('note:///') ? uri.slice('note:///'.length) : undefined;
}

function pathOf(uri: string): string {
  return decodeURIComponent(uri.slice('file:///'.length));
}

declare global {
  interface HTMLElementTagNameMap {
    'demo-app': DemoApp;
  }
}
