import {
  codeOf,
  hasSameWords,
  type NoteStorage,
  type NoteWords,
  type StoredNote,
} from './note-storage.js';

/** How long after the last key a note is saved, in milliseconds. */
const SAVE_DELAY_MS = 400;

/** How long a note stays unsaved while its user goes on typing, in milliseconds. */
const MAX_DELAY_MS = 5_000;

/**
 * The state of a draft: `unsaved` and `saving` have words that are not stored yet; `conflict` has a
 * stored version of somebody else beside them; `deleted` has words whose note was deleted; `failed`
 * has words that could not be stored.
 */
export type DraftState =
  'loading' | 'missing' | 'saved' | 'unsaved' | 'saving' | 'conflict' | 'deleted' | 'failed';

/**
 * A note while it is edited. The draft saves itself after a pause in typing, one write at a time. It
 * reads the words from their fields only then: a text of 1 MB is not copied at each key.
 *
 * No words are dropped unseen. If both the user and somebody else have changed the note, the user
 * decides; `leave()` without a decision keeps both versions.
 *
 * Fires `change` if there is something else to show, `replace` if the fields are to show other words,
 * and `save` after each write.
 */
export class NoteDraft extends EventTarget {
  readonly id: string;
  readonly #storage: NoteStorage;
  #readFields: () => NoteWords;
  #stored: StoredNote | undefined;
  #theirs: StoredNote | undefined;
  #state: DraftState = 'loading';
  #error: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsavedSince = 0;
  #saving: Promise<void> | undefined;
  /** Whether a key was pressed since the fields were read. */
  #isTouched = false;

  /** @param readFields Reads the words as the user sees them. */
  constructor(storage: NoteStorage, id: string, readFields: () => NoteWords) {
    super();
    this.#storage = storage;
    this.id = id;
    this.#readFields = readFields;
  }

  get state(): DraftState {
    return this.#state;
  }

  /** The last version that is known to be stored. */
  get stored(): StoredNote | undefined {
    return this.#stored;
  }

  /** In a conflict, the stored version of somebody else. */
  get theirs(): StoredNote | undefined {
    return this.#theirs;
  }

  /** Why the last call failed, in the states `failed` and `missing`. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether there are words that are stored nowhere. */
  get hasUnsavedWords(): boolean {
    return ['unsaved', 'saving', 'conflict', 'deleted', 'failed'].includes(this.#state);
  }

  /** Loads the note, and shows it unless the user has typed since. Never rejects. */
  async load(): Promise<void> {
    try {
      const note = await this.#storage.get(this.id);
      if (this.hasUnsavedWords) return;
      const isOther = !this.#stored || !hasSameWords(note, this.#stored);
      this.#stored = note;
      this.#show('saved');
      if (isOther) this.dispatchEvent(new Event('replace'));
    } catch (error) {
      // Without unsaved words, nothing is lost.
      if (!this.hasUnsavedWords) this.#show('missing', error);
    }
  }

  /** Notes that the user has typed. Cheap at any length of the text. */
  touch(): void {
    this.#isTouched = true;
    if (this.#state === 'saved' || this.#state === 'failed') {
      this.#unsavedSince = performance.now();
      this.#show('unsaved');
    }
    if (this.#state !== 'unsaved') return;
    clearTimeout(this.#timer);
    const latest = this.#unsavedSince + MAX_DELAY_MS - performance.now();
    const delayMs = Math.max(0, Math.min(SAVE_DELAY_MS, latest));
    this.#timer = setTimeout(() => void this.save(), delayMs);
  }

  /** Saves now what is not saved yet. Never rejects: see `state`. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#state === 'unsaved' || this.#state === 'failed') {
      this.#saving ??= this.#saveAll().finally(() => {
        this.#saving = undefined;
        // The user has typed while the last write was under way.
        if (this.#state === 'saved' && this.#isTouched) this.touch();
      });
    }
    return this.#saving ?? Promise.resolve();
  }

  /** Ends a conflict: their words take the place of the user's. */
  takeTheirs(): void {
    if (!this.#theirs) return;
    this.#stored = this.#theirs;
    this.#isTouched = false;
    this.#show('saved');
    this.dispatchEvent(new Event('replace'));
  }

  /** Ends a conflict: the user's words take the place of theirs. */
  async keepMine(): Promise<void> {
    if (!this.#theirs) return;
    this.#stored = this.#theirs;
    this.#show('unsaved');
    await this.save();
  }

  /** Ends a conflict: the user's words become a note of their own, and theirs are shown. */
  async keepBoth(title: (title: string) => string): Promise<void> {
    if (await this.#create(title)) this.takeTheirs();
  }

  /** The words of a deleted note become a note again. Resolves with its id, if that succeeds. */
  async saveAsNew(title: (title: string) => string = (own) => own): Promise<string | undefined> {
    const id = await this.#create(title);
    if (id !== undefined) this.#show('missing', undefined);
    return id;
  }

  /**
   * Saves what is unsaved, before the editor closes: in a conflict and after a deletion, as a note of
   * its own. Resolves with whether every word is stored.
   */
  async leave(title: (title: string) => string): Promise<boolean> {
    // The fields may show another note soon.
    const words = this.#readFields();
    this.#readFields = () => words;
    await this.save();
    // There were newer words than those of the write that was under way.
    await this.save();
    if (this.#state === 'conflict') await this.keepBoth(title);
    else if (this.#state === 'deleted') await this.saveAsNew(title);
    return !this.hasUnsavedWords;
  }

  async #saveAll(): Promise<void> {
    const words = this.#read();
    const { revision: expectedRevision } = this.#stored!;
    this.#show('saving');
    try {
      const { revision } = await this.#storage.update(this.id, words, { expectedRevision });
      this.#stored = { ...this.#stored!, ...words, revision };
      this.#show('saved');
      this.dispatchEvent(new Event('save'));
    } catch (error) {
      if (codeOf(error) === 'not-found') this.#show('deleted');
      else if (codeOf(error) === 'conflict') await this.#compare(words);
      else this.#show('failed', error);
    }
  }

  /** Somebody else has changed the note, perhaps to the same words, as another tab of the user. */
  async #compare(words: NoteWords): Promise<void> {
    try {
      const theirs = await this.#storage.get(this.id);
      if (hasSameWords(theirs, words)) {
        this.#stored = theirs;
        this.#show('saved');
      } else {
        this.#theirs = theirs;
        this.#show('conflict');
      }
    } catch (error) {
      if (codeOf(error) === 'not-found') this.#show('deleted');
      else this.#show('failed', error);
    }
  }

  async #create(rename: (title: string) => string): Promise<string | undefined> {
    const { title, text } = this.#read();
    const { tags } = this.#stored ?? {};
    try {
      const note = { title: rename(title), text, ...(tags && { tags: [...tags] }) };
      const { id } = await this.#storage.create(note);
      return id;
    } catch (error) {
      this.#error = error;
      this.dispatchEvent(new Event('change'));
      return undefined;
    }
  }

  #read(): NoteWords {
    this.#isTouched = false;
    return this.#readFields();
  }

  #show(state: DraftState, error?: unknown): void {
    if (state !== 'conflict') this.#theirs = undefined;
    this.#state = state;
    this.#error = error;
    this.dispatchEvent(new Event('change'));
  }
}
