import { codeOf } from '../../reading/gate.js';
import type { mergeWords } from './merge-words.js';
import {
  hasSameWords,
  newKey,
  type NoteStorage,
  type NoteWords,
  type StoredNote,
} from './note-storage.js';

/** The delay after the last key before a note is saved, in milliseconds. */
const SAVE_DELAY_MS = 400;

/** The maximum time for which a note stays unsaved while its user continues to type, in milliseconds. */
const MAX_DELAY_MS = 5_000;

/**
 * The state of a draft. `unsaved` and `saving` have changes that are not stored yet. `conflict` also has a
 * stored version of another author. `deleted` has changes to a note that was deleted. `failed` has changes
 * that could not be stored.
 */
export type DraftState =
  'loading' | 'missing' | 'saved' | 'unsaved' | 'saving' | 'conflict' | 'deleted' | 'failed';

/** The fields in which the user types. */
export interface DraftFields {
  /** The title and text that the user sees. */
  read(): NoteWords;
  /** Shows changes that the user has not made. The user can still undo the same steps. */
  show(words: NoteWords): void;
  /** Whether the user is composing a character, which setting a text would interrupt. */
  readonly isComposing: boolean;
}

/** A write. One that has failed may still have been carried out. */
interface NoteWrite {
  words: NoteWords;
  expectedRevision: number;
  idempotencyKey: string;
}

/** A draft in a form in which it can be kept and restored. */
export interface KeptDraft {
  key: string;
  /** The key of the write that creates a copy. Earlier versions did not keep it. */
  copyKey?: string;
  base: StoredNote;
  words: NoteWords;
  /** A write that is running, or has failed. */
  write?: NoteWrite | undefined;
}

/** The listeners of a draft. */
export interface DraftListeners {
  /** Called when the shown state has changed. */
  onchange?: () => void;
  /** Called after each write; for a copy, with the id of the copy. */
  onsave?: (noteId: string, revision: number, isCopy: boolean) => void;
}

/**
 * A note while it is edited. The draft saves itself after a pause in typing, one write at a time. It reads
 * the text from the fields only then, so that a text of 1 MB is not copied at each key.
 *
 * No text is dropped without the user seeing it. If both the user and another author have changed the same
 * lines, the user decides; `leave()` without a decision keeps both versions. Changes of other lines are
 * merged.
 */
export class NoteDraft {
  readonly id: string;
  readonly key: string;
  /** The storage that the next call uses. */
  storage: NoteStorage;
  listeners: DraftListeners = {};
  #fields: DraftFields;
  /** The last version that is known to be stored. */
  stored: StoredNote | undefined;
  /** The stored version of another author, in a conflict. */
  theirs: StoredNote | undefined;
  /** The reason of the last failure; kept until a call succeeds. */
  error: unknown;
  state: DraftState = 'loading';
  #saving: Promise<void> | undefined;
  /** The last write, unless it has succeeded. */
  #write: NoteWrite | undefined;
  /** The note that stores the text which has no other place. */
  #copy: { key: string; words: NoteWords; id?: string } | undefined;
  /** The key of the first attempt to create that note. Another one needs another key. */
  #copyKey = newKey();
  #copying: Promise<string> | undefined;
  /** Whether a key was pressed since the fields were read. */
  #isTouched = false;
  /** Whether the note was reported as changed at a time when it could not be shown. */
  #isOutdated = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The time of the first key that is not saved. */
  #typingSinceMs: number | undefined;

  constructor(storage: NoteStorage, id: string, fields: DraftFields, key = newKey()) {
    this.storage = storage;
    this.id = id;
    this.key = key;
    this.#fields = fields;
  }

  /** Restores a draft of an earlier page, with unsaved changes. */
  static restore(storage: NoteStorage, kept: KeptDraft): NoteDraft {
    const { key, copyKey = `${key}-copy`, base, words, write } = kept;
    const draft = new NoteDraft(storage, base.id, new FieldsThatWere(words), key);
    draft.stored = base;
    draft.#write = write;
    draft.#copyKey = copyKey;
    draft.state = 'unsaved';
    return draft;
  }

  /** Whether the draft has changes that are stored nowhere. */
  get hasUnsavedWords(): boolean {
    return this.#isTouched || !['loading', 'missing', 'saved'].includes(this.state);
  }

