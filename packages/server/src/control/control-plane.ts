/**
 * The types of the control plane, for the page. They name no handler: type-checking an app
 * against the runtime does not meet the server's types.
 */
import type {
  FileStore,
  Head,
  NoteStore,
  OpeningProgress,
  Quota,
  StorageLoss,
  Store,
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
  CreateAllOptions,
  FileMatches,
  FileMoveOptions,
  FilePage,
  FileSearchOptions,
  FileUpdate,
  FileVerification,
  FileWriteOptions,
  Head,
  ImportReport,
  NewNote,
  Note,
  NoteMatch,
  NoteMatches,
  NotePage,
  NoteSearchOptions,
  NoteSummary,
  NoteUpdate,
  OpeningProgress,
  Quota,
  RevisionOption,
  StorageLoss,
  StoreErrorCode,
  StoredFile,
  UpdateOptions,
  VerifyOptions,
  WriteOptions,
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

/** The operations of the store that the page may call: what the store declares is what the page has. */
export interface StoreOperations {
  notes: Pick<
    NoteStore,
    'create' | 'createAll' | 'get' | 'update' | 'append' | 'delete' | 'list' | 'search'
  >;
  files: Pick<
    FileStore,
    'write' | 'update' | 'read' | 'verify' | 'move' | 'delete' | 'list' | 'search'
  >;
  whole: Pick<Store, 'importZip' | 'clear'>;
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
  /**
   * Runs an operation of the store; {@link StoreOperations} has their types.
   *
   * @param args Its arguments, but for its options.
   * @param options Without `signal` and `onProgress`, which no message can carry.
   * @param task What `cancelTask` cancels it by. Default: it cannot be cancelled.
   */
  run(
    part: keyof StoreOperations,
    operation: string,
    args: readonly unknown[],
    options: object,
    task?: number,
    onProgress?: ProgressOfTask & ProxyMarked,
  ): Promise<Outcome<unknown>>;
  /** Cancels a call that was given this number by the page. One that has ended is left alone. */
  cancelTask(task: number): Promise<Outcome<void>>;
  /** Looks what was committed while the page was frozen or cached, and tells of it. */
  catchUp(): Promise<Outcome<void>>;
  /** How much there is, and how much there may be. */
  estimate(): Promise<Outcome<StorageReport>>;
  /** The next piece of an export, which begins with the first; `cancelTask` ends it. */
  readExport(task: number): Promise<Outcome<ExportedPiece>>;
  /** Ends every connection and the store. Gives where the database stood at the end. */
  close(): Promise<Outcome<Head | undefined>>;
}
