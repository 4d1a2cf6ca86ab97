import { canHoldLiveness, holdLiveness } from '@inpage-mcp/transport';
import type { Control } from './control-plane.js';
import { InpageServer, type ServerOptions } from './inpage-server.js';
import { settle } from './outcome.js';
import { reportTo, type Reports } from './worker-reports.js';

/** Makes the control plane of a server that its page has yet to start. */
export function createControl(options: ServerOptions): Control {
  let opening: Promise<InpageServer> | undefined;
  let reports: Reports | undefined;
  const server = (): Promise<InpageServer> =>
    opening ?? Promise.reject(new Error('The server was not started.'));
  const call = <Value>(run: (server: InpageServer) => Value | Promise<Value>) =>
    settle(async () => run(await server()));
  return {
    start: ({ databaseName, confirms = false, livenessLock, limits = {} }, page) =>
      settle(async () => {
        if (livenessLock !== undefined && canHoldLiveness()) await holdLiveness(livenessLock);
        opening ??= InpageServer.open(databaseName, options);
        const inpage = await opening;
        inpage.setLimits(limits);
        if (!page) return;
        if (confirms) inpage.confirm = (request) => page.confirm(request);
        reports = reportTo(page, inpage);
      }),
    ping: () => settle(() => undefined),
    servePort: (port, served) => call((inpage) => inpage.servePort(port, served)),
    setAccess: (connection, access) => call((inpage) => inpage.setAccess(connection, access)),
    closeConnection: (connection) => call((inpage) => inpage.closeConnection(connection)),
    watchActivity: (isWatched) => call(() => reports?.watchActivity(isWatched)),
    provide: (description, read) => call(({ provided }) => provided.add(description, read)),
    providedChanged: (uri) => call(({ provided }) => provided.changed(uri)),
    removeProvided: (uri) => call(({ provided }) => provided.remove(uri)),
    createNote: (note) => call(({ store }) => store.notes.create(note)),
    getNote: (id) => call(({ store }) => store.notes.get(id)),
    updateNote: (id, update) => call(({ store }) => store.notes.update(id, update)),
    deleteNote: (id) => call(({ store }) => store.notes.delete(id)),
    listNotes: (page) => call(({ store }) => store.notes.list(page)),
    searchNotes: (query, search) => call(({ store }) => store.notes.search(query, search)),
    writeFile: (path, blob, write) => call(({ store }) => store.files.write(path, blob, write)),
    updateFile: (path, update) => call(({ store }) => store.files.update(path, update)),
    readFile: (path) => call(({ store }) => store.files.read(path)),
    moveFile: (from, to, move) => call(({ store }) => store.files.move(from, to, move)),
    deleteFile: (path) => call(({ store }) => store.files.delete(path)),
    listFiles: (page) => call(({ store }) => store.files.list(page)),
    close: () => call((inpage) => inpage.close()),
  };
}
