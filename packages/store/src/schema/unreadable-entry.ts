import type { EntryKind } from './schema.js';
import { StoreError } from '../errors/store-error.js';

/** An entry that exists and cannot be read. */
export interface UnreadableEntry {
  kind: EntryKind;
  /** The note's id or the file's path. */
  key: string;
}

/** The database of an entry. */
interface DatabaseOfEntry {
  /** Rejects if the database cannot be read at all. */
  checkReadable(): Promise<void>;
  /** Receives reports of unreadable entries. */
  reportUnreadable(entries: readonly UnreadableEntry[]): void;
}

/**
 * The exceptions for a value that the browser cannot decode, or whose parts are missing. A lost connection
 * may cause them, too.
 */
const EXCEPTIONS: readonly string[] = [
  'DataError',
  'NotReadableError',
  'NotFoundError',
  'UnknownError',
];

/** Whether an exception of the browser may mean that a stored value is damaged. */
export function isDecodingError(error: unknown): boolean {
  return error instanceof Error && EXCEPTIONS.includes(error.name);
}

/** Whether a read failed because of the stored value, not of the connection. */
export function isUnreadable(error: unknown): error is StoreError {
  if (!(error instanceof StoreError)) return false;
  if (error.code === 'unreadable') return true;
  return error.code === 'failed' && isDecodingError(error.cause);
}

/** The error of an entry that exists, and whose record or content is damaged. */
export function unreadableError({ kind, key }: UnreadableEntry, cause?: unknown): StoreError {
  const name = `The ${kind} ${JSON.stringify(key)}`;
  const text = `${name} is damaged: it can no longer be read. Write it again, or delete it.`;
  return new StoreError('unreadable', text, { cause });
}

/**
 * Reads one entry. If it cannot be read, although others can, this notifies the database and rejects with
 * `unreadable`.
 */
export async function readOrReport<Value>(
  database: DatabaseOfEntry,
  entry: UnreadableEntry,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  // A lost connection fails alike, and it may be back only now.
  await database.checkReadable();
  try {
    return await read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    database.reportUnreadable([entry]);
    throw unreadableError(entry, error.cause);
  }
}
