/**
 * The types of the control plane, for the page. They name no handler: type-checking an app
 * against the runtime does not meet the server's types.
 */
import type {
  Audience,
  FilePage,
  FileUpdate,
  FileVerification,
  Head,
  ImportReport,
  NewNote,
  Note,
  NoteMatch,
  NotePage,
  NoteSummary,
  NoteUpdate,
  OpeningProgress,
  Quota,
  StorageLoss,
  StoredFile,
} from '@inpage-mcp/store';
import type { ProxyMarked } from 'comlink';
import type { Access, ConfirmRequest, LimitChanges, ServedPortOptions } from '../access/access.js';
import type { ActivityEntry } from '../activity/activity-log.js';
import type { ProvidedDescription, ReadProvided } from '../resources/provided-description.js';
import type { StorageReport } from '../resources/storage-report.js';

export type {
  Access,
  Confirm,
  ConfirmRequest,
  HeldBy,
  LimitsOf,
  ServedPortOptions,
} from '../access/access.js';
export type { ActivityEntry } from '../activity/activity-log.js';
export type {
  ProvidedContent,
  ProvidedDescription,
  ReadProvided,
} from '../resources/provided-description.js';
export type { StorageReport } from '../resources/storage-report.js';
export type { ConnectionLimits } from '@inpage-mcp/protocol';

export type {
  Audience,
  FilePage,
  FileUpdate,
  FileVerification,
  Head,
  ImportReport,
  NewNote,
  Note,
  NoteMatch,
  NotePage,
  NoteSummary,
  NoteUpdate,
  OpeningProgress,
  Quota,
  StorageLoss,
  StoredFile,
  StoreErrorCode,
} from '@inpage-mcp/store';

/**
 * The result of a call on the control plane, as plain data: an `Error` would lose its code on the
 * way through comlink and take the worker's stack along.
 */
export type Outcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; error: { code: string; message: string; quota?: Quota } };

/** What the worker tells its page of its own accord. */
export type WorkerReport =
  /** Requests of connections that have ended, the oldest first; only while they are watched. */
  | { type: 'activity'; entries: ActivityEntry[] }
  /** What opening the database waits for, where that takes long. */
  | { type: 'opening'; progress: OpeningProgress }
  /** An error in the worker that nobody caught. */
  | { type: 'error'; message: string }
  /** Data is gone, or cannot be read. */
  | { type: 'storage-lost'; loss: StorageLoss }
  /** A newer version of this software has taken the database over: every call fails now. */
  | { type: 'newer-version' }
  /** Where the database stands, a moment after each change of any tab, and when it was opened. */
  | { type: 'head'; head: Head; isOpened: boolean }
  /** A connection has ended, from either side. */
  | { type: 'connection-closed'; connection: number };

/** The page, as the worker calls it. */
export interface PageEnd {
  /** Puts a question to the page's user, which is withdrawn by its number. */
  confirm(request: ConfirmRequest, question: number): boolean | Promise<boolean>;
  /** Nobody waits for the answer to a question any more. */
  withdraw(question: number): void;
  report(report: WorkerReport): void;
}

/** How to start. */
export interface StartOptions {
  databaseName: string;
  /** Where the database stood when the page last heard of it. Default: not known. */
  marker?: Head;
  /** Whether the page can be asked. Default: false. */
  confirms?: boolean;
  /** What differs from the default limits. */
  limits?: LimitChanges;
}

/** A piece of an export; without bytes after the last one. */
export interface ExportedPiece {
  bytes?: Uint8Array<ArrayBuffer>;
  /** How many notes and files are done. */
  done: number;
  total: number;
}

/** Hears how far a call is: never less than before, and all at the end. */
export type ProgressOfTask = (done: number, total: number) => void | Promise<void>;

/** What every write accepts. */
export interface KeyOption {
  /**
   * Makes the write safe to repeat, for 24 hours: with the same key and arguments it is done once,
   * however often it is called. 1 to 200 UTF-16 code units, such as a UUID. Default: none.
   */
  idempotencyKey?: string;
}

/** How to write a file. */
export interface FileWrite {
  /** Refuse with `conflict` unless the stored file has this revision; 0: there must be none yet. */
  expectedRevision?: number;
  /** Like `text/plain`. Default: the blob's own, else the name's, else the bytes'. */
  mediaType?: string;
  /** Whom the file is meant for; `null` removes it. Default: as before. */
  audience?: Audience[] | null;
  /** How much it matters, from 0 to 1; `null` removes it. Default: as before. */
  priority?: number | null;
}

