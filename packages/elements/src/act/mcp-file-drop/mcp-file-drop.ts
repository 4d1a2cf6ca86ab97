import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { icon, uploadIcon } from '../../base/look/icons.js';
import { renderConnection } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { formatError } from '../../base/text/format.js';
import { ToolNames } from '../../reading/tool-names.js';
import { DropZone, filesOf } from './drop-zone.js';
import { McpFilesAddEvent, McpFilesSaveEvent, UploadBatch } from './upload-batch.js';
import { SAVE_TOOL, toolTarget, type ConflictChoice, type FileTarget } from './file-target.js';
import { styles } from './mcp-file-drop.styles.js';
import { renderBatch, resultOf, type BatchActions } from './render-batch.js';

/** The maximum number of lines of batches with failures that stay. */
const MAX_FAILED = 5;

/** The time for which the line of a batch without failures stays, in milliseconds. */
const SAVED_MS = 10_000;

/**
 * Takes files and folders from the user: by drop, paste and picker, and saves them. Files that were
 * added together are one line with progress and a button to cancel. If paths are taken, the user
 * chooses once for all of them: keep both, replace, or skip. Once all are saved, the line goes after ten
 * seconds, unless the focus is in it. While files are being saved, the browser asks before the page is left.
 *
 * Saves through `target`, such as `runtime.files`, else through the tool `save_file` of a client. If
 * the server does not have this tool, the element says so.
 *
 * @element mcp-file-drop
 * @slot - Words in the drop area instead of the default ones.
 * @fires mcp-files-add - The user has added files. Cancelable: then nothing is saved.
 * @fires mcp-files-save - All files that were added together are saved, skipped, cancelled or failed.
 *   Cancelable if all are saved: then the page says so, and no line does.
 * @csspart area - The drop area.
 * @csspart batches - All lines.
 * @csspart batch - The line of files that were added together.
 * @csspart progress - The progress of such files.
 * @csspart error - The reason why files cannot be read.
 * @csspart veil - The words over the whole page while files are dragged over it, with `page`.
 * @cssstate dragging - Files are dragged over the element, or over the page with `page`.
 * @cssstate saving - Files are being saved.
 * @cssstate unsupported - There is no `target`, and the server has no tool `save_file`.
 */
export class McpFileDrop extends McpElement {
  static override readonly styles = [theme, styles];

  static override readonly properties = {
    target: { attribute: false },
    conflicts: {},
    page: { type: Boolean },
    accept: {},
    folders: { type: Boolean },
  };

  /** The place of the files. Default: the tool `save_file` of the client. */
  declare target: FileTarget | undefined;
  /** The way to treat a file whose path is taken. Default: `ask`. */
  declare conflicts: 'ask' | ConflictChoice;
  /** Whether files can be dropped and pasted anywhere on the page. Default: false. */
  declare page: boolean;
  /** The types that the picker offers, as in `<input accept>`. Default: all. */
  declare accept: string;
  /** Whether a button is shown that picks a folder. Default: false. */
  declare folders: boolean;

  readonly #tools = new ToolNames(this);
  #batches: UploadBatch[] = [];
  #running: Promise<void> = Promise.resolve();
  #announcement = '';
  /** The reason why the last files of the user could not be read. */
  #failure: { error: unknown } | undefined;
  readonly #askBeforeLeaving = (event: Event): void => event.preventDefault();

