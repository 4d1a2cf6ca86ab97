import { CopyOfDraft } from './copy-of-draft.js';
import {
  codeOf,
  hasSameWords,
  type NoteStorage,
  type NoteWords,
  type StoredNote,
} from './note-storage.js';
import { SaveTimer } from './save-timer.js';
import { newKey } from './write-key.js';

/**
 * The state of a draft: `unsaved` and `saving` have words that are not stored yet; `conflict` has a
 * stored version of somebody else beside them; `deleted` has words whose note was deleted; `failed`
 * has words that could not be stored.
 */
export type DraftState =
  'loading' | 'missing' | 'saved' | 'unsaved' | 'saving' | 'conflict' | 'deleted' | 'failed';

/** Where the user types. */
export interface DraftFields {
  /** The words as the user sees them. */
  read(): NoteWords;
  /** Whether other words would break off what the user is typing. */
  readonly isComposing: boolean;
}

/** A write. One that has failed may have been carried out all the same. */
interface NoteWrite {
  words: NoteWords;
  expectedRevision: number;
  idempotencyKey: string;
}

/**
 * A note while it is edited. The draft saves itself after a pause in typing, one write at a time. It
 * reads the words from their fields only then: a text of 1 MB is not copied at each key.
 *
 * No words are dropped unseen. If both the user and somebody else have changed the note, the user
 * decides; `leave()` without a decision keeps both versions.
 *
 * Fires `change` if there is something else to show, and `save` after each write.
 */
export class NoteDraft extends EventTarget {
  readonly id: string;
  /** Where the next call goes. */
  storage: NoteStorage;
  #fields: DraftFields;
  #stored: StoredNote | undefined;
  #theirs: StoredNote | undefined;
  #state: DraftState = 'loading';
  #error: unknown;
  #saving: Promise<void> | undefined;
  #failedWrite: NoteWrite | undefined;
  #copy: CopyOfDraft | undefined;
  /** Whether a key was pressed since the fields were read. */
  #isTouched = false;
  /** Whether the note was reported as changed at a time when it could not be shown. */
  #isOutdated = false;
  readonly #timer = new SaveTimer(() => void this.save());

