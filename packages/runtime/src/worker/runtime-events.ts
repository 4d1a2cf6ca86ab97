import type { ActivityEntry, FolderInfo, StorageLoss } from '@inpage-mcp/server/control-plane';
import type { RuntimeError } from './runtime-error.js';

/** The progress of the start of a worker. */
export interface StartProgress {
  /**
   * The state of the worker:
   *
   * - `loading`: the script of the worker is loading, or begins to run.
   * - `opening`: it opens the database.
   * - `blocked`: another tab has an earlier version of the database open, and was asked to close it.
   * - `upgrading`: this tab, or another, upgrades the database from an earlier version.
   */
  state: 'loading' | 'opening' | 'blocked' | 'upgrading';
  /** The number of upgraded notes, with `upgrading`. */
  done: number;
  /** The number of all notes; 0 if it is not known. */
  total: number;
}

/** A worker is starting, the first one or a replacement: show the progress if it takes long. */
export interface StartProgressEvent extends Event, StartProgress {}

/**
 * The reason why a worker ended: `gone` if the lock was released that it holds until its end; `messageerror`
 * if it sent an unreadable message, so that an answer will never arrive; `silent` if it did not answer for 15
 * seconds, which is checked only in an insecure context, where locks do not exist; `left` if the page entered
 * the back/forward cache of WebKit, which would stop the worker in the middle of a write.
 */
export type Death = 'gone' | 'messageerror' | 'silent' | 'left';

/** The worker ended, and a new one has replaced it. */
export interface RestartEvent extends Event {
  /** The number of restarts since the start of the runtime. */
  readonly count: number;
  /** The reason why the worker ended. */
  readonly reason: Death;
}

/** The worker cannot be replaced: every call rejects with this error from now on. */
export interface FailedEvent extends Event {
  /** The reason why the worker cannot be replaced. */
  readonly error: RuntimeError;
}

/** Requests of connections have ended. */
export interface ActivityEvent extends Event {
  /** The entries, the oldest first. */
  readonly entries: readonly ActivityEntry[];
}

/**
 * An uncaught error in the worker, a provided resource that a new worker rejected, or a kept folder that
 * cannot be mounted; the worker continues. `preventDefault()` prevents that an exception is also reported as
 * an exception of the page. The event cannot be cancelled for a resource or a folder, nor for a rejection,
 * which the browser has logged already.
 */
export interface WorkerErrorEvent extends Event {
  /** The text of the error. */
  readonly message: string;
}

/**
 * Data is lost or unreadable; the remaining data is still served. The event is dispatched once for
 * each loss, in each open tab. A loss before the first listener, for example while no tab was open,
 * is reported to that listener.
 */
export interface StorageLostEvent extends Event {
  /** The lost data, and the reason of the loss. */
  readonly loss: StorageLoss;
}

/**
 * Another tab runs a newer version of this software, which has upgraded the database: every call
 * rejects with `newer-version` from now on. No data is lost; ask the user to reload the page.
 */
export interface NewerVersionEvent extends Event {}

/** A folder of the disk was mounted or unmounted, or its state has changed. */
export interface FoldersEvent extends Event {
  /** All mounted folders, in their present state. */
  readonly folders: readonly FolderInfo[];
}

/** The events of a runtime, by their type. */
export interface RuntimeEventMap {
  /** A worker is starting. */
  progress: StartProgressEvent;
  /** A new worker has replaced one that ended. */
  restart: RestartEvent;
  /** The worker cannot be replaced. */
  failed: FailedEvent;
  /** Requests have ended. */
  activity: ActivityEvent;
  /** An uncaught error in the worker. */
  error: WorkerErrorEvent;
  /** Data is lost or unreadable. */
  'storage-lost': StorageLostEvent;
  /** A newer version has upgraded the database. */
  'newer-version': NewerVersionEvent;
  /** The folders of the disk, or the states of some, have changed. */
  folders: FoldersEvent;
}

/** The members of a runtime event in addition to those of `Event`. */
type Members<Type extends keyof RuntimeEventMap> = Omit<RuntimeEventMap[Type], keyof Event>;

/** Makes an event of a runtime. */
export function runtimeEvent<Type extends keyof RuntimeEventMap>(
  type: Type,
  members: Members<Type>,
  init?: EventInit,
): Event & Members<Type> {
  return Object.assign(new Event(type, init), members);
}
