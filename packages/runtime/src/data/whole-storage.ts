// Loaded when a page first wants to know. It imports types only, so that nothing else is taken out of
// what a page loads at its start.
import type { StorageReport } from '@inpage-mcp/server/control-plane';
import type { ServerWorker } from '../worker/server-worker.js';
import type { TaskOptions } from './tasks.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/** What the browser has promised. */
export interface Persistence {
  /** Whether it will not delete the data of the site by itself, when room is short. */
  persisted: boolean;
  /** Whether the browser still asks the user, so that it may promise it yet. */
  isAsking: boolean;
  /** The same in a sentence or two for the user, in English. */
  meaning: string;
}

/** How long to wait for a promise of the browser. */
export interface PersistOptions {
  /** In milliseconds: the user may leave the browser's question open for ever. Default: 30 s. */
  timeoutMs?: number | undefined;
}

/** How long a user may take to read a question, and to answer it. */
const PERSIST_TIMEOUT_MS = 30_000;

/** What a report says, in words. */
export function meaningOfReport(report: StorageReport): string {
  return `${meaningOfSize(report)} ${meaningOf(report.persisted)}`;
}

/**
 * @param asked What the browser will answer.
 * @see RuntimeStorage.persist
 */
export async function persistence(
  asked: Promise<boolean>,
  { timeoutMs = PERSIST_TIMEOUT_MS }: PersistOptions = {},
): Promise<Persistence> {
  const persisted = await Promise.race([asked, nothingAfter(timeoutMs)]);
  if (persisted !== undefined) {
    return { persisted, isAsking: false, meaning: meaningOf(persisted) };
  }
  const meaning = `The browser asks you whether to keep it. ${meaningOf(false)}`;
  return { persisted: false, isAsking: true, meaning };
}

/**
 * @param number What the worker is to know the export by.
 * @see RuntimeStorage.exportZip
 */
export async function exportZip(
  supervisor: WorkerSupervisor,
  number: number,
  { signal, onProgress }: TaskOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  // The worker that began it goes on with it, or it fails.
  return await supervisor.once(async (server) => {
    // It may have been aborted while the worker started.
    signal?.throwIfAborted();
    return streamOf(server, number, { signal, onProgress });
  });
}

/** Asks for each piece when there is room for it, so that none waits in memory. */
function streamOf(
  server: ServerWorker,
  number: number,
  { signal, onProgress }: TaskOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const cancel = (): void => {
    signal?.removeEventListener('abort', abort);
    server.call((control) => control.cancelTask(number)).catch(() => undefined);
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
          // What is asked for may come after the end.
          if (signal?.aborted) return;
          onProgress?.(piece.done, piece.total);
          if (piece.bytes) return controller.enqueue(piece.bytes);
          controller.close();
        } catch (error) {
          // After an abort it has its reason already.
          if (!signal?.aborted) controller.error(error);
        }
        signal?.removeEventListener('abort', abort);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

function nothingAfter(timeoutMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), timeoutMs));
}

function meaningOf(persisted: boolean): string {
  return persisted
    ? 'The browser keeps it until you clear the data of this site.'
    : 'The browser may delete it when the device runs out of room, or when you have not been here for long. Keep an export of what matters.';
}

function meaningOfSize({ notes, files, usedBytes, quotaBytes }: StorageReport): string {
  const kept = `${count(notes, 'note')} and ${count(files, 'file')} are kept in this browser only.`;
  if (usedBytes === undefined || quotaBytes === undefined) return kept;
  return `${kept} This site uses ${inWords(usedBytes)} of the ${inWords(quotaBytes)} it may.`;
}

function count(number: number, of: string): string {
  return `${number} ${of}${number === 1 ? '' : 's'}`;
}

/** To three digits: `4.21 MB`, `10.7 GB`. */
function inWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const digits = step === 0 ? bytes : Number((bytes / 1_000 ** step).toPrecision(3));
  return `${digits} ${units[step]}`;
}
