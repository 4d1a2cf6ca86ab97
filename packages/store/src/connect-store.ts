import { callSafely } from './errors/call-safely.js';
import { Database, type DatabaseEvents } from './database/database.js';
import { readLog } from './changes/journal.js';
import type { OpeningListener } from './database/opening-watch.js';
import type { Head } from './schema/schema.js';
import { lossOf, type StorageLoss } from './database/storage-loss.js';
import { StoreChanges } from './changes/store-changes.js';

/** The options for opening the database of a store. */
export interface ConnectOptions {
  /** The last known head of the database, stored outside of it. Default: unknown. */
  marker?: Head | undefined;
  /** Called when data was lost, also before the store has opened. */
  onloss?: ((loss: StorageLoss) => void) | undefined;
  /** Called when a newer version of this software has upgraded the database. */
  onnewerversion?: (() => void) | undefined;
  /** Called with the reason why an open is slow, and with the progress of an upgrade. */
  onprogress?: OpeningListener | undefined;
  /** The most bytes of a file in one record, a multiple of 1 MiB. Default: 16 MiB. */
  pieceBytes?: number | undefined;
}

/** A database, and the announcements of its changes. */
interface ConnectedStore {
  database: Database;
  changes: StoreChanges;
}

/**
 * Opens the database, and reports its losses to this tab. Creates it on the first run.
 *
 * @throws {StoreError} See `openStore`.
 */
export async function connectStore(
  databaseName: string,
  options: ConnectOptions,
): Promise<ConnectedStore> {
  const { marker, onloss, onnewerversion, onprogress, pieceBytes } = options;
  const known = (): Head | undefined => changes.head ?? marker;
  const events: DatabaseEvents = {
    opened: (head: Head, isDamaged) => {
      const loss = lossOf(known(), head, isDamaged);
      const isAnother = loss !== undefined || (changes.head && changes.head.id !== head.id);
      changes.startAt(head, isAnother ?? false);
      if (loss) callSafely(() => onloss?.(loss));
    },
    newerVersion: () => callSafely(() => onnewerversion?.()),
    opening: (step) => callSafely(() => onprogress?.(step)),
    unreadable: (entries) => {
      const { notes, files } = changes.head ?? { notes: 0, files: 0 };
      const loss: StorageLoss = {
        reason: 'unreadable',
        now: { notes, files },
        entries: [...entries],
      };
      callSafely(() => onloss?.(loss));
      // Lists omit the unreadable entries.
      changes.notify(
        entries.map(({ kind, key }) => ({ kind, key, type: 'updated', listingChanged: true })),
      );
    },
  };
  const database = new Database(databaseName, events, pieceBytes);
  const changes = new StoreChanges(databaseName, (after) =>
    database.run(['head', 'log'], 'readonly', (transaction) => readLog(transaction, after)),
  );
  changes.listen((changed) => database.heldBlobs.release(changed));
  try {
    await database.open();
  } catch (error) {
    changes.close();
    throw error;
  }
  return { database, changes };
}
