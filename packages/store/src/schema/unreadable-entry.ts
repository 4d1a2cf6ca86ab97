import type { SearchKind } from './schema.js';
import { StoreError } from '../errors/store-error.js';

/** An entry that is there and cannot be read. */
export interface UnreadableEntry {
  kind: SearchKind;
  /** The note's id or the file's path. */
  key: string;
}

/** Whoever wants to know of entries that cannot be read. */
interface UnreadableListener {
  reportUnreadable(entries: readonly UnreadableEntry[]): void;
}

/** What the browser says of a value that it cannot make out, or whose parts are gone. */
const EXCEPTIONS: readonly string[] = [
  'DataError',
  'NotReadableError',
  'NotFoundError',
  'UnknownError',
];

/** Whether a read failed because of what was to be read, and not of the connection. */
export function isUnreadable(error: unknown): error is StoreError {
  if (!(error instanceof StoreError)) return false;
  if (error.code === 'unreadable') return true;
  const { cause } = error;
  return error.code === 'failed' && cause instanceof Error && EXCEPTIONS.includes(cause.name);
}

/** That an entry is there, and its record or its content is not what it should be. */
export function unreadableError({ kind, key }: UnreadableEntry, cause?: unknown): StoreError {
  const name = `The ${kind} ${JSON.stringify(key)}`;
  const text = `${name} is damaged: it can no longer be read. Write it again, or delete it.`;
  return new StoreError('unreadable', text, { cause });
}

/**
 * Reads one entry. Where that cannot be done the listener hears of it, and the call rejects with
 * `unreadable`.
 */
export async function readOrReport<Value>(
  listener: UnreadableListener,
  entry: UnreadableEntry,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    listener.reportUnreadable([entry]);
    throw unreadableError(entry, error.cause);
  }
}
