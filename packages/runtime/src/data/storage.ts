import type { ImportReport, StorageReport } from '@inpage-mcp/server/control-plane';
import { loadPart } from './load-part.js';
import { operationsOf } from './runtime-data.js';
import { newTaskNumber, type TaskOptions } from './tasks.js';
import type { Persistence, PersistOptions } from './whole-storage.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

export type { Persistence, PersistOptions };

/** How much there is, and how safe it is. */
export interface StorageEstimate extends StorageReport {
  /** The same in a sentence or two for the user, in English. */
  meaning: string;
}

/**
 * Everything that is stored, as a whole. Calls reject with a `RuntimeError`, or with the reason of
 * their signal.
 */
export interface RuntimeStorage {
  /** How many notes and files there are, how much room they and the rest of the site take, of how much. */
  estimate(): Promise<StorageEstimate>;
  /**
   * Asks the browser not to delete the site's data by itself. Firefox asks the user, the others decide
   * from how much the site is used; asking again later may help. If the user has not answered in time,
   * it resolves with `isAsking`; `estimate()` gives the answer from then on, and another call waits for
   * the same answer. Never rejects.
   */
  persist(options?: PersistOptions): Promise<Persistence>;
  /**
   * All notes and files as a zip: notes in Markdown with their properties as front matter, files as
   * they are, and a `manifest.json`. It is made while it is read, piece by piece: pipe it into a file,
   * or make a Blob of it by `new Response(stream).blob()`. What changes meanwhile may come as it was
   * or as it is. Cancelling the stream ends it.
   */
  exportZip(options?: TaskOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * Brings in what `exportZip` has made, and merges it by id or path and revision: what is not there
   * is added as it was, what is newer replaces, what is older is left out, and where the same revision
   * says something else, both are kept. What cannot be read is skipped and named in the report.
   *
   * What was brought in until it is cancelled or fails stays; it may be repeated.
   */
  importZip(zip: Blob, options?: TaskOptions): Promise<ImportReport>;
  /** Deletes all notes and files, and what is remembered of them, in every tab. */
  clear(): Promise<void>;
}

/** What the browser will answer to a question that is open. */
let asked: Promise<boolean> | undefined;

/** The storage behind whichever worker there is. */
export function storageOf(supervisor: WorkerSupervisor): RuntimeStorage {
  return {
    async estimate() {
      // The worker is asked at once, so that it counts what was there at the time of the call.
      const [report, { meaningOfReport }] = await Promise.all([
        supervisor.twice((server) => server.call((control) => control.estimate())),
        loadWholeStorage(),
      ]);
      return { ...report, meaning: meaningOfReport(report) };
    },
    async persist(options) {
      // In the turn of the call, while the user's click counts for it.
      asked ??= askToPersist().finally(() => (asked = undefined));
      const answer = asked;
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

/** What only pages pay for that show how much is stored, or export it. */
function loadWholeStorage() {
  return loadPart(() => import('./whole-storage.js'));
}

/** An insecure context has no `navigator.storage`; some browsers throw in a frame without storage. */
async function askToPersist(): Promise<boolean> {
  try {
    return await navigator.storage.persist();
  } catch {
    return false;
  }
}
