import { isValid, monotonicFactory } from 'ulid';
import type { Database } from './database.js';
import type { Call } from './fingerprint.js';
import { countNotes, readNotes } from './chosen-notes.js';
import { readPage } from './key-range-page.js';
import { checkId, checkPageSize, checkText } from './limits.js';
import {
  appendedText,
  checkNewNote,
  checkNoteUpdate,
  noteNotFound,
  type NewNote,
  newSummary,
  type NotePage,
  type NoteUpdate,
} from './note-records.js';
import { type NoteMatches, type NoteSearchOptions, searchNotes } from './note-search.js';
import {
  addNote,
  changeNote,
  NOTE_PARTS,
  type NoteEffect,
  type NoteTransaction,
  readNote,
  removeNote,
} from './note-transactions.js';
import type { Note, NoteSummary } from './schema.js';
import type { StoreChanges } from './store-changes.js';
import { EVERYTHING, forbidden, hasNote, type StoreScope } from './store-scope.js';
import { StoreError } from './store-error.js';
import type { RevisionOption, WriteOptions } from './write-options.js';
import { Writer } from './writer.js';

/** One for all of this thread: what is created later sorts later, within a millisecond, too. */
const nextId = monotonicFactory();

/** How many entries `summaries` holds at a time. */
const SUMMARIES_PAGE = 1_000;

/**
 * Notes in IndexedDB. Every method rejects with a {@link StoreError}, or with the reason of the
 * signal that it was given.
 *
 * A retry of a write, known by its idempotency key, resolves with the record that the write made,
 * and with the text as it is now: '' once the note is deleted.
 */
export class NoteStore {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #writer: Writer;
  readonly #scope: () => StoreScope;

  /** @param scope What there is of it, asked for at each call. Default: everything. */
  constructor(
    database: Database,
    changes: StoreChanges,
    scope: () => StoreScope = () => EVERYTHING,
  ) {
    this.#database = database;
    this.#changes = changes;
    this.#writer = new Writer(database, changes, () => scope().holder ?? '');
    this.#scope = scope;
  }

  /** The same notes, as far as they are in a scope: the others do not exist in it. */
  within(scope: () => StoreScope): NoteStore {
    return new NoteStore(this.#database, this.#changes, scope);
  }

  /** Writes a new note; resolves once it is on disk. */
  async create(note: NewNote, options: WriteOptions = {}): Promise<Note> {
    checkNewNote(note);
    if (this.#scope().notes !== 'all') throw forbidden('New notes');
    const { title, text, tags = [], audience, priority } = note;
    const now = Date.now();
    const summary = newSummary(nextId(now), now, note);
    const call = { operation: 'notes.create', args: { title, text, tags, audience, priority } };
    return await this.#write(call, options, (transaction) => addNote(transaction, summary, text));
  }

  /** Reads a whole note, or rejects with `not-found`. */
  async get(id: string): Promise<Note> {
    this.#check(id);
    return await this.#database.run(NOTE_PARTS, 'readonly', async (transaction) => {
      const { summary, text } = await readNote(transaction, id);
      return { ...summary, text };
    });
  }

