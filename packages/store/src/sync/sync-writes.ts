import { unwrap } from 'idb';
import type { Database } from '../database/database.js';
import { formerRevisionOf, readHead } from '../changes/journal.js';
import { checkRestored, type FileContent, restoredFile } from '../files/file-records.js';
import { changeTo, putFile, removeFile } from '../files/file-transactions.js';
import { contentOf } from '../files/file-writing.js';
import { haveSameListing } from '../notes/note-records.js';
import { noteChange, removeNote } from '../notes/note-transactions.js';
import { parseNote } from '../notes/restored-note.js';
import { applyAnnotations } from '../records/annotations.js';
import { checkMediaType, checkPath, MAX_TEXT_BYTES_AT_ONCE } from '../schema/limits.js';
import type {
  EntryKey,
  EntryKind,
  Note,
  NoteSummary,
  StoreChange,
  StoredFile,
  SyncedEntry,
} from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { isNoteSummary, isStoredFile } from '../schema/valid-records.js';
import { getEach } from '../records/many-keys.js';
import {
  ifFound,
  markOf,
  partOf,
  putSynced,
  requireSync,
  type SyncTransaction,
} from './sync-transaction.js';

/** The maximum number of entries that one call of `apply` or `acknowledge` takes. */
export const MAX_ENTRIES_AT_ONCE = 1_000;

/** The maximum size of a Blob that `apply` takes, in bytes. */
export const MAX_BLOB_BYTES = 1024 * 1024;

/** The maximum total size of the texts and Blobs of one call of `apply`, in bytes. */
export const MAX_BYTES_AT_ONCE = MAX_TEXT_BYTES_AT_ONCE;

/** The maximum revision that is accepted from another device: it leaves room for the changes here. */
export const MAX_TAKEN_REVISION = 2 ** 40;

/** A note without its id, and without the fields that follow from its text. */
export type NoteContent = Omit<Note, 'id' | 'firstLine' | 'size'>;

/** A file of another device. */
export interface FileVersion {
  /** The record of the file. If it has a digest, the bytes must match it. */
  record: Omit<StoredFile, 'path' | 'size'>;
  /**
   * The bytes: those of `StoreSync.withBytes`, or a Blob of at most `MAX_BLOB_BYTES`. Absent: the stored
   * bytes stay.
   */
  bytes?: Blob | FileContent | undefined;
}

/** The state that an entry must have here after a change of another device. */
export interface SyncWrite {
  /** The kind of entry that the key names. */
  kind: EntryKind;
  /** The note's id or the file's path. */
  key: string;
  /** The mark that the entry had when it was read. With another one, the write is skipped. */
  expectedMark: number | undefined;
  /** The state on the server; `undefined` if the server does not have the entry. */
  synced: SyncedEntry | undefined;
  /** The content of a note, with a new revision; null deletes the note; absent: it stays. */
  note?: NoteContent | null | undefined;
  /** The file, in the same way. */
  file?: FileVersion | null | undefined;
  /**
   * Whether the entry still has to be sent, as after a merge. A new content then has a new mark, so that
   * the acknowledgement of an earlier one does not remove it. Default: no.
   */
  keepMark?: boolean | undefined;
}

/** Whether a write was applied, or skipped because the entry has changed or its bytes are missing. */
export type SyncOutcome = 'applied' | 'skipped';

type Applying = SyncTransaction<'readwrite'>;
type FileRecord = Omit<StoredFile, 'size'>;

/** A write, and the checked parts of it. */
interface PreparedWrite extends SyncWrite {
  noteParts?: { summary: NoteSummary; text: string } | undefined;
  fileRecord?: FileRecord | undefined;
  content?: FileContent | undefined;
}

/** The state of an entry before a write. */
interface Known {
  mark: number | undefined;
  /** The stored record of a note. */
  note: unknown;
}

/**
 * Checks the content of a write: it comes from another device.
 *
 * @throws {StoreError} `invalid-argument` if it exceeds a limit.
 */
export function checkSyncWrite(write: SyncWrite): void {
  prepareWrite(write);
}

