import {
  RuntimeError,
  startRuntime,
  type McpClient,
  type Runtime,
  type StorageLostEvent,
} from '@inpage-mcp/runtime';

/** The runtime of this tab, once it was opened. */
export let runtime: Runtime;

/** The worker that serves it now. */
export let worker: Worker;

let losses: StorageLostEvent['loss'][] = [];
let troubles: string[] = [];
let listChanges = 0;

/** Starts a runtime; resolves with how many milliseconds it took until there was a first list. */
export async function open(databaseName: string): Promise<number> {
  const startedAt = performance.now();
  losses = [];
  troubles = [];
  runtime = await startRuntime({ databaseName, worker: makeWorker });
  runtime.addEventListener('storage-lost', ({ loss }) => losses.push(loss));
  runtime.addEventListener('error', ({ message }) => troubles.push(message));
  runtime.addEventListener('failed', ({ error }) => troubles.push(String(error)));
  await runtime.notes.list();
  return performance.now() - startedAt;
}

/** How a start fails that must; resolves with `ok` where it does not. */
export async function tryToOpen(databaseName: string): Promise<{ code: string; message: string }> {
  try {
    await open(databaseName);
    return { code: 'ok', message: '' };
  } catch (error) {
    if (error instanceof RuntimeError) return { code: error.code, message: error.message };
    return { code: 'untyped', message: String(error) };
  }
}

function makeWorker(): Worker {
  worker = new Worker('/worker.js', { type: 'module' });
  return worker;
}

/** Ends the worker, as the browser may; the runtime starts another. */
export function endWorker(): void {
  worker.terminate();
}

/** Ends the runtime. */
export async function close(): Promise<void> {
  await runtime.close();
}

/** What was reported since the start: losses of data, and errors that nobody caught. */
export function reports(): { losses: StorageLostEvent['loss'][]; troubles: string[] } {
  return { losses, troubles };
}

/** Connects a client that counts how often the list of resources has changed. */
export async function watchList(): Promise<void> {
  const client: McpClient = await runtime.connect();
  await client.watchList(() => (listChanges += 1)).ready;
}

/** How often the client was notified of another list. */
export function countListChanges(): number {
  return listChanges;
}

/**
 * Waits until the client was notified of another list, and the runtime has reported so many losses;
 * gives up after a while, and the numbers show it.
 */
export async function whenReported(lossCount: number, listChangeCount: number): Promise<void> {
  const isReported = (): boolean => losses.length >= lossCount && listChanges >= listChangeCount;
  const endsAt = performance.now() + 5_000;
  while (!isReported() && performance.now() < endsAt) {
    // There is no one event for both.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
