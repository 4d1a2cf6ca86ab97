import type { Database } from '../database/database.js';
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
  /** How many ids were read, including those without a note; at least one. */
  read: number;
  /** The ids of the notes that exist and could not be read. */
  unreadable: string[];
}

/** The most notes that are read at a time. */
const BATCH_NOTES = 200;
/** Fewer are read one by one: such ids are rarely close together. */
const MIN_RANGE_NOTES = 100;
/** The total size of the texts read at a time, in bytes of UTF-8; a larger text is read alone. */
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
  signal: AbortSignal | undefined,
): AsyncGenerator<NoteBatch> {
  for (let position = 0; position < ids.length;) {
    const batch = await readBatch(database, ids.slice(position, position + BATCH_NOTES), signal);
    database.reportUnreadable(batch.unreadable.map((key) => ({ kind: 'note', key })));
    yield batch;
    position += batch.read;
  }
}

/** @param isRetry Whether this retries a single note, which failed before. */
async function readBatch(
  database: Database,
  ids: readonly string[],
  signal: AbortSignal | undefined,
  isRetry = false,
): Promise<NoteBatch> {
  try {
    return await database.run(
      ['notes', 'note-texts'],
      'readonly',
      (transaction) => readFirstNotes(transaction, ids),
      { signal },
    );
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (isRetry) return { found: [], read: 1, unreadable: [...ids] };
    // Rejects if the connection was lost: a note reported as unreadable is shown to the user.
    await currentHead(database, { signal });
    // One unreadable note fails the whole transaction: halving finds it.
    const half = ids.slice(0, Math.ceil(ids.length / 2));
    return await readBatch(database, half, signal, ids.length === 1);
  }
}

/**
 * Reads the first of these notes: as many as may be in memory at a time. Invalid records are
 * returned as unreadable.
 *
 * @param ids Ascending.
 */
export async function readFirstNotes(
  transaction: SearchTransaction<'readonly'>,
  ids: readonly string[],
): Promise<NoteBatch> {
  const wanted = ids.slice(0, BATCH_NOTES);
  const { records, isWhole } = await readRecords(transaction, wanted);
  const read = countUntilLarge(records);
  const valid = records.slice(0, read).filter(isNoteSummary);
  const texts = await readTexts(transaction, valid, isWhole);
  const found = valid.map((note) => {
    const text: unknown = texts.get(note.id);
    return { note, text: typeof text === 'string' ? text : '' };
  });
  const unreadable = wanted
    .slice(0, read)
    .filter((_id, index) => records[index] !== undefined && !isNoteSummary(records[index]));
  return { found, read, unreadable };
}

/**
 * Reads the records of notes; undefined if one does not exist. Ids that are close together, as
 * after an import, are read by one request, which is several times faster than one for each.
 *
 * @returns `isWhole`: whether it is certain that no other note lies between first and last.
 */
async function readRecords(
  transaction: SearchTransaction<'readonly'>,
  ids: readonly string[],
): Promise<{ records: (NoteSummary | undefined)[]; isWhole: boolean }> {
  const store = transaction.objectStore('notes');
  const oneByOne = async () => {
    return { records: await Promise.all(ids.map((id) => store.get(id))), isWhole: false };
  };
  if (ids.length <= MIN_RANGE_NOTES) return await oneByOne();
  const limit = 2 * ids.length;
  // Ids are read separately: a damaged record may not contain its own.
  const [allIds, inRange] = await Promise.all([
    store.getAllKeys(rangeOf(ids), limit),
    store.getAll(rangeOf(ids), limit),
  ]);
  if (inRange.length === limit) return await oneByOne();
  const byId = new Map(inRange.map((record, index) => [allIds[index]!, record]));
  const records = ids.map((id) => byId.get(id));
  const wanted = records.filter((record) => record !== undefined);
  return { records, isWhole: wanted.length === inRange.length };
}

/**
 * The texts of notes by their ids.
 *
 * @param isWhole Whether no other note lies between them, whose text could be large.
 */
async function readTexts(
  transaction: SearchTransaction<'readonly'>,
  notes: readonly NoteSummary[],
  isWhole: boolean,
): Promise<Map<string, string | undefined>> {
  if (notes.length === 0) return new Map();
  const store = transaction.objectStore('note-texts');
  const wanted = notes.map(({ id }) => id);
  if (isWhole) {
    const range = rangeOf(wanted);
    const [ids, texts] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    return new Map(ids.map((id, index) => [id, texts[index]]));
  }
  const texts = await Promise.all(wanted.map((id) => store.get(id)));
  return new Map(wanted.map((id, index) => [id, texts[index]]));
}

/** The range from the first to the last id; the ids ascend. */
function rangeOf(ids: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound(ids[0], ids.at(-1));
}

/** How many of the records may be read with their texts at a time; at least one. */
function countUntilLarge(notes: readonly (NoteSummary | undefined)[]): number {
  let bytes = 0;
  const large = notes.findIndex((note, index) => {
    bytes += isNoteSummary(note) ? note.size : 0;
    return index > 0 && bytes > BATCH_BYTES;
  });
  return large === -1 ? notes.length : large;
}
