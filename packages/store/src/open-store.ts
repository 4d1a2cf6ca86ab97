import { callSafely } from './errors/call-safely.js';
import { clearStore } from './clear-store.js';
import { type ArchiveOptions, exportZip } from './archive/export-zip.js';
import type { ImportReport } from './archive/import-report.js';
import { importZip } from './archive/import-zip.js';
import { Database } from './database/database.js';
import { FileStore } from './files/file-store.js';
import { removeGivenUp } from './files/file-uploads.js';
import { readLog } from './changes/journal.js';
import { NoteStore } from './notes/note-store.js';
import type { OpeningListener } from './database/opening-watch.js';
import type { Head } from './schema/schema.js';
import { lossOf, type StorageLoss } from './database/storage-loss.js';
import { SearchIndex } from './search/search-index.js';
import { EVERYTHING_CHANGED, StoreChanges } from './changes/store-changes.js';
import type { StoreScope } from './changes/store-scope.js';
import { Writer } from './changes/writer.js';

/** The user's notes and files, or a part of them, and what happens to them. */
export interface StoreView {
  readonly notes: NoteStore;
  readonly files: FileStore;
  readonly changes: Pick<StoreChanges, 'listen'>;
}

/** The user's notes and files, and what happens to them. */
export interface Store extends StoreView {
  readonly changes: StoreChanges;
  /**
   * A part of the store, as if there were nothing else.
   *
   * @param scope Asked for at each call and each change: it may become another.
   */
  within(scope: () => StoreScope): StoreView;
  /**
   * Deletes all notes and files, idempotency keys and what is kept for searching, in one transaction,
   * and tells every tab. Rejects with a {@link StoreError}; then nothing is deleted, unless it is
   * `quota-exceeded`: then the contents may be gone and still counted, and it is to be called again.
   */
  clear(): Promise<void>;
  /**
   * Brings the index for searching up to date now. It is without this too, soon after each change, and
   * searches are right before. Rejects with a {@link StoreError}.
   */
  updateIndex(): Promise<void>;
  /**
   * A zip archive of everything, none of it compressed: each note in `notes/` as a Markdown file with
   * front matter, each file at its path in `files/` as it is, and `manifest.json` with the records of
   * the files. It is read on demand, some notes or a piece of a file at a time; cancelling the stream
   * ends it. What cannot be read is named in the manifest.
   *
   * A note or file is exported as it was at one moment, but not all at the same: what is changed
   * meanwhile may be in the archive or not.
   */
  exportZip(options?: ArchiveOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Brings in what `exportZip` has made, some hundred notes and one file to a transaction, and merges
   * it by id or path and revision: what is not there comes in as it was, a higher revision replaces
   * a lower one, and where two say different things with the same revision, that of the archive
   * becomes a copy. Other Markdown files in `notes/` become new notes, other files in `files/` files.
   * An entry that cannot be read, or is past a limit, is reported and left out.
   *
   * Nothing is undone when it is cancelled or fails half-way: to begin again does the rest. Rejects
   * with `invalid-argument`, and nothing written, where it is no such archive; with `quota-exceeded`,
   * and nothing written, where there is less room than it would take.
   */
  importZip(blob: Blob, options?: ArchiveOptions): Promise<ImportReport>;
  /** Ends the connection and the announcements; later calls reject with `closed`. */
  close(): void;
  /** Resolves after {@link close}, once the browser has let the connection go. */
  readonly closed: Promise<void>;
}

/** How to open a store. */
export interface StoreOptions {
  /** Where the database stood when it was last seen, kept outside of it. Default: not known. */
  marker?: Head | undefined;
  /** Hears that data was lost, also before the store has opened. */
  onloss?: (loss: StorageLoss) => void;
  /** Hears that a newer version of this software has taken the database over. */
  onnewerversion?: () => void;
  /** Called with what an open that takes long is waiting for, and how far an upgrade is. */
  onprogress?: OpeningListener;
}

/** When what was left of unfinished uploads is deleted, after the store has opened. */
const CLEANING_DELAY_MS = 3_000;

/**
 * Opens the database, making it on the first run.
 *
 * @throws {StoreError} `blocked`, `newer-version`, `unavailable`, `quota-exceeded` on a full disk, or
 *   `timeout` without any progress for 30 s. An upgrade takes as long as it makes progress.
 */
export async function openStore(databaseName: string, options: StoreOptions = {}): Promise<Store> {
  const { marker, onloss, onnewerversion, onprogress } = options;
  const known = (): Head | undefined => changes.head ?? marker;
  const database = new Database(databaseName, {
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
      // Lists leave them out.
      changes.tell(
        entries.map(({ kind, key }) => ({ kind, key, type: 'updated', listingChanged: true })),
      );
    },
  });
  const changes = new StoreChanges(databaseName, (after) =>
    database.run(['head', 'log'], 'readonly', (transaction) => readLog(transaction, after)),
  );
  changes.listen((told) => database.heldBlobs.release(told));
  try {
    await database.open();
  } catch (error) {
    changes.close();
    throw error;
  }
  // Later: whoever opens the store is waiting for what is to be shown.
  const cleaning = setTimeout(() => {
    // What could not be deleted now is deleted after the next start.
    removeGivenUp(database).catch(() => undefined);
  }, CLEANING_DELAY_MS);
  database.reservedSpace.start();
  const index = new SearchIndex(database, changes);
  const notes = new NoteStore(database, changes, index);
  const files = new FileStore(database, changes, index);
  return {
    notes,
    files,
    changes,
    within: (scope) => ({
      notes: notes.within(scope),
      files: files.within(scope),
      changes: changes.within(scope),
    }),
    updateIndex: () => index.update(),
    async clear() {
      const head = await clearStore(database);
      changes.announce(head, [EVERYTHING_CHANGED]);
    },
    exportZip: (archiveOptions = {}) => exportZip(database, files, archiveOptions),
    async importZip(blob, archiveOptions = {}) {
      const writer = new Writer(database, changes, () => '');
      return await importZip({ database, writer, files }, blob, archiveOptions);
    },
    close() {
      clearTimeout(cleaning);
      index.stop();
      database.close();
      changes.close();
    },
    closed: database.closed,
  };
}
