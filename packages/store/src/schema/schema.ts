import {
  type DBSchema,
  type IDBPDatabase,
  type IDBPTransaction,
  type StoreNames,
  unwrap,
} from 'idb';
import { ulid } from 'ulid';
import { firstLineOfVersion2 } from './migrations/first-line-of-version-2.js';
import type { ProgressListener } from '../errors/progress.js';

/**
 * The only file that defines store names, record shapes and versions.
 *
 * A record and its content are in two stores, so that a list of 10,000 entries reads no text and no bytes. A
 * migration is frozen once released: add one at the end, but never change one. It must not call code that may
 * change, so copy the code that it needs to `migrations`. scripts/checks/arrows.mjs enforces this.
 */

/** The intended reader of an entry: the human, or the program that helps them. */
export type Audience = 'user' | 'assistant';

/** Hints of an entry's owner for programs that show or read it. */
export interface Annotations {
  /** The intended readers; absent if not set. */
  audience?: Audience[];
  /** The importance, from 0 (least) to 1 (most); absent if not set. */
  priority?: number;
}

/** A note without its text, as in lists. Times are milliseconds since 1970. */
export interface NoteSummary extends Annotations {
  /** The id, a ULID, which sorts by time of creation. */
  id: string;
  /** The title, for people; may be empty. */
  title: string;
  /** The tags, in the order in which the owner has set them. */
  tags: string[];
  /**
   * The first line of the text that contains a word, without leading Markdown marks; '' if no such line
   * exists.
   */
  firstLine: string;
  /** Size of the text in bytes of UTF-8. */
  size: number;
  /** The time of creation. */
  createdAt: number;
  /** The time of the last change; never earlier than the change before. */
  updatedAt: number;
  /** The revision: 1 when created, one more with every update. */
  revision: number;
}

/** A whole note. */
export interface Note extends NoteSummary {
  /** The text, in Markdown. */
  text: string;
}

/** An uploaded file without its bytes. Times are milliseconds since 1970. */
export interface StoredFile extends Annotations {
  /** The path: names joined by `/`, without a slash at the start: `photos/cat.png`. */
  path: string;
  /** The media type, as `type/subtype` without parameters. */
  mediaType: string;
  /** Size in bytes. */
  size: number;
  /** The time when it was first written. */
  createdAt: number;
  /** The time when it was last written, changed or moved. */
  updatedAt: number;
  /**
   * The revision: one more each time it is overwritten, changed or moved. A file at a new path begins with 1,
   * or above each file that was deleted before, so that it is never mistaken for a former file.
   */
  revision: number;
  /**
   * The SHA-256, in hexadecimal digits, of the concatenated SHA-256 digests of its pieces of 1 MiB.
   * Absent if the file was written in an insecure context, or by an earlier version.
   */
  digest?: string;
}

/** The bytes of a file, or of a piece of a file: a Blob if the browser can store Blobs. */
export type StoredBytes = Blob | ArrayBuffer;

/** A reference to the bytes, in `file-pieces`, of a file that is too large for one transaction. */
export interface PiecedBytes {
  /** A ULID: the first part of the pieces' keys. The second part is 0, 1, 2 … */
  content: string;
  pieces: number;
}

/** The outcome of a write that had an idempotency key, kept for its retries. */
export interface OnceRecord {
  key: string;
  /** The time of the write, in milliseconds since 1970. */
  at: number;
  /** Identifies the operation and its arguments: a retry has the same one. */
  fingerprint: string;
  /** The result of the write, without text or bytes; null after a deletion. */
  result: OnceResult;
}

/** The part of a write's result that is small enough to be stored. */
export type OnceResult = NoteSummary | StoredFile | null;

/** The current state of the database. A single record, written with every change. */
export interface Head {
  /** A ULID from the creation of the database: it identifies the database. */
  id: string;
  /** The number of transactions that have changed notes or files. */
  sequence: number;
  /** The number of notes. */
  notes: number;
  /** The number of files. */
  files: number;
  /** Set while the database is synchronized: each change then leaves a mark in `unsynced`. */
  syncs?: true;
  /** The highest revisions of entries that were deleted or moved away, by kind; absent before the first one. */
  formerRevisions?: { [Kind in EntryKind]?: number };
}

