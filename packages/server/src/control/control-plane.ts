/**
 * The types of the control plane, for the page, and the build that they are from. They import no
 * handler, so that type-checking an app against the runtime does not load the server's types.
 */
import type {
  ChangeHistory,
  FileStore,
  Head,
  NoteStore,
  OpeningProgress,
  ParseYaml,
  Quota,
  StorageLoss,
  Store,
} from '@inpage-mcp/store';
import type { ProxyMarked } from 'comlink';
import type {
  Access,
  ConfirmRequest,
  LimitChanges,
  ServedPortOptions,
} from '../access/access-types.js';
import type { ActivityEntry } from '../activity/activity-log.js';
import type { FolderInfo, MountOptions } from '../resources/disk/disk-types.js';
import type { ProvidedDescription, ReadProvided } from '../resources/provided-description.js';
import type { StorageReport } from '../resources/storage-report.js';

export type {
  Access,
  Confirm,
  ConfirmRequest,
  HeldBy,
  LimitsOf,
  ServedPortOptions,
} from '../access/access-types.js';
export type { ActivityEntry } from '../activity/activity-log.js';
export type {
  ProvidedContent,
  ProvidedDescription,
  ReadProvided,
} from '../resources/provided-description.js';
export type { DiskNotLoaded, FolderInfo, MountOptions } from '../resources/disk/disk-types.js';
export type { StorageReport } from '../resources/storage-report.js';
export { BUILD_ID } from './build-id.js';
export type { ChangedLimits, ConnectionLimits } from '@inpage-mcp/protocol';

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
  ImportOptions,
  ImportReport,
  ListedChange,
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
 * The result of a call on the control plane, as plain data: comlink would drop the code of an
 * `Error` and send the worker's stack.
 */
export type Outcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; error: { code: string; message: string; quota?: Quota } };

/** The reports of the worker to its page that do not answer a request. */
export type WorkerReport =
  /** Requests that have ended, the oldest first; only while activity is watched. */
  | { type: 'activity'; entries: ActivityEntry[] }
  /** The progress of opening the database, if that takes long. */
  | { type: 'opening'; progress: OpeningProgress }
  /** An uncaught error in the worker. */
  | { type: 'error'; message: string }
  /** Data is lost or unreadable. */
  | { type: 'storage-lost'; loss: StorageLoss }
  /** A newer version of this software has upgraded the database: every call fails from now on. */
  | { type: 'newer-version' }
  /** The head of the database: shortly after each change by any tab, and when it was opened. */
  | { type: 'head'; head: Head; isOpened: boolean }
  /** All mounted folders, after a change of one. */
  | { type: 'folders'; folders: FolderInfo[] }
  /** A connection was closed by either side. */
  | { type: 'connection-closed'; connection: number };

/** The page, as the worker calls it. */
export interface PageEnd {
  /** Asks the page's user. {@link withdraw} takes the number of the question. */
  confirm(request: ConfirmRequest, question: number): boolean | Promise<boolean>;
  /** Withdraws a question: its answer is no longer needed. */
  withdraw(question: number): void;
  /** Parses YAML, for the import of notes: the parser is loaded only then, and not by the worker. */
  parseYaml: ParseYaml;
  /**
   * Whether patterns in the syntax of `.gitignore` exclude each path. The page does this, so that the worker
   * does not load their parser.
   */
  ignored(
    patterns: readonly string[],
    paths: readonly string[],
  ): readonly boolean[] | Promise<readonly boolean[]>;
  /** Receives a report of the worker. */
  report(report: WorkerReport): void;
}

/** Options for the start. */
export interface StartOptions {
  /** The name of the IndexedDB database. */
  databaseName: string;
  /** The last head of the database that the page knows. Default: not known. */
  marker?: Head;
  /** Whether the page can be asked. Default: false. */
  confirms?: boolean;
  /** Overrides of the default limits. */
  limits?: LimitChanges;
}

/** A piece of an export; without `bytes` at the end. */
export interface ExportedPiece {
  /** The next bytes of the archive. */
  bytes?: Uint8Array<ArrayBuffer>;
  /** The number of notes and files that are done. */
  done: number;
  /** The number of all notes and files. */
  total: number;
}

/** Receives the progress of a call: `done` never decreases, and equals `total` at the end. */
export type ProgressOfTask = (done: number, total: number) => void | Promise<void>;

