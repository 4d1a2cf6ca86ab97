import { isValid, monotonicFactory } from 'ulid';
import type { Database } from './database.js';
import { readPage } from './key-range-page.js';
import { checkId, checkPageSize, checkTags, checkText, checkTitle, utf8Length } from './limits.js';
import type { Note, NoteSummary } from './schema.js';
import type { StoreChange, StoreChanges } from './store-changes.js';
import { StoreError } from './store-error.js';

/** What a new note is made of. */
export interface NewNote {
  title: string;
  /** Markdown. */
  text: string;
  /** Default: none. */
  tags?: string[];
}

/** What is to change; what is absent stays. */
export interface NoteUpdate {
  title?: string;
  text?: string;
  tags?: string[];
  /** Refuse with `conflict` unless the stored note has this revision. */
  expectedRevision?: number;
}

/** A part of the list of notes, newest first. */
export interface NotePage {
  notes: NoteSummary[];
  /** Pass it as `before` to get the next page; absent at the end. */
  next?: string;
}

/** Notes in IndexedDB. Every method rejects with a {@link StoreError}. */
export class NoteStore {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #nextId = monotonicFactory();

  constructor(database: Database, changes: StoreChanges) {
    this.#database = database;
    this.#changes = changes;
  }

  /** Writes a new note; resolves once it is on disk. */
  async create({ title, text, tags = [] }: NewNote): Promise<Note> {
    checkTitle(title);
    checkText(text);
    checkTags(tags);
    const now = Date.now();
    const summary: NoteSummary = {
      id: this.#nextId(now),
      title,
      tags: [...tags],
      size: utf8Length(text),
      createdAt: now,
      updatedAt: now,
      revision: 1,
    };
    await this.#database.run(['notes', 'note-texts'], 'readwrite', async (transaction) => {
      // `add`, not `put`: should two tabs ever draw the same id, the second fails and loses nothing.
      await transaction.objectStore('notes').add(summary);
      await transaction.objectStore('note-texts').add(text, summary.id);
    });
    this.#announce(summary.id, 'created', true);
    return { ...summary, text };
  }

  /** Reads a whole note, or rejects with `not-found`. */
  async get(id: string): Promise<Note> {
    checkId(id);
    return await this.#database.run(['notes', 'note-texts'], 'readonly', async (transaction) => {
      const [summary, text] = await Promise.all([
        transaction.objectStore('notes').get(id),
        transaction.objectStore('note-texts').get(id),
      ]);
      if (!summary || text === undefined) throw notFound(id);
      return { ...summary, text };
    });
  }

  /** Changes a note in one transaction, so that concurrent updates from other tabs are not lost. */
  async update(id: string, update: NoteUpdate): Promise<Note> {
    checkId(id);
    if (update.title !== undefined) checkTitle(update.title);
    if (update.text !== undefined) checkText(update.text);
    if (update.tags !== undefined) checkTags(update.tags);
    const [before, after] = await this.#database.run(
      ['notes', 'note-texts'],
      'readwrite',
      async (transaction) => {
        const notes = transaction.objectStore('notes');
        const texts = transaction.objectStore('note-texts');
        const stored = await notes.get(id);
        const text = update.text ?? (await texts.get(id));
        if (!stored || text === undefined) throw notFound(id);
        checkRevision(stored, update.expectedRevision);
        const changed = updated(stored, update);
        await notes.put(changed);
        if (update.text !== undefined) await texts.put(text, id);
        return [stored, { ...changed, text }] as const;
      },
    );
    this.#announce(
      id,
      'updated',
      before.title !== after.title || !sameTags(before.tags, after.tags),
    );
    return after;
  }

  /** Deletes a note, or rejects with `not-found`. */
  async delete(id: string): Promise<void> {
    checkId(id);
    await this.#database.run(['notes', 'note-texts'], 'readwrite', async (transaction) => {
      const notes = transaction.objectStore('notes');
      if ((await notes.getKey(id)) === undefined) throw notFound(id);
      await notes.delete(id);
      await transaction.objectStore('note-texts').delete(id);
    });
    this.#announce(id, 'deleted', true);
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
    const range = before === undefined ? null : IDBKeyRange.upperBound(before, true);
    const found = await this.#database.run(['notes'], 'readonly', async (transaction) =>
      // One more than asked for tells whether there is another page.
      readPage(transaction.objectStore('notes'), range, limit + 1, 'prev'),
    );
    const notes = found.slice(0, limit);
    const last = notes.at(-1);
    return found.length > limit && last ? { notes, next: last.id } : { notes };
  }

  #announce(key: string, type: StoreChange['type'], listingChanged: boolean): void {
    this.#changes.announce([{ kind: 'note', key, type, listingChanged }]);
  }
}

function updated(stored: NoteSummary, update: NoteUpdate): NoteSummary {
  return {
    ...stored,
    title: update.title ?? stored.title,
    tags: update.tags ? [...update.tags] : stored.tags,
    size: update.text === undefined ? stored.size : utf8Length(update.text),
    // Clocks go back; what was changed later must not look older.
    updatedAt: Math.max(Date.now(), stored.updatedAt),
    revision: stored.revision + 1,
  };
}

function checkRevision(stored: NoteSummary, expected: number | undefined): void {
  if (expected === undefined || expected === stored.revision) return;
  throw new StoreError(
    'conflict',
    `The note ${stored.id} has revision ${stored.revision}, not ${expected}: read it again.`,
  );
}

function sameTags(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((tag, index) => tag === b[index]);
}

function notFound(id: string): StoreError {
  // An id may be anything a caller typed: never echo more of it than an id has.
  return new StoreError('not-found', `There is no note ${JSON.stringify(id.slice(0, 26))}.`);
}
