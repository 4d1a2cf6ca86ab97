import type { ImportOptions, ImportReport, StorageReport } from '@inpage-mcp/server/control-plane';
import { loadModule } from '../worker/load-module.js';
import { operationsOf } from './runtime-data.js';
import { newTaskNumber, type TaskOptions } from './tasks.js';
import type { Persistence, PersistOptions } from './whole-storage.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

export type { Persistence, PersistOptions };

/** The amount of stored data, and its safety from eviction. */
export interface StorageEstimate extends StorageReport {
  /** The meaning of the report as an English text for the user. */
  meaning: string;
}

/**
 * Operations on everything that is stored. Calls reject with a `RuntimeError`, or with the reason
 * of their signal.
 */
export interface RuntimeStorage {
  /** Counts the notes and files, and estimates the space that the site uses and may use. */
  estimate(): Promise<StorageEstimate>;
  /**
   * Asks the browser not to evict the site's data. Firefox asks the user; other browsers decide by
   * how much the site is used, so a later call may succeed. If the user has not answered in time,
   * this resolves with `isAsking`; later, `estimate()` reports the answer, and another call waits
   * for the same answer. Never rejects.
   */
  persist(options?: PersistOptions): Promise<Persistence>;
  /**
   * All notes and files as a zip: notes in Markdown with their properties as front matter, files
   * unchanged, and a `manifest.jsonl`. The zip is generated while the stream is read: pipe it into a
   * file, or make a Blob with `new Response(stream).blob()`. An entry that changes during the
   * export is exported before or after its change. Cancelling the stream ends the export.
   */
  exportZip(options?: TaskOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * Imports a zip of `exportZip`, and merges it by id or path and revision: missing entries are
   * added unchanged, newer ones replace, older ones are skipped, and if the same revision has other
   * content, both are kept. Notes may have been edited by another Markdown program since: a parser of
   * their front matter is loaded then. Unreadable entries are skipped and named in the report.
   *
   * Rejects with `too-large` before it writes anything if the archive needs more than `maxBytes`, by
   * default a quarter of the free space, or 64 MiB and 20 times its own size: ask the user, and call it
   * again with a larger `maxBytes`.
   *
   * If the import is cancelled or fails, the entries imported so far stay; it may be repeated.
   */
  importZip(zip: Blob, options?: ImportOptions): Promise<ImportReport>;
  /** Deletes all notes and files, and all data that was recorded about them, in every tab. */
  clear(): Promise<void>;
}

/** The answer to an open `persist()` request of the browser. */
let pendingAnswer: Promise<boolean> | undefined;

/** The storage, on the current worker. */
export function storageOf(supervisor: WorkerSupervisor): RuntimeStorage {
  return {
    async estimate() {
      // The request is sent at once, so that the worker counts the entries at the time of the call.
      const [report, { meaningOfReport }] = await Promise.all([
        supervisor.runWithRetry((server) => server.call((control) => control.estimate())),
        loadWholeStorage(),
      ]);
      return { ...report, meaning: meaningOfReport(report) };
    },
    async persist(options) {
      // The question is asked synchronously, while the user activation of a click is still valid.
      pendingAnswer ??= askToPersist().finally(() => (pendingAnswer = undefined));
      const answer = pendingAnswer;
      try {
        const { persistence } = await loadWholeStorage();
        return await persistence(answer, options);
      } catch (error) {
        return { persisted: false, isAsking: false, meaning: (error as Error).message };
      }
    },
    async exportZip(options = {}) {
      options.signal?.throwIfAborted();
      supervisor.ended.throwIfAborted();
      const { exportZip } = await loadWholeStorage();
      return await exportZip(supervisor, newTaskNumber(), options);
    },
    ...operationsOf(supervisor, 'whole', { importZip: 1, clear: 0 }),
  };
}

/** Loads the module on first use: only pages that show the usage, or export the data, need it. */
function loadWholeStorage() {
  return loadModule(() => import('./whole-storage.js'));
}

/**
 * Asks the browser for persistence. An insecure context has no `navigator.storage`, and some browsers throw
 * in a frame without storage.
 */
async function askToPersist(): Promise<boolean> {
  try {
    return await navigator.storage.persist();
  } catch {
    return false;
  }
}