/** The operations of the store that the page may call, with the types that the store declares. */
export interface StoreOperations {
  /** The operations of the notes. */
  notes: Pick<
    NoteStore,
    'create' | 'createAll' | 'get' | 'update' | 'append' | 'delete' | 'restore' | 'list' | 'search'
  >;
  /** The operations of the files. */
  files: Pick<
    FileStore,
    'write' | 'update' | 'read' | 'verify' | 'move' | 'delete' | 'restore' | 'list' | 'search'
  >;
  /** The operations of the history of clients' changes. */
  history: Pick<ChangeHistory, 'list' | 'revert'>;
  /** The operations of the whole store. */
  whole: Pick<Store, 'importZip' | 'clear'>;
}

/**
 * The API for the page that made the worker, over comlink. The page is trusted; no MCP port can
 * reach this API.
 */
export interface Control {
  /**
   * Resolves as soon as the worker runs, with whether it holds the lock.
   *
   * @param livenessLock A Web Lock that the worker holds until it ends.
   */
  live(livenessLock?: string): Promise<Outcome<boolean>>;
  /** Opens the database. Every call except `live` and `ping` waits for this. */
  start(options: StartOptions, page?: PageEnd & ProxyMarked): Promise<Outcome<void>>;
  /** Resolves if the worker is alive and not too busy. */
  ping(): Promise<Outcome<void>>;
  /** Serves MCP on a transferred port. Resolves with the number of the connection. */
  servePort(port: MessagePort, options?: ServedPortOptions): Promise<Outcome<number>>;
  /** Replaces the access of a connection immediately. Does nothing if the connection has ended. */
  setAccess(connection: number, access: Access): Promise<Outcome<void>>;
  /** Closes a connection. Does nothing if it has ended. */
  closeConnection(connection: number): Promise<Outcome<void>>;
  /** Starts or stops the reports of `activity`. Default: stopped. */
  watchActivity(isWatched: boolean): Promise<Outcome<void>>;
  /** Lists a resource of the page until it is removed. */
  provide(
    description: ProvidedDescription,
    read: ReadProvided & ProxyMarked,
  ): Promise<Outcome<void>>;
  /** Notifies subscribers that the content of a provided resource has changed. */
  providedChanged(uri: string): Promise<Outcome<void>>;
  /** Removes a provided resource. Does nothing if it does not exist. */
  removeProvided(uri: string): Promise<Outcome<void>>;
  /**
   * Runs an operation of the store; {@link StoreOperations} has their types.
   *
   * @param args The arguments of the operation without its options.
   * @param options The options without `signal` and `onProgress`, which cannot be sent in a message.
   * @param task A number for `cancelTask`. Default: the call cannot be cancelled.
   */
  run(
    part: keyof StoreOperations,
    operation: string,
    args: readonly unknown[],
    options: object,
    task?: number,
    onProgress?: ProgressOfTask & ProxyMarked,
  ): Promise<Outcome<unknown>>;
  /** Cancels the call with this number. Does nothing if the call has ended. */
  cancelTask(task: number): Promise<Outcome<void>>;
  /** Reports the changes that were committed while the page was frozen or cached. */
  catchUp(): Promise<Outcome<void>>;
  /**
   * Mounts a folder of the disk; one that is mounted gets these options.
   *
   * Fails with the code {@link DiskNotLoaded}, as the other calls for folders do, if their script is not there.
   *
   * @param script The address of the script of the folders, which is loaded once.
   */
  mountFolder(
    script: string,
    handle: FileSystemDirectoryHandle,
    options: MountOptions,
  ): Promise<Outcome<FolderInfo>>;
  /** Unmounts a folder. Does nothing if no folder has this name. */
  unmountFolder(script: string, name: string): Promise<Outcome<void>>;
  /** Checks the folders for changes that the browser has not reported. Resolves with all folders. */
  refreshFolders(script: string): Promise<Outcome<FolderInfo[]>>;
  /**
   * Imports a script that adds tools and apps. Does nothing if it was imported before.
   *
   * @param script An absolute address.
   */
  addFeature(script: string): Promise<Outcome<void>>;
  /** Counts the stored notes and files, and estimates the available space. */
  estimate(): Promise<Outcome<StorageReport>>;
  /** The next piece of an export. The first call begins it; `cancelTask` ends it. */
  readExport(task: number): Promise<Outcome<ExportedPiece>>;
  /** Closes every connection and the store. Resolves with the last head of the database. */
  close(): Promise<Outcome<Head | undefined>>;
}
