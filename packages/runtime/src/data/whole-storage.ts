// Loaded on first use. It imports types only, so that bundlers move no other module out of the code
// that a page loads at its start.
import type { ExportedPiece, StorageReport } from '@inpage-mcp/server/control-plane';
import type { ServerWorker } from '../worker/server-worker.js';
import type { TaskOptions } from './tasks.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/** The browser's answer to `persist()`. */
export interface Persistence {
  /** Whether the browser will not evict the data of the site when space is short. */
  persisted: boolean;
  /** Whether the browser is still asking the user, so that `persisted` may become true. */
  isAsking: boolean;
  /** The meaning of the answer as an English text for the user. */
  meaning: string;
}

/** Options of `persist()`. */
export interface PersistOptions {
  /**
   * The timeout for the browser's answer, in milliseconds: the user may never answer its question. Default:
   * 30 s.
   */
  timeoutMs?: number | undefined;
}

/** The default timeout, which is enough time for the user to read and answer the question. */
const PERSIST_TIMEOUT_MS = 30_000;

/** An English text for the user about a report. */
export function meaningOfReport(report: StorageReport): string {
  return `${meaningOfSize(report)} ${meaningOf(report.persisted)}`;
}

/**
 * @param answer The browser's answer.
 * @see RuntimeStorage.persist
 */
export async function persistence(
  answer: Promise<boolean>,
  { timeoutMs = PERSIST_TIMEOUT_MS }: PersistOptions = {},
): Promise<Persistence> {
  const persisted = await within(answer, timeoutMs);
  if (persisted !== undefined) {
    return { persisted, isAsking: false, meaning: meaningOf(persisted) };
  }
  const meaning = `The browser asks you whether to keep it. ${meaningOf(false)}`;
  return { persisted: false, isAsking: true, meaning };
}

/**
 * @param number Identifies the export to the worker.
 * @see RuntimeStorage.exportZip
 */
export async function exportZip(
  supervisor: WorkerSupervisor,
  number: number,
  { signal, onProgress }: TaskOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  // Another worker cannot continue the export: if this one dies, the export fails.
  return await supervisor.run(async (server) => {
    // The signal may have aborted while the worker started.
    signal?.throwIfAborted();
    return streamOf(server, number, { signal, onProgress });
  });
}

/** Requests a piece only when the reader needs it, so that no piece waits in memory. */
function streamOf(
  server: ServerWorker,
  number: number,
  { signal, onProgress }: TaskOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const cancel = (): void => {
    signal?.removeEventListener('abort', abort);
    server.call((control) => control.cancelTask(number)).catch(() => undefined);
  };
  const report = ({ done, total }: ExportedPiece): void => {
    try {
      onProgress?.(done, total);
    } catch (error) {
      // The export continues after an error of the listener.
      reportError(error);
    }
  };
  let fail: ((reason: unknown) => void) | undefined;
  const abort = (): void => {
    cancel();
    fail?.(signal?.reason);
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        fail = (reason) => controller.error(reason);
        signal?.addEventListener('abort', abort);
      },
      async pull(controller) {
        try {
          const piece = await server.call((control) => control.readExport(number));
          // The piece may arrive after an abort.
          if (signal?.aborted) return;
          report(piece);
          if (piece.bytes) return controller.enqueue(piece.bytes);
          controller.close();
        } catch (error) {
          // After an abort the stream has failed with its reason already.
          if (!signal?.aborted) controller.error(error);
        }
        signal?.removeEventListener('abort', abort);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

/**
 * The result of a promise, or `undefined` if it takes longer than the timeout, in milliseconds. The timer is
 * cleared when the promise settles, because a process of Node does not exit before its timers.
 */
async function within<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function meaningOf(persisted: boolean): string {
  return persisted
    ? 'The browser keeps it until you clear the data of this site.'
    : 'The browser may delete it when the device runs out of room, or when you have not been here for long. Keep an export of what matters.';
}

function meaningOfSize({ notes, files, usedBytes, quotaBytes }: StorageReport): string {
  const kept = `${count(notes, 'note')} and ${count(files, 'file')} are kept in this browser.`;
  if (usedBytes === undefined || quotaBytes === undefined) return kept;
  return `${kept} This site uses ${formatBytes(usedBytes)} of the ${formatBytes(quotaBytes)} it may.`;
}

function count(number: number, of: string): string {
  return `${number} ${of}${number === 1 ? '' : 's'}`;
}

/** A size as a text with three digits: `4.21 MB`, `10.7 GB`. */
function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const digits = step === 0 ? bytes : Number((bytes / 1_000 ** step).toPrecision(3));
  return `${digits} ${units[step]}`;
}
