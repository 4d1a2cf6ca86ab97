import type { FilePage, NewNote, Note, NotePage, NoteUpdate, StoredFile } from '@inpage-mcp/store';
import { InpageServer, type ServerOptions } from './inpage-server.js';
import { settle, type Outcome } from './outcome.js';

/**
 * What the page that made the worker may do, over comlink. It is trusted: nothing here is limited
 * by an `Access`, and none of it is reachable from an MCP port.
 */
export interface Control {
  /** Opens the database. Everything else waits for this. */
  start(options: { databaseName: string }): Promise<Outcome<void>>;
  /** Serves MCP on a transferred port. */
  servePort(port: MessagePort): Promise<Outcome<void>>;
  createNote(note: NewNote): Promise<Outcome<Note>>;
  getNote(id: string): Promise<Outcome<Note>>;
  updateNote(id: string, update: NoteUpdate): Promise<Outcome<Note>>;
  deleteNote(id: string): Promise<Outcome<void>>;
  listNotes(page?: { before?: string; limit?: number }): Promise<Outcome<NotePage>>;
  writeFile(
    path: string,
    blob: Blob,
    options?: { expectedRevision?: number },
  ): Promise<Outcome<StoredFile>>;
  readFile(path: string): Promise<Outcome<{ file: StoredFile; blob: Blob }>>;
  deleteFile(path: string): Promise<Outcome<void>>;
  listFiles(page?: { after?: string; limit?: number }): Promise<Outcome<FilePage>>;
  /** Ends every connection and the store. */
  close(): Promise<Outcome<void>>;
}

/** Makes the control plane of a server that its page has yet to start. */
export function createControl(options: ServerOptions): Control {
  let opening: Promise<InpageServer> | undefined;
  const server = (): Promise<InpageServer> =>
    opening ?? Promise.reject(new Error('The server was not started.'));
  const call = <Value>(run: (server: InpageServer) => Value | Promise<Value>) =>
    settle(async () => run(await server()));
  return {
    start: ({ databaseName }) =>
      settle(async () => {
        opening ??= InpageServer.open(databaseName, options);
        await opening;
      }),
    servePort: (port) => call((inpage) => inpage.servePort(port)),
    createNote: (note) => call(({ store }) => store.notes.create(note)),
    getNote: (id) => call(({ store }) => store.notes.get(id)),
    updateNote: (id, update) => call(({ store }) => store.notes.update(id, update)),
    deleteNote: (id) => call(({ store }) => store.notes.delete(id)),
    listNotes: (page) => call(({ store }) => store.notes.list(page)),
    writeFile: (path, blob, write) => call(({ store }) => store.files.write(path, blob, write)),
    readFile: (path) => call(({ store }) => store.files.read(path)),
    deleteFile: (path) => call(({ store }) => store.files.delete(path)),
    listFiles: (page) => call(({ store }) => store.files.list(page)),
    close: () => call((inpage) => inpage.close()),
  };
}
