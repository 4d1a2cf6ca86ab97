import type { Database } from '../database/database.js';
import { currentHead } from '../changes/journal.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import { BATCH_ENTRIES, type EntryBatch, type Source } from './sources.js';

/**
 * Reads entries in batches that fit into the memory, each in a transaction of its own. What cannot be
 * read is reported, and does not keep the others from coming.
 *
 * @param keys Ascending.
 */
export async function* readEntries<Record>(
  database: Database,
  source: Source<Record>,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<EntryBatch<Record>> {
  for (let position = 0; position < keys.length;) {
    const batch = await readBatch(
      database,
      source,
      keys.slice(position, position + BATCH_ENTRIES),
      signal,
    );
    const { kind } = source;
    database.reportUnreadable(batch.unreadable.map((key) => ({ kind, key })));
    yield batch;
    position += batch.read;
  }
}

/** @param isAgain Whether a single one, which failed before, is read once more. */
async function readBatch<Record>(
  database: Database,
  source: Source<Record>,
  keys: readonly string[],
  signal: AbortSignal | undefined,
  isAgain = false,
): Promise<EntryBatch<Record>> {
  try {
    return await database.run(
      source.stores,
      'readonly',
      (transaction) => source.read(transaction, keys),
      { signal },
    );
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (isAgain) return { found: [], read: 1, unreadable: [...keys] };
    // Rejects where it was the connection: what is said of an entry is told to the user.
    await currentHead(database, { signal });
    // One of them spoils the transaction for all: halves find it.
    const half = keys.slice(0, Math.ceil(keys.length / 2));
    return await readBatch(database, source, half, signal, keys.length === 1);
  }
}