/** Checks writes and reads the bytes of small files: nothing else can be awaited in a transaction. */
export async function prepareWrites(
  database: Database,
  writes: readonly SyncWrite[],
): Promise<PreparedWrite[]> {
  checkCount(writes.length);
  const prepared = writes.map(prepareWrite);
  const size = prepared.reduce((sum, write) => sum + sizeOf(write), 0);
  if (size > MAX_BYTES_AT_ONCE) refuse(`They have more than ${MAX_BYTES_AT_ONCE} bytes in total.`);
  for (const write of prepared) {
    const bytes = write.file?.bytes;
    write.content = bytes instanceof Blob ? await contentOf(database, bytes, undefined) : bytes;
  }
  return prepared;
}

function sizeOf({ noteParts, file }: PreparedWrite): number {
  return (noteParts?.summary.size ?? 0) + (file?.bytes instanceof Blob ? file.bytes.size : 0);
}

/** @throws {StoreError} `invalid-argument` above {@link MAX_ENTRIES_AT_ONCE}. */
export function checkCount(count: number): void {
  if (count <= MAX_ENTRIES_AT_ONCE) return;
  refuse(`These are ${count} entries; at most ${MAX_ENTRIES_AT_ONCE} are written at once.`);
}

/**
 * Writes entries, their state on the server, and their marks.
 *
 * @param position The new position. If it is absent, or if a write was skipped, the stored position stays.
 */
export async function applyWrites(
  transaction: Applying,
  writes: readonly PreparedWrite[],
  position: string | undefined,
): Promise<{ outcomes: SyncOutcome[]; changes: StoreChange[] }> {
  const record = await requireSync(transaction);
  const head = await readHead(transaction.objectStore('head'));
  const { sequence } = head;
  const former = { note: formerRevisionOf(head, 'note'), file: formerRevisionOf(head, 'file') };
  const marks = unwrap(transaction.objectStore('unsynced'));
  const apply = async (write: PreparedWrite, known: Known): Promise<StoreChange[] | undefined> => {
    const id: EntryKey = [write.kind, write.key];
    const { mark } = known;
    const made =
      mark === write.expectedMark
        ? await writeContent(transaction, write, known, former[write.kind])
        : undefined;
    if (!made) return undefined;
    for (const { revision = 0 } of made)
      former[write.kind] = Math.max(former[write.kind], revision);
    putSynced(transaction, id, write.synced);
    // The journal gives this transaction the next number.
    if (write.keepMark) marks.put(made.length > 0 ? sequence + 1 : (mark ?? sequence), id);
    else if (mark !== undefined) marks.delete(id);
    return made.map((change) => ({ ...change, origin: 'sync' }));
  };
  const made: (StoreChange[] | undefined)[] = [];
  // All at once, because a request that waits for another takes much longer. The writes of one entry run one
  // after the other.
  for (const group of withoutRepetition(writes)) {
    const known = await readKnown(transaction, group);
    made.push(...(await Promise.all(group.map((write, index) => apply(write, known[index]!)))));
  }
  const changes = made.flatMap((some) => some ?? []);
  const outcomes = made.map((some): SyncOutcome => (some ? 'applied' : 'skipped'));
  if (position !== undefined && !outcomes.includes('skipped')) {
    await transaction.objectStore('sync').put({ ...record, position }, 'state');
  }
  return { outcomes, changes };
}

/** Reads the marks of entries, and the records of notes. */
async function readKnown(
  transaction: Applying,
  writes: readonly PreparedWrite[],
): Promise<Known[]> {
  const ids = writes.map(({ kind, key }): EntryKey => [kind, key]);
  const noteIds = writes.flatMap(({ noteParts, key }) => (noteParts ? [key] : []));
  const [marks, notes] = await Promise.all([
    getEach<EntryKey, unknown>(transaction.objectStore('unsynced'), ids),
    getEach<string, unknown>(transaction.objectStore('notes'), noteIds),
  ]);
  return writes.map(({ noteParts }, index) => ({
    mark: markOf(marks[index]),
    note: noteParts && notes.shift(),
  }));
}

