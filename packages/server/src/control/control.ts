import type { Store } from '@inpage-mcp/store';
import { canHoldLiveness, holdLiveness } from '@inpage-mcp/transport';
import { transfer } from 'comlink';
import { createPageConfirm } from './page-confirm.js';
import type {
  Control,
  OpeningProgress,
  PageEnd,
  StorageLoss,
  StoreOperations,
} from './control-plane.js';
import { InpageServer } from '../serving/inpage-server.js';
import type { ServerOptions } from '../serving/server-options.js';
import { settle } from './outcome.js';
import { PageExports } from './page-exports.js';
import { PageTasks, type TaskOptions } from './page-tasks.js';
import { releaseRemote } from '../resources/release-remote.js';
import { storageReport } from '../resources/storage-report.js';
import { ReportBuffer, reportTo, type Reports } from './worker-reports.js';

/** The only operations of the store that the page may call. */
const OPERATIONS = {
  notes: ['create', 'createAll', 'get', 'update', 'append', 'delete', 'restore', 'list', 'search'],
  files: ['write', 'update', 'read', 'verify', 'move', 'delete', 'restore', 'list', 'search'],
  history: ['list', 'revert'],
  whole: ['importZip', 'clear'],
} satisfies { [Part in keyof StoreOperations]: (keyof StoreOperations[Part])[] };

/** Creates the control plane of a server that its page will start. */
export function createControl(server: ServerOptions): Control {
  let opening: Promise<InpageServer> | undefined;
  let reports: Reports | undefined;
  let pageEnd: PageEnd | undefined;
  const tasks = new PageTasks();
  const exports = new PageExports();
  const buffer = new ReportBuffer();
  const events = {
    onloss: (loss: StorageLoss) => buffer.report({ type: 'storage-lost', loss }),
    onnewerversion: () => buffer.report({ type: 'newer-version' }),
  };
  const waitForServer = (): Promise<InpageServer> =>
    opening ?? Promise.reject(new Error('The server was not started.'));
  const call = <Value>(run: (inpage: InpageServer) => Value | Promise<Value>) =>
    settle(async () => run(await waitForServer()));
  return {
    live: (livenessLock) =>
      settle(async () => {
        if (livenessLock === undefined || !canHoldLiveness()) return false;
        // The API may exist and be forbidden, as in a frame without storage.
        return await holdLiveness(livenessLock).then(
          () => true,
          () => false,
        );
      }),
    start: ({ databaseName, marker, confirms = false, limits = {} }, page) =>
      settle(async () => {
        const onprogress = (progress: OpeningProgress): void => {
          void Promise.resolve(page?.report({ type: 'opening', progress })).catch(() => undefined);
        };
        const parseYaml = page && ((texts: string[]) => page.parseYaml(texts));
        const options = { marker, onprogress, parseYaml, ...events };
        pageEnd = page;
        opening ??= InpageServer.open(databaseName, server, options);
        const inpage = await opening;
        inpage.setLimits(limits);
        if (!page) return;
        if (confirms) inpage.confirm = createPageConfirm(page);
        inpage.disk.page = {
          ignored: async (patterns, paths) => await page.ignored(patterns, paths),
          report: (folders) => buffer.report({ type: 'folders', folders }),
        };
        reports = reportTo(page, inpage, buffer);
      }),
    ping: () => settle(() => undefined),
    servePort: (port, served) => call((inpage) => inpage.servePort(port, served)),
    setAccess: (connection, access) => call((inpage) => inpage.setAccess(connection, access)),
    closeConnection: (connection) => call((inpage) => inpage.closeConnection(connection)),
    watchActivity: (isWatched) => call(() => reports?.watchActivity(isWatched)),
    provide: (description, read) => call(({ provided }) => provided.add(description, read)),
    providedChanged: (uri) => call(({ provided }) => provided.changed(uri)),
    removeProvided: (uri) => call(({ provided }) => provided.remove(uri)),
    run: (part, operation, args, options, task, onProgress) => {
      const run = (taskOptions?: TaskOptions) =>
        call(({ store }) => {
          taskOptions?.signal.throwIfAborted();
          return operationOf(store, part, operation)(...args, { ...options, ...taskOptions });
        });
      // The page may cancel a task while the server is still opening.
      return task === undefined ? run() : tasks.run(task, onProgress, run);
    },
    cancelTask: (task) =>
      settle(() => {
        tasks.cancel(task);
        exports.cancel(task);
      }),
    mountFolder: (script, handle, options) =>
      call(async ({ disk }) => (await disk.load(script)).mount(handle, options)),
    unmountFolder: (script, name) =>
      call(async ({ disk }) => (await disk.load(script)).unmount(name)),
    refreshFolders: (script) => call(async ({ disk }) => (await disk.load(script)).refresh()),
    addFeature: (script) => call(({ features }) => features.add(script)),
    estimate: () => call(({ store }) => storageReport(store)),
    readExport: async (task) => {
      const outcome = await call(({ store }) => exports.read(task, store));
      const bytes = outcome.ok && outcome.value.bytes;
      return bytes ? transfer(outcome, [bytes.buffer]) : outcome;
    },
    catchUp: () => call(({ store }) => store.changes.catchUp()),
    close: () =>
      call(async (inpage) => {
        await inpage.close();
        // Without the page's function, a process in which this runs can end.
        releaseRemote(pageEnd);
        return inpage.store.changes.head;
      }),
  };
}

/**
 * The operation of the store with this name.
 *
 * @throws {TypeError} if the page may not call this operation.
 */
function operationOf(
  store: Store,
  part: keyof StoreOperations,
  operation: string,
): (...args: unknown[]) => Promise<unknown> {
  const known: readonly string[] = OPERATIONS[part];
  if (!known.includes(operation))
    throw new TypeError(`${operation} is not an operation of ${part}.`);
  const operations = (part === 'whole' ? store : store[part]) as unknown as {
    [name: string]: (...args: unknown[]) => Promise<unknown>;
  };
  return (...args) => operations[operation]!(...args);
}
