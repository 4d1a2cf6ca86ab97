import { RuntimeError, type Note, type Runtime } from '@inpage-mcp/runtime';
import type { Clearings } from './clearings.js';
import { reasonOf } from '../../data/storage-words.js';
import { titleOfOwn, WordsAside } from './unsaved-words.js';

/** How long after the last key a note is saved, in milliseconds. */
const SAVE_DELAY_MS = 250;

/**
 * Where a draft stands; `typing` and `saving` hold words that are not on the disk yet, those of `aside`
 * are saved when the page is reloaded, those of `orphaned` when the user says so.
 */
export type DraftState =
  | 'loading'
  | 'saved'
  | 'typing'
  | 'saving'
  | 'conflict'
  | 'deleted'
  | 'failed'
  | 'aside'
  | 'orphaned';

/** Outcomes of a draft, reported also after its editor was removed. */
export type DraftOutcome = 'kept' | 'lost' | 'orphaned';

/**
 * A note while it is edited. The draft saves the note while the user types, in order and one write
 * at a time, and continues after its editor was removed. No words are lost without a notice: if
 * another tab has changed the note, the user decides, and a user who leaves without a decision gets
 * both versions; if the note was deleted, its words become a new note. If the user has deleted
 * everything, this tab drops the words, and another tab keeps them in its editor, unsaved. If a newer
 * version of the page has taken over the data, the words are put aside until the reload.
 *
 * Fires `change` when there is something else to show, `kept` when a version was saved as a note of
 * its own, and when the editor has left, `lost` if what was typed last could not be saved, and
 * `orphaned` if the user has yet to say what becomes of it.
 */
export class NoteDraft extends EventTarget {
  readonly id: string;
  readonly #runtime: Runtime;
  readonly #clearings: Clearings;
  readonly #clearingBefore: Clearings['last'];
  readonly #aside: WordsAside;
  #note: Note | undefined;
  #state: DraftState = 'loading';
  #error = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | undefined;

  constructor(runtime: Runtime, clearings: Clearings, id: string) {
    super();
    this.#runtime = runtime;
    this.#clearings = clearings;
    this.#clearingBefore = clearings.last;
    this.#aside = new WordsAside(id);
    this.id = id;
    void this.#load();
  }

  /** Title and text as they are to be shown; `undefined` while loading. */
  get note(): Readonly<Note> | undefined {
    return this.#note;
  }

  get state(): DraftState {
    return this.#state;
  }

  /** Why the last save failed, while the state is `failed`. */
  get error(): string {
    return this.#error;
  }

  /** Whether there are words that are in no note yet. */
  get hasUnsavedWords(): boolean {
    return ['typing', 'saving', 'conflict', 'failed', 'aside', 'orphaned'].includes(this.#state);
  }

  /** Whether those come back when the page starts again. */
  get isAside(): boolean {
    // Also while it is tried again to save them.
    return this.hasUnsavedWords && this.#note !== undefined && this.#aside.keeps(this.#note);
  }

  /** Takes what was typed. */
  edit(title: string, text: string): void {
    if (!this.#note || this.#state === 'deleted') return;
    this.#note = { ...this.#note, title, text };
    if (this.#state === 'conflict' || this.#state === 'orphaned') return;
    // While a write is under way its end finds the newer words.
    if (!this.#saving) this.#show('typing');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), SAVE_DELAY_MS);
  }

  /** Saves now what is not saved yet. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    if (['typing', 'failed', 'aside'].includes(this.#state)) {
      this.#saving ??= this.#saveAll().finally(() => {
        this.#saving = undefined;
      });
    }
    return this.#saving ?? Promise.resolve();
  }

  /** Shows what another tab has saved, unless there are words of this one. */
  async refresh(): Promise<void> {
    if (!this.hasUnsavedWords) await this.#load();
  }

  /** Ends a conflict: the words of the other tab take the place of these. */
  async takeTheirs(): Promise<void> {
    this.#show('loading');
    await this.#load();
  }

  /** Ends a conflict: these words take the place of the other tab's. */
  async keepMine(): Promise<void> {
    await this.#attempt(async (mine) => {
      const { revision } = await this.#runtime.notes.get(mine.id);
      // Not `mine`: there may be more words by now.
      this.#note = { ...this.#note!, revision };
      this.#show('typing');
      await this.save();
    });
    await this.#keepIfDeleted();
  }

  /** Ends a conflict: these words become a note of their own, and the other tab's are shown. */
  async keepBoth(): Promise<void> {
    await this.#attempt(async (mine) => {
      await this.#keepAsOwn(mine);
      if (this.#state === 'conflict') await this.takeTheirs();
    });
  }

  /** These words, whose note went with all others, become a note after all. */
  async saveAsNew(): Promise<void> {
    await this.#attempt(async ({ title, text, tags }) => {
      await this.#runtime.notes.create({ title, text, tags });
      this.#show('deleted');
      this.#report('kept');
    });
    if (this.#state === 'failed') this.#report('lost');
  }

