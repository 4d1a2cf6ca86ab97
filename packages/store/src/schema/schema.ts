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
 * The only file that knows store names, record shapes and versions.
 *
 * A record and its content live in two stores, so that a list of 10,000 entries reads no text and
 * no bytes. A migration is frozen once released: add one at the end, never change one. It calls no code
 * that may change: what it needs is copied to `migrations`, which scripts/arrows.mjs enforces.
 */

/** Whom an entry is meant for: the human, or the program that helps them. */
export type Audience = 'user' | 'assistant';

/** What the owner of an entry says of it, for whoever shows or reads it. */
export interface Annotations {
  /** Whom it is meant for; absent when nothing was said. */
  audience?: Audience[];
  /** How much it matters, from 0 (least) to 1 (most); absent when nothing was said. */
  priority?: number;
}

/** A note without its text, as lists hold it. Times are milliseconds since 1970. */
export interface NoteSummary extends Annotations {
  /** A ULID: sorts by time of creation. */
  id: string;
  title: string;
  tags: string[];
  /** The first words of the text, on one line and without leading Markdown marks; '' if none. */
  firstLine: string;
  /** Size of the text in bytes of UTF-8. */
  size: number;
  createdAt: number;
  updatedAt: number;
  /** 1 when created, one more with every update. */
  revision: number;
}

/** A whole note. */
export interface Note extends NoteSummary {
  /** Markdown. */
  text: string;
}

/** An uploaded file without its bytes. Times are milliseconds since 1970. */
export interface StoredFile extends Annotations {
  /** Segments joined by `/`, without one at the start: `photos/cat.png`. */
  path: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  createdAt: number;
  updatedAt: number;
  /** 1 when first written, one more each time it is overwritten, changed or moved. */
  revision: number;
  /**
   * The SHA-256, in hexadecimal digits, of the SHA-256 digests of its pieces of 1 MiB, one after the
   * other. Absent where it was written in an insecure context, or by an earlier version.
   */
  digest?: string;
}

/** The bytes of a file, or of a piece of one: a Blob, wherever the browser can store one. */
export type StoredBytes = Blob | ArrayBuffer;

/** The bytes of a file that is too large for one transaction: so many `pieces` in `file-pieces`. */
export interface PiecedBytes {
  /** A ULID: the first part of the keys of the pieces, the second being 0, 1, 2 … */
  content: string;
  pieces: number;
}

/** The outcome of a write that had an idempotency key, kept for its retries. */
export interface OnceRecord {
  key: string;
  /** When the write happened, in milliseconds since 1970. */
  at: number;
  /** Tells whether a retry has the same arguments. */
  fingerprint: string;
  /** What the write resolved with, without text or bytes; null after a deletion. */
  result: OnceResult;
}

/** What is small enough to be kept of a write's outcome. */
export type OnceResult = NoteSummary | StoredFile | null;

/** Where the database stands. There is one such record, written with every change. */
export interface Head {
  /** A ULID, drawn when the database was made: another one means another database. */
  id: string;
  /** How many transactions have changed notes or files. */
  sequence: number;
  /** How many notes there are. */
  notes: number;
  /** How many files there are. */
  files: number;
}

/** One committed change, seen from outside: which entry, and what became of it. */
export interface StoreChange {
  /** `everything`: any note and any file may be another now, or gone, or there. */
  kind: 'note' | 'file' | 'everything';
  /** The note's id or the file's path; '' for everything. */
  key: string;
  type: 'created' | 'updated' | 'deleted';
  /**
   * Whether what a list shows besides size, time and revision is another now: the title, tags or
   * first line of a note, the media type of a file, audience or priority of either.
   */
  listingChanged: boolean;
}

/** What one transaction changed; `everything` where that was too much to tell one by one. */
export type LoggedChanges = StoreChange[] | 'everything';

/** What can be searched for. */
export type SearchKind = 'note' | 'file';

/** A part of the search index: some entries, as they were when it was made. It never changes. */
export interface SearchSegment {
  kind: SearchKind;
  /** Which dictionaries cut the texts without spaces into words: see search/segmentation.ts. */
  segmentation: string;
  /** The entries by their number here: ids of notes or paths of files, ascending. */
  keys: string[];
  /** The first word of each of its blocks, ascending. */
  firstWords: string[];
  /**
   * How large its entries were together, in code units of text and a share for each entry; more where
   * it has so many words that no more entries are to come in.
   */
  size: number;
}

