import type { StoreOperations } from '@inpage-mcp/server/control-plane';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';
import { runTask, type TaskOptions } from './tasks.js';

/**
 * The user's notes, for the page that owns them: the operations of the store. Calls reject with a
 * `RuntimeError`, or with the reason of their signal. If the worker dies during a call, reads and
 * writes with an idempotency key are repeated once.
 */
export type RuntimeNotes = StoreOperations['notes'];

/**
 * The user's files, for the page that owns them. Calls reject like those of {@link RuntimeNotes}.
 */
export type RuntimeFiles = StoreOperations['files'];

/** The number of arguments of each operation before its options. */
type Arguments<Part extends keyof StoreOperations> = {
  [Operation in keyof StoreOperations[Part]]: number;
};

const NOTES: Arguments<'notes'> = {
  create: 1,
  createAll: 1,
  get: 1,
  update: 2,
  append: 2,
  delete: 1,
  restore: 1,
  list: 0,
  search: 1,
};

const FILES: Arguments<'files'> = {
  write: 2,
  update: 2,
  read: 1,
  verify: 1,
  move: 2,
  delete: 1,
  restore: 2,
  list: 0,
  search: 1,
};

/** The operations that only read, and may be repeated. */
const READING: readonly string[] = ['get', 'list', 'search', 'read', 'verify'];

interface Options extends TaskOptions {
  idempotencyKey?: string | undefined;
}

/** The data of the user, on the current worker. */
export function dataOf(supervisor: WorkerSupervisor): { notes: RuntimeNotes; files: RuntimeFiles } {
  return {
    notes: operationsOf(supervisor, 'notes', NOTES),
    files: operationsOf(supervisor, 'files', FILES),
  };
}

/**
 * Operations of the store, on the current worker.
 *
 * @param counts The number of arguments of each operation before its options.
 */
export function operationsOf<Part extends keyof StoreOperations>(
  supervisor: WorkerSupervisor,
  part: Part,
  counts: Arguments<Part>,
): StoreOperations[Part] {
  const operations = Object.entries<number>(counts).map(([operation, count]) => {
    const run = (...args: unknown[]): Promise<unknown> => {
      const { signal, onProgress, ...options } = (args[count] ?? {}) as Options;
      // A write with a key is carried out once, regardless of how often it is sent.
      const isRepeatable = READING.includes(operation) || options.idempotencyKey !== undefined;
      const task = { signal, onProgress };
      return runTask(
        supervisor,
        isRepeatable ? 'runWithRetry' : 'run',
        task,
        (control, number, report) =>
          control.run(part, operation, args.slice(0, count), options, number, report),
      );
    };
    return [operation, run];
  });
  return Object.fromEntries(operations) as StoreOperations[Part];
}
