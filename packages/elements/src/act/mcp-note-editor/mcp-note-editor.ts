import { msg } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { directionToEdit, renderCostly } from '../../base/look/costly-text.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { declares } from '../../reading/declared.js';
import { Throttle } from '../../reading/throttle.js';
import { ToolNames } from '../../reading/tool-names.js';
import { McpNoteLostEvent, McpNoteSaveEvent } from './events.js';
import { guardDraft, releaseDraft, restoreDrafts } from './kept-drafts.js';
import { styles } from './mcp-note-editor.styles.js';
import { NoteDraft, type DraftState } from './note-draft.js';
import { NoteFields } from './note-fields.js';
import { ToolNotes, UPDATE_TOOL, type NoteStorage } from './note-storage.js';
import { copyTitle, MAX_TITLE_LENGTH, renderQuestion, renderTheirs } from './questions.js';

const STATES: readonly DraftState[] = ['loading', 'unsaved', 'saving', 'conflict', 'failed'];

/**
 * The delay before a saved note is announced, in milliseconds. If the user continues to type, it is not
 * announced.
 */
const REST_MS = 1_500;

/** The notes that were left and are still being saved, by their place and id. */
const leaving = new WeakMap<object, Map<string, Promise<boolean>>>();

/**
 * Edits a note, which saves itself during pauses in typing. What somebody else writes into other lines
 * at the same time is merged; if both have changed the same line, the editor shows both versions side by
 * side and the user decides. Undo takes back the user's own words only.
 *
 * Reads and writes through `storage`, such as `runtime.notes`, else through the tools of a client. If
 * the server has no tool `update_note`, the editor says so, and a note can only be read.
 * With a client, it shows the changes of others, and leaves caret, selection and lines in sight as they
 * are. Give it a height: it fills its box.
 *
 * No words are dropped: with `drafts`, words that are not saved yet when the page ends, or cannot be
 * saved, are kept in this browser and saved when the page starts again; otherwise the browser asks before
 * it leaves the page. Words whose note was deleted can become a new note. If the last words of an editor
 * that left the page cannot be stored, `mcp-note-lost` on `window` has them.
 *
 * @element mcp-note-editor
 * @slot empty - Shown while there is no note.
 * @slot actions - Buttons of the page, above the title.
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

  static override readonly properties = {
    storage: { attribute: false },
    noteId: { attribute: 'note-id' },
    drafts: {},
  };

  /** The place of the notes. Default: the tools of the client. */
  declare storage: NoteStorage | undefined;
  /** The id of the note. Default: none. */
  declare noteId: string | undefined;
  /**
   * The name under which unsaved changes are kept in `localStorage`, unencrypted, until they are stored. Use
   * one name for each place of notes, such as the name of the database. Default: they are not kept.
   */
  declare drafts: string | undefined;

  readonly #tools = new ToolNames(this);
  #fields: NoteFields | undefined;
  #draft: NoteDraft | undefined;
  /** The place from which the note is read; `undefined` while no place exists. */
  #place: object | undefined;
  /** The client that reports changes of the note. */
  #watched: unknown;
  #watching = new AbortController();
  /** The draft whose text is shown, even if showing it begins to take long. */
  #opened: NoteDraft | undefined;
  /** Whether the changes of a failed or undecided draft are kept in this browser. */
  #isKept = false;
  /** Whether the text gets the focus as soon as it is loaded. */
  #awaitsFocus = false;
  #announcement = '';
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    // After a decision, the user continues in the text, or, if the note was deleted, with the possible
    // actions.
    keepFocus(this, () => () => {
      const target = this.#find('[part=text], .message button');
      this.#awaitsFocus = !target;
      return target ?? this.#find('.editor');
    });
  }

  /** Whether the user has changes that are stored nowhere. */
  get hasUnsavedWords(): boolean {
    return this.#draft?.hasUnsavedWords ?? false;
  }

  /** Saves all unsaved changes now. Resolves with whether all of them are stored. Never rejects. */
  async save(): Promise<boolean> {
    const draft = this.#draft;
    const isWriting = draft?.state === 'saving';
    await draft?.save();
    // The write that was running has an earlier text.
    if (isWriting) await draft?.save();
    return !this.hasUnsavedWords;
  }

  /**
   * Closes the note, as if the element left the page: after a conflict or a deletion, the changes become a
   * note of their own. Resolves with whether all of them are stored. Never rejects.
   */
  async leave(): Promise<boolean> {
    const place = this.#place ?? this;
    this.noteId = undefined;
    const left = this.#close();
    // Those that were left before may still be written.
    const others = leaving.get(place)?.values() ?? [];
    return (await Promise.all([left, ...others])).every(Boolean);
  }

  /** Drops the unsaved changes, for example when the user has deleted everything. */
  discard(): void {
    this.#draft?.discard();
    void this.#draft?.load();
  }

  /** Moves the focus to the text, or to the title of a new note, as soon as the note is loaded. */
  override focus(options?: FocusOptions): void {
    const { stored } = this.#draft ?? {};
    const isNew = stored?.revision === 1 && stored.text === '';
    const target = this.#find(isNew ? '[part=title]' : '[part=text], .message button');
    this.#awaitsFocus = !target;
    (target ?? this.#find('.editor'))?.focus(options);
    if (isNew && target) this.#fields?.title?.select();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onHide);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onHide);
    // An element that only moves to another place in the page keeps its state.
    queueMicrotask(() => {
      if (!this.isConnected) void this.#close();
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
    if (draft?.stored && !draft.hasUnsavedWords) this.#fields?.show(draft.stored);
    if (this.#awaitsFocus) this.focus();
  }

  protected override render(): TemplateResult {
    const draft = this.#draft;
    const isLoaded = draft?.stored && draft.state !== 'missing';
    const direction = isLoaded ? directionToEdit(draft.stored!.text) : 'auto';
    if (isLoaded && direction === 'auto') this.#opened = draft;
    const isOpen = isLoaded && draft === this.#opened;
    return html`<div class="editor" tabindex="-1" @focusout=${() => (this.#awaitsFocus = false)}>
        ${isOpen ? renderConnection(this.connection.state) : nothing}
        <slot name="actions"></slot>
        ${isOpen ? this.#renderEditor(draft, direction) : this.#renderMessage(draft)}
      </div>
      <div class="visually-hidden" role="status">${this.#announcement}</div>`;
  }

  #renderMessage(draft: NoteDraft | undefined): TemplateResult {
    if (!this.noteId || !draft) {
      const words = msg('Choose a note to edit it.', { id: 'mcp.editor.choose' });
      return html`<div class="message"><slot name="empty">${words}</slot></div>`;
    }
    if (draft.state !== 'missing')
      return draft.stored
        ? renderCostly(() => {
            this.#opened = draft;
            this.requestUpdate();
          })
        : renderLoading();
    if (this.#isReadonly && !draft.stored)
      return html`<div class="message">
        ${msg('This server has no notes that can be edited.', { id: 'mcp.editor.unsupported' })}
      </div>`;
    return renderError(draft.error, this.#canSave ? () => void draft.load() : undefined);
  }

  #renderTitle(): TemplateResult {
    const label = msg('Title', { id: 'mcp.editor.title' });
    return html`<input
      class="title"
      part="title"
      aria-label=${label}
      placeholder=${label}
      maxlength=${MAX_TITLE_LENGTH}
      dir="auto"
      ?readonly=${this.#isForReading}
      @beforeinput=${this.#fields}
      @keydown=${this.#fields}
      @input=${this.#fields}
      @compositionstart=${this.#fields}
      @compositionend=${this.#fields}
    />`;
  }

  #renderEditor(draft: NoteDraft, direction: string): TemplateResult {
    const { theirs } = draft;
    const mine = msg('Your version', { id: 'mcp.editor.mine' });
    return html`${this.#renderTitle()}
      <div class="versions">
        <section class="version">
          ${theirs ? html`<h3>${mine}</h3>` : nothing}
          <textarea
            part="text"
            aria-label=${msg('Text, in Markdown', { id: 'mcp.editor.text' })}
            placeholder=${msg('Write in Markdown', { id: 'mcp.editor.hint' })}
            dir=${direction}
            ?readonly=${this.#isForReading}
            @beforeinput=${this.#fields}
            @keydown=${this.#fields}
            @input=${this.#fields}
            @compositionstart=${this.#fields}
            @compositionend=${this.#fields}
          ></textarea>
        </section>
        ${theirs ? renderTheirs(theirs, this.#fields!.read()) : nothing}
      </div>
      ${renderQuestion(draft, {
        canSave: this.#canSave,
        isKept: this.#isKept,
        saveAsNew: () => void this.#saveAsNew(draft),
        discard: () => this.discard(),
      })}
      <p class="state" part="state">${this.#stateInWords(draft)}</p>`;
  }

  /** The state as a text. It is shown, but not announced, because it changes with every pause in typing. */
  #stateInWords({ state, hasUnsavedWords }: NoteDraft): string {
    if (this.#isForReading)
      return msg('The server does not let you change this note.', { id: 'mcp.editor.readonly' });
    if (!hasUnsavedWords) return savedInWords();
    return state === 'saving'
      ? msg('Saving', { id: 'mcp.editor.saving' })
      : msg('Not saved yet', { id: 'mcp.editor.unsaved' });
  }

  /** Opens the note, or continues with it at another place. */
  #openNote(): void {
    const { storage, noteId } = this;
    const { client } = this.connection;
    const place = storage ?? client;
    const draft = this.#draft;
    const isElsewhere = place !== this.#place;
    // Changes that are stored nowhere stay in their fields, even while no place exists for them.
    if (draft && draft.id === noteId && (!isElsewhere || draft.hasUnsavedWords)) {
      if (!isElsewhere && client === this.#watched) return;
      this.#place = place;
      if (isElsewhere && place) draft.storage = storage ?? new ToolNotes(client!);
      this.#watch(draft);
      if (place && draft.state === 'failed') void draft.save();
      return;
    }
    void this.#close();
    this.#place = place;
    if (!noteId || !place) return;
    this.#fields ??= new NoteFields(this.shadowRoot!, {
      onedit: () => {
        this.#announce('');
        this.#draft?.touch();
      },
      oncompositionend: () => this.#draft?.endComposition(),
    });
    this.#fields.isComposing = false;
    const opened = new NoteDraft(storage ?? new ToolNotes(client!), noteId, this.#fields);
    if (this.drafts && storage) restoreDrafts(this.drafts, storage);
    opened.listeners = {
      onchange: () => this.#onChange(opened),
      onsave: (id, revision, isCopy) => this.#onSave(opened, id, revision, isCopy),
    };
    this.#draft = opened;
    this.#watch(opened);
  }

  /** Reads the note now, and each time the client reports a change of it. */
  #watch(draft: NoteDraft): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    const place = this.#place;
    const { client } = this.connection;
    this.#watched = client;
    if (!place) return;
    const refreshes = new Throttle(async () => {
      // Otherwise the changes of the draft that was just left would be missing.
      await leaving.get(place)?.get(draft.id);
      if (!signal.aborted) await draft.load();
    });
    signal.addEventListener('abort', () => refreshes.cancel(), { once: true });
    if (client && declares(client, 'resources'))
      client.watch(`note:///${draft.id}`, () => refreshes.request(), { signal });
    refreshes.request();
  }

  /** Leaves the note, and saves the unsaved changes. */
  #close(): Promise<boolean> {
    const draft = this.#draft;
    this.#draft = undefined;
    this.#watching.abort();
    if (!draft?.hasUnsavedWords) return Promise.resolve(true);
    const words = this.#fields!.read();
    const place = this.#place ?? draft.storage;
    const notes = leaving.get(place) ?? new Map<string, Promise<boolean>>();
    leaving.set(place, notes);
    const left = draft.leave(copyTitle).then((isStored) => {
      const isKept = releaseDraft(draft);
      if (notes.get(draft.id) === left) notes.delete(draft.id);
      const { error } = draft;
      if (!isStored) window.dispatchEvent(new McpNoteLostEvent(draft.id, words, { error, isKept }));
      return isStored;
    });
    notes.set(draft.id, left);
    return left;
  }

  #onChange(draft: NoteDraft): void {
    this.#isKept = guardDraft(draft, this.drafts);
    if (draft === this.#draft) this.requestUpdate();
  }

  #onSave(draft: NoteDraft, id: string, revision: number, isCopy: boolean): void {
    const isShown = draft === this.#draft && this.isConnected;
    (isShown ? this : window).dispatchEvent(new McpNoteSaveEvent(id, revision, { isCopy }));
    if (isShown) this.#announce('', savedInWords());
  }

  /** Announces a text after a rest. */
  #announce(now: string, later?: string): void {
    clearTimeout(this.#resting);
    if (later !== undefined) this.#resting = setTimeout(() => this.#announce(later), REST_MS);
    if (now === this.#announcement) return;
    this.#announcement = now;
    this.requestUpdate();
  }

  async #saveAsNew(draft: NoteDraft): Promise<void> {
    const hasFocus = this.shadowRoot!.activeElement !== null;
    const id = await draft.saveAsNew();
    if (id === undefined || draft !== this.#draft) return;
    this.noteId = id;
    // While the new note is loading, no other part of the element can have the focus.
    if (hasFocus && this.shadowRoot!.activeElement) this.#awaitsFocus = true;
  }

  #find(selector: string): HTMLElement | null {
    return this.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
  }

  get #canSave(): boolean {
    return this.storage !== undefined || !['closed', 'none'].includes(this.connection.state);
  }

  get #isReadonly(): boolean {
    return !this.storage && this.#tools.lacks(UPDATE_TOOL);
  }

  /** Whether the user cannot type. A text that is already there can still be copied, and saved elsewhere. */
  get #isForReading(): boolean {
    return this.#isReadonly && !this.hasUnsavedWords;
  }

  readonly #onHide = (): void => {
    if (document.visibilityState === 'hidden') void this.#draft?.save();
  };
}

const savedInWords = (): string => msg('Saved', { id: 'mcp.editor.saved' });

declare global {
  interface HTMLElementTagNameMap {
    'mcp-note-editor': McpNoteEditor;
  }
}
