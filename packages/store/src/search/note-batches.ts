import type { Database, RunOptions } from '../database/database.js';
import { currentHead } from '../changes/journal.js';
import type { NoteSummary } from '../schema/schema.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import { isNoteSummary } from '../schema/valid-records.js';
import type { SearchTransaction } from './index-state.js';

/** A note that was read. */
export interface FoundNote {
  note: NoteSummary;
  text: string;
}

/** Some notes, in the order of their ids. */
export interface NoteBatch {
  found: FoundNote[];
  /** The number of ids that were read, including those without a note; at least one. */
  read: number;
  /** The ids of the notes that exist and could not be read. */
  unreadable: string[];
}

/** The maximum number of notes that are read the first time, so that first results appear soon. */
const FIRST_NOTES = 200;
/**
 * The maximum number of notes that are read later. It is higher, because each read may wait for the writes of
 * all tabs.
 */
const BATCH_NOTES = 2_000;
/** The number of ids below which they are read one by one, because such ids are rarely close together. */
const MIN_RANGE_NOTES = 100;
/**
 * The maximum total size of the texts that are read at a time, in bytes of UTF-8. A larger text is read
 * alone.
 */
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Reads notes in batches that fit into memory, each in a transaction of its own. Unreadable notes
 * are reported and skipped.
 *
 * @param ids Ascending.
 */
export async function* noteBatches(
  database: Database,
  ids: readonly string[],
  options: RunOptions = {},
): AsyncGenerator<NoteBatch> {
  let count = FIRST_NOTES;
  for (let position = 0; position < ids.length;) {
    const batch = await readBatch(database, ids.slice(position, position + count), options);
    database.reportUnreadable(batch.unreadable.map((key) => ({ kind: 'note', key })));
    yield batch;
    position += batch.read;
    // Large notes are followed by a smaller batch, so that only few records are read without their texts.
    count = Math.min(2 * batch.read, BATCH_NOTES);
  }
}

/** @param isRetry Whether this retries a single note, which failed before. */
async function readBatch(
  database: Database,
  ids: readonly string[],
  options: RunOptions,
  isRetry = false,
): Promise<NoteBatch> {
  try {
    return await database.run(
      ['notes', 'note-texts'],
      'readonly',
      (transaction) => readFirstNotes(transaction, ids),
      options,
    );
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (isRetry) return { found: [], read: 1, unreadable: [...ids] };
    // This rejects if the connection was lost, because a note that is reported as unreadable is shown to the
    // user.
    await currentHead(database, options);
    // One unreadable note fails the whole transaction: halving finds it.
    const half = ids.slice(0, Math.ceil(ids.length / 2));
    return await readBatch(database, half, options, ids.length === 1);
  }
}

/**
 * Reads the first of these notes, as many as may be in memory at a time. Invalid records are returned as
 * unreadable.
 *
 * @param ids The ids, ascending.
 */
export async function readFirstNotes(
  transaction: SearchTransaction<'readonly'>,
  ids: readonly string[],
): Promise<NoteBatch> {
  const records = await readValues<NoteSummary>(transaction.objectStore('notes'), ids);
  const read = countUntilLarge(records);
  const valid = records.slice(0, read).filter(isNoteSummary);
  const texts: unknown[] = await readValues<string>(
    transaction.objectStore('note-texts'),
    valid.map(({ id }) => id),
  );
  const found = valid.map((note, index) => {
    const text = texts[index];
    return { note, text: typeof text === 'string' ? text : '' };
  });
  const unreadable = ids
    .slice(0, read)
    .filter((_id, index) => records[index] !== undefined && !isNoteSummary(records[index]));
  return { found, read, unreadable };
}

interface ValueStore<Value> {
  getAllKeys(range: IDBKeyRange, count: number): Promise<string[]>;
  getAll(range: IDBKeyRange): Promise<Value[]>;
  get(id: string): Promise<Value | undefined>;
}

/**
 * The values of ids; undefined if one does not exist. If no other note lies between them, as after an import,
 * one request reads all of them, which is several times faster than one request for each.
 */
async function readValues<Value>(
  store: ValueStore<Value>,
  ids: readonly string[],
): Promise<(Value | undefined)[]> {
  if (ids.length > MIN_RANGE_NOTES) {
    const range = IDBKeyRange.bound(ids[0], ids.at(-1));
    const existing = await store.getAllKeys(range, ids.length + 1);
    const wanted = new Set(ids);
    if (existing.every((id) => wanted.has(id))) {
      const values = existing.length > 0 ? await store.getAll(range) : [];
      const known = new Map(existing.map((id, index) => [id, values[index]]));
      return ids.map((id) => known.get(id));
    }
  }
  return await Promise.all(ids.map((id) => store.get(id)));
}

/** The number of records that may be read with their texts at a time; at least one. */
function countUntilLarge(notes: readonly (NoteSummary | undefined)[]): number {
  let bytes = 0;
  const large = notes.findIndex((note, index) => {
    bytes += isNoteSummary(note) ? note.size : 0;
    return index > 0 && bytes > BATCH_BYTES;
  });
  return large === -1 ? notes.length : large;
}
