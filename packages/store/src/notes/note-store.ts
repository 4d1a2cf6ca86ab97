import { isValid } from 'ulid';
import type { Database } from '../database/database.js';
import type { Call } from '../changes/fingerprint.js';
import { countNotes } from './notes-in-scope.js';
import { nextId } from '../schema/ids.js';
import { checkId, checkPageSize, checkText } from '../schema/limits.js';
import { type CreateAllOptions, idsFrom, LARGE_COUNT, newNotes, timeoutOf } from './new-notes.js';
import {
  appendText,
  argumentsOf,
  checkNewNote,
  checkNoteUpdate,
  noteNotFound,
  type NewNote,
  newSummary,
  type NotePage,
  type NoteUpdate,
  toWellFormedNote,
} from './note-records.js';
import {
  cacheOfNames,
  newestNotes,
  type NoteName,
  readWholeNotes,
  summariesOf,
} from './note-listing.js';
import { type NoteSearchOptions, searchNotes } from './note-search.js';
import { parseNote } from './restored-note.js';
import {
  addNote,
  addNotes,
  changeNote,
  NOTE_PARTS,
  type NoteEffect,
  type NoteTransaction,
  readNote,
  removeNote,
  restoreNote,
  rewriteNote,
} from './note-transactions.js';
import type { PageCache } from '../records/page-cache.js';
import { safeListener } from '../errors/progress.js';
import type { Note, NoteSummary } from '../schema/schema.js';
import type { NoteMatches } from '../search/run-search.js';
import type { SearchIndex } from '../search/search-index.js';
import type { StoreChanges } from '../changes/store-changes.js';
import { EVERYTHING, forbiddenError, hasNote, type StoreScope } from '../changes/store-scope.js';
import { StoreError } from '../errors/store-error.js';
import { readOrReport } from '../schema/unreadable-entry.js';
import type { UpdateOptions, WriteOptions } from '../schema/write-options.js';
import { Writer } from '../changes/writer.js';

/**
 * Notes in IndexedDB. Methods reject with a {@link StoreError}, or with the reason of their signal.
 *
 * A retry of a write is recognized by its idempotency key. It resolves with the record of the first attempt
 * and the current text, which is '' once the note is deleted.
 */
export class NoteStore {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #index: SearchIndex;
  readonly #writer: Writer;
  readonly #scope: () => StoreScope;
  /** The names of all notes, regardless of the scope. */
  readonly #names: PageCache<NoteName>;

  /** @param scope Returns the scope; called by each method. Default: everything. */
  constructor(
    database: Database,
    changes: StoreChanges,
    index: SearchIndex,
    scope: () => StoreScope = () => EVERYTHING,
    names?: PageCache<NoteName>,
  ) {
    this.#database = database;
    this.#changes = changes;
    this.#index = index;
    this.#writer = new Writer(database, changes, scope);
    this.#scope = scope;
    this.#names = names ?? cacheOfNames((signal) => this.summaries({ signal }), changes);
  }

