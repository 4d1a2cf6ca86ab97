import type { DBSchema, IDBPDatabase } from 'idb';

/**
 * The only file that knows store names, record shapes and versions.
 *
 * A record and its content live in two stores, so that a list of 10,000 entries reads no text and
 * no bytes. A migration is frozen once released: add one at the end, never change one.
 */

/** A note without its text, as lists hold it. Times are milliseconds since 1970. */
export interface NoteSummary {
  /** A ULID: sorts by time of creation. */
  id: string;
  title: string;
  tags: string[];
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
export interface StoredFile {
  /** Segments joined by `/`, without one at the start: `photos/cat.png`. */
  path: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  createdAt: number;
  updatedAt: number;
  /** 1 when first written, one more each time it is overwritten. */
  revision: number;
}

export interface StoreSchema extends DBSchema {
  /** Key: `id`, ascending by time of creation. */
  notes: { key: string; value: NoteSummary };
  /** Key: the note's id. */
  'note-texts': { key: string; value: string };
  /** Key: `path`, in code unit order. */
  files: { key: string; value: StoredFile };
  /** Key: the file's path. */
  'file-bytes': { key: string; value: Blob };
}

type Migration = (database: IDBPDatabase<StoreSchema>) => void;

/** Entry n brings a database from version n to n + 1. */
const MIGRATIONS: readonly Migration[] = [
  (database) => {
    database.createObjectStore('notes', { keyPath: 'id' });
    database.createObjectStore('note-texts');
    database.createObjectStore('files', { keyPath: 'path' });
    database.createObjectStore('file-bytes');
  },
];

/** The version this code reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Runs the migrations a database still lacks; called inside the upgrade transaction. */
export function migrate(database: IDBPDatabase<StoreSchema>, oldVersion: number): void {
  for (const migration of MIGRATIONS.slice(oldVersion)) migration(database);
}
