import { msg } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { isCostlyToEdit, renderCostly } from '../../base/look/costly-text.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { ToolNames } from '../../reading/tool-names.js';
import { copyTitle, MAX_TITLE_LENGTH } from './copy-title.js';
import { McpNoteSaveEvent } from './events.js';
import { styles } from './mcp-note-editor.styles.js';
import type { DraftState, NoteDraft } from './note-draft.js';
import { NoteFields } from './note-fields.js';
import type { NoteStorage } from './note-storage.js';
import { OpenNote } from './open-note.js';
import { renderQuestion } from './render-question.js';
import { renderTheirs } from './render-theirs.js';
import { UPDATE_TOOL } from './tool-notes.js';

const STATES: readonly DraftState[] = ['loading', 'unsaved', 'saving', 'conflict', 'failed'];

/**
 * Edits a note, which saves itself during pauses in typing. If somebody else changes the note
 * at the same time, the editor shows both versions side by side and the user decides.
 *
 * Reads and writes through `storage`, such as `runtime.notes`, else through the tools of a client. If
 * the server has no tool `update_note`, the editor says so, and a note can only be read.
 * With a client, it shows the changes of others as long as there are no unsaved words. Give it a
 * height: it fills its box.
 *
 * No words are dropped: while there are unsaved words, the browser asks before it leaves the page;
 * words whose note was deleted can become a new note; if the last words of an editor that left the
 * page cannot be stored, `mcp-note-lost` on `window` has them.
 *
 * @element mcp-note-editor
 * @slot empty - Shown while there is no note.
 * @fires mcp-note-save - The words of the user are stored.
 * @csspart title - The field of the title.
 * @csspart text - The field of the text.
 * @csspart question - The question after a conflict, a deletion or a failure.
 * @csspart theirs - In a conflict, the stored version of somebody else.
 * @csspart state - The line that says whether everything is saved.
 * @cssstate loading - The note is loading.
 * @cssstate unsaved - There are words that are not saved yet.
 * @cssstate saving - Words are being saved.
 * @cssstate conflict - Somebody else has changed the note, too.
 * @cssstate failed - The words could not be saved.
 * @cssstate readonly - There is no `storage`, and the server has no tool `update_note`.
 */
export class McpNoteEditor extends McpElement {
  static override readonly styles = [theme, styles];