  /** A view of the notes in a scope. Other notes do not exist in the view. */
  within(scope: () => StoreScope): NoteStore {
    return new NoteStore(this.#database, this.#changes, this.#index, scope, this.#names);
  }

  /** Writes a new note; resolves once it is on disk. */
  async create(newNote: NewNote, options: WriteOptions = {}): Promise<Note> {
    checkNewNote(newNote);
    const note = toWellFormedNote(newNote);
    if (this.#scope().notes !== 'all') throw forbiddenError('New notes');
    const now = Date.now();
    const summary = newSummary(nextId(now), now, note);
    const call = { operation: 'notes.create', args: argumentsOf(note) };
    return await this.#write(call, options, (transaction) =>
      addNote(transaction, summary, note.text),
    );
  }

  /**
   * Writes up to `MAX_NOTES_AT_ONCE` new notes with up to `MAX_TEXT_BYTES_AT_ONCE` of text, all or
   * none: in one transaction, with one notification. Resolves with their records, in the same
   * order, once they are on disk. A retry returns the same records, even if the notes have changed.
   */
  async createAll(
    notes: readonly NewNote[],
    options: CreateAllOptions = {},
  ): Promise<NoteSummary[]> {
    if (this.#scope().notes !== 'all') throw forbiddenError('New notes');
    const now = Date.now();
    const created = newNotes(notes, now, () => nextId(now));
    const total = created.summaries.length;
    if (total === 0) return [];
    const onProgress = safeListener(options.onProgress);
    const args = { notes: notes.map((note) => argumentsOf(toWellFormedNote(note))) };
    const { result: first, effect } = await this.#writer.write(
      NOTE_PARTS,
      { operation: 'notes.createAll', args },
      options,
      (transaction) => addNotes(transaction, created, (count) => onProgress(count, total)),
      { timeoutMs: timeoutOf(total), isLarge: total >= LARGE_COUNT },
    );
    onProgress(total, total);
    // A retry has the same notes: id and time of the first record determine the others.
    return effect
      ? created.summaries
      : newNotes(notes, first.createdAt, idsFrom(first.id)).summaries;
  }

  /** Reads a whole note. Rejects with `not-found` or `unreadable`. */
  async get(id: string): Promise<Note> {
    this.#check(id);
    return await readOrReport(this.#database, { kind: 'note', key: id }, () =>
      this.#database.run(NOTE_PARTS, 'readonly', async (transaction) => {
        const { summary, text } = await readNote(transaction, id);
        return { ...summary, text };
      }),
    );
  }

  /**
   * Reads several whole notes: up to 4 MiB of text in one transaction, which waits for other writes
   * only once.
   *
   * @returns The notes that exist and can be read, in the order of the ids.
   */
  async getAll(ids: readonly string[]): Promise<Note[]> {
    for (const id of ids) checkId(id);
    const scope = this.#scope();
    return await readWholeNotes(
      this.#database,
      ids.filter((id) => hasNote(scope, id)),
    );
  }

  /** Changes a note in one transaction, so that concurrent updates from other tabs are not lost. */
  async update(
    id: string,
    noteUpdate: NoteUpdate,
    { expectedRevision, ...options }: UpdateOptions = {},
  ): Promise<Note> {
    checkNoteUpdate(noteUpdate);
    const update = toWellFormedNote(noteUpdate);
    this.#check(id);
    const { title, text, tags, audience, priority } = update;
    const args = { id, title, text, tags, audience, priority, expectedRevision };
    return await this.#write({ operation: 'notes.update', args }, options, (transaction) =>
      changeNote(transaction, id, expectedRevision, update),
    );
  }

  /**
   * Appends to a note's text, in one transaction: concurrent additions are all kept. The addition
   * starts on a new line. The limit of a text applies to the result.
   */
  async append(
    id: string,
    addition: string,
    { expectedRevision, ...options }: UpdateOptions = {},
  ): Promise<Note> {
    checkText(addition);
    const text = addition.toWellFormed();
    this.#check(id);
    const call = { operation: 'notes.append', args: { id, text, expectedRevision } };
    return await this.#write(call, options, (transaction) =>
      rewriteNote(transaction, id, expectedRevision, (stored) => {
        const whole = appendText(stored, text);
        checkText(whole);
        return whole;
      }),
    );
  }

  /**
   * Deletes a note. Rejects with `not-found`.
   *
   * @returns The note without its text, as it was; `undefined` if it could not be read.
   */
  async delete(
    id: string,
    { expectedRevision, ...options }: UpdateOptions = {},
  ): Promise<NoteSummary | undefined> {
    this.#check(id);
    const call = { operation: 'notes.delete', args: { id, expectedRevision } };
    const { result } = await this.#writer.write(
      NOTE_PARTS,
      call,
      options,
      (transaction) => removeNote(transaction, id, expectedRevision),
      { freesSpace: true },
    );
    return result ?? undefined;
  }

  /**
   * Writes a deleted note again, as it was: with its id, its times and its revision. Rejects with `conflict`
   * if a note with this id exists.
   *
   * @param note The note as {@link get} returned it.
   */
  async restore(note: Note, options: WriteOptions = {}): Promise<Note> {
    if (this.#scope().notes !== 'all') throw forbiddenError('New notes');
    const { summary, text } = parseNote(note);
    const call = { operation: 'notes.restore', args: { ...summary, text } };
    return await this.#write(call, options, (transaction) =>
      restoreNote(transaction, summary, text),
    );
  }

  /**
   * Lists notes without their texts, newest first, at the cost of one page.
   *
   * @param options.after The `next` of the previous page; absent for the first page.
   * @param options.limit The most entries of the page. Default: 200.
   */
  async list({
    after,
    limit = 200,
  }: { after?: string | undefined; limit?: number | undefined } = {}): Promise<NotePage> {
    checkPageSize(limit);
    if (after !== undefined && !isValid(after)) {
      throw new StoreError('invalid-argument', 'A page of notes starts after the id of a note.');
    }
    // If one more than requested exists, there is another page.
    const found = await newestNotes(this.#database, this.#scope().notes, after, limit + 1);
    const notes = found.slice(0, limit);
    const last = notes.at(-1);
    return found.length > limit && last ? { notes, next: last.id } : { notes };
  }

  /**
   * All notes without their texts, newest first, in arrays of up to 1,000. Each array is a
   * snapshot. Notes created during the iteration, or deleted before their turn, are not included.
   *
   * @param options.signal Aborts the iteration: the next step rejects with `signal.reason`.
   */
  async *summaries({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncIterableIterator<
    NoteSummary[]
  > {
    yield* summariesOf(this.#database, () => this.#scope().notes, signal);
  }

  /**
   * The names of all notes, newest first, like {@link summaries}; from a cache if they were read
   * recently and have not changed.
   *
   * @param options.signal Aborts the iteration: the next step rejects with `signal.reason`.
   */
  async *names({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncIterableIterator<
    readonly NoteName[]
  > {
    if (this.#scope().notes === 'all') yield* this.#names.pages(signal);
    else yield* this.summaries(signal ? { signal } : {});
  }

  /**
   * Finds notes in which each word of the query is the start of a word in the title, a tag or the
   * text, regardless of case, width and accents. Words are runs of letters and digits; in scripts without
   * spaces a dictionary separates them; an emoji is a word too. Of a query, the first
   * `MAX_QUERY_WORDS` different words count, and of each the first 64 code units. A query without
   * words matches nothing.
   *
   * If no note matches, words of four letters or more forgive one typing error after their first
   * letter: a letter that is wrong, missing or too much, or two that are exchanged.
   *
   * Best first: words in the title count most, then tags, then how often a word occurs in the text.
   * A match of a whole word counts double. If two scores are equal, the newer note is first.
   *
   * Notes that are not indexed yet, after a change or an upgrade, are read and searched directly: the
   * newest 20,000. `unsearched` counts the others.
   */
  async search(query: string, options: NoteSearchOptions = {}): Promise<NoteMatches> {
    return await searchNotes(this.#index, query, this.#scope().notes, options);
  }

  /** The number of notes. */
  async count(): Promise<number> {
    return await countNotes(this.#database, this.#scope().notes);
  }

  /** @throws {StoreError} `not-found` for a note outside the scope, as if it did not exist. */
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