/** What of a segment of the search index no longer counts. Every segment has one. */
export interface StaleEntries {
  /** The number of the segment, so that a search learns by one request which there are. */
  segment: number;
  /** A bit for each entry that is another now, or gone; absent where all count. */
  entries?: Uint8Array;
}

/** Some consecutive words of a segment, with the entries that have them. */
export interface SearchBlock {
  /** Ascending. */
  words: string[];
  /** For each word where its entries begin in `postings`. */
  starts: Uint32Array;
  /** Entries by their number, each with what the word says of it: see search/postings.ts. */
  postings: Uint8Array;
}

export interface StoreSchema extends DBSchema {
  /** Key: `id`, ascending by time of creation. */
  notes: { key: string; value: NoteSummary };
  /** Key: the note's id. */
  'note-texts': { key: string; value: string };
  /** Key: `path`, in code unit order. */
  files: { key: string; value: StoredFile };
  /** Key: the file's path. */
  'file-bytes': { key: string; value: StoredBytes | PiecedBytes };
  /** Key: the content, and the number of the piece. */
  'file-pieces': { key: [content: string, piece: number]; value: StoredBytes };
  /** Contents that are being written, and belong to no file yet. Value: since when. */
  uploads: { key: string; value: number };
  /** Key: the idempotency key. `by-time` finds the expired ones. */
  once: { key: string; value: OnceRecord; indexes: { 'by-time': number } };
  /** The only key: `head`. */
  head: { key: 'head'; value: Head };
  /** Key: the sequence number of the transaction. The oldest are deleted. */
  log: { key: number; value: LoggedChanges };
  /**
   * What has changed, or was deleted, since the search index last saw it. Value: the sequence number
   * of the last such change.
   */
  unindexed: { key: [kind: SearchKind, key: string]; value: number };
  /**
   * How far the search index has come with what was there before it: what has a key after this one
   * waits as well, without being in `unindexed`. Value: '' at the beginning; none where nothing is left.
   */
  'search-backlog': { key: SearchKind; value: string };
  /** Key: the number of the segment. */
  'search-segments': { key: number; value: SearchSegment };
  /** Of each segment, what of it no longer counts. Key: the number of the segment. */
  'search-stale': { key: number; value: StaleEntries };
  /** Key: the number of the segment, and of the block in it. */
  'search-blocks': { key: [segment: number, block: number]; value: SearchBlock };
  /** Room that is given up when there is no other: see ballast.ts. */
  ballast: { key: string; value: StoredBytes | Uint8Array };
}

type UpgradeTransaction = IDBPTransaction<StoreSchema, StoreNames<StoreSchema>[], 'versionchange'>;

/** May await requests of the upgrade transaction, and nothing else. What takes long reports how far it is. */
type Migration = (
  database: IDBPDatabase<StoreSchema>,
  transaction: UpgradeTransaction,
  onprogress: ProgressListener,
) => void | Promise<void>;

/** Entry n brings a database from version n to n + 1. */
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
];

/** A ULID by a clock that may be wrong: a time before 1970 or past the year 10889 has none of its own. */
function idOfVersion3(): string {
  return ulid(Math.min(Math.max(Date.now(), 1), 2 ** 48 - 1));
}

/** How many notes version 2 reads at a time, and how large their texts may be together, in bytes. */
const BATCH_NOTES = 200;
const BATCH_BYTES = 8 * 1024 * 1024;

/** Of version 2. What is damaged stays as it is: it must not keep the rest from being opened. */
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
      // Past the promises: one that fails aborts the transaction.
      unwrap(notes).put({ ...record, firstLine });
    }
    range = IDBKeyRange.lowerBound(last, true);
    done += count;
    onprogress(done, total);
  }
}

/** How many of the notes, at least one, may have their texts read together. */
function countUntilLarge(records: readonly unknown[]): number {
  let bytes = 0;
  const large = records.findIndex((record, index) => {
    bytes += Number((record as { size?: unknown } | null)?.size) || 0;
    return index > 0 && bytes > BATCH_BYTES;
  });
  return large === -1 ? records.length : large;
}

/** The version this code reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Runs the migrations a database still lacks, inside its upgrade transaction. Rejects when one of
 * them fails; the caller then has to abort the transaction.
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