/** One committed change of an entry. */
export interface StoreChange {
  /** The kind of the entry. `everything`: any note and any file may have been created, updated or deleted. */
  kind: 'note' | 'file' | 'everything';
  /** The note's id or the file's path; '' for everything. */
  key: string;
  /** The kind of change. */
  type: 'created' | 'updated' | 'deleted';
  /**
   * Whether a field that lists show has changed, apart from size, time and revision: the title, tags or
   * first line of a note, the media type of a file, the audience or priority of either.
   */
  listingChanged: boolean;
  /** The revision that a deleted entry had. Absent for every other change, and if it could not be read. */
  revision?: number;
  /** The value `sync` if another device has made the change. Absent for every other change. */
  origin?: 'sync';
}

/** The changes of one transaction; `everything` if they were too many to log separately. */
export type LoggedChanges = StoreChange[] | 'everything';

/** The kinds of entries. */
export type EntryKind = 'note' | 'file';

/**
 * A part of the search index. It has an entry for each of some notes, as they were when it was written. It
 * never changes.
 */
export interface SearchSegment {
  /**
   * The kind of its entries. `file` only in segments of an earlier version, which also indexed the paths of
   * files.
   */
  kind: EntryKind;
  /** The rules by which texts became words: see search/words/segmentation.ts. */
  segmentation: string;
  /** The ids of the notes, ascending. The index is the number of the entry. */
  keys: string[];
  /** The first word of each of its blocks, ascending. */
  firstWords: string[];
  /**
   * The total size of its notes: code units of text, and a constant for each. Larger if the segment
   * has so many words that it must not take more.
   */
  size: number;
}

/** The outdated entries of a segment of the search index. Every segment has such a record. */
export interface StaleEntries {
  /** The number of the segment, so that a search gets the numbers of all segments by one request. */
  segment: number;
  /** A bitmap of the entries whose notes have been changed or deleted; absent if none has. */
  entries?: Uint8Array;
}

/** Some consecutive words of a segment, with the entries that have them. */
export interface SearchBlock {
  /** The words, ascending. */
  words: string[];
  /** The start of the entries of each word in `postings`. */
  starts: Uint32Array;
  /** Entries by number, each with data about the word in it: see search/segments/postings.ts. */
  postings: Uint8Array;
}

/** The state of the synchronization with the user's other devices. */
export interface SyncRecord {
  /** The state of the engine of the sync. The store does not look into it. */
  state: unknown;
  /** The position up to which the engine has read the changes of the other devices. '' at the start. */
  position: string;
  /**
   * A value that identifies the beginning of a sync. Set until every entry has a mark in `unsynced`. An
   * earlier version stored `true`.
   */
  isMarking?: string | true;
}

/** The state of an entry on the server when it was last the same there and here. */
export interface SyncedEntry {
  /** Identifies the write of the server. '' if the sync has begun again, so that its write is not known. */
  version: string;
  /** Set if the server may have lost its state of the entry. */
  isLost?: boolean;
  /** The number of changes of the entry by any device. */
  counter: number;
  /** The versions that lead to it, for merges. The store does not look into them. */
  past?: readonly string[];
  /** The content itself, for merges. The store does not look into it. */
  base?: unknown;
  /**
   * A digest that shows whether an entry has the same content. It replaces a base that is too long to be
   * kept.
   */
  digest?: string;
}

/** The author of a write, for the history of changes. */
export interface ClientIdentity {
  /** Identifies the server that has the connection. */
  run: string;
  /** The number of the connection on that server. */
  connection: number;
  /** The name of the client, for people; '' if unknown. */
  name: string;
  /** What all connections of a client without a name have in common. Default: nothing; each is one of its own. */
  owner?: string;
}

/** A change of an entry by a client, in one write. Times are milliseconds since 1970. */
export interface ClientChange extends ClientIdentity {
  /** The time of the write. */
  at: number;
  /** The kind of the entry. */
  kind: EntryKind;
  /** The note's id or the file's path, after the change. */
  key: string;
  /** The kind of change. `moved`: a file, to another path. */
  type: 'created' | 'updated' | 'deleted' | 'moved';
  /** The former path of a moved file. */
  from?: string;
  /** The title of a note, after the change or before its deletion; '' for a file. */
  title: string;
  /** The approximate size of its {@link ChangeContents}, in bytes. */
  bytes: number;
  /** Set once the change was undone. */
  isReverted?: true;
}

