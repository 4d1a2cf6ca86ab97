import { codeOf } from '../../reading/gate.js';
import type { mergeWords } from './merge-words.js';
import {
  hasSameWords,
  newKey,
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

/** The fields in which the user types. */
export interface DraftFields {
  /** The words as the user sees them. */
  read(): NoteWords;
  /** Shows words that somebody else has changed; what the user can undo stays. */
  show(words: NoteWords): void;
  /** Whether other words would break off the composition of a character. */
  readonly isComposing: boolean;
}

/** A write. One that has failed may have been carried out all the same. */
interface NoteWrite {
  words: NoteWords;
  expectedRevision: number;
  idempotencyKey: string;
}

/** A draft as it can be kept and restored. */
export interface KeptDraft {
  key: string;
  base: StoredNote;
  words: NoteWords;
  /** A write that was under way, or has failed. */
  write?: NoteWrite | undefined;
}

/** The listeners of a draft. */
export interface DraftListeners {
  /** Called when there is something else to show. */
  onchange?: () => void;
  /** Called after each write, with the note of a copy if it was one. */
  onsave?: (noteId: string, revision: number, isCopy: boolean) => void;
}

/**
 * A note while it is edited. The draft saves itself after a pause in typing, one write at a time. It
 * reads the words from their fields only then: a text of 1 MB is not copied at each key.
 *
 * No words are dropped unseen. If both the user and somebody else have changed the same lines, the user
 * decides; `leave()` without a decision keeps both versions. Changes of other lines are merged.
 */
export class NoteDraft {
  readonly id: string;
  /** Identifies the draft, and the copy that may be made of it. */
  readonly key: string;
  /** The storage of the next call. */
  storage: NoteStorage;
  listeners: DraftListeners = {};
  #fields: DraftFields;
  /** The last version that is known to be stored. */
  stored: StoredNote | undefined;
  /** In a conflict, the stored version of somebody else. */
  theirs: StoredNote | undefined;
  /** The reason of the last failure; kept until a call succeeds. */
  error: unknown;
  state: DraftState = 'loading';
  #saving: Promise<void> | undefined;
  /** The last write, unless it has succeeded. */
  #write: NoteWrite | undefined;
  /** The note that has the words which have no other place. */
  #copy: { key: string; words: NoteWords; id?: string } | undefined;
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

  /** A draft of an earlier page, with its words unsaved. */
  static restore(storage: NoteStorage, { key, base, words, write }: KeptDraft): NoteDraft {
    const draft = new NoteDraft(storage, base.id, new FieldsThatWere(words), key);
    draft.stored = base;
    draft.#write = write;
    draft.state = 'unsaved';
    return draft;
  }

  /** Whether there are words that are stored nowhere. */
  get hasUnsavedWords(): boolean {
    return this.#isTouched || !['loading', 'missing', 'saved'].includes(this.state);
  }

  /** The draft as it can be restored; `undefined` if nothing is unsaved. */
  get kept(): KeptDraft | undefined {
    if (!this.hasUnsavedWords || !this.stored) return undefined;
    const { key, stored } = this;
    return { key, base: stored, words: this.#fields.read(), write: this.#write };
  }

  /** Loads the note, and shows it unless the user has typed since. Never rejects. */
  async load(): Promise<void> {
    try {
      const note = await this.storage.get(this.id);
      // An answer to a question from before a write has older words than the fields.
      if (this.stored && note.revision < this.stored.revision) return;
      if (this.theirs && note.revision <= this.theirs.revision) return;
      if (this.theirs) return this.#show('conflict', { theirs: note });
      this.#isOutdated = this.hasUnsavedWords || this.#fields.isComposing;
      if (this.#isOutdated) return;
      this.stored = note;
      this.#show('saved');
    } catch (error) {
      // What is shown stays, unless it is gone. Without unsaved words, nothing is lost.
      if (this.hasUnsavedWords || (this.stored && codeOf(error) !== 'not-found')) return;
      this.#show('missing', { error });
    }
  }

  /** Notes that the user has typed. Cheap at any length of the text. */
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

  /** Goes on with the change of somebody else that had to wait until the user had composed a character. */
  endComposition(): void {
    if (!this.#isOutdated) return;
    if (this.hasUnsavedWords) void this.save();
    else void this.load();
  }

  /** Saves now what is not saved yet. Never rejects: see `state`. */
  save(): Promise<void> {
    this.#stopTimer();
    if (this.state === 'unsaved' || this.state === 'failed')
      this.#saving ??= this.#saveAll().finally(() => {
        this.#saving = undefined;
        // The user has typed while the write was under way, or somebody else has written after it.
        if (this.#isTouched) this.touch();
        else if (this.state === 'saved' && this.#isOutdated) void this.load();
      });
    return this.#saving ?? Promise.resolve();
  }

  /** Ends a conflict: their words take the place of the user's. */
  takeTheirs(): void {
    if (!this.theirs) return;
    this.stored = this.theirs;
    this.discard();
  }

  /** Drops the words that are not stored. */
  discard(): void {
    this.#stopTimer();
    this.#isTouched = false;
    this.#copy = undefined;
    this.#write = undefined;
    this.#show(this.state === 'deleted' || !this.stored ? 'missing' : 'saved');
  }

  /** Ends a conflict: the user's words take the place of theirs. */
  async keepMine(): Promise<void> {
    if (!this.theirs) return;
    this.stored = this.theirs;
    this.#show('unsaved');
    await this.save();
  }

  /** Ends a conflict: the user's words become a note of their own, and theirs are shown. */
  async keepBoth(rename: (title: string) => string): Promise<void> {
    if ((await this.#saveCopy(rename)) !== undefined) this.takeTheirs();
  }

  /** The words of a deleted note become a note again. Resolves with its id, if that succeeds. */
  async saveAsNew(): Promise<string | undefined> {
    const id = await this.#saveCopy((title) => title);
    if (id === undefined) return undefined;
    // The copy is remembered: the editor may be leaving at the same time.
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
    this.#fields = new FieldsThatWere(this.#fields.read());
    await this.save();
    // There were newer words than those of the write that was under way.
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
    // What was typed is gone again, and was not stored in between.
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

  /** Somebody else has changed the note, perhaps to the same words, as another tab of the user. */
  async #compare(words: NoteWords, failed: NoteWrite | undefined): Promise<void> {
    try {
      const [theirs, merge] = await Promise.all([this.storage.get(this.id), loadMerging()]);
      // The earlier write of this user has not failed after all.
      const base = failed && hasSameWords(theirs, failed.words) ? failed.words : this.stored!;
      this.#write = undefined;
      if (hasSameWords(theirs, words)) {
        this.#setStored(theirs);
        return await this.#saveAll();
      }
      // What is merged would break off what is being composed: the next write is made after that.
      this.#isOutdated = this.#fields.isComposing;
      if (this.#isOutdated) return this.#show('unsaved');
      const merged = merge(base, this.#fields.read(), theirs);
      if (!merged) return this.#show('conflict', { theirs });
      this.stored = theirs;
      this.#fields.show(merged);
      // What is merged, and what was typed since.
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

  /** Stores the words as a note of their own, also those typed during the write. Resolves with its id. */
  async #saveCopy(rename: (title: string) => string): Promise<string | undefined> {
    try {
      // Another call has perhaps read before the last words were typed.
      await this.#copying?.catch(() => undefined);
      this.#copying ??= this.#writeCopy(rename).finally(() => (this.#copying = undefined));
      return await this.#copying;
    } catch (error) {
      this.#show(this.state, { error, theirs: this.theirs });
      return undefined;
    }
  }

  /** All attempts write to the same note, also if the user asks again or goes on typing. */
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
      const created = isSame ? last : { key: last ? newKey() : `${this.key}-copy`, words };
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

/** Only few drafts need it; where it cannot be had, nothing is merged and the user decides. */
const loadMerging = async (): Promise<typeof mergeWords> =>
  (await import('./merge-words.js').catch(() => undefined))?.mergeWords ?? (() => undefined);

/** The words of fields that may show another note by now. */
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

/** The write that has failed again, or another one. */
function writeOf(
  words: NoteWords,
  expectedRevision: number,
  failed: NoteWrite | undefined,
): NoteWrite {
  const isSame = failed?.expectedRevision === expectedRevision && hasSameWords(failed.words, words);
  return isSame ? failed : { words, expectedRevision, idempotencyKey: newKey() };
}
