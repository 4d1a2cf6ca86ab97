import type { Watch } from '@inpage-mcp/client';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { askBeforeLeaving } from './leaving.js';
import { NoteDraft, type DraftOutcome, type DraftState } from './note-draft.js';
import type { Session } from '../../session/session.js';
import { sharedStyles } from '../../shell/shared-styles.js';

const WORDS: { [state in DraftState]: string } = {
  loading: 'Loading',
  saved: 'Saved on this device',
  typing: 'Typing',
  saving: 'Saving',
  conflict: 'Changed in another tab',
  deleted: 'Deleted in another tab',
  failed: 'Not saved',
  aside: 'Kept in this browser, and saved when you reload the page',
  orphaned: 'Not saved',
};

/** Edits a note, which saves itself while one types. What another tab saves shows at once. */
export class NoteEditor extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        grid-template-rows: auto auto 1fr auto;
        min-block-size: 0;
      }

      input {
        margin: 0.9rem 0.9rem 0;
        padding: 0.5rem 0.75rem;
        font-size: 1.125rem;
        font-weight: 600;
      }

      textarea {
        margin: 0.7rem 0.9rem;
        padding: 0.75rem;
        font-family: var(--mono);
        font-size: 0.875rem;
        line-height: 1.6;
        resize: none;
      }

      .question {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
        margin: 0.7rem 0.9rem 0;
        padding: 0.6rem 0.8rem;
        border-radius: 8px;
        background: var(--warning);
        font-size: 0.875rem;
      }

      .question > span {
        flex: 1 1 14rem;
      }

      .state {
        margin: 0;
        padding: 0 0.9rem 0.7rem;
        font-size: 0.8125rem;
      }

      .state.failed {
        color: var(--danger);
      }
    `,
  ];

  static override readonly properties = {
    session: { attribute: false },
    noteId: { attribute: false },
    onoutcome: { attribute: false },
  };

  declare session: Session | undefined;
  declare noteId: string | undefined;
  /** Told what became of words, not by an event: the editor may have left the page by then. */
  declare onoutcome: ((outcome: DraftOutcome, draft: NoteDraft) => void) | undefined;

  #draft: NoteDraft | undefined;
  #watch: Watch | undefined;
  #focused: NoteDraft | undefined;
  #stopAsking: (() => void) | undefined;
  readonly #onChange = (): void => this.requestUpdate();
  /** The last chance to save may come too late; then the browser asks the user. */
  readonly #wouldLose = (isOwnReload: boolean): boolean => {
    const draft = this.#draft;
    if (!draft?.hasUnsavedWords) return false;
    void draft.save();
    return !(isOwnReload && draft.isAside);
  };
  readonly #onVisibility = (): void => {
    if (this.#draft?.hasUnsavedWords) void this.#draft.save();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopAsking = askBeforeLeaving(this.#wouldLose);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopAsking?.();
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#close();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('noteId') && !changed.has('session')) return;
    this.#close();
    const { session, noteId } = this;
    if (!session || !noteId) return;
    const draft = new NoteDraft(session.runtime, session.clearings, noteId);
    draft.addEventListener('change', this.#onChange);
    for (const outcome of ['kept', 'lost', 'orphaned'] as const) {
      draft.addEventListener(outcome, () => this.onoutcome?.(outcome, draft));
    }
    this.#draft = draft;
    this.#watch = session.client.watch(`note:///${noteId}`, () => void draft.refresh());
  }

  protected override updated(): void {
    const draft = this.#draft;
    if (draft === this.#focused || draft?.note === undefined) return;
    this.#focused = draft;
    // A new note begins with its title.
    if (draft.note.revision === 1 && draft.note.text === '') {
      this.renderRoot.querySelector('input')!.select();
    }
  }

  protected override render(): TemplateResult {
    const state = this.#draft?.state ?? 'loading';
    const note = this.#draft?.note;
    const disabled = note === undefined || state === 'deleted';
    const error = this.#draft?.error;
    return html`
      <input
        aria-label="Title"
        placeholder="Title"
        maxlength="1000"
        dir="auto"
        ?disabled=${disabled}
        .value=${note?.title ?? ''}
        @input=${this.#onInput}
      />
      ${this.#renderQuestion(state)}
      <textarea
        aria-label="Text, in Markdown"
        placeholder="Write in Markdown"
        dir="auto"
        ?disabled=${disabled}
        .value=${note?.text ?? ''}
        @input=${this.#onInput}
      ></textarea>
      <p
        class=${`state ${state === 'failed' || state === 'orphaned' ? 'failed' : 'muted'}`}
        role="status"
      >
        ${WORDS[state]}${error ? `: ${error}` : nothing}
      </p>
    `;
  }

  /** What only the user can decide. */
  #renderQuestion(state: DraftState): TemplateResult {
    if (state === 'conflict') {
      return html`<div class="question" role="alert">
        <span>This note was changed in another tab while you were typing.</span>
        <button @click=${() => this.#draft?.keepBoth()}>Keep both</button>
        <button @click=${() => this.#draft?.keepMine()}>Keep mine</button>
        <button @click=${() => this.#draft?.takeTheirs()}>Take theirs</button>
      </div>`;
    }
    if (state === 'orphaned') {
      return html`<div class="question" role="alert">
        <span>Everything was deleted while you were typing. These words are only here.</span>
        <button @click=${() => this.#draft?.saveAsNew()}>Save as a new note</button>
        <button @click=${() => this.#draft?.drop()}>Drop them</button>
      </div>`;
    }
    return html`<div></div>`;
  }

  #onInput(): void {
    const title = this.renderRoot.querySelector('input')!.value;
    this.#draft?.edit(title, this.renderRoot.querySelector('textarea')!.value);
  }

  #close(): void {
    this.#watch?.stop();
    this.#draft?.removeEventListener('change', this.#onChange);
    void this.#draft?.leave();
    this.#draft = undefined;
  }
}

customElements.define('note-editor', NoteEditor);

declare global {
  interface HTMLElementTagNameMap {
    'note-editor': NoteEditor;
  }
}
