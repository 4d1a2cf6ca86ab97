import { canHoldLiveness, holdLiveness } from '@inpage-mcp/transport';
import { transfer } from 'comlink';
import { askingPage } from './asking-page.js';
import type { Control, OpeningProgress, StorageLoss } from './control-plane.js';
import { InpageServer } from '../serving/inpage-server.js';
import type { ServerOptions } from '../serving/server-options.js';
import { settle } from './outcome.js';
import { PageExports } from './page-exports.js';
import { PageTasks } from './page-tasks.js';
import { storageReport } from '../resources/storage-report.js';
import { EarlyReports, reportTo, type Reports } from './worker-reports.js';

/** Makes the control plane of a server that its page has yet to start. */
export function createControl(server: ServerOptions): Control {
  let opening: Promise<InpageServer> | undefined;
  let reports: Reports | undefined;
  const tasks = new PageTasks();
  const exports = new PageExports();
  const early = new EarlyReports();
  const events = {
    onloss: (loss: StorageLoss) => early.report({ type: 'storage-lost', loss }),
    onnewerversion: () => early.report({ type: 'newer-version' }),
  };
  const opened = (): Promise<InpageServer> =>
    opening ?? Promise.reject(new Error('The server was not started.'));
  const call = <Value>(run: (inpage: InpageServer) => Value | Promise<Value>) =>
    settle(async () => run(await opened()));
  return {
    live: (livenessLock) =>
      settle(async () => {
        if (livenessLock === undefined || !canHoldLiveness()) return false;
        // Locks may be there and forbidden, as in a frame without storage.
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
        opening ??= InpageServer.open(databaseName, server, { marker, onprogress, ...events });
        const inpage = await opening;
        inpage.setLimits(limits);
        if (!page) return;
        if (confirms) inpage.confirm = askingPage(page);
        reports = reportTo(page, inpage, early);
      }),
    ping: () => settle(() => undefined),
    servePort: (port, served) => call((inpage) => inpage.servePort(port, served)),
    setAccess: (connection, access) => call((inpage) => inpage.setAccess(connection, access)),
    closeConnection: (connection) => call((inpage) => inpage.closeConnection(connection)),
    watchActivity: (isWatched) => call(() => reports?.watchActivity(isWatched)),
    provide: (description, read) => call(({ provided }) => provided.add(description, read)),
    providedChanged: (uri) => call(({ provided }) => provided.changed(uri)),
    removeProvided: (uri) => call(({ provided }) => provided.remove(uri)),
    createNote: (note, options) => call(({ store }) => store.notes.create(note, options)),
    createNotes: (notes, options, task, onProgress) =>
      call(({ store }) =>
        tasks.run(task, onProgress, (taskOptions) =>
          store.notes.createAll(notes, { ...options, ...taskOptions }),
        ),
      ),
    getNote: (id) => call(({ store }) => store.notes.get(id)),
    updateNote: (id, update, options) =>
      call(({ store }) => store.notes.update(id, update, options)),
    deleteNote: (id, options) => call(({ store }) => store.notes.delete(id, options)),
    listNotes: (page) => call(({ store }) => store.notes.list(page)),
    searchNotes: (query, search, task) =>
      call(({ store }) =>
        tasks.run(task, undefined, ({ signal }) =>
          store.notes.search(query, { ...search, signal }),
        ),
      ),
    writeFile: (path, blob, write, task, onProgress) =>
      call(({ store }) =>
        tasks.run(task, onProgress, (options) =>
          store.files.write(path, blob, { ...write, ...options }),
        ),
      ),
    updateFile: (path, update, options) =>
      call(({ store }) => store.files.update(path, update, options)),
    readFile: (path) => call(({ store }) => store.files.read(path)),
    moveFile: (from, to, move) => call(({ store }) => store.files.move(from, to, move)),
    deleteFile: (path, options) => call(({ store }) => store.files.delete(path, options)),
    searchFiles: (query, search, task) =>
      call(({ store }) =>
        tasks.run(task, undefined, ({ signal }) =>
          store.files.search(query, { ...search, signal }),
        ),
      ),
    verifyFile: (path, task, onProgress) =>
      call(({ store }) =>
        tasks.run(task, onProgress, (options) => store.files.verify(path, options)),
      ),
    listFiles: (page) => call(({ store }) => store.files.list(page)),
    cancelTask: (task) =>
      settle(() => {
        tasks.cancel(task);
        exports.cancel(task);
      }),
    estimate: () => call(({ store }) => storageReport(store)),
    readExport: async (task) => {
      const outcome = await call(({ store }) => exports.read(task, store));
      const bytes = outcome.ok && outcome.value.bytes;
      return bytes ? transfer(outcome, [bytes.buffer]) : outcome;
    },
    importZip: (zip, task, onProgress) =>
      call(({ store }) => tasks.run(task, onProgress, (options) => store.importZip(zip, options))),
    catchUp: () => call(({ store }) => store.changes.catchUp()),
    clear: () => call(({ store }) => store.clear()),
    close: () =>
      call(async (inpage) => {
        await inpage.close();
        return inpage.store.changes.head;
      }),
  };
}