  /** Changes a note in one transaction, so that concurrent updates from other tabs are not lost. */
  async update(id: string, update: NoteUpdate, options: WriteOptions = {}): Promise<Note> {
    checkNoteUpdate(update);
    this.#check(id);
    const { title, text, tags, audience, priority, expectedRevision } = update;
    const args = { id, title, text, tags, audience, priority, expectedRevision };
    return await this.#write({ operation: 'notes.update', args }, options, (transaction) =>
      changeNote(transaction, id, expectedRevision, () => update),
    );
  }

  /**
   * Adds to the end of a note's text, in one transaction: concurrent additions are all kept. What
   * is added starts on a line of its own. The limit of a text holds for the whole.
   */
  async append(
    id: string,
    text: string,
    { expectedRevision, ...options }: WriteOptions & RevisionOption = {},
  ): Promise<Note> {
    checkText(text);
    this.#check(id);
    const call = { operation: 'notes.append', args: { id, text, expectedRevision } };
    return await this.#write(call, options, (transaction) =>
      changeNote(transaction, id, expectedRevision, (stored) => {
        const whole = appendedText(stored, text);
        checkText(whole);
        return { text: whole };
      }),
    );
  }

  /** Deletes a note, or rejects with `not-found`. */
  async delete(
    id: string,
    { expectedRevision, ...options }: WriteOptions & RevisionOption = {},
  ): Promise<void> {
    this.#check(id);
    const call = { operation: 'notes.delete', args: { id, expectedRevision } };
    await this.#writer.write(NOTE_PARTS, call, options, (transaction) =>
      removeNote(transaction, id, expectedRevision),
    );
  }

  /**
   * Lists notes without their texts, newest first, at the cost of one page.
   *
   * @param options.before The `next` of the page before; absent for the first page.
   * @param options.limit The most entries of the page. Default: 200.
   */
  async list({ before, limit = 200 }: { before?: string; limit?: number } = {}): Promise<NotePage> {
    checkPageSize(limit);
    if (before !== undefined && !isValid(before)) {
      throw new StoreError('invalid-argument', 'A page of notes starts after the id of a note.');
    }
    // One more than asked for tells whether there is another page.
    const found = await this.#newest(before, limit + 1);
    const notes = found.slice(0, limit);
    const last = notes.at(-1);
    return found.length > limit && last ? { notes, next: last.id } : { notes };
  }

  /**
   * All notes without their texts, newest first, in arrays of up to 1,000. Each array is of one
   * moment; what is created meanwhile does not come, what is deleted before its turn neither.
   *
   * @param options.signal Ends it: the next step rejects with `signal.reason`.
   */
  async *summaries({ signal }: { signal?: AbortSignal } = {}): AsyncIterableIterator<
    NoteSummary[]
  > {
    let before: string | undefined;
    for (;;) {
      const notes = await this.#newest(before, SUMMARIES_PAGE, signal);
      if (notes.length > 0) yield notes;
      if (notes.length < SUMMARIES_PAGE) return;
      before = notes.at(-1)?.id;
    }
  }

  /**
   * Finds notes in which every word of the query occurs: in the title, in a tag or in the text, as
   * a part of a longer word too, in whatever case and width. Words are what white space separates;
   * only the first `MAX_QUERY_WORDS` different ones count. A blank query matches nothing.
   *
   * Best first: by how many of the words the title has, then newest first. Reads all texts, some at
   * a time, so that the cost is that of everything stored.
   */
  async search(query: string, options: NoteSearchOptions = {}): Promise<NoteMatches> {
    return await searchNotes(this.#database, query, this.#scope().notes, options);
  }

  /** How many notes there are. */
  async count(): Promise<number> {
    return await countNotes(this.#database, this.#scope().notes);
  }

  async #newest(
    before: string | undefined,
    count: number,
    signal?: AbortSignal,
  ): Promise<NoteSummary[]> {
    const { notes } = this.#scope();
    const range = before === undefined ? null : IDBKeyRange.upperBound(before, true);
    return await this.#database.run(
      ['notes'],
      'readonly',
      async (transaction) => {
        const store = transaction.objectStore('notes');
        if (notes === 'all') return await readPage(store, range, count, 'prev');
        return (await readNotes(store, notes, before)).slice(0, count);
      },
      { signal },
    );
  }

  /** @throws {StoreError} `not-found` for a note outside the scope, like for one that is not. */
  #check(id: string): void {
    checkId(id);
    const scope = this.#scope();
    if (hasNote(scope, id)) return;
    scope.ondenied?.('note', id);
    throw noteNotFound(id);
  }

  async #write(
    call: Call,
    options: WriteOptions,
    body: (transaction: NoteTransaction<'readwrite'>) => Promise<NoteEffect>,
  ): Promise<Note> {
    const { result, effect } = await this.#writer.write(NOTE_PARTS, call, options, body);
    return { ...result, text: effect ? effect.text : await this.#textNow(result.id) };
  }

  async #textNow(id: string): Promise<string> {
    return await this.#database.run(
      ['note-texts'],
      'readonly',
      async (transaction) => (await transaction.objectStore('note-texts').get(id)) ?? '',
    );
  }
}
