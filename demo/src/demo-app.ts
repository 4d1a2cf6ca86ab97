import { RuntimeError, type Runtime, type StartProgress } from '@inpage-mcp/runtime';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { noteIdOf, pathOf } from './addresses.js';
import { copyText } from './clipboard.js';
import './data-dialog.js';
import './delete-dialog.js';
import { styles } from './demo-app.styles.js';
import { downloadFile } from './downloads.js';
import { tellOfDraft } from './draft-notices.js';
import { FileDropController } from './file-drop-controller.js';
import { icon } from './icons.js';
import './intro-steps.js';
import { askBeforeLeaving } from './leaving.js';
import './list-pane.js';
import type { ListPane } from './list-pane.js';
import type { DraftOutcome, NoteDraft } from './note-draft.js';
import './notice-stack.js';
import './preview-pane.js';
import type { Opened, PreviewPane } from './preview-pane.js';
import type { Session } from './session.js';
import { renderStart, type SessionStart } from './session-start.js';
import { sharedStyles } from './shared-styles.js';
import { renderStartFailure } from './start-failure.js';
import { tellOfStorage } from './storage-notices.js';
import { showTheme } from './theme.js';
import { renderTopBar } from './top-bar.js';
import { bringBackWords } from './unsaved-words.js';
import { shortened, tellUploads, uploadNotices } from './upload-notices.js';
import { filesOf, uploadAll } from './uploads.js';
import './wire-pane.js';

/** When the page begins to say what it waits for, in milliseconds. */
const SLOW_START_MS = 500;

type Pane = 'list' | 'preview' | 'wire';

