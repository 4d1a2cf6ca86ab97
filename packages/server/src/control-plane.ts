/**
 * The types of the control plane, for the page. They name nothing of the SDK: whoever type-checks
 * an app against the runtime does not meet the SDK's types.
 */
import type { FilePage, NewNote, Note, NotePage, NoteUpdate, StoredFile } from '@inpage-mcp/store';

export type {
  FilePage,
  NewNote,
  Note,
  NotePage,
  NoteSummary,
  NoteUpdate,
  StoredFile,
  StoreErrorCode,
} from '@inpage-mcp/store';

/**
 * The result of a call on the control plane, as plain data: an `Error` would lose its code on the
 * way through comlink and take the worker's stack along.
 */
export type Outcome<Value> =
  { ok: true; value: Value } | { ok: false; error: { code: string; message: string } };

/**
 * What the page that made the worker may do, over comlink. It is trusted, and none
 * of it is reachable from an MCP port.
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