/**
 * What the page that made the worker may do, over comlink. It is trusted, and none
 * of it is reachable from an MCP port.
 */
export interface Control {
  /**
   * Answers as soon as the worker runs; says whether it holds the lock.
   *
   * @param livenessLock A Web Lock that it holds from then on, for as long as it lives.
   */
  live(livenessLock?: string): Promise<Outcome<boolean>>;
  /** Opens the database. Everything that comes after `live` and `ping` waits for this. */
  start(options: StartOptions, page?: PageEnd & ProxyMarked): Promise<Outcome<void>>;
  /** Answers as long as the worker lives and is not too busy. */
  ping(): Promise<Outcome<void>>;
  /** Serves MCP on a transferred port; gives the number of the connection. */
  servePort(port: MessagePort, options?: ServedPortOptions): Promise<Outcome<number>>;
  /** Gives a connection another access, at once. One that has ended is left alone. */
  setAccess(connection: number, access: Access): Promise<Outcome<void>>;
  /** Ends a connection. One that has ended is left alone. */
  closeConnection(connection: number): Promise<Outcome<void>>;
  /** Starts or stops the reports of `activity`. Default: none. */
  watchActivity(isWatched: boolean): Promise<Outcome<void>>;
  /** Lists a resource of the page's own until it is removed. */
  provide(
    description: ProvidedDescription,
    read: ReadProvided & ProxyMarked,
  ): Promise<Outcome<void>>;
  /** Tells subscribers that a provided resource has another content now. */
  providedChanged(uri: string): Promise<Outcome<void>>;
  removeProvided(uri: string): Promise<Outcome<void>>;
  createNote(note: NewNote, options?: KeyOption): Promise<Outcome<Note>>;
  /** All of them or none. */
  createNotes(
    notes: readonly NewNote[],
    options: KeyOption,
    task: number,
    onProgress?: ProgressOfTask & ProxyMarked,
  ): Promise<Outcome<NoteSummary[]>>;
  getNote(id: string): Promise<Outcome<Note>>;
  updateNote(id: string, update: NoteUpdate, options?: KeyOption): Promise<Outcome<Note>>;
  deleteNote(id: string, options?: KeyOption): Promise<Outcome<void>>;
  listNotes(page?: { before?: string; limit?: number }): Promise<Outcome<NotePage>>;
  searchNotes(
    query: string,
    options: { limit?: number; tag?: string },
    task: number,
  ): Promise<Outcome<{ matches: NoteMatch[]; total: number }>>;
  writeFile(
    path: string,
    blob: Blob,
    options: FileWrite & KeyOption,
    task: number,
    onProgress?: ProgressOfTask & ProxyMarked,
  ): Promise<Outcome<StoredFile>>;
  updateFile(path: string, update: FileUpdate, options?: KeyOption): Promise<Outcome<StoredFile>>;
  readFile(path: string): Promise<Outcome<{ file: StoredFile; blob: Blob }>>;
  moveFile(
    from: string,
    to: string,
    options?: { overwrite?: boolean; expectedRevision?: number } & KeyOption,
  ): Promise<Outcome<StoredFile>>;
  deleteFile(path: string, options?: KeyOption): Promise<Outcome<void>>;
  searchFiles(
    query: string,
    options: { limit?: number },
    task: number,
  ): Promise<Outcome<{ matches: StoredFile[]; total: number }>>;
  /** Reads all bytes of a file and looks whether they are what was written. */
  verifyFile(
    path: string,
    task: number,
    onProgress?: ProgressOfTask & ProxyMarked,
  ): Promise<Outcome<FileVerification>>;
  listFiles(page?: { after?: string; limit?: number; folder?: string }): Promise<Outcome<FilePage>>;
  /** Cancels a call that was given this number by the page. One that has ended is left alone. */
  cancelTask(task: number): Promise<Outcome<void>>;
  /** Looks what was committed while the page was frozen or cached, and tells of it. */
  catchUp(): Promise<Outcome<void>>;
  /** How much there is, and how much there may be. */
  estimate(): Promise<Outcome<StorageReport>>;
  /** The next piece of an export, which begins with the first; `cancelTask` ends it. */
  readExport(task: number): Promise<Outcome<ExportedPiece>>;
  /** Brings in an export. */
  importZip(
    zip: Blob,
    task: number,
    onProgress?: ProgressOfTask & ProxyMarked,
  ): Promise<Outcome<ImportReport>>;
  /** Deletes all notes and files, and what connections have asked for. */
  clear(): Promise<Outcome<void>>;
  /** Ends every connection and the store. Gives where the database stood at the end. */
  close(): Promise<Outcome<Head | undefined>>;
}
