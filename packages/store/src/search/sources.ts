import type { NoteSummary, SearchKind, StoredFile } from '../schema/schema.js';
import { isNoteSummary, isStoredFile } from '../schema/valid-records.js';
import type { SearchStores, SearchTransaction } from './index-state.js';
import type { Fields } from './words/weights.js';

/** An entry that was read. */
export interface SourceEntry<Record> {
  key: string;
  record: Record;
  /** The text of a note; '' for a file. */
  text: string;
}

/** Some entries, in the order of their keys. */
export interface EntryBatch<Record> {
  found: SourceEntry<Record>[];
  /** How many keys were read, including those without an entry; at least one. */
  read: number;
  /** The keys of the entries that exist and could not be read. */
  unreadable: string[];
}

/** Reads the entries of a kind. */
export interface Source<Record> {
  readonly kind: SearchKind;
  readonly stores: SearchStores;
  /** Whether key `a` ranks before `b` if their scores are equal. */
  isBefore(a: string, b: string): boolean;
  /**
   * Reads the first of these keys: as many as may be in memory at a time. Invalid records are
   * returned as unreadable.
   *
   * @param keys Ascending.
   */
  read(
    transaction: SearchTransaction<'readonly'>,
    keys: readonly string[],
  ): Promise<EntryBatch<Record>>;
  /** The searchable fields of an entry. */
  fieldsOf(found: SourceEntry<Record>): Fields;
  /** How much an entry adds to the size of a segment, in bytes of text. */
  sizeOf(found: SourceEntry<Record>): number;
}

/** The most entries that are read at a time. */
export const BATCH_ENTRIES = 200;
/** Fewer are read one by one: such keys are rarely close together. */
const MIN_RANGE_ENTRIES = 100;
/** The total size of the texts read at a time, in bytes of UTF-8; a larger text is read alone. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Notes; if two scores are equal, the newer note ranks first. */
export const NOTES: Source<NoteSummary> = {
  kind: 'note',
  stores: ['notes', 'note-texts'],
  isBefore: (a, b) => a > b,
  async read(transaction, keys) {
    const notes = transaction.objectStore('notes');
    const wanted = keys.slice(0, BATCH_ENTRIES);
    const { records, isWhole } = await readRecords(notes, wanted);
    const read = countUntilLarge(records);
    const valid = records.slice(0, read).filter(isNoteSummary);
    const texts = await readTexts(transaction, valid, isWhole);
    const found = valid.map((record) => {
      const text: unknown = texts.get(record.id);
      return { key: record.id, record, text: typeof text === 'string' ? text : '' };
    });
    return { found, read, unreadable: invalidOf(wanted.slice(0, read), records, isNoteSummary) };
  },
  fieldsOf({ record: { title, tags }, text }) {
    return { title, tags, text, labels: tags };
  },
  sizeOf: ({ text }) => text.length,
};

/** Files, of which only the path is searchable; equal scores are in the order of paths. */
export const FILES: Source<StoredFile> = {
  kind: 'file',
  stores: ['files'],
  isBefore: (a, b) => a < b,
  async read(transaction, keys) {
    const wanted = keys.slice(0, BATCH_ENTRIES);
    const files = transaction.objectStore('files');
    const { records } = await readRecords(files, wanted);
    const found = records
      .filter(isStoredFile)
      .map((record) => ({ key: record.path, record, text: '' }));
    return { found, read: wanted.length, unreadable: invalidOf(wanted, records, isStoredFile) };
  },
  fieldsOf({ key }) {
    const names = key.split('/');
    return { title: names.at(-1) ?? '', tags: names.slice(0, -1), text: '', labels: [] };
  },
  sizeOf: ({ key }) => key.length,
};

interface RecordStore<Record> {
  getAllKeys(range: IDBKeyRange, count: number): Promise<string[]>;
  getAll(range: IDBKeyRange, count: number): Promise<Record[]>;
  get(key: string): Promise<Record | undefined>;
}

/**
 * Reads the records of keys; undefined if a record does not exist. Keys that are close together, as
 * after an import, are read by one request, which is several times faster than one for each.
 *
 * @returns `isWhole`: whether it is certain that no other record lies between first and last.
 */
async function readRecords<Record>(
  store: RecordStore<Record>,
  keys: readonly string[],
): Promise<{ records: (Record | undefined)[]; isWhole: boolean }> {
  const oneByOne = async () => {
    return { records: await Promise.all(keys.map((key) => store.get(key))), isWhole: false };
  };
  if (keys.length <= MIN_RANGE_ENTRIES) return await oneByOne();
  const limit = 2 * keys.length;
  // Keys are read separately: a damaged record may not contain its own.
  const [allKeys, inRange] = await Promise.all([
    store.getAllKeys(rangeOf(keys), limit),
    store.getAll(rangeOf(keys), limit),
  ]);
  if (inRange.length === limit) return await oneByOne();
  const byKey = new Map(inRange.map((record, index) => [allKeys[index]!, record]));
  const records = keys.map((key) => byKey.get(key));
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

/** The range from the first to the last key; the keys ascend. */
function rangeOf(keys: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound(keys[0], keys.at(-1));
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

/** The keys of the records that exist and are invalid. */
function invalidOf(
  keys: readonly string[],
  records: readonly unknown[],
  isValid: (value: unknown) => boolean,
): string[] {
  return keys.filter((_key, index) => records[index] !== undefined && !isValid(records[index]));
}
