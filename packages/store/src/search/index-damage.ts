import type { Database } from '../database/database.js';
import { currentHead } from '../changes/journal.js';
import { StoreError } from '../errors/store-error.js';
import { isDecodingError, isUnreadable } from '../schema/unreadable-entry.js';

/** The error of a missing or unreadable part of the search index. The index can be rebuilt. */
export class IndexDamage extends StoreError {
  /** @param cause The reason why the part cannot be read. Default: it does not exist. */
  constructor(cause?: unknown) {
    super('unreadable', 'A part of the search index cannot be read.', { cause });
  }
}

/** Reads a part of the index. Rejects with {@link IndexDamage} if it is missing or unreadable. */
export async function readPart<Value>(request: Promise<Value | undefined>): Promise<Value> {
  const part = await request.catch((error: unknown) => {
    throw isDecodingError(error) ? new IndexDamage(error) : error;
  });
  if (part === undefined) throw new IndexDamage();
  return part;
}

/**
 * Calls `read`. If it fails as for damaged data, reads something else to check the connection, then
 * retries once. Rejects with the error of the retry.
 */
export async function retryUnreadable<Value>(
  database: Database,
  signal: AbortSignal | undefined,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await currentHead(database, { signal });
    return await read();
  }
}
