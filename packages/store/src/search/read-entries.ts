import type { Database } from '../database/database.js';
import { currentHead } from '../changes/journal.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import { BATCH_ENTRIES, type EntryBatch, type Source } from './sources.js';

/**
 * Reads entries in batches that fit into memory, each in a transaction of its own. Unreadable
 * entries are reported and skipped.
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

/** @param isRetry Whether this retries a single entry, which failed before. */
async function readBatch<Record>(
  database: Database,
  source: Source<Record>,
  keys: readonly string[],
  signal: AbortSignal | undefined,
  isRetry = false,
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
    if (isRetry) return { found: [], read: 1, unreadable: [...keys] };
    // Rejects if the connection was lost: an entry reported as unreadable is shown to the user.
    await currentHead(database, { signal });
    // One unreadable entry fails the whole transaction: halving finds it.
    const half = keys.slice(0, Math.ceil(keys.length / 2));
    return await readBatch(database, source, half, signal, keys.length === 1);
  }
}