  constructor(storage: NoteStorage, id: string, fields: DraftFields) {
    super();
    this.storage = storage;
    this.id = id;
    this.#fields = fields;
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

  /** Why the last call failed. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether there are words that are stored nowhere. */
  get hasUnsavedWords(): boolean {
    const isStored = ['loading', 'missing', 'saved'].includes(this.#state);
    return this.#isTouched || !isStored;
  }

  /** Loads the note, and shows it unless the user has typed since. Never rejects. */
  async load(): Promise<void> {
    const { storage } = this;
    try {
      const note = await storage.get(this.id);
      // An answer to a question from before a write has older words than the fields.
      if (this.#stored && note.revision < this.#stored.revision) return;
      if (this.#theirs && note.revision <= this.#theirs.revision) return;
      if (this.#theirs) return this.#show('conflict', { theirs: note });
      this.#isOutdated = this.hasUnsavedWords || this.#fields.isComposing;
      if (this.#isOutdated) return;
      this.#stored = note;
      this.#show('saved');
    } catch (error) {
      // What is shown stays, unless it is gone. Without unsaved words, nothing is lost.
      if (this.hasUnsavedWords || (this.#stored && codeOf(error) !== 'not-found')) return;
      this.#show('missing', { error });
    }
  }

  /** Notes that the user has typed. Cheap at any length of the text. */
  touch(): void {
    this.#isTouched = true;
    if (this.#state === 'saved' || this.#state === 'failed') this.#show('unsaved');
    if (this.#state === 'unsaved') this.#timer.touch();
  }

  /** Goes on with what had to wait until the user had composed a character. */
  endComposition(): void {
    if (this.#isOutdated && !this.hasUnsavedWords) void this.load();
  }

  /** Saves now what is not saved yet. Never rejects: see `state`. */
  save(): Promise<void> {
    this.#timer.stop();
    if (this.#state === 'unsaved' || this.#state === 'failed')
      this.#saving ??= this.#saveAll().finally(() => {
        this.#saving = undefined;
        if (this.#state !== 'saved') return;
        // The user has typed while the write was under way, or somebody else has written after it.
        if (this.#isTouched) this.touch();
        else if (this.#isOutdated) void this.load();
      });
    return this.#saving ?? Promise.resolve();
  }

  /** Ends a conflict: their words take the place of the user's. */
  takeTheirs(): void {
    if (!this.#theirs) return;
    this.#stored = this.#theirs;
    this.#isTouched = false;
    this.#copy = undefined;
    this.#show('saved');
  }

  /** Ends a conflict: the user's words take the place of theirs. */
  async keepMine(): Promise<void> {
    if (!this.#theirs) return;
    this.#stored = this.#theirs;
    this.#show('unsaved');
    await this.save();
  }

  /** Ends a conflict: the user's words become a note of their own, and theirs are shown. */
  async keepBoth(rename: (title: string) => string): Promise<void> {
    if (await this.#saveCopy(rename)) this.takeTheirs();
  }

  /** The words of a deleted note become a note again. Resolves with its id, if that succeeds. */
  async saveAsNew(): Promise<string | undefined> {
    const id = await this.#saveCopy((title) => title);
    if (id === undefined) return undefined;
    this.#isTouched = false;
    this.#show('missing');
    return id;
  }

  /**
   * Saves what is unsaved, before the editor closes: in a conflict and after a deletion, as a note of
   * its own. Resolves with whether every word is stored.
   */
  async leave(rename: (title: string) => string): Promise<boolean> {
    // The fields may show another note soon.
    const words = this.#fields.read();
    this.#fields = { read: () => words, isComposing: false };
    await this.save();
    // There were newer words than those of the write that was under way.
    await this.save();
    if (this.#state === 'conflict') await this.keepBoth(rename);
    else if (this.#state === 'deleted') await this.saveAsNew();
    this.#timer.stop();
    return !this.hasUnsavedWords;
  }

  async #saveAll(): Promise<void> {
    const words = this.#read();
    const stored = this.#stored!;
    const failed = this.#failedWrite;
    // What was typed is gone again, and was not stored in between.
    if (!failed && hasSameWords(words, stored)) return this.#show('saved');
    const write = writeOf(words, stored.revision, failed);
    const { expectedRevision, idempotencyKey } = write;
    const { storage } = this;
    this.#failedWrite = undefined;
    this.#show('saving');
    try {
      const options = { expectedRevision, idempotencyKey };
      const { revision } = await storage.update(this.id, words, options);
      this.#stored = { ...stored, ...words, revision };
      this.#show('saved');
      this.dispatchEvent(new Event('save'));
    } catch (error) {
      if (codeOf(error) === 'not-found') return this.#show('deleted');
      if (codeOf(error) === 'conflict') return await this.#compare(words, failed);
      this.#failedWrite = write;
      if (storage === this.storage) this.#show('failed', { error });
      else await this.#saveAll();
    }
  }

  /** Somebody else has changed the note, perhaps to the same words, as another tab of the user. */
  async #compare(words: NoteWords, failed: NoteWrite | undefined): Promise<void> {
    try {
      const theirs = await this.storage.get(this.id);
      // The earlier write of this user has not failed after all, or nobody has changed the words.
      const isHarmless = [failed?.words, this.#stored].some(
        (known) => known && hasSameWords(theirs, known),
      );
      if (!isHarmless && !hasSameWords(theirs, words)) return this.#show('conflict', { theirs });
      this.#stored = theirs;
      if (hasSameWords(theirs, words)) this.dispatchEvent(new Event('save'));
      // What was typed since.
      await this.#saveAll();
    } catch (error) {
      if (codeOf(error) === 'not-found') this.#show('deleted');
      else this.#show('failed', { error });
    }
  }

  /** Stores the words as a note of their own, also those typed during the write. Resolves with its id. */
  async #saveCopy(rename: (title: string) => string): Promise<string | undefined> {
    const { storage } = this;
    this.#copy ??= new CopyOfDraft(rename, this.#stored?.tags);
    try {
      return await this.#copy.save(storage, () => this.#fields.read());
    } catch (error) {
      this.#show(this.#state, { error, theirs: this.#theirs });
      return undefined;
    }
  }

  #read(): NoteWords {
    this.#isTouched = false;
    return this.#fields.read();
  }

  #show(
    state: DraftState,
    { error, theirs }: { error?: unknown; theirs?: StoredNote | undefined } = {},
  ): void {
    this.#theirs = theirs;
    this.#state = state;
    this.#error = error;
    this.dispatchEvent(new Event('change'));
  }
}

/** The write that has failed again, or another one. */
function writeOf(
  words: NoteWords,
  expectedRevision: number,
  failed: NoteWrite | undefined,
): NoteWrite {
  const isSame = failed?.expectedRevision === expectedRevision && hasSameWords(failed.words, words);
  return isSame ? failed : { words, expectedRevision, idempotencyKey: newKey() };
}
