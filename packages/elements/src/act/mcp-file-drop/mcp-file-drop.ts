import type { McpClient } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { html, type nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { icon, uploadIcon } from '../../base/look/icons.js';
import { renderConnection } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { ToolNames } from '../../reading/tool-names.js';
import { filesOf } from './added-files.js';
import { DropZone } from './drop-zone.js';
import { McpFilesAddEvent, McpFilesSaveEvent } from './events.js';
import type { ConflictChoice, FileTarget } from './file-target.js';
import { styles } from './mcp-file-drop.styles.js';
import { renderBatch, resultOf, type BatchActions } from './render-batch.js';
import { SAVE_TOOL, ToolFiles } from './tool-files.js';
import { UploadBatch } from './upload-batch.js';

/** How many lines of finished batches stay. */
const MAX_FINISHED = 5;

/**
 * Takes files and folders from the user: by drop, paste and picker, and saves them. Files that were
 * added together are one line with progress and a button to cancel. If paths are taken, the user
 * chooses once for all of them: keep both, replace, or skip.
 *
 * Saves through `target`, such as `runtime.files`, else through the tool `save_file` of a client. If
 * the server does not have this tool, the element says so.
 *
 * @element mcp-file-drop
 * @slot - Words in the drop area instead of the default ones.
 * @fires mcp-files-add - The user has added files. Cancelable: then nothing is saved.
 * @fires mcp-files-save - All files that were added together are saved, skipped, cancelled or failed.
 * @csspart area - The drop area.
 * @csspart batch - The line of files that were added together.
 * @csspart progress - The progress of such files.
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

  /** Where files are written. Default: the tool `save_file` of the client. */
  declare target: FileTarget | undefined;
  /** What happens with a file whose path is taken. Default: `ask`. */
  declare conflicts: 'ask' | ConflictChoice;
  /** Whether files can be dropped and pasted anywhere on the page. Default: false. */
  declare page: boolean;
  /** The types that the picker offers, as in `<input accept>`. Default: all. */
  declare accept: string;
  /** Whether there is a button that picks a folder. Default: false. */
  declare folders: boolean;

  readonly #tools = new ToolNames(this);
  #batches: UploadBatch[] = [];
  #running: Promise<void> = Promise.resolve();
  #announcement = '';

  constructor() {
    super();
    keepFocus(this, (focused) => this.#focusAfter(focused));
    this.addController(
      new DropZone(this, {
        canTake: () => this.#canSave,
        take: (event) => void this.#take(event),
        ondragging: (isDragging) => this.setState('dragging', isDragging),
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
    const target = this.target ?? toolsOf(this.connection.client);
    if (!target || this.#isUnsupported) return;
    const batch = new UploadBatch(target, toSave);
    this.#batches = [...this.#kept(), batch];
    batch.addEventListener('change', () => this.requestUpdate());
    this.requestUpdate();
    await this.#enqueue(batch);
  }

  protected override willUpdate(): void {
    this.#tools.client = this.target ? undefined : this.connection.client;
    this.setState('unsupported', this.#isUnsupported);
    this.setState(
      'saving',
      this.#batches.some(({ isOver }) => !isOver),
    );
  }

  protected override render(): TemplateResult {
    return html`
      ${this.#renderConnection()}
      <div class="area" part="area">
        ${icon(uploadIcon)} ${this.#renderUnable() ?? this.#renderChoice()}
      </div>
      <ul class="batches">
        ${repeat(
          this.#batches,
          (batch) => batch,
          (batch) => renderBatch(batch, this.#actionsFor(batch)),
        )}
      </ul>
      <div class="visually-hidden" role="status">${this.#announcement}</div>
    `;
  }

  #renderConnection(): TemplateResult | typeof nothing {
    const state = this.target ? 'open' : this.connection.state;
    if (state !== 'closed') return renderConnection(state);
    return html`<p class="remark" role="status" part="connection">
      ${msg('The connection has ended. No more files can be added.', { id: 'mcp.drop.closed' })}
    </p>`;
  }

  /** Why no files are taken here. */
  #renderUnable(): TemplateResult | undefined {
    if (this.#isUnsupported)
      return html`<span>
        ${msg('This server does not take files.', { id: 'mcp.drop.unsupported' })}
      </span>`;
    if (this.target || this.connection.client) return undefined;
    return html`<span>${msg('No server is connected.', { id: 'mcp.not-connected' })}</span>`;
  }

  /** What the user can do: drop, paste, or press a button. */
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
          : ''
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

  get #isUnsupported(): boolean {
    return !this.target && this.#tools.lacks(SAVE_TOOL);
  }

  /** One after the other: the questions of two batches would be about the same paths. */
  async #enqueue(batch: UploadBatch): Promise<void> {
    this.#running = this.#running.then(() => this.#run(batch));
    await this.#running;
  }

  #actionsFor(batch: UploadBatch): BatchActions {
    const retry = (): void => {
      batch.retry();
      void this.#enqueue(batch);
    };
    return {
      retry: this.#canSave ? retry : undefined,
      dismiss: () => this.#dismiss(batch),
    };
  }

  async #run(batch: UploadBatch): Promise<void> {
    await batch.run(this.conflicts === 'ask' ? undefined : this.conflicts);
    // Progress is shown, not announced.
    this.#announcement = resultOf(batch);
    this.requestUpdate();
    this.dispatchEvent(new McpFilesSaveEvent(batch));
  }

  /** The lines that stay when another one comes. */
  #kept(): UploadBatch[] {
    const finished = this.#batches.filter(({ isOver }) => isOver).slice(-MAX_FINISHED);
    return this.#batches.filter((batch) => !batch.isOver || finished.includes(batch));
  }

  #dismiss(batch: UploadBatch): void {
    this.#batches = this.#batches.filter((one) => one !== batch);
    this.requestUpdate();
  }

  /** The same line, also after another choice has taken the place of a button; else the area. */
  #focusAfter(focused: Element): () => HTMLElement | null {
    const lines = (): Element[] => [...this.renderRoot.querySelectorAll('.batch')];
    const index = lines().findIndex((line) => line.contains(focused));
    return () => (lines()[index] ?? this.renderRoot).querySelector('button');
  }

  #pick(kind: 'files' | 'folder'): void {
    this.renderRoot.querySelector<HTMLInputElement>(`#${kind}`)!.click();
  }

  readonly #onPicked = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.#take(event).then(() => (input.value = ''));
  };

  async #take(event: Event): Promise<void> {
    const files = await filesOf(event);
    // Not awaited: an input can take the next files at once.
    void this.add(files);
  }
}

function toolsOf(client: McpClient | undefined): FileTarget | undefined {
  return client && new ToolFiles(client);
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-file-drop': McpFileDrop;
  }
}
