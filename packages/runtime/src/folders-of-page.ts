import { FoldersOfPage } from './data/folders.js';
import { RuntimeError } from './worker/runtime-error.js';
import type { WorkerSupervisor } from './supervision/worker-supervisor.js';

/**
 * The folders of a page.
 *
 * @param events The runtime, which dispatches `folders`.
 * @throws {RuntimeError} `unavailable` outside of a page.
 */
export function foldersOfPage(
  supervisor: WorkerSupervisor,
  events: EventTarget,
  databaseName: string,
): FoldersOfPage {
  if (!('document' in globalThis))
    throw new RuntimeError('unavailable', 'Only a page has folders of the disk.');
  return new FoldersOfPage(supervisor, events, databaseName, diskScript());
}

/**
 * The address of the script that the worker loads with the first folder. Bundlers find and emit the file as
 * they do for a worker, because the address is in one literal expression with the name `Worker` (see
 * default-worker.ts). This function starts nothing.
 */
function diskScript(): string {
  const Worker = class {
    readonly script: URL;

    constructor(script: URL, _options: WorkerOptions) {
      this.script = script;
    }
  };
  const { script } = new Worker(new URL('@inpage-mcp/runtime/disk', import.meta.url), {
    type: 'module',
  });
  const isResolved = !script.pathname.endsWith('/@inpage-mcp/runtime/disk');
  // If no bundler has resolved the name of the package, the file is next to the worker's file.
  return (isResolved ? script : new URL('../../disk.js', script)).href;
}
