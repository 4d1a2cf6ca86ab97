// The real server for tests, in the process of the test, without a worker.
import { startServer, type ServerOptions } from '@inpage-mcp/server';
import type { Runtime, RuntimeOptions } from './runtime-types.js';
import { startWithWorker } from './start-with-worker.js';

/** The options of a runtime in a test. */
export interface TestRuntimeOptions extends Omit<RuntimeOptions, 'worker'> {
  /** The options that the app's own worker passes to `startServer`. Default: the built-in features. */
  server?: ServerOptions | undefined;
}

/**
 * Starts the real server in the process of a test, with everything that the worker has. It needs
 * IndexedDB: `import 'fake-indexeddb/auto'`. The database has a new name, unless one is given. Close
 * the runtime in the end.
 *
 * @throws {RuntimeError} as `startRuntime` does.
 */
export async function startTestRuntime({
  server = {},
  databaseName = `test-${crypto.randomUUID()}`,
  ...options
}: TestRuntimeOptions = {}): Promise<Runtime> {
  Object.assign(globalThis, missingGlobals());
  const worker = (): Worker => workerInProcess(server);
  return startWithWorker({ ...options, databaseName, worker });
}

/**
 * The globals of a page or a worker that Node does not have. An error that a page would report is only
 * logged.
 */
function missingGlobals(): object {
  const globals = {
    navigator: { userAgent: 'Node.js' },
    reportError: (error: unknown) => console.error(error),
    addEventListener: () => undefined,
    dispatchEvent: () => true,
  };
  return Object.fromEntries(Object.entries(globals).filter(([name]) => !(name in globalThis)));
}

/** A channel instead of a worker, with the members that the runtime uses. */
function workerInProcess(options: ServerOptions): Worker {
  const { port1, port2 } = new MessageChannel();
  startServer(options, port2);
  port1.start();
  const close = (): void => {
    port1.close();
    port2.close();
  };
  return Object.assign(port1, { terminate: close, onerror: null }) as unknown as Worker;
}