/** A group of lines of a text that was replaced. */
export interface LineChange {
  /** The number of the first line, from 0. */
  start: number;
  /** The lines before the change. */
  removed: string[];
  /** The lines after the change. */
  added: string[];
  /** Some lines before them. */
  lead: string[];
  /** Some lines after them. */
  trail: string[];
  /** The number of lines of the text after the change. */
  total: number;
  /** The number of these lines that equal one of the removed lines, apart from blank ones. */
  equal: number;
  /** The groups of lines by which the place can be found again, because each occurred only once. */
  places: LinePlace[];
}

/** A group of lines: the replaced lines, with this many lines before and after them. */
export interface LinePlace {
  lead: number;
  trail: number;
}

/** The data that is needed to undo a {@link ClientChange}. */
export interface ChangeContents {
  /** The record before the change; absent if the entry did not exist. */
  before?: NoteSummary | StoredFile;
  /** The record after the change; absent if the entry no longer existed. */
  after?: NoteSummary | StoredFile;
  /** The change of a note's text; absent if it has not changed. */
  lines?: LineChange;
  /** The text of a note that was deleted. */
  text?: string;
  /** The bytes of a file that was overwritten or deleted. */
  content?: StoredBytes;
  /** The record of the file that a moved one has replaced; `content` has its bytes. */
  replaced?: StoredFile;
}

/** The key of an entry among those of both kinds. */
export type EntryKey = [kind: EntryKind, key: string];

export interface StoreSchema extends DBSchema {
  /** Key: `id`, ascending by time of creation. */
  notes: { key: string; value: NoteSummary };
  /** Key: the note's id. */
  'note-texts': { key: string; value: string };
  /** Key: the `path`, in code unit order. */
  files: { key: string; value: StoredFile };
  /** Key: the file's path. */
  'file-bytes': { key: string; value: StoredBytes | PiecedBytes };
  /** Key: the content, and the number of the piece. */
  'file-pieces': { key: [content: string, piece: number]; value: StoredBytes };
  /** Contents that are being written, and do not belong to a file yet. Value: the time of the start. */
  uploads: { key: string; value: number };
  /** Key: the idempotency key. `by-time` finds the expired ones. */
  once: { key: string; value: OnceRecord; indexes: { 'by-time': number } };
  /** The only key: `head`. */
  head: { key: 'head'; value: Head };
  /** Key: the sequence number of the transaction. The oldest are deleted. */
  log: { key: number; value: LoggedChanges };
  /**
   * Notes that were changed or deleted after they were last indexed. Value: the sequence number of the
   * last such change.
   */
  unindexed: { key: [kind: 'note', id: string]; value: number };
  /**
   * The progress of indexing the notes that are older than the index: notes with an id after this one
   * are not indexed yet, and are not in `unindexed`. Value: '' at the start; absent at the end. The
   * indexer deletes the key `file`, which a migration may have written.
   */
  'search-backlog': { key: EntryKind; value: string };
  /** Key: the number of the segment. */
  'search-segments': { key: number; value: SearchSegment };
  /** The outdated entries of each segment. Key: the number of the segment. */
  'search-stale': { key: number; value: StaleEntries };
  /** Key: the number of the segment, and of the block in it. */
  'search-blocks': { key: [segment: number, block: number]; value: SearchBlock };
  /** Reserved space, released when the quota is used up: see database/reserved-space.ts. */
  ballast: { key: string; value: StoredBytes | Uint8Array };
  /** The state of a sync. The only key: `state`. Absent unless the database is synchronized. */
  sync: { key: 'state'; value: SyncRecord };
  /** The state of entries on the server. Absent for an entry that the server has never had. */
  synced: { key: EntryKey; value: SyncedEntry };
  /**
   * Entries that were changed or deleted here, and whose current state the server does not have yet. Value:
   * the sequence number of the last such change.
   */
  unsynced: { key: EntryKey; value: number };
  /** The changes of clients. The oldest are deleted. */
  history: { key: number; value: ClientChange };
  /**
   * The data that is needed to undo these changes. Absent if it is too large, or once the change was undone.
   */
  'history-contents': { key: number; value: ChangeContents };
}

type UpgradeTransaction = IDBPTransaction<StoreSchema, StoreNames<StoreSchema>[], 'versionchange'>;