  /** `focus()` on the element reaches the title. */
  static override readonly shadowRootOptions: ShadowRootInit = {
    ...McpElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override readonly properties = {
    storage: { attribute: false },
    noteId: { attribute: 'note-id' },
  };

  /** Where notes are read and written. Default: the tools of the client. */
  declare storage: NoteStorage | undefined;
  /** The id of the note. Default: none. */
  declare noteId: string | undefined;

  readonly #tools = new ToolNames(this);
  readonly #fields = new NoteFields(() => this.renderRoot);
  #note: OpenNote | undefined;
  /** The draft whose text is shown, however costly it becomes. */
  #opened: NoteDraft | undefined;
  /** Whether the text gets the focus as soon as it is loaded. */
  #focusText = false;

  constructor() {
    super();
    // After a decision, the user goes on with the text; if the note is gone, with what can be done then.
    keepFocus(this, () => () => this.#find('[part=text], .message button'));
  }

  /** Whether there are words that are stored nowhere. */
  get hasUnsavedWords(): boolean {
    return this.#draft?.hasUnsavedWords ?? false;
  }

  /** Saves now what is not saved yet. Resolves with whether every word is stored. Never rejects. */
  async save(): Promise<boolean> {
    await this.#draft?.save();
    return !this.hasUnsavedWords;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onHide);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onHide);
    // An element that only moves to another place in the page goes on with what it has.
    queueMicrotask(() => {
      if (!this.isConnected) this.#close();
    });
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (!this.isConnected) return;
    this.#openNote();
    this.#tools.client = this.noteId && !this.storage ? this.connection.client : undefined;
    this.setState('readonly', this.#isReadonly);
    for (const state of STATES) this.setState(state, state === this.#draft?.state);
  }

  protected override updated(): void {
    const draft = this.#draft;
    if (draft?.stored && !draft.hasUnsavedWords) this.#fields.show(draft.stored);
    if (this.#focusText) this.#focusLoadedText();
  }

  #focusLoadedText(): void {
    const text = this.#find('[part=text]');
    if (!text) return;
    this.#focusText = false;
    // Only if nobody else has taken the focus since.
    if (document.activeElement === document.body) text.focus();
  }

  protected override render(): TemplateResult {
    const draft = this.#draft;
    if (!this.noteId || !draft) {
      const words = msg('Choose a note to edit it.', { id: 'mcp.editor.choose' });
      return html`<div class="message"><slot name="empty">${words}</slot></div>`;
    }
    if (draft.state === 'missing') return this.#renderMissing(draft);
    if (!draft.stored) return renderLoading();
    if (draft !== this.#opened && isCostlyToEdit(draft.stored.text))
      return renderCostly(() => {
        this.#opened = draft;
        this.requestUpdate();
      });
    return this.#renderEditor(draft);
  }

  #renderMissing(draft: NoteDraft): TemplateResult {
    if (this.#isReadonly && !draft.stored)
      return html`<div class="message">
        ${msg('This server has no notes that can be edited.', { id: 'mcp.editor.unsupported' })}
      </div>`;
    return renderError(draft.error, this.#canSave ? () => void draft.load() : undefined);
  }

  #renderEditor(draft: NoteDraft): TemplateResult {
    this.#opened = draft;
    // Words that are already there can still be copied, and saved elsewhere.
    const isReadonly = this.#isReadonly && !draft.hasUnsavedWords;
    const titleLabel = msg('Title', { id: 'mcp.editor.title' });
    const textLabel = msg('Text, in Markdown', { id: 'mcp.editor.text' });
    const hint = msg('Write in Markdown', { id: 'mcp.editor.hint' });
    return html`<div class="editor">
      ${renderConnection(this.connection.state)}
      <input
        class="title"
        part="title"
        aria-label=${titleLabel}
        placeholder=${titleLabel}
        maxlength=${MAX_TITLE_LENGTH}
        dir="auto"
        ?readonly=${isReadonly}
        @input=${this.#onInput}
        @compositionstart=${this.#onComposition}
        @compositionend=${this.#onComposition}
      />
      ${renderQuestion(draft, {
        canSave: this.#canSave,
        keepBoth: () => void draft.keepBoth(copyTitle),
        saveAsNew: () => void this.#saveAsNew(draft),
      })}
      <div class="versions">
        <section class="version">
          ${
            draft.theirs
              ? html`<h3>${msg('Your version', { id: 'mcp.editor.mine' })}</h3>`
              : nothing
          }
          <textarea
            part="text"
            aria-label=${textLabel}
            placeholder=${hint}
            dir="auto"
            ?readonly=${isReadonly}
            @input=${this.#onInput}
            @compositionstart=${this.#onComposition}
            @compositionend=${this.#onComposition}
          ></textarea>
        </section>
        ${draft.theirs ? renderTheirs(draft.theirs, this.#fields.read()) : nothing}
      </div>
      ${this.#renderState(draft)}
    </div>`;
  }

  #renderState({ state, hasUnsavedWords }: NoteDraft): TemplateResult {
    if (this.#isReadonly && !hasUnsavedWords)
      return html`<p class="state" part="state">
        ${msg('The server does not let you change this note.', { id: 'mcp.editor.readonly' })}
      </p>`;
    const words = hasUnsavedWords
      ? state === 'saving'
        ? msg('Saving', { id: 'mcp.editor.saving' })
        : msg('Not saved yet', { id: 'mcp.editor.unsaved' })
      : msg('Saved', { id: 'mcp.editor.saved' });
    // Not announced: it changes with every pause in typing.
    return html`<p class="state" part="state">${words}</p>`;
  }

  get #draft(): NoteDraft | undefined {
    return this.#note?.draft;
  }

  #openNote(): void {
    const source = { storage: this.storage, client: this.connection.client };
    const open = this.#draft?.id === this.noteId ? this.#note : undefined;
    if (open?.isFrom(source)) return;
    // Words that are stored nowhere stay in their fields, also while there is no place for them.
    if (open && (open.isAt(source) || this.hasUnsavedWords)) return open.moveTo(source);
    this.#close();
    if (!this.noteId || !(source.storage ?? source.client)) return;
    this.#fields.isComposing = false;
    const note = new OpenNote(this.noteId, source, this.#fields, {
      onchange: () => this.requestUpdate(),
      onsave: () => {
        const { id, stored } = note.draft;
        this.dispatchEvent(new McpNoteSaveEvent(id, stored!.revision));
      },
    });
    this.#note = note;
  }

  #close(): void {
    const note = this.#note;
    this.#note = undefined;
    note?.close();
  }

  async #saveAsNew(draft: NoteDraft): Promise<void> {
    const hasFocus = this.shadowRoot!.activeElement !== null;
    const id = await draft.saveAsNew();
    if (id === undefined || draft !== this.#draft) return;
    this.noteId = id;
    // While the new note is loading, nothing here can have the focus.
    this.#focusText = hasFocus;
  }

  #find(selector: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(selector);
  }

  get #canSave(): boolean {
    return this.storage !== undefined || !['closed', 'none'].includes(this.connection.state);
  }

  get #isReadonly(): boolean {
    return !this.storage && this.#tools.lacks(UPDATE_TOOL);
  }

  readonly #onInput = (): void => this.#draft?.touch();

  readonly #onComposition = ({ type }: Event): void => {
    this.#fields.isComposing = type === 'compositionstart';
    if (!this.#fields.isComposing) this.#draft?.endComposition();
  };

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') void this.#draft?.save();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-note-editor': McpNoteEditor;
  }
}
