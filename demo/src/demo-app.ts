import type { McpResourceSelectEvent } from '@inpage-mcp/elements';
import { RuntimeError } from '@inpage-mcp/runtime';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { noteIdOf, pathOf } from './addresses.js';
import './data-dialog.js';
import { styles } from './demo-app.styles.js';
import { downloadFile } from './downloads.js';
import { FileDropController } from './file-drop-controller.js';
import { icon } from './icons.js';
import './intro-steps.js';
import './notice-stack.js';
import './preview-pane.js';
import type { Opened, PreviewPane } from './preview-pane.js';
import './search-results.js';
import type { SearchResults } from './search-results.js';
import type { Session } from './session.js';
import { sharedStyles } from './shared-styles.js';
import { tellOfStorage } from './storage-notices.js';
import { nextTheme, showTheme } from './theme.js';
import { bringBack } from './unsaved-words.js';
import { shortened, tellUploads, uploadNotices } from './upload-notices.js';
import { filesOf, uploadAll } from './uploads.js';
import './wire-pane.js';

type Pane = 'list' | 'preview' | 'wire';

/** The whole demo: the list, what was chosen from it, and the messages behind both. */
export class DemoApp extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  readonly #drops = new FileDropController(this, (event) => void this.#addFiles(event));
  #session: Session | undefined;
  #failure: unknown;
  #opened: Opened | undefined;
  /** What is searched for; while it is empty, the list shows everything. */
  #query = '';
  /** What the dialog asks about. */
  #doomedTitle = '';
  #pane: Pane = 'list';

  constructor() {
    super();
    showTheme();
  }

  /** Shows the session once it has started, or why it has not. */
  async start(session: Promise<Session>): Promise<void> {
    try {
      this.#session = await session;
      const { client, runtime } = this.#session;
      tellOfStorage(runtime, this.#notices, () => this.#showData());
      client.watchState((state) => {
        if (state === 'reconnecting') this.#notices.tell('The server has gone; connecting again …');
        if (state === 'open')
          this.#notices.tell('Connected again. Nothing that was saved is lost.');
      });
      void client.closed.then(() => this.#notices.fail('The connection has ended.'));
      void this.#bringBack();
    } catch (error) {
      this.#failure = error;
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`
      ${this.#renderTop()}
      ${
        this.#failure === undefined
          ? html`<intro-steps></intro-steps>${this.#renderPanes()} ${this.#renderTabs()}`
          : this.#renderFailure()
      }
      <notice-stack></notice-stack>
      ${this.#drops.dragging ? html`<div class="veil">${icon('upload')} Drop to add</div>` : nothing}
      ${this.#renderDeleteDialog()}
      <data-dialog
        .session=${this.#session}
        @cleared=${() => this.#forgetOpened()}
        @outcome=${this.#onDataOutcome}
      ></data-dialog>
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
        class="data"
        title="Your data"
        aria-label="Your data"
        ?disabled=${!this.#session}
        @click=${() => this.#showData()}
      >
        ${icon('database')}<span class="wide">Your data</span>
      </button>
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

  #renderPanes(): TemplateResult {
    return html`<mcp-provider .client=${this.#session?.client}>
      <main class="panes" data-pane=${this.#pane}>
        ${this.#renderListPane()}
        <section class="pane preview" aria-label="Preview">
          <preview-pane
            .session=${this.#session}
            .opened=${this.#opened}
            @copy-uri=${this.#copyUri}
            @download=${this.#download}
            @kept=${() => this.#notices.tell('Your version was kept as a note of its own.')}
            @lost=${() => this.#notices.fail('The last words of a note could not be saved.')}
            @delete-resource=${this.#askToDelete}
          ></preview-pane>
        </section>
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
        <input type="file" multiple hidden @change=${this.#onFilesChosen} />
      </div>
      <label class="search">
        ${icon('search')}
        <input
          type="search"
          aria-label="Search notes and files"
          placeholder="Search notes and files"
          maxlength="1000"
          ?disabled=${!this.#session}
          @input=${this.#onSearch}
        />
      </label>
      ${this.#query.trim() === '' ? nothing : this.#renderResults()}
      <mcp-resource-list
        ?hidden=${this.#query.trim() !== ''}
        .selected=${this.#opened?.uri}
        @mcp-resource-select=${this.#onSelect}
      ></mcp-resource-list>
      <div class="drop">
        <span>
          Drop files or folders, paste, or
          <button class="link" ?disabled=${!this.#session} @click=${this.#browse}>browse</button>
        </span>
      </div>
    </section>`;
  }

  #renderResults(): TemplateResult {
    return html`<search-results
      .session=${this.#session}
      .query=${this.#query}
      .selected=${this.#opened?.uri}
      @choose=${this.#onChoose}
    ></search-results>`;
  }

  #renderFailure(): TemplateResult {
    const { message } = this.#failure instanceof Error ? this.#failure : { message: '' };
    const isOutdated =
      this.#failure instanceof RuntimeError && this.#failure.code === 'newer-version';
    return html`<main class="failure">
      <div role="alert">
        <h2>
          ${isOutdated ? 'A newer version of this page is in use' : 'The server of this page is not running'}
        </h2>
        <p>${message || String(this.#failure)}</p>
      </div>
      <button class="primary" @click=${() => location.reload()}>Reload the page</button>
    </main>`;
  }

  #renderTabs(): TemplateResult {
    const tab = (pane: Pane, words: string): TemplateResult =>
      html`<button aria-current=${this.#pane === pane} @click=${() => this.#showPane(pane)}>
        ${icon(pane)} ${words}
      </button>`;
    return html`<nav class="tabs" aria-label="Panes">
      ${tab('list', 'List')} ${tab('preview', 'Preview')} ${tab('wire', 'Wire')}
    </nav>`;
  }

  #renderDeleteDialog(): TemplateResult {
    return html`<dialog aria-label="Delete" @close=${this.#onDialogClose}>
      <p>Delete “${shortened(this.#doomedTitle)}”? This cannot be undone.</p>
      <form method="dialog">
        <button value="cancel" autofocus>Cancel</button>
        <button class="danger" value="delete">Delete</button>
      </form>
    </dialog>`;
  }

  async #onFilesChosen(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    await this.#addFiles(event);
    // The same file can be chosen again.
    input.value = '';
  }

  async #addFiles(event: Event): Promise<void> {
    const runtime = this.#session?.runtime;
    if (!runtime) return;
    const files = await filesOf(event);
    const rest = new AbortController();
    const watch = uploadNotices(this.#notices, files, rest);
    tellUploads(this.#notices, await uploadAll(runtime, files, watch, rest.signal));
  }

  async #createNote(): Promise<void> {
    try {
      const note = await this.#session!.runtime.notes.create({ title: 'New note', text: '' });
      const uri = `note:///${note.id}`;
      this.#open({ uri, title: note.title, mimeType: 'text/markdown', edit: true });
      this.#showPane('preview');
    } catch (error) {
      this.#notices.fail(error, 'The note was not created');
    }
  }

  #browse(): void {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')!.click();
  }

  #onSelect({ resource, intent }: McpResourceSelectEvent): void {
    const { uri, name, title = name, mimeType } = resource;
    this.#open({ uri, title, mimeType });
    // On a narrow screen the arrows walk through the list, and Enter leaves it.
    if (intent === 'open') this.#showPane('preview');
  }

  #onSearch(event: Event): void {
    this.#query = (event.target as HTMLInputElement).value;
    this.requestUpdate();
  }

  #onChoose(event: Event): void {
    const { chosen } = event.target as SearchResults;
    if (!chosen) return;
    this.#open(chosen);
    this.#showPane('preview');
  }

  #open(opened: Opened): void {
    this.#opened = opened;
    this.requestUpdate();
  }

  async #copyUri(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#opened!.uri);
      this.#notices.tell('Copied the address.');
    } catch (error) {
      this.#notices.fail(error, 'The address was not copied');
    }
  }

  async #download(): Promise<void> {
    const { uri, title } = this.#opened!;
    const path = pathOf(uri);
    if (path === undefined) return;
    try {
      await downloadFile(this.#session!.runtime, path);
    } catch (error) {
      this.#notices.fail(error, `“${shortened(title)}” was not downloaded`);
    }
  }

  #askToDelete(event: Event): void {
    this.#doomedTitle = (event.target as PreviewPane).shownTitle;
    this.requestUpdate();
    this.#dialog.showModal();
  }

  async #onDialogClose(): Promise<void> {
    const opened = this.#opened;
    if (this.#dialog.returnValue !== 'delete' || !opened) return;
    this.#dialog.returnValue = '';
    const title = shortened(this.#doomedTitle);
    try {
      await this.#delete(opened.uri);
      this.#opened = undefined;
      this.#notices.tell(`Deleted “${title}”.`);
      this.#showPane('list');
      await this.updateComplete;
      this.renderRoot.querySelector('mcp-resource-list')?.focus();
    } catch (error) {
      this.#notices.fail(error, `“${title}” was not deleted`);
    }
  }

  async #delete(uri: string): Promise<void> {
    const { notes, files } = this.#session!.runtime;
    const [id, path] = [noteIdOf(uri), pathOf(uri)];
    if (id !== undefined) await notes.delete(id);
    else if (path !== undefined) await files.delete(path);
  }

  #forgetOpened(): void {
    this.#opened = undefined;
    this.requestUpdate();
  }

  #showData(): void {
    this.#data.open();
  }

  #onDataOutcome(): void {
    const { words = '', failed } = this.#data.outcome ?? {};
    if (failed) this.#notices.fail(words);
    else this.#notices.tell(words);
  }

  /** What was typed before a reload, and could not be saved then. */
  async #bringBack(): Promise<void> {
    try {
      const saved = await bringBack(this.#session!.runtime);
      if (saved > 0) this.#notices.tell('What you typed before the reload is saved.');
    } catch (error) {
      this.#notices.fail(error, 'What you typed before the reload is not saved yet');
    }
  }

  #showPane(pane: Pane): void {
    this.#pane = pane;
    this.requestUpdate();
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!;
  }

  get #data(): HTMLElementTagNameMap['data-dialog'] {
    return this.renderRoot.querySelector('data-dialog')!;
  }

  get #notices(): HTMLElementTagNameMap['notice-stack'] {
    return this.renderRoot.querySelector('notice-stack')!;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'demo-app': DemoApp;
  }
}
