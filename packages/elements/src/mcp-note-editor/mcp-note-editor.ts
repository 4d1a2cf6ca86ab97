import type { McpClient } from '@inpage-mcp/client';
import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { McpElement } from '../element/mcp-element.js';
import { renderConnection, renderError, renderLoading } from '../look/messages.js';
import { theme } from '../look/theme.js';
import { Throttle } from '../reading/throttle.js';
import { ToolNames } from '../reading/tool-names.js';
import { formatError } from '../text/format.js';
import { isCostlyToEdit } from './costly-text.js';
import { McpNoteLostEvent, McpNoteSaveEvent } from './events.js';
import { styles } from './mcp-note-editor.styles.js';
import { NoteDraft, type DraftState } from './note-draft.js';
import type { NoteStorage, NoteWords } from './note-storage.js';
import { renderTheirs } from './render-theirs.js';
import { ToolNotes, UPDATE_TOOL } from './tool-notes.js';

/** The longest title of a note, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 1_000;

const STATES: readonly DraftState[] = ['loading', 'unsaved', 'saving', 'conflict', 'failed'];

/**
 * Edits a note, which saves itself during pauses in typing. If somebody else changes the note
 * meanwhile, the editor shows both versions side by side and the user decides.
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
  #draft: NoteDraft | undefined;
  #draftOf: NoteStorage | McpClient | undefined;
  /** The draft whose text is shown, however costly it becomes. */
  #opened: NoteDraft | undefined;
  #refreshes: Throttle | undefined;
  #watching = new AbortController();

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
    this.#close();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.isConnected) return;
    const source = this.storage ?? this.connection.client;
    if (changed.has('noteId') || source !== this.#draftOf || !this.#draft) this.#open(source);
    this.#tools.client = this.noteId && !this.storage ? this.connection.client : undefined;
    this.setState('readonly', this.#isReadonly);
    for (const state of STATES) this.setState(state, state === this.#draft?.state);
  }

  protected override render(): TemplateResult {
    const draft = this.#draft;
    if (!this.noteId || !draft) {
      const words = msg('Choose a note to edit it.', { id: 'mcp.editor.choose' });
      return html`<div class="message"><slot name="empty">${words}</slot></div>`;
    }
    if (draft.state === 'missing') return this.#renderMissing(draft);
    if (!draft.stored) return renderLoading();
    if (draft !== this.#opened && isCostlyToEdit(draft.stored.text)) return this.#renderGate(draft);
    return html`${renderConnection(this.connection.state)}${this.#renderEditor(draft)}`;
  }

  #renderMissing(draft: NoteDraft): TemplateResult {
    if (this.#isReadonly && !draft.stored)
      return html`<div class="message">
        ${msg('This server has no notes that can be edited.', { id: 'mcp.editor.unsupported' })}
      </div>`;
    return renderError(draft.error, this.#canSave ? () => void draft.load() : undefined);
  }

  /** The browser lays out the whole text at once: the user decides whether to wait for it. */
  #renderGate(draft: NoteDraft): TemplateResult {
    const open = (): void => {
      this.#opened = draft;
      this.requestUpdate();
      void this.#replaceWords(draft);
    };
    return html`<div class="message">
      <span>
        ${msg('This text takes long to show in a text field. Until it is shown, the page may not react.', { id: 'mcp.editor.costly' })}
      </span>
      <button @click=${open}>${msg('Edit anyway', { id: 'mcp.editor.edit-anyway' })}</button>
    </div>`;
  }

  #renderEditor(draft: NoteDraft): TemplateResult {
    this.#opened = draft;
    // Words that are already there can still be copied, and saved elsewhere.
    const isReadonly = this.#isReadonly && !draft.hasUnsavedWords;
    const titleLabel = msg('Title', { id: 'mcp.editor.title' });
    const textLabel = msg('Text, in Markdown', { id: 'mcp.editor.text' });
    const hint = msg('Write in Markdown', { id: 'mcp.editor.hint' });
    return html`<div class="editor">
      <input
        class="title"
        part="title"
        aria-label=${titleLabel}
        placeholder=${titleLabel}
        maxlength=${MAX_TITLE_LENGTH}
        dir="auto"
        ?readonly=${isReadonly}
        @input=${this.#onInput}
      />
      ${this.#renderQuestion(draft)}
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
          ></textarea>
        </section>
        ${draft.theirs ? renderTheirs(draft.theirs, this.#words()) : nothing}
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

  /** What only the user can decide. */
  #renderQuestion(draft: NoteDraft): TemplateResult | typeof nothing {
    switch (draft.state) {
      case 'conflict':
        return html`<div class="question" part="question" role="alert">
          <span>
            ${msg('Somebody else changed this note while you were typing.', { id: 'mcp.editor.conflict' })}
            ${this.#renderReason(draft)}
          </span>
          <button ?disabled=${!this.#canSave} @click=${() => draft.keepBoth(copyTitle)}>
            ${msg('Keep both', { id: 'mcp.editor.keep-both' })}
          </button>
          <button ?disabled=${!this.#canSave} @click=${() => draft.keepMine()}>
            ${msg('Keep mine', { id: 'mcp.editor.keep-mine' })}
          </button>
          <button @click=${() => draft.takeTheirs()}>
            ${msg('Take theirs', { id: 'mcp.editor.take-theirs' })}
          </button>
        </div>`;
      case 'deleted':
        return html`<div class="question" part="question" role="alert">
          <span>
            ${msg('This note was deleted while you were typing. Your words are only here.', { id: 'mcp.editor.deleted' })}
            ${this.#renderReason(draft)}
          </span>
          <button ?disabled=${!this.#canSave} @click=${() => void this.#saveAsNew(draft)}>
            ${msg('Save as a new note', { id: 'mcp.editor.save-new' })}
          </button>
        </div>`;
      case 'failed':
        return html`<div class="question" part="question" role="alert">
          <span>
            ${msg('Your words could not be saved.', { id: 'mcp.editor.failed' })}
            ${this.#renderReason(draft)}
          </span>
          <button ?disabled=${!this.#canSave} @click=${() => draft.save()}>
            ${msg('Try again', { id: 'mcp.retry' })}
          </button>
        </div>`;
      default:
        return nothing;
    }
  }

  #renderReason({ error }: NoteDraft): TemplateResult | typeof nothing {
    return error === undefined ? nothing : html`<bdi>${formatError(error)}</bdi>`;
  }

  #open(source: NoteStorage | McpClient | undefined): void {
    this.#close();
    this.#draftOf = source;
    const { noteId } = this;
    const { client } = this.connection;
    if (!noteId || !source) return;
    const storage = this.storage ?? new ToolNotes(client!);
    const draft = new NoteDraft(storage, noteId, () => this.#words());
    this.#draft = draft;
    draft.addEventListener('change', () => this.#onChange(draft));
    draft.addEventListener('replace', () => void this.#replaceWords(draft));
    draft.addEventListener('save', () => {
      this.dispatchEvent(new McpNoteSaveEvent(draft.id, draft.stored!.revision));
    });
    this.#watching = new AbortController();
    const refreshes = new Throttle(() => draft.load());
    this.#refreshes = refreshes;
    const { signal } = this.#watching;
    client?.watch(`note:///${noteId}`, () => refreshes.request(), { signal });
    refreshes.request();
  }

  #close(): void {
    const draft = this.#draft;
    this.#draft = undefined;
    this.#draftOf = undefined;
    this.#watching.abort();
    this.#refreshes?.cancel();
    window.removeEventListener('beforeunload', askBeforeLeaving);
    if (!draft?.hasUnsavedWords) return;
    const words = this.#words();
    void draft.leave(copyTitle).then((isStored) => {
      if (!isStored) window.dispatchEvent(new McpNoteLostEvent(draft.id, words));
    });
  }

  async #saveAsNew(draft: NoteDraft): Promise<void> {
    const id = await draft.saveAsNew();
    if (id !== undefined && draft === this.#draft) this.noteId = id;
  }

  #onChange(draft: NoteDraft): void {
    if (draft !== this.#draft) return;
    const isAsking = draft.hasUnsavedWords;
    // A listener keeps the page out of the back/forward cache: only while it is needed.
    if (isAsking) window.addEventListener('beforeunload', askBeforeLeaving);
    else window.removeEventListener('beforeunload', askBeforeLeaving);
    this.requestUpdate();
  }

  /** Shows other words, and leaves the caret and the scroll position where they are. */
  async #replaceWords(draft: NoteDraft): Promise<void> {
    await this.updateComplete;
    if (draft !== this.#draft || draft.hasUnsavedWords || !draft.stored) return;
    for (const [field, value] of [
      [this.#titleField, draft.stored.title],
      [this.#textField, draft.stored.text],
    ] as const) {
      if (!field || field.value === value) continue;
      const { selectionStart, selectionEnd, scrollTop } = field;
      field.value = value;
      field.setSelectionRange(selectionStart, selectionEnd);
      field.scrollTop = scrollTop;
    }
  }

  get #canSave(): boolean {
    return this.storage !== undefined || this.connection.state !== 'closed';
  }

  get #isReadonly(): boolean {
    return !this.storage && this.#tools.lacks(UPDATE_TOOL);
  }

  get #titleField(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input');
  }

  get #textField(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  #words(): NoteWords {
    const { title = '', text = '' } = this.#draft?.stored ?? {};
    return { title: this.#titleField?.value ?? title, text: this.#textField?.value ?? text };
  }

  readonly #onInput = (): void => this.#draft?.touch();

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') void this.#draft?.save();
  };
}

/** The title of a version that becomes a note of its own. */
function copyTitle(title: string): string {
  return msg(str`${title} (my version)`, { id: 'mcp.editor.my-version' });
}

function askBeforeLeaving(event: Event): void {
  event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-note-editor': McpNoteEditor;
  }
}
