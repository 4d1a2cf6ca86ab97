import type { Database } from '../database/database.js';
import { currentHead } from '../changes/journal.js';
import { StoreError } from '../errors/store-error.js';
import { isUnreadable } from '../schema/unreadable-entry.js';

/**
 * A part of the search index is missing, cannot be read, or was made with other dictionaries. It can be
 * made anew.
 */
export class IndexDamage extends StoreError {
  /** @param cause Why it cannot be read. Default: it is not there. */
  constructor(cause?: unknown) {
    super('unreadable', 'A part of the search index cannot be read.', { cause });
  }
}

/** What the browser says of a value that it cannot make out; of one whose connection was lost, too. */
const EXCEPTIONS: readonly string[] = [
  'DataError',
  'NotReadableError',
  'NotFoundError',
  'UnknownError',
];

/** The answer of a request for a part of the index. Rejects with {@link IndexDamage} where it has none. */
export async function partOf<Value>(request: Promise<Value | undefined>): Promise<Value> {
  const part = await request.catch((error: unknown) => {
    const isDamage = error instanceof DOMException && EXCEPTIONS.includes(error.name);
    throw isDamage ? new IndexDamage(error) : error;
  });
  if (part === undefined) throw new IndexDamage();
  return part;
}

/**
 * Reads; where that fails as if what is read were damaged, it is done once more, after a read of
 * something else has shown that it is not the connection. Rejects as it does the second time.
 */
export async function readSurely<Value>(
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
