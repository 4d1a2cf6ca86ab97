import { BestMatches, type NoteMatch } from './best-matches.js';
import type { Database } from './database.js';
import { countNotes, readNotes } from './chosen-notes.js';
import { readPage } from './key-range-page.js';
import { checkMatchLimit, checkQuery, checkTag } from './limits.js';
import { wordsOf } from './note-match.js';
import { NOTE_PARTS, type NoteTransaction } from './note-transactions.js';
import type { NoteSummary } from './schema.js';
import type { StoreScope } from './store-scope.js';

/** The answer to a search. */
export interface NoteMatches {
  /** Best first, at most `limit`. */
  matches: NoteMatch[];
  /** How many notes match; `matches` may hold fewer. */
  total: number;
}

/** What a search may be told besides its query. */
export interface NoteSearchOptions {
  /** The most matches, 1 to `MAX_MATCHES`. Default: 20. */
  limit?: number;
  /** Only notes with exactly this tag. Default: all. */
  tag?: string;
  /** Aborting it ends the search, which then rejects with `signal.reason`. Default: none. */
  signal?: AbortSignal;
  /**
   * Hears now and then how many of all notes have been searched: never fewer than before, and all
   * at the end. Not called when there is nothing to search. What it throws ends the search.
   */
  onProgress?: (done: number, total: number) => void;
}

/** The most notes that are read at a time. */
const BATCH_NOTES = 200;
/** How large the texts read at a time may be, in bytes of UTF-8; a larger one comes alone. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Searches every note; see `NoteStore.search`. */
export async function searchNotes(
  database: Database,
  query: string,
  scope: StoreScope['notes'],
  { limit = 20, tag, signal, onProgress }: NoteSearchOptions,
): Promise<NoteMatches> {
  checkQuery(query);
  checkMatchLimit(limit);
  if (tag !== undefined) checkTag(tag);
  signal?.throwIfAborted();
  const words = wordsOf(query);
  if (words.length === 0) return { matches: [], total: 0 };
  const best = new BestMatches(words, limit);
  const progress =
    onProgress && new Progress(await countNotes(database, scope, signal), onProgress);
  for await (const batch of batches(database, scope, tag, signal)) {
    for (const { note, text } of batch.found) best.consider(note, text);
    progress?.advance(batch.read);
  }
  progress?.end();
  return { matches: best.matches, total: best.total };
}

/** Tells how far a search is. Notes may come and go meanwhile: the total is that of the start. */
class Progress {
  #done = 0;
  readonly #total: number;
  readonly #report: (done: number, total: number) => void;

  constructor(total: number, report: (done: number, total: number) => void) {
    this.#total = total;
    this.#report = report;
  }

  advance(count: number): void {
    this.#done = Math.min(this.#done + count, this.#total);
    this.#report(this.#done, this.#total);
  }

  end(): void {
    if (this.#done < this.#total) this.advance(this.#total);
  }
}

/** Some notes with their texts. */
interface Batch {
  found: { note: NoteSummary; text: string }[];
  /** How many notes were read, those without the tag included. */
  read: number;
  /** The id of the last of these; undefined when there were none. */
  last: string | undefined;
}

/** All notes with the tag, newest first, each batch in a transaction of its own. */
async function* batches(
  database: Database,
  scope: StoreScope['notes'],
  tag: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch> {
  let before: string | undefined;
  for (;;) {
    const read = (transaction: NoteTransaction<'readonly'>) =>
      readBatch(transaction, scope, before, tag);
    const batch: Batch = await database.run(NOTE_PARTS, 'readonly', read, { signal });
    if (batch.last === undefined) return;
    yield batch;
    before = batch.last;
  }
}

async function readBatch(
  transaction: NoteTransaction<'readonly'>,
  scope: StoreScope['notes'],
  before: string | undefined,
  tag: string | undefined,
): Promise<Batch> {
  const store = transaction.objectStore('notes');
  const range = before === undefined ? null : IDBKeyRange.upperBound(before, true);
  const page =
    scope === 'all'
      ? await readPage(store, range, BATCH_NOTES, 'prev')
      : await readNotes(store, scope, before);
  const notes = untilLarge(page);
  const wanted = notes.filter(({ tags }) => tag === undefined || tags.includes(tag));
  const texts = await (scope === 'all' ? textsOf : textsOfEach)(transaction, wanted);
  const found = wanted.map((note) => ({ note, text: texts.get(note.id) ?? '' }));
  return { found, read: notes.length, last: notes.at(-1)?.id };
}

/** The texts by id, and those between: two requests are faster than one for each note. */
async function textsOf(
  transaction: NoteTransaction<'readonly'>,
  newestFirst: readonly NoteSummary[],
): Promise<Map<string, string>> {
  const [newest, oldest] = [newestFirst[0], newestFirst.at(-1)];
  if (!newest || !oldest) return new Map();
  const store = transaction.objectStore('note-texts');
  const range = IDBKeyRange.bound(oldest.id, newest.id);
  const [ids, texts] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
  return new Map(ids.map((id, index) => [id, texts[index] ?? '']));
}

/** The texts by id, of notes that may be far apart. */
async function textsOfEach(
  transaction: NoteTransaction<'readonly'>,
  notes: readonly NoteSummary[],
): Promise<Map<string, string>> {
  const store = transaction.objectStore('note-texts');
  const texts = await Promise.all(notes.map(async ({ id }) => [id, await store.get(id)] as const));
  return new Map(texts.map(([id, text]) => [id, text ?? '']));
}

/** As many of the notes as may be read at a time; at least one. */
function untilLarge(notes: NoteSummary[]): NoteSummary[] {
  let bytes = 0;
  const large = notes.findIndex(({ size }, index) => {
    bytes += size;
    return index > 0 && bytes > BATCH_BYTES;
  });
  return large === -1 ? notes : notes.slice(0, large);
}