/**
 * A step of an upgrade. It may await only requests of the upgrade transaction. A slow migration reports its
 * progress.
 */
type Migration = (
  database: IDBPDatabase<StoreSchema>,
  transaction: UpgradeTransaction,
  onprogress: ProgressListener,
) => void | Promise<void>;

/** Entry n upgrades a database from version n to n + 1. */
const MIGRATIONS: readonly Migration[] = [
  (database) => {
    database.createObjectStore('notes', { keyPath: 'id' });
    database.createObjectStore('note-texts');
    database.createObjectStore('files', { keyPath: 'path' });
    database.createObjectStore('file-bytes');
  },
  async (database, transaction, onprogress) => {
    database.createObjectStore('once', { keyPath: 'key' }).createIndex('by-time', 'at');
    await addFirstLines(transaction, onprogress);
  },
  async (database, transaction) => {
    for (const name of [
      'file-pieces',
      'uploads',
      'log',
      'unindexed',
      'search-stale',
      'search-blocks',
      'ballast',
    ] as const) {
      database.createObjectStore(name);
    }
    database.createObjectStore('search-segments', { autoIncrement: true });
    const backlog = database.createObjectStore('search-backlog');
    const heads = database.createObjectStore('head');
    const [notes, files] = await Promise.all([
      transaction.objectStore('notes').count(),
      transaction.objectStore('files').count(),
    ]);
    if (notes > 0) await backlog.put('', 'note');
    if (files > 0) await backlog.put('', 'file');
    await heads.put({ id: idOfVersion3(), sequence: 0, notes, files }, 'head');
  },
  (database) => {
    for (const name of ['sync', 'synced', 'unsynced'] as const) database.createObjectStore(name);
  },
  (database) => {
    database.createObjectStore('history', { autoIncrement: true });
    database.createObjectStore('history-contents');
  },
];

/** A ULID. The clock may be wrong: a ULID cannot hold a time before 1970 or after the year 10889. */
function idOfVersion3(): string {
  return ulid(Math.min(Math.max(Date.now(), 1), 2 ** 48 - 1));
}

/**
 * The limits of the notes that version 2 reads at a time: their number, and the total size of their texts in
 * bytes.
 */
const BATCH_NOTES = 200;
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Adds the first lines of version 2. A damaged note stays as it is, because it must not block the upgrade of
 * the others.
 */
async function addFirstLines(
  transaction: UpgradeTransaction,
  onprogress: ProgressListener,
): Promise<void> {
  const notes = transaction.objectStore('notes');
  const texts = transaction.objectStore('note-texts');
  const total = await notes.count();
  let done = 0;
  let range: IDBKeyRange | null = null;
  for (;;) {
    const [ids, records]: [string[], unknown[]] = await Promise.all([
      notes.getAllKeys(range, BATCH_NOTES),
      notes.getAll(range, BATCH_NOTES),
    ]);
    const count = countUntilLarge(records);
    const last = ids[count - 1];
    if (last === undefined) return;
    const found: unknown[] = await Promise.all(ids.slice(0, count).map((id) => texts.get(id)));
    for (const [index, text] of found.entries()) {
      const record = records[index];
      if (typeof record !== 'object' || record === null) continue;
      const firstLine = firstLineOfVersion2(typeof text === 'string' ? text : '');
      // Without a promise: a failed request aborts the transaction.
      unwrap(notes).put({ ...record, firstLine });
    }
    range = IDBKeyRange.lowerBound(last, true);
    done += count;
    onprogress(done, total);
  }
}

/** The number of notes, at least one, whose texts can be read together. */
function countUntilLarge(records: readonly unknown[]): number {
  let bytes = 0;
  const large = records.findIndex((record, index) => {
    bytes += Number((record as { size?: unknown } | null)?.size) || 0;
    return index > 0 && bytes > BATCH_BYTES;
  });
  return large === -1 ? records.length : large;
}

/** The version of the schema that this code reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Runs the missing migrations of a database in its upgrade transaction. If one fails, this rejects, and
 * the caller has to abort the transaction.
 */
export async function migrate(
  database: IDBPDatabase<StoreSchema>,
  oldVersion: number,
  transaction: UpgradeTransaction,
  onprogress: ProgressListener,
): Promise<void> {
  for (const migration of MIGRATIONS.slice(oldVersion)) {
    await migration(database, transaction, onprogress);
  }
}
