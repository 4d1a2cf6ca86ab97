import {
  truncateText,
  type McpFileDrop,
  type McpFilesSaveEvent,
  type McpFolderAllowEvent,
  type McpResourceSelectEvent,
} from '@inpage-mcp/elements/classes';
import { RuntimeError, type Runtime, type StartProgress } from '@inpage-mcp/runtime';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { fileUri, mountOf, titleIn } from '../addresses/addresses.js';
import { Navigation } from '../addresses/navigation.js';
import '../data/data-dialog.js';
import { Deletions } from '../data/deletions.js';
import { canOpenFolders, folderAt, openFolder } from '../data/folders.js';
import { userWrites } from '../data/user-writes.js';
import { keepOffline } from '../offline/keep-offline.js';
import { askAboutShares } from '../offline/shares.js';
import type { Opened } from '../addresses/opened.js';
import '../panes/list-pane.js';
import type { ListPane } from '../panes/list-pane.js';
import '../panes/preview-pane.js';
import '../panes/side-pane.js';
import { nameAuthorBy } from './change-authors.js';
import { showTheme } from '../ui/colour-theme.js';
import type { Session } from '../session/session.js';
import { renderStart, renderStartFailure } from './session-start.js';
import { styles } from './demo-app.styles.js';
import './first-card.js';
import '../ui/notice-stack.js';
import type { FailureEvent, NoticeStack } from '../ui/notice-stack.js';
import {
  offerExportOnce,
  reportDrafts,
  reportMissingParts,
  tellOfConnection,
  tellOfStorage,
} from './page-notices.js';
import { sharedStyles } from '../ui/shared-styles.js';
import { Shortcuts } from './shortcuts.js';
import { renderPaneTabs, renderTopBar } from './top-bar.js';

/** The delay after which the page shows the reason of a slow start, in milliseconds. */
const SLOW_START_MS = 500;

/** The whole demo: the list, the chosen resource, and the pane with the clients and their messages. */
export class DemoApp extends LitElement {
  static override readonly styles = [sharedStyles, styles];

