import type { McpClient, Watch } from '@inpage-mcp/client';
import { RuntimeError, type Note, type Runtime } from '@inpage-mcp/runtime';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { sharedStyles } from './shared-styles.js';

/** How long after the last key a note is saved, in milliseconds. */
const SAVE_DELAY_MS = 250;

type State = 'loading' | 'saved' | 'typing' | 'saving' | 'conflict' | 'deleted' | 'failed';

const WORDS: { [state in State]: string } = {
  loading: 'Loading',
  saved: 'Saved on this device',
  typing: 'Typing',
  saving: 'Saving',
  conflict: 'Changed in another tab',
  deleted: 'Deleted in another tab',
  failed: 'Not saved',
};

/**
 * Edits a note and saves it while one types. What another tab saves shows at once; when both have
 * changed the note, the user decides and neither version is lost unseen.
 */
export class NoteEditor extends LitElement {
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
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

      .conflict {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
        margin: 0.7rem 0.9rem 0;
        padding: 0.6rem 0.8rem;
        border-radius: 8px;
        background: light-dark(#fff4cc, #453b0f);
        font-size: 0.875rem;
      }

      .conflict > span {
        flex: 1 1 14rem;
      }

      footer {
        padding: 0 0.9rem 0.7rem;
        font-size: 0.8125rem;
      }

      footer.failed {
        color: var(--danger);
      }
    `,
  ];

  static override readonly properties = {
    runtime: { attribute: false },
    client: { attribute: false },
    noteId: { attribute: false },
  };

  declare runtime: Runtime | undefined;
  declare client: McpClient | undefined;
  declare noteId: string | undefined;

  #note: Note | undefined;
  #state: State = 'loading';
  #error = '';
  #watch: Watch | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.stop();
    this.#watch = undefined;
    this.#saveNow();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('noteId') && !changed.has('runtime')) return;
    this.#saveNow();
    this.#watch?.stop();
    this.#note = undefined;
    this.#state = 'loading';
    const { noteId } = this;
    if (!noteId) return;
    this.#watch = this.client?.watch(`note:///${noteId}`, () => void this.#onUpdated(noteId));
    void this.#load(noteId);
  }

  protected override render(): TemplateResult {
    const disabled = this.#note === undefined || this.#state === 'deleted';
    return html`
      <input
        aria-label="Title"
        placeholder="Title"
        maxlength="1000"
        dir="auto"
        ?disabled=${disabled}
        .value=${this.#note?.title ?? ''}
        @input=${this.#onInput}
      />
      ${this.#state === 'conflict' ? this.#renderConflict() : html`<div></div>`}
      <textarea
        aria-label="Text, in Markdown"
        placeholder="Write in Markdown"
        dir="auto"
        ?disabled=${disabled}
        .value=${this.#note?.text ?? ''}
        @input=${this.#onInput}
      ></textarea>
      <footer class=${this.#state === 'failed' ? 'failed' : 'muted'} role="status">
        ${WORDS[this.#state]}${this.#error ? `: ${this.#error}` : nothing}
      </footer>
    `;
  }

  #renderConflict(): TemplateResult {
    return html`<div class="conflict" role="alert">
      <span>This note was changed in another tab while you were typing.</span>
      <button @click=${this.#takeTheirs}>Take theirs</button>
      <button @click=${this.#keepMine}>Keep mine</button>
    </div>`;
  }

  async #load(id: string): Promise<void> {
    try {
      const note = await this.runtime!.notes.get(id);
      if (id !== this.noteId) return;
      this.#note = note;
      this.#show('saved');
    } catch (error) {
      if (id === this.noteId) this.#fail(error);
    }
  }

  async #onUpdated(id: string): Promise<void> {
    // Our own unsaved words are not written over; saving them tells of the conflict.
    if (this.#state === 'saved' || this.#state === 'loading') await this.#load(id);
  }

  #onInput(): void {
    if (!this.#note) return;
    this.#note = { ...this.#note, title: this.#input.value, text: this.#textarea.value };
    if (this.#state !== 'conflict') this.#show('typing');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#saveNow(), SAVE_DELAY_MS);
  }

  #saveNow(): void {
    clearTimeout(this.#timer);
    if (this.#note && (this.#state === 'typing' || this.#state === 'failed')) {
      void this.#save(this.#note);
    }
  }

  async #save({ id, title, text, revision }: Note): Promise<void> {
    this.#show('saving');
    try {
      const saved = await this.runtime!.notes.update(id, {
        title,
        text,
        expectedRevision: revision,
      });
      if (id !== this.#note?.id) return;
      const { title: newerTitle, text: newerText } = this.#note;
      const typedOn = newerTitle !== title || newerText !== text;
      this.#note = { ...saved, title: newerTitle, text: newerText };
      this.#show(typedOn ? 'typing' : 'saved');
      if (typedOn) this.#onInput();
    } catch (error) {
      if (id === this.#note?.id) this.#fail(error);
    }
  }

  async #takeTheirs(): Promise<void> {
    if (this.noteId) await this.#load(this.noteId);
  }

  async #keepMine(): Promise<void> {
    const mine = this.#note;
    if (!mine) return;
    try {
      const { revision } = await this.runtime!.notes.get(mine.id);
      await this.#save({ ...mine, revision });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const code = error instanceof RuntimeError ? error.code : undefined;
    const known: State = code === 'conflict' ? 'conflict' : 'failed';
    this.#show(code === 'not-found' ? 'deleted' : known, error);
  }

  #show(state: State, error?: unknown): void {
    this.#state = state;
    this.#error = state === 'failed' && error instanceof Error ? error.message : '';
    this.requestUpdate();
  }

  get #input(): HTMLInputElement {
    return this.renderRoot.querySelector('input')!;
  }

  get #textarea(): HTMLTextAreaElement {
    return this.renderRoot.querySelector('textarea')!;
  }
}

customElements.define('note-editor', NoteEditor);

declare global {
  interface HTMLElementTagNameMap {
    'note-editor': NoteEditor;
  }
}