  constructor() {
    super();
    keepFocus(this, (focused) => this.#focusAfter(focused));
    this.addController(
      new DropZone(this, {
        canTake: () => this.#canSave,
        take: (event) => void this.#take(event),
        ondragging: (isDragging) => this.#onDragging(isDragging),
      }),
    );
    this.conflicts = 'ask';
    this.page = false;
    this.accept = '';
    this.folders = false;
  }

  /** Saves files as if the user had dropped them. Resolves when all are saved, skipped or failed. */
  async add(files: readonly (File | { path: string; file: File })[]): Promise<void> {
    const toSave = files.map((file) => (file instanceof File ? { path: file.name, file } : file));
    if (toSave.length === 0) return;
    if (!this.dispatchEvent(new McpFilesAddEvent(toSave))) return;
    const target = this.#writable;
    if (!target) return;
    const choice = this.conflicts === 'ask' ? undefined : this.conflicts;
    const batch = new UploadBatch(target, toSave, choice);
    this.#batches = [...this.#kept(), batch];
    await this.#enqueue(batch);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#guard();
  }

  protected override willUpdate(): void {
    this.#tools.client = this.target ? undefined : this.connection.client;
    this.setState('unsupported', this.#isUnsupported);
    this.setState('saving', this.#unfinished.length > 0);
    this.#guard();
  }

  get #unfinished(): UploadBatch[] {
    return this.#batches.filter(({ isOver }) => !isOver);
  }

  /**
   * Lets the browser ask before the page is left, as long as files are being saved. The question of a removed
   * element does not count, because nobody can answer it.
   */
  #guard(): void {
    const isNeeded = this.#unfinished.some(({ state }) => this.isConnected || state === 'saving');
    // A page that always has this listener may be excluded from the browser's back/forward cache.
    const change = isNeeded ? 'addEventListener' : 'removeEventListener';
    window[change]('beforeunload', this.#askBeforeLeaving);
  }

  protected override render(): TemplateResult {
    return html`
      ${this.#renderConnection()}
      <div class="area" part="area">
        ${icon(uploadIcon)} ${this.#renderUnable() ?? this.#renderChoice()}
      </div>
      ${
        this.#failure
          ? html`<p class="failed unread" role="alert" part="error">
              <bdi>${formatError(this.#failure.error)}</bdi>
            </p>`
          : nothing
      }
      <ul class="batches" part="batches">
        ${repeat(
          this.#batches,
          (batch) => batch,
          (batch) => renderBatch(batch, this.#actionsFor(batch)),
        )}
      </ul>
      <div class="visually-hidden" role="status">${this.#announcement}</div>
      ${
        this.page
          ? html`<div class="veil" part="veil" popover="manual">
              ${icon(uploadIcon)} ${msg('Drop to add', { id: 'mcp.drop.veil' })}
            </div>`
          : nothing
      }
    `;
  }

  #renderConnection(): TemplateResult | typeof nothing {
    const state = this.target ? 'open' : this.connection.state;
    if (state !== 'closed') return renderConnection(state);
    return html`<p class="remark" role="status" part="connection">
      ${msg('The connection has ended. No more files can be added.', { id: 'mcp.drop.closed' })}
    </p>`;
  }

  /** The reason why no files are accepted here. */
  #renderUnable(): TemplateResult | undefined {
    if (this.#isUnsupported)
      return html`<span>
        ${msg('This server does not take files.', { id: 'mcp.drop.unsupported' })}
      </span>`;
    if (this.target || this.connection.client) return undefined;
    return html`<span>${msg('No server is connected.', { id: 'mcp.not-connected' })}</span>`;
  }

  /** The actions that the user has: drop, paste, or press a button. */
  #renderChoice(): TemplateResult {
    const canSave = this.#canSave;
    return html`
      <span class="words">
        <slot>${msg('Drop files here, or paste them.', { id: 'mcp.drop.hint' })}</slot>
      </span>
      <button ?disabled=${!canSave} @click=${() => this.#pick('files')}>
        ${msg('Choose files', { id: 'mcp.drop.choose' })}
      </button>
      ${
        this.folders
          ? html`<button ?disabled=${!canSave} @click=${() => this.#pick('folder')}>
              ${msg('Choose a folder', { id: 'mcp.drop.choose-folder' })}
            </button>`
          : nothing
      }
      <input
        id="files"
        type="file"
        multiple
        hidden
        accept=${this.accept}
        @change=${this.#onPicked}
      />
      <input id="folder" type="file" webkitdirectory hidden @change=${this.#onPicked} />
    `;
  }

  get #canSave(): boolean {
    if (this.target) return true;
    return this.connection.state === 'open' && !this.#isUnsupported;
  }

  /** The place of the files; `undefined` if they cannot be written. */
  get #writable(): FileTarget | undefined {
    const { client } = this.connection;
    return this.target ?? (client && !this.#isUnsupported ? toolTarget(client) : undefined);
  }

  get #isUnsupported(): boolean {
    return !this.target && this.#tools.lacks(SAVE_TOOL);
  }

  /** Runs batches one after the other, because the questions of two batches would be about the same paths. */
  async #enqueue(batch: UploadBatch): Promise<void> {
    batch.addEventListener('change', () => this.requestUpdate());
    this.requestUpdate();
    this.#running = this.#running.then(() => this.#run(batch));
    await this.#running;
  }