/** The writes in their order, in groups that have each entry once. */
function withoutRepetition(writes: readonly PreparedWrite[]): PreparedWrite[][] {
  const groups: PreparedWrite[][] = [];
  let known = new Set<string>();
  for (const write of writes) {
    const id = `${write.kind} ${write.key}`;
    if (groups.length === 0 || known.has(id)) {
      groups.push([]);
      known = new Set();
    }
    known.add(id);
    groups.at(-1)!.push(write);
  }
  return groups;
}

function prepareWrite(write: SyncWrite): PreparedWrite {
  const { kind, key, note, file } = write;
  if ((kind === 'note' ? file : note) !== undefined) {
    refuse('A note has no bytes, and a file has no text.');
  }
  if (kind === 'file') checkPath(key);
  const prepared: PreparedWrite = { ...write };
  if (note) {
    checkRevision(note.revision);
    prepared.noteParts = parseNote({ ...note, id: key, firstLine: '', size: 0 });
  }
  if (file) {
    prepared.fileRecord = parseRecord(key, file.record);
    if (file.bytes instanceof Blob && file.bytes.size > MAX_BLOB_BYTES) {
      refuse(`The Blob has more than ${MAX_BLOB_BYTES} bytes: use \`withBytes\`.`);
    }
  }
  return prepared;
}

function parseRecord(path: string, record: FileVersion['record']): FileRecord {
  const { mediaType, createdAt, updatedAt, revision, digest } = record;
  checkMediaType(mediaType);
  checkRevision(revision);
  const known: FileRecord = { path, mediaType, createdAt, updatedAt, revision };
  if (digest !== undefined) known.digest = digest;
  const parsed = applyAnnotations(known, record);
  checkRestored(parsed);
  return parsed;
}

function checkRevision(revision: number): void {
  if (revision > MAX_TAKEN_REVISION) refuse(`The revision is more than ${MAX_TAKEN_REVISION}.`);
}

/** Writes the content. Resolves with `undefined` if the stored bytes that shall stay are missing. */
async function writeContent(
  transaction: Applying,
  { kind, key, note, file, noteParts, fileRecord, content }: PreparedWrite,
  known: Known,
  former: number,
): Promise<StoreChange[] | undefined> {
  if (note === null || file === null) {
    const removing =
      kind === 'note'
        ? removeNote(partOf(transaction), key, undefined)
        : removeFile(partOf(transaction), key, undefined);
    return (await ifFound(removing))?.changes ?? [];
  }
  if (noteParts) return putNote(transaction, noteParts, known.note, former);
  if (!fileRecord) return [];
  if (!content) return await putRecord(transaction, fileRecord);
  const recordOf = (stored: StoredFile | undefined): StoredFile =>
    withRevision(restoredFile(fileRecord, content), stored?.revision ?? former);
  const written = { content, expectedRevision: undefined, recordOf };
  return (await putFile(partOf(transaction), key, written)).changes;
}

function putNote(
  transaction: Applying,
  { summary, text }: { summary: NoteSummary; text: string },
  found: unknown,
  former: number,
): StoreChange[] {
  const { id } = summary;
  // An unreadable note can be replaced.
  const stored = isNoteSummary(found) ? found : undefined;
  unwrap(transaction.objectStore('notes')).put(withRevision(summary, stored?.revision ?? former));
  unwrap(transaction.objectStore('note-texts')).put(text, id);
  const isListedSame = stored !== undefined && haveSameListing(stored, summary);
  return [noteChange(id, found === undefined ? 'created' : 'updated', !isListedSame)];
}

/** Changes the record of a file. Resolves with `undefined` if the stored bytes are different or missing. */
async function putRecord(
  transaction: Applying,
  record: FileRecord,
): Promise<StoreChange[] | undefined> {
  const files = transaction.objectStore('files');
  const stored: unknown = await files.get(record.path);
  if (!isStoredFile(stored) || (record.digest ?? stored.digest) !== stored.digest) return undefined;
  const { size, digest } = stored;
  const file = { ...record, size, ...(digest !== undefined && { digest }) };
  await files.put(withRevision(file, stored.revision));
  return [changeTo(file, stored)];
}

/** The record with a revision above the known one, so that a check of `expectedRevision` fails. */
function withRevision<Entry extends { revision: number }>(entry: Entry, known: number): Entry {
  return { ...entry, revision: Math.max(entry.revision, known + 1) };
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}