  readonly #writes = userWrites(
    async () => (await this.#start!).runtime,
    (error) => this.#offerExport(error),
  );
  #start: Promise<Session> | undefined;
  #session: Session | undefined;
  /** The reason of a slow start; shown once the start takes long. */
  #progress: StartProgress = { state: 'loading', done: 0, total: 0 };
  #isSlow = false;
  #failure: unknown;
  readonly #navigation = new Navigation(this);
  readonly #getNotices = (): NoticeStack => this.#notices;
  readonly #offerExport = offerExportOnce(
    this.#getNotices,
    () => void this.#data.exportElsewhere(),
  );
  readonly #deletions = new Deletions(this.#getNotices, (isWhole) => this.#onRestored(isWhole));
  /** The resource that was open when it was deleted. */
  #deleted: Opened | undefined;
  /** The resource that was open when files were added. */
  #openedAtAdding: Opened | undefined;

  constructor() {
    super();
    showTheme();
    this.addController(
      new Shortcuts({ search: () => this.#search(), undo: () => this.#deletions.undo() }),
    );
  }

  /** Shows the progress of the start. */
  showProgress(progress: StartProgress): void {
    this.#progress = progress;
    this.requestUpdate();
  }

  /**
   * Shows the session once it has started, or the reason why it has not; in between, the progress of a slow
   * start.
   */
  async start(session: Promise<Session>): Promise<void> {
    this.#start = session;
    const slow = setTimeout(() => {
      this.#isSlow = true;
      this.requestUpdate();
    }, SLOW_START_MS);
    try {
      this.#session = await session;
      const { client, runtime } = this.#session;
      tellOfStorage(this.#session, this.#notices, () => this.#data.open());
      tellOfConnection(client, this.#notices, () => this.requestUpdate());
      reportDrafts(runtime, this.#notices);
      reportMissingParts(this.#notices);
      for (const change of ['online', 'offline'])
        addEventListener(change, () => this.requestUpdate());
      await this.#navigation.start(runtime);
      void keepOffline(this.#notices);
      askAboutShares(runtime, this.#notices, this.#drop).catch((error: unknown) =>
        this.#notices.fail(error),
      );
    } catch (error) {
      this.#failure = error;
      // This is for the developer of the page.
      if (error instanceof RuntimeError && error.hint) console.warn(error.hint);
    }
    clearTimeout(slow);
    this.#isSlow = false;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`
      <button class="skip" @click=${() => this.#list.focusNew()}>Skip to your notes</button>
      ${renderTopBar({
        session: this.#session,
        hasFailed: this.#failure !== undefined,
        showData: () => this.#data.open(),
      })}
      ${
        this.#failure === undefined
          ? html`${this.#isSlow ? renderStart(this.#progress) : nothing} ${this.#renderPanes()}`
          : renderStartFailure(this.#failure)
      }
      <div class="notices">
        <notice-stack
          @failure=${({ error }: FailureEvent) => this.#offerExport(error)}
        ></notice-stack>
      </div>
      ${this.#failure === undefined ? renderPaneTabs(this.#navigation) : nothing}
      <data-dialog
        .session=${this.#session}
        .notices=${this.#getNotices}
        @cleared=${this.#onCleared}
        @mcp-resource-select=${this.#onSelect}
      ></data-dialog>
    `;
  }

  #renderPanes(): TemplateResult {
    const { isFirstVisit } = this.#navigation;
    return html`<mcp-provider .client=${this.#session?.client}>
      <main
        class="panes"
        data-pane=${this.#navigation.pane}
        ?data-first=${isFirstVisit}
        @mcp-folder-allow=${this.#allowFolder}
        @mcp-resource-change=${nameAuthorBy(this.#session?.names)}
        @mcp-resource-update=${nameAuthorBy(this.#session?.names)}
      >
        <section class="pane list" aria-label="Resources">
          <list-pane
            .session=${this.#session}
            .navigation=${this.#navigation}
            .selected=${this.#navigation.opened?.uri}
            @new-note=${this.#createNote}
            @delete-resources=${this.#onDeleteSelected}
          ></list-pane>
          <mcp-file-drop
            page
            conflicts="keep-both"
            .target=${this.#writes.files}
            @mcp-files-add=${this.#onFilesAdded}
            @mcp-files-save=${this.#onFilesSaved}
          >
            <span class="hint">Drop files or folders, paste, or</span>
          </mcp-file-drop>
          ${canOpenFolders ? this.#renderFolders() : nothing}
        </section>
        <section class="pane preview" aria-label=${isFirstVisit ? 'Introduction' : 'Preview'}>
          ${
            isFirstVisit
              ? html`<first-card
                  ?ready=${this.#session !== undefined}
                  @let-in=${this.#letAssistantIn}
                ></first-card>`
              : nothing
          }
          <preview-pane
            ?hidden=${isFirstVisit}
            .session=${this.#session}
            .navigation=${this.#navigation}
            .notes=${this.#writes.notes}
            .notices=${this.#getNotices}
            .opened=${this.#navigation.opened}
            @new-note=${this.#createNote}
            @delete-resource=${this.#onDelete}
            @close-folder=${this.#closeFolder}
          ></preview-pane>
        </section>
        <section class="pane side" aria-label="Behind the page">
          <side-pane
            .session=${this.#session}
            .notices=${this.#getNotices}
            .navigation=${this.#navigation}
            .side=${this.#navigation.side}
          ></side-pane>
        </section>
      </main>
    </mcp-provider>`;
  }

  #renderFolders(): TemplateResult {
    return html`<div class="folders">
      <button
        ?disabled=${!this.#session}
        aria-describedby="about-folders"
        @click=${this.#openFolder}
      >
        Open a folder
      </button>
      <span id="about-folders" class="muted">
        The files stay where they are; this page reads them, and assistants only those you let in.
      </span>
    </div>`;
  }

  /** Writes an empty note, and opens it in the editor. */
  async #createNote(): Promise<void> {
    try {
      const { id, title } = await this.runtime!.notes.create({ title: 'New note', text: '' });
      const uri = `note:///${id}`;
      this.#navigation.open({ uri, title, edit: true }, true);
      this.#navigation.showPane('preview');
    } catch (error) {
      this.#notices.fail(error, 'The note was not created');
    }
  }

  readonly #openFolder = (): Promise<void> =>
    this.#try('The folder was not opened', async () => {
      const folder = await openFolder(this.runtime!);
      if (!folder) return;
      this.#navigation.open({ uri: folder.uri, title: folder.name }, true);
      this.#navigation.showPane('preview');
    });

  readonly #allowFolder = ({ uri }: McpFolderAllowEvent): Promise<void> =>
    this.#try('The folder was not allowed', async () => {
      await (await folderAt(this.runtime!, uri))?.allow();
    });

  readonly #closeFolder = (): Promise<void> =>
    this.#try('The folder was not closed', async () => {
      const { uri } = this.#navigation.opened!;
      const { assistant, desktop, runtime } = this.#session!;
      // At once, and not only when the folder is closed: another one could get the same address.
      await assistant.takeFolder(uri);
      desktop.revokeFolder(uri);
      await (await folderAt(runtime, uri))?.unmount();
      this.#forgetOpened();
      this.#navigation.showPane('list');
      this.#notices.show(`${quote(mountOf(uri)!)} is closed. Its files stay where they are.`);
      await this.updateComplete;
      this.#list.focusList();
    });

  async #try(failure: string, act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => this.#notices.fail(error, failure));
  }

  #onFilesAdded(): void {
    this.#openedAtAdding = this.#navigation.opened;
    this.#navigation.showPane('list');
  }

  /** Opens the first file that was just added, unless the user is writing, or has opened another resource. */
  #onFilesSaved(event: McpFilesSaveEvent): void {
    const { opened } = this.#navigation;
    const { saved, isComplete } = event;
    const [path] = saved;
    event.preventDefault();
    if (isComplete) this.#notices.show(`Files saved: ${saved.length}`);
    if (path === undefined || this.#preview.isEditing || opened !== this.#openedAtAdding) return;
    const uri = fileUri(path);
    this.#navigation.open({ uri, title: titleIn(uri) }, true);
  }

  async #letAssistantIn(): Promise<void> {
    this.#navigation.showSide('clients');
    await this.updateComplete;
    await this.renderRoot.querySelector('side-pane')!.letAssistantIn();
  }

  async #onDelete(): Promise<void> {
    const { uri } = this.#navigation.opened!;
    if (!(await this.#delete([uri], quote(this.#preview.shownTitle)))) return;
    this.#navigation.showPane('list');
    await this.updateComplete;
    this.#list.focusList();
  }

  async #onDeleteSelected(event: Event): Promise<void> {
    const { unwanted } = event.target as ListPane;
    const [only] = unwanted.length === 1 ? unwanted : [];
    const { opened } = this.#navigation;
    const title = only && (opened?.uri === only ? this.#preview.shownTitle : titleIn(only));
    await this.#delete(unwanted, title ? quote(title) : undefined);
    this.#list.focusList();
  }

  /**
   * Deletes resources. Resolves with whether this closed the open resource: the user may have opened another
   * one in the meantime.
   */
  async #delete(uris: readonly string[], name: string | undefined): Promise<boolean> {
    const before = this.#navigation.opened;
    const isRead = before && uris.includes(before.uri) && !this.#preview.isEditing;
    // This is done first, so that a deleted resource is not read again.
    if (isRead) this.#forgetOpened();
    const gone = await this.#deletions.delete(this.runtime!, uris, name);
    const { opened = isRead ? before : undefined } = this.#navigation;
    if (!opened || !gone.has(opened.uri)) {
      if (opened && !this.#navigation.opened) this.#navigation.open(opened, false);
      return false;
    }
    this.#deleted = opened;
    this.#forgetOpened();
    return true;
  }

  /** Opens the deleted resource again, if it was open, so that the focus is not lost with the notice. */
  #onRestored(isWhole: boolean): void {
    if (isWhole && !this.#navigation.opened && this.#deleted)
      this.#navigation.open(this.#deleted, false);
    if (isWhole) this.#deleted = undefined;
    this.#list.focusList();
  }

  /** Opens a selected resource, such as one that two devices have changed at the same time. */
  #onSelect({ resource: { uri, name } }: McpResourceSelectEvent): void {
    this.#navigation.open({ uri, title: titleIn(uri) || truncateText(name) }, true);
    this.#navigation.showPane('preview');
  }

  #onCleared(): void {
    this.#preview.discard();
    this.#forgetOpened();
  }

  #forgetOpened(): void {
    this.#navigation.open(undefined, false);
  }

  #search(): boolean {
    if (!this.#session) return false;
    this.#navigation.showPane('list');
    void this.updateComplete.then(() => this.#list.search());
    return true;
  }

  /** The page's own handle of the server, once that has started. */
  get runtime(): Runtime | undefined {
    return this.#session?.runtime;
  }

  get #drop(): McpFileDrop {
    return this.renderRoot.querySelector('mcp-file-drop')!;
  }

  get #list(): ListPane {
    return this.renderRoot.querySelector('list-pane')!;
  }

  get #preview(): HTMLElementTagNameMap['preview-pane'] {
    return this.renderRoot.querySelector('preview-pane')!;
  }

  get #data(): HTMLElementTagNameMap['data-dialog'] {
    return this.renderRoot.querySelector('data-dialog')!;
  }

  get #notices(): NoticeStack {
    return this.renderRoot.querySelector('notice-stack')!;
  }
}

const quote = (title: string): string => `“${truncateText(title, 80)}”`;

declare global {
  interface HTMLElementTagNameMap {
    'demo-app': DemoApp;
  }
}
