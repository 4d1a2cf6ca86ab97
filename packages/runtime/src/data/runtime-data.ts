import type { StoreOperations } from '@inpage-mcp/server/control-plane';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';
import { runTask, type TaskOptions } from './tasks.js';

/**
 * The user's notes, for the page that owns them: the operations of the store. Calls reject with a
 * `RuntimeError`, or with the reason of their signal. If the worker dies under way, those that only
 * read are repeated once, and so are writes with an idempotency key.
 */
export type RuntimeNotes = StoreOperations['notes'];

/** The user's files, for the page that owns them. Calls reject as those of {@link RuntimeNotes}. */
export type RuntimeFiles = StoreOperations['files'];

/** How many arguments of each operation come before its options. */
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
  list: 0,
  search: 1,
};

/** Operations that only read may be repeated. */
const READING: readonly string[] = ['get', 'list', 'search', 'read', 'verify'];

interface Options extends TaskOptions {
  idempotencyKey?: string;
}

/** The data of the user, on whichever worker there is. */
export function dataOf(supervisor: WorkerSupervisor): { notes: RuntimeNotes; files: RuntimeFiles } {
  return {
    notes: operationsOf(supervisor, 'notes', NOTES),
    files: operationsOf(supervisor, 'files', FILES),
  };
}

/**
 * Operations of the store, on whichever worker there is.
 *
 * @param counts How many arguments of each come before its options.
 */
export function operationsOf<Part extends keyof StoreOperations>(
  supervisor: WorkerSupervisor,
  part: Part,
  counts: Arguments<Part>,
): StoreOperations[Part] {
  const operations = Object.entries<number>(counts).map(([operation, count]) => {
    const run = (...args: unknown[]): Promise<unknown> => {
      const { signal, onProgress, ...options } = (args[count] ?? {}) as Options;
      // A write that has a key is done once, however often it is called.
      const isRepeatable = READING.includes(operation) || options.idempotencyKey !== undefined;
      const task = { signal, onProgress };
      return runTask(supervisor, isRepeatable ? 'twice' : 'once', task, (control, number, report) =>
        control.run(part, operation, args.slice(0, count), options, number, report),
      );
    };
    return [operation, run];
  });
  return Object.fromEntries(operations) as StoreOperations[Part];
}