  /** The user does not want these words any more. */
  drop(): void {
    this.#show('deleted');
  }

  /** The editor leaves: what is not saved is, somewhere. */
  async leave(): Promise<void> {
    await this.save();
    if (this.#state === 'conflict') await this.keepBoth();
    if (this.#state === 'orphaned') this.#report('orphaned');
    else if (this.hasUnsavedWords && !this.isAside) this.#report('lost');
  }

  async #load(): Promise<void> {
    try {
      const note = await this.#runtime.notes.get(this.id);
      // Words that were typed since are newer.
      if (this.hasUnsavedWords) return;
      this.#note = note;
      this.#show('saved');
    } catch (error) {
      this.#fail(error);
    }
  }

  async #saveAll(): Promise<void> {
    for (;;) {
      const { id, title, text, revision } = this.#note!;
      this.#show('saving');
      try {
        const options = { expectedRevision: revision };
        const saved = await this.#runtime.notes.update(id, { title, text }, options);
        this.#note = { ...saved, title: this.#note!.title, text: this.#note!.text };
      } catch (error) {
        this.#fail(error);
        await this.#keepIfDeleted();
        return;
      }
      if (this.#note.title === title && this.#note.text === text) break;
    }
    this.#show('saved');
  }

  /** Where the note was deleted in another tab while these words were typed. */
  async #keepIfDeleted(): Promise<void> {
    if (this.#state === 'deleted') await this.#attempt((mine) => this.#keepAsOwn(mine));
  }

  /** Writes nothing where everything was deleted. */
  async #keepAsOwn({ title, text, tags }: Note): Promise<void> {
    const clearing = this.#clearing;
    if (clearing) {
      this.#show(clearing.where === 'here' ? 'deleted' : 'orphaned');
      return;
    }
    await this.#runtime.notes.create({ title: titleOfOwn(title), text, tags });
    this.#report('kept');
  }

  /** How everything was deleted since this draft was begun. */
  get #clearing(): Clearings['last'] {
    const { last } = this.#clearings;
    return last === this.#clearingBefore ? undefined : last;
  }

  async #attempt(run: (mine: Note) => Promise<void>): Promise<void> {
    if (!this.#note) return;
    try {
      await run(this.#note);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const code = error instanceof RuntimeError ? error.code : undefined;
    if (code === 'conflict') this.#show('conflict');
    else if (code === 'not-found') this.#show('deleted');
    else if (code === 'newer-version' && this.#putAside()) this.#show('aside');
    else this.#show('failed', reasonOf(error));
  }

  #putAside(): boolean {
    return this.hasUnsavedWords && this.#note !== undefined && this.#aside.put(this.#note);
  }

  #report(outcome: DraftOutcome): void {
    this.dispatchEvent(new Event(outcome));
  }

  #show(state: DraftState, error = ''): void {
    this.#state = state;
    this.#error = error;
    this.dispatchEvent(new Event('change'));
  }
}
