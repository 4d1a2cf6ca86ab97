import { clearStore } from './clear-store.js';
import { connectStore, type ConnectOptions } from './connect-store.js';
import { type ArchiveOptions, exportZip, type ImportOptions } from './archive/export-zip.js';
import type { ImportReport } from './archive/import-report.js';
import { importZip } from './archive/import-zip.js';
import { FileStore } from './files/file-store.js';
import { removeAbandoned } from './files/file-uploads.js';
import { NoteStore } from './notes/note-store.js';
import { StoreError } from './errors/store-error.js';
import type { ParseYaml } from './records/front-matter.js';
import { SearchIndex } from './search/search-index.js';
import { EVERYTHING_CHANGED, type StoreChanges } from './changes/store-changes.js';
import { EVERYTHING, type StoreScope } from './changes/store-scope.js';
import { ChangeHistory } from './undo/change-history.js';
import { Writer } from './changes/writer.js';

/** The user's notes and files, or a part of them, and their changes. */
export interface StoreView {
  /** The notes of the view. */
  readonly notes: NoteStore;
  /** The files of the view. */
  readonly files: FileStore;
  /** The changes of the notes and files of the view. */
  readonly changes: Pick<StoreChanges, 'listen'>;
  /**
   * Runs writes without writing anything. Use it before a question to the user, because the question makes no
   * sense if the write is refused anyway.
   *
   * @param work Gets a view like this one, in which nothing is written. It ends at the first call that would
   *   write. A retry, recognized by its idempotency key, resolves as in this view.
   * @returns `undefined` if a call would have written; otherwise the result of `work`. Rejects as the writes
   *   do: the entry does not exist, has another revision, or exceeds a limit.
   */
  rehearse<Value>(work: (rehearsal: StoreView) => Promise<Value>): Promise<Value | undefined>;
}

/** The user's notes and files, and their changes. */
export interface Store extends StoreView {
  /** The changes, by this tab and by others. */
  readonly changes: StoreChanges;
  /** The recent changes of clients: those in scopes with `recorderOf`. */
  readonly history: ChangeHistory;
  /**
   * A view of a part of the store. All other notes and files seem not to exist.
   *
   * @param scope Called at each call and each change: it may return another scope.
   */
  within(scope: () => StoreScope): StoreView;
  /**
   * Deletes all notes and files, idempotency keys and the search index in one transaction, and notifies all
   * tabs. Rejects with a {@link StoreError} and deletes nothing, with one exception: after `quota-exceeded`
   * the contents may be deleted but still counted. Call it again in this case.
   */
  clear(): Promise<void>;
  /**
   * Updates the search index now. This also happens automatically, soon after each change; the results of a
   * search are correct even before that. Rejects with a {@link StoreError}.
   */
  updateIndex(): Promise<void>;
  /**
   * A zip archive of everything, without compression: each note in `notes/` as a Markdown file with
   * front matter, each file unchanged at its path in `files/`, and `manifest.jsonl` with the records of
   * the files. The stream reads on demand, some notes or a piece of a file at a time; cancel it to stop.
   * The manifest lists unreadable entries.
   *
   * Each note or file is exported in one consistent state, but not all at the same moment: a change
   * during the export may be in the archive or not.
   */
  exportZip(options?: ArchiveOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Imports an archive of `exportZip`, with some hundred notes or one file per transaction. Entries are
   * merged by id or path and revision: a missing entry is added, a higher revision replaces a lower one,
   * and if two entries differ with the same revision, the archive's one is added as a copy. Other
   * programs may have edited the notes. Other Markdown files in `notes/` become new notes, other files
   * in `files/` become files. An entry that is unreadable or exceeds a limit is reported and skipped.
   * Another program may have packed the archive again, with a folder around it.
   *
   * If the import is cancelled or fails, the committed part stays: import again to complete it. Rejects
   * with `invalid-argument` if the blob is not such an archive, with `quota-exceeded` if there is not
   * enough space, and with `too-large` above `maxBytes`; in each case nothing is written.
   */
  importZip(blob: Blob, options?: ImportOptions): Promise<ImportReport>;
  /** Closes the connection and stops the announcements; later calls reject with `closed`. */
  close(): void;
  /** Resolves after {@link close}, once the browser has closed the connection. */
  readonly closed: Promise<void>;
}

/** The options for opening a store. */
export interface StoreOptions extends ConnectOptions {
  /**
   * Parses front matter of imported notes that another program has written. Default: none; then only
   * fields in JSON, as in an export, and of a single word are read.
   */
  parseYaml?: ParseYaml | undefined;
}

/** The delay after the open before the remains of unfinished uploads are deleted. */
const CLEANING_DELAY_MS = 3_000;

/**
 * Opens the database. Creates it on the first run.
 *
 * @throws {StoreError} `blocked`, `newer-version`, `unavailable`, `quota-exceeded` on a full disk, or
 *   `timeout` after 30 s without progress. An upgrade that makes progress has no time limit.
 */
export async function openStore(databaseName: string, options: StoreOptions = {}): Promise<Store> {
  const { parseYaml } = options;
  const { database, changes } = await connectStore(databaseName, options);
  // This runs later, because the page is waiting for its first data.
  const cleaning = setTimeout(() => {
    // If this fails, the next start tries again.
    removeAbandoned(database).catch(() => undefined);
  }, CLEANING_DELAY_MS);
  database.reservedSpace.start();
  const index = new SearchIndex(database, changes);
  const notes = new NoteStore(database, changes, index);
  const files = new FileStore(database, changes);
  const within = (scope: () => StoreScope): StoreView => ({
    notes: notes.within(scope),
    files: files.within(scope),
    changes: changes.within(scope),
    rehearse: (work) => untilWrite(work(within(() => ({ ...scope(), isRehearsal: true })))),
  });
  return {
    ...within(() => EVERYTHING),
    notes,
    files,
    changes,
    history: new ChangeHistory(database, new Writer(database, changes, () => EVERYTHING)),
    within,
    updateIndex: () => index.update(),
    async clear() {
      const head = await clearStore(database);
      changes.announce(head, [EVERYTHING_CHANGED], null);
    },
    exportZip: (archiveOptions = {}) => exportZip(database, files, archiveOptions),
    async importZip(blob, archiveOptions = {}) {
      const writer = new Writer(database, changes, () => EVERYTHING);
      return await importZip({ writer, files, parseYaml }, blob, archiveOptions);
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

/** Resolves with `undefined` if the work was ended by a write in a rehearsal. */
async function untilWrite<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    const cause = error instanceof StoreError ? error.cause : undefined;
    if (cause instanceof DOMException && cause.name === 'ReadOnlyError') return undefined;
    throw error;
  }
}