/** The whole demo: the list, what was chosen from it, and the messages behind both. */
export class DemoApp extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  readonly #drops = new FileDropController(this, (event) => void this.#addFiles(event));
  /** Those have to be the same functions at each rendering: they are told of by editors that have left. */
  readonly #onFiles = (event: Event): Promise<void> => this.#addFiles(event);
  readonly #onDraft = (outcome: DraftOutcome, draft: NoteDraft): void =>
    tellOfDraft(this.#notices, outcome, draft);
  #session: Session | undefined;
  /** What the start waits for, once that takes long. */
  #starting: StartProgress | undefined;
  #failure: unknown;
  #opened: Opened | undefined;
  #pane: Pane = 'list';

  constructor() {
    super();
    showTheme();
  }

  /** Shows the session once it has started, or why it has not; what takes long in between. */
  async start(start: SessionStart): Promise<void> {
    const show = (): void => {
      this.#starting = start.progress;
      this.requestUpdate();
    };
    // What is over in a moment is not worth to be read.
    const timer = setTimeout(() => {
      show();
      start.addEventListener('progress', show);
    }, SLOW_START_MS);
    try {
      this.#session = await start.session;
      const { client, runtime } = this.#session;
      tellOfStorage(this.#session, this.#notices, () => this.#data.open());
      client.watchState((state) => {
        if (state === 'reconnecting') this.#notices.tell('The server has gone; connecting again …');
        if (state === 'open')
          this.#notices.tell('Connected again. Nothing that was saved is lost.');
      });
      void client.closed.then(() => this.#notices.fail('The connection has ended.'));
      this.#bringBack(runtime);
    } catch (error) {
      this.#failure = error;
      // For the developer of the page.
      if (error instanceof RuntimeError && error.hint) console.warn(error.hint);
    }
    clearTimeout(timer);
    start.removeEventListener('progress', show);
    this.#starting = undefined;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`
      ${renderTopBar({
        session: this.#session,
        hasFailed: this.#failure !== undefined,
        showData: () => this.#data.open(),
      })}
      ${
        this.#failure === undefined
          ? html`${this.#starting ? renderStart(this.#starting) : html`<intro-steps></intro-steps>`}
            ${this.#renderPanes()} ${this.#renderTabs()}`
          : renderStartFailure(this.#failure)
      }
      <div class="notices"><notice-stack></notice-stack></div>
      ${this.#drops.dragging ? html`<div class="veil">${icon('upload')} Drop to add</div>` : nothing}
      <delete-dialog @opened=${this.#onDialog} @closed=${this.#onDialog}></delete-dialog>
      <data-dialog
        .session=${this.#session}
        @opened=${this.#onDialog}
        @closed=${this.#onDialog}
        @cleared=${() => this.#forgetOpened()}
        @outcome=${this.#onDataOutcome}
      ></data-dialog>
    `;
  }

  #renderPanes(): TemplateResult {
    return html`<mcp-provider .client=${this.#session?.client}>
      <main class="panes" data-pane=${this.#pane}>
        <section class="pane list" aria-label="Resources">
          <list-pane
            .session=${this.#session}
            .selected=${this.#opened?.uri}
            .onfiles=${this.#onFiles}
            @new-note=${this.#createNote}
            @choose=${this.#onChoose}
          ></list-pane>
        </section>
        <section class="pane preview" aria-label="Preview">
          <preview-pane
            .session=${this.#session}
            .opened=${this.#opened}
            .ondraft=${this.#onDraft}
            @copy-uri=${this.#copyUri}
            @download=${this.#download}
            @delete-resource=${this.#onDelete}
          ></preview-pane>
        </section>
        <section class="pane wire" aria-label="Wire">
          <wire-pane .log=${this.#session?.wire}></wire-pane>
        </section>
      </main>
    </mcp-provider>`;
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

  async #addFiles(event: Event): Promise<void> {
    const runtime = this.#session?.runtime;
    if (!runtime) return;
    const files = await filesOf(event);
    const rest = new AbortController();
    const watch = uploadNotices(this.#notices, files, rest);
    const stopAsking = askBeforeLeaving();
    const uploads = await uploadAll(runtime, files, watch, rest.signal);
    stopAsking();
    tellUploads(this.#notices, uploads);
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

  #onChoose(event: Event): void {
    const { chosen, isFinal } = event.target as ListPane;
    if (chosen) this.#open(chosen);
    // On a narrow screen the arrows walk through the list, and Enter leaves it.
    if (isFinal) this.#showPane('preview');
  }

  #open(opened: Opened): void {
    this.#opened = opened;
    this.requestUpdate();
  }

  async #copyUri(): Promise<void> {
    const { uri } = this.#opened!;
    try {
      await copyText(uri);
      this.#notices.tell('Copied the address.');
    } catch (error) {
      this.#notices.fail(error, `The address ${shortened(uri)} was not copied`);
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

  async #onDelete(event: Event): Promise<void> {
    const { uri } = this.#opened!;
    const { shownTitle } = event.target as PreviewPane;
    if (!(await this.renderRoot.querySelector('delete-dialog')!.ask(shownTitle))) return;
    const title = shortened(shownTitle);
    try {
      await this.#delete(uri);
      this.#opened = undefined;
      this.#notices.tell(`Deleted “${title}”.`);
      this.#showPane('list');
      await this.updateComplete;
      this.renderRoot.querySelector('list-pane')?.focusList();
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

  /** What is outside of an open dialog lies below it and is inert: the notices go into it. */
  #onDialog({ type, target }: Event): void {
    const place =
      type === 'opened' ? (target as Element) : this.renderRoot.querySelector('.notices')!;
    place.append(this.#notices);
  }

  #onDataOutcome(): void {
    const { words = '', failed } = this.#data.outcome ?? {};
    if (failed) this.#notices.fail(words);
    else this.#notices.tell(words);
  }

  /** What could not be saved before, by this tab or another. */
  #bringBack(runtime: Runtime): void {
    bringBackWords(runtime, {
      onSaved: () => this.#notices.tell('What you typed before the reload is saved.'),
      onFailed: (error) =>
        this.#notices.fail(error, 'What you typed before the reload is not saved yet'),
    });
  }

  #showPane(pane: Pane): void {
    this.#pane = pane;
    this.requestUpdate();
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