  async #run(batch: UploadBatch): Promise<void> {
    await batch.run();
    const event = new McpFilesSaveEvent(batch);
    const isShown = this.dispatchEvent(event);
    // Progress is shown, but not announced.
    this.#announcement = isShown ? resultOf(batch) : '';
    if (!isShown) this.#batches = this.#batches.filter((one) => one !== batch);
    else if (event.isComplete) setTimeout(() => this.#forget(batch), SAVED_MS);
    this.requestUpdate();
  }

  /**
   * Removes the line of a batch, which the user has had time to read. A line with the focus is checked again
   * later.
   */
  #forget(batch: UploadBatch): void {
    if (!this.#batches.includes(batch)) return;
    if (this.shadowRoot!.activeElement?.closest('.batch'))
      return void setTimeout(() => this.#forget(batch), SAVED_MS);
    this.#batches = this.#batches.filter((one) => one !== batch);
    this.requestUpdate();
  }

  #actionsFor(batch: UploadBatch): BatchActions {
    const target = this.#canSave ? this.#writable : undefined;
    const replace = (...others: UploadBatch[]): void => {
      this.#batches = this.#batches.flatMap((one) => (one === batch ? others : [one]));
      this.requestUpdate();
    };
    const retry = (onto: FileTarget): void => {
      const again = new UploadBatch(onto, batch.failed, batch.choice);
      replace(again);
      void this.#enqueue(again);
    };
    return { retry: target && (() => retry(target)), dismiss: () => replace() };
  }

  /** The lines that stay when another one is added. Older lines are removed, because the user has read them. */
  #kept(): UploadBatch[] {
    const failed = this.#batches.filter((batch) => batch.isOver && batch.failed.length > 0);
    const kept = failed.slice(-MAX_FAILED);
    return this.#batches.filter((batch) => !batch.isOver || kept.includes(batch));
  }

  /**
   * Finds the next element to focus: in the same line, even if another choice has replaced a button,
   * otherwise in the area.
   */
  #focusAfter(focused: Element): () => HTMLElement | null {
    const lines = (): Element[] => [...this.renderRoot.querySelectorAll('.batch')];
    const index = lines().findIndex((line) => line.contains(focused));
    return () => (lines()[index] ?? this.renderRoot).querySelector('button');
  }

  #onDragging(isDragging: boolean): void {
    this.setState('dragging', isDragging);
    this.renderRoot.querySelector<HTMLElement>('.veil')?.togglePopover(isDragging);
  }

  #pick(kind: 'files' | 'folder'): void {
    this.renderRoot.querySelector<HTMLInputElement>(`#${kind}`)!.click();
  }

  readonly #onPicked = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.#take(event).then(() => (input.value = ''));
  };

  async #take(event: Event): Promise<void> {
    this.#setFailure(undefined);
    try {
      const files = await filesOf(event);
      // This is not awaited, so that an input can accept the next files at once.
      void this.add(files);
    } catch (error) {
      // One unreadable file in a folder is enough.
      this.#setFailure({ error });
    }
  }

  #setFailure(failure: { error: unknown } | undefined): void {
    this.#failure = failure;
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-file-drop': McpFileDrop;
  }
}