  /** The draft in a form that can be restored; `undefined` if nothing is unsaved. */
  get kept(): KeptDraft | undefined {
    if (!this.hasUnsavedWords || !this.stored) return undefined;
    const { key, stored } = this;
    const words = this.#fields.read();
    return { key, copyKey: this.#copyKey, base: stored, words, write: this.#write };
  }

  /** Loads the note, and shows it unless the user has typed since. Never rejects. */
  async load(): Promise<void> {
    const before = this.stored;
    try {
      const note = await this.storage.get(this.id);
      // An answer to a request from before a write has an older text than the fields. Otherwise, a note with
      // a lower revision was deleted, and has come back from an archive or another device.
      if (this.stored && this.stored !== before && note.revision < this.stored.revision) return;
      if (this.theirs && note.revision <= this.theirs.revision) return;
      if (this.theirs) return this.#show('conflict', { theirs: note });
      this.#isOutdated = this.hasUnsavedWords || this.#fields.isComposing;
      if (this.#isOutdated) return;
      this.stored = note;
      this.#show('saved');
    } catch (error) {
      // The shown text stays, unless the note was deleted. Without unsaved changes, nothing is lost.
      if (this.hasUnsavedWords || (this.stored && codeOf(error) !== 'not-found')) return;
      this.#show('missing', { error });
    }
  }

  /** Records that the user has typed. Takes the same short time for a text of any length. */
  touch(): void {
    this.#isTouched = true;
    if (this.state === 'saved') this.#show('unsaved');
    if (this.state !== 'unsaved' && this.state !== 'failed') return;
    const nowMs = performance.now();
    this.#typingSinceMs ??= nowMs;
    clearTimeout(this.#timer);
    const delayMs = Math.min(SAVE_DELAY_MS, this.#typingSinceMs + MAX_DELAY_MS - nowMs);
    this.#timer = setTimeout(() => void this.save(), Math.max(0, delayMs));
  }

  /** Continues with the change of another author, which had to wait until the user had composed a character. */
  endComposition(): void {
    if (!this.#isOutdated) return;
    if (this.hasUnsavedWords) void this.save();
    else void this.load();
  }

  /** Saves all unsaved changes now. Never rejects: see `state`. */
  save(): Promise<void> {
    this.#stopTimer();
    if (this.state === 'unsaved' || this.state === 'failed')
      this.#saving ??= this.#saveAll().finally(() => {
        this.#saving = undefined;
        // The user has typed during the write, or another author has written after it.
        if (this.#isTouched) this.touch();
        else if (this.state === 'saved' && this.#isOutdated) void this.load();
      });
    return this.#saving ?? Promise.resolve();
  }

  /** Ends a conflict: the other version replaces the text of the user. */
  takeTheirs(): void {
    if (!this.theirs) return;
    this.stored = this.theirs;
    this.discard();
  }

  /** Drops the changes that are not stored. */
  discard(): void {
    this.#stopTimer();
    this.#isTouched = false;
    this.#copy = undefined;
    this.#copyKey = newKey();
    this.#write = undefined;
    this.#show(this.state === 'deleted' || !this.stored ? 'missing' : 'saved');
  }

  /** Ends a conflict: the text of the user replaces the other version. */
  async keepMine(): Promise<void> {
    if (!this.theirs) return;
    this.stored = this.theirs;
    this.#show('unsaved');
    await this.save();
  }

  /** Ends a conflict: the text of the user becomes a note of its own, and the other version is shown. */
  async keepBoth(rename: (title: string) => string): Promise<void> {
    if ((await this.#saveCopy(rename)) !== undefined) this.takeTheirs();
  }

  /** Saves the text of a deleted note as a new note. Resolves with its id, if that succeeds. */
  async saveAsNew(): Promise<string | undefined> {
    const id = await this.#saveCopy((title) => title);
    if (id === undefined) return undefined;
    // The copy is remembered, because the editor may be leaving at the same time.
    this.#isTouched = false;
    this.#show('missing');
    return id;
  }

  /**
   * Saves the unsaved changes before the editor closes; after a conflict or a deletion, as a note of its own.
   * Resolves with whether all changes are stored.
   */
  async leave(rename: (title: string) => string): Promise<boolean> {
    // The fields may show another note soon.
    this.#fields = new FieldsThatWere(this.#fields.read());
    await this.save();
    // The fields may have had a newer text than the write that was running.
    await this.save();
    if (this.state === 'conflict') await this.keepBoth(rename);
    else if (this.state === 'deleted') await this.saveAsNew();
    this.#stopTimer();
    return !this.hasUnsavedWords;
  }

  async #saveAll(): Promise<void> {
    this.#isTouched = false;
    const words = this.#fields.read();
    const stored = this.stored!;
    const failed = this.#write;
    // The user has undone the typing, and it was not stored in between.
    if (!failed && hasSameWords(words, stored)) return this.#show('saved');
    const { storage } = this;
    const write = writeOf(words, stored.revision, failed);
    this.#write = write;
    this.#show('saving', { error: this.error });
    try {
      const { revision } = await storage.update(this.id, words, write);
      this.#setStored({ ...stored, ...words, revision });
      this.#show('saved');
    } catch (error) {
      if (codeOf(error) === 'not-found') return this.#show('deleted');
      if (codeOf(error) === 'conflict') return await this.#compare(words, failed);
      if (storage === this.storage) this.#show('failed', { error });
      else await this.#saveAll();
    }
  }

  /**
   * Compares the text with the stored note, which another author has changed, perhaps to the same text, as
   * another tab of the user would.
   */
  async #compare(words: NoteWords, failed: NoteWrite | undefined): Promise<void> {
    try {
      const [theirs, merge] = await Promise.all([this.storage.get(this.id), loadMerging()]);
      // If the stored text is that of the earlier write, the write has succeeded after all.
      const base = failed && hasSameWords(theirs, failed.words) ? failed.words : this.stored!;
      this.#write = undefined;
      if (hasSameWords(theirs, words)) {
        this.#setStored(theirs);
        return await this.#saveAll();
      }
      // Setting the merged text would interrupt the composition of a character, so the next write is made
      // after it.
      this.#isOutdated = this.#fields.isComposing;
      if (this.#isOutdated) return this.#show('unsaved');
      const merged = merge(base, this.#fields.read(), theirs);
      if (!merged) return this.#show('conflict', { theirs });
      this.stored = theirs;
      this.#fields.show(merged);
      // This saves the merged text, and the text that was typed since.
      await this.#saveAll();
    } catch (error) {
      if (codeOf(error) === 'not-found') this.#show('deleted');
      else this.#show('failed', { error });
    }
  }

  #setStored(note: StoredNote): void {
    this.stored = note;
    this.#write = undefined;
    this.listeners.onsave?.(note.id, note.revision, false);
  }

  /** Stores the text as a note of its own, including the text typed during the write. Resolves with its id. */
  async #saveCopy(rename: (title: string) => string): Promise<string | undefined> {
    try {
      // Another call may have read the text before the last keys were typed.
      await this.#copying?.catch(() => undefined);
      // Another call may have ended the conflict.
      if (!['conflict', 'deleted', 'missing'].includes(this.state)) return undefined;
      this.#copying ??= this.#writeCopy(rename).finally(() => (this.#copying = undefined));
      return await this.#copying;
    } catch (error) {
      this.#show(this.state, { error, theirs: this.theirs });
      return undefined;
    }
  }

  /** Writes the copy. All attempts write to the same note, even if the user asks again or continues to type. */
  async #writeCopy(rename: (title: string) => string): Promise<string> {
    const { storage } = this;
    for (;;) {
      const words = this.#fields.read();
      const last = this.#copy;
      const isSame = last && hasSameWords(last.words, words);
      if (isSame && last.id !== undefined) return last.id;
      const copy = { title: rename(words.title), text: words.text };
      if (last?.id !== undefined) {
        const { revision: expectedRevision } = await storage.get(last.id);
        await storage.update(last.id, copy, { expectedRevision, idempotencyKey: newKey() });
        this.#copy = { ...last, words };
        continue;
      }
      const created = isSame ? last : { key: last ? newKey() : this.#copyKey, words };
      this.#copy = created;
      const tags = this.stored?.tags;
      const note = { ...copy, ...(tags && { tags: [...tags] }) };
      const { id } = await storage.create(note, { idempotencyKey: created.key });
      this.#copy = { ...created, id };
      this.listeners.onsave?.(id, 1, true);
    }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#typingSinceMs = undefined;
  }

  #show(
    state: DraftState,
    { error, theirs }: { error?: unknown; theirs?: StoredNote | undefined } = {},
  ): void {
    Object.assign(this, { state, error, theirs });
    this.listeners.onchange?.();
  }
}

/**
 * Loads the code that merges, which only few drafts need. If it cannot be loaded, nothing is merged and the
 * user decides.
 */
const loadMerging = async (): Promise<typeof mergeWords> =>
  (await import('./merge-words.js').catch(() => undefined))?.mergeWords ?? (() => undefined);

/** The text of fields that may show another note by now. */
class FieldsThatWere implements DraftFields {
  readonly isComposing = false;
  #words: NoteWords;

  constructor(words: NoteWords) {
    this.#words = words;
  }

  read(): NoteWords {
    return this.#words;
  }

  show(words: NoteWords): void {
    this.#words = words;
  }
}

/** The write to make: the one that has failed if it is the same, otherwise a new one. */
function writeOf(
  words: NoteWords,
  expectedRevision: number,
  failed: NoteWrite | undefined,
): NoteWrite {
  const isSame = failed?.expectedRevision === expectedRevision && hasSameWords(failed.words, words);
  return isSame ? failed : { words, expectedRevision, idempotencyKey: newKey() };
}
