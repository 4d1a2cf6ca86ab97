import type { ActivityEntry, StorageLoss } from '@inpage-mcp/server/control-plane';
import type { RuntimeError } from './runtime-error.js';

/** How far the start of a worker is. */
export interface StartProgress {
  /**
   * - `loading`: its script is on the way, or begins to run.
   * - `opening`: it opens the database.
   * - `blocked`: another tab holds the database in an earlier version, and was asked to let go of it.
   * - `upgrading`: this tab, or another, brings the database of an earlier version up to date.
   */
  state: 'loading' | 'opening' | 'blocked' | 'upgrading';
  /** Of `upgrading`: how many notes are up to date. */
  done: number;
  /** Of how many; 0 where that is not known. */
  total: number;
}

/** A worker is being started, the first or another: show it if it takes long. */
export interface StartProgressEvent extends Event, StartProgress {}

/**
 * How a worker came to its end: `gone` when it lost the lock that it holds for life, `messageerror`
 * when it sent what cannot be read, so that an answer is missing for ever, `silent` when it did not
 * answer for 15 seconds; that is only looked at in an insecure context, where there are no locks. `left`
 * when the page went into the back/forward cache of WebKit, which would stop it in the middle of a write.
 */
export type Death = 'gone' | 'messageerror' | 'silent' | 'left';

/** The worker died, and another has taken its place. */
export interface RestartEvent extends Event {
  /** How often that has happened since the start. */
  readonly count: number;
  /** How the worker came to its end. */
  readonly reason: Death;
}

/** The worker died for good: every call rejects with this error from now on. */
export interface FailedEvent extends Event {
  readonly error: RuntimeError;
}

/** Requests of connections have ended. */
export interface ActivityEvent extends Event {
  /** The oldest first. */
  readonly entries: readonly ActivityEntry[];
}

/**
 * An error in the worker that nobody caught, or a resource of the page's that a new worker did not
 * take; the worker lives on. `preventDefault()` keeps an
 * exception from being reported as one of the page, too; the browser has logged a rejection before,
 * and such an event cannot be cancelled, nor that of a resource.
 */
export interface WorkerErrorEvent extends Event {
  readonly message: string;
}

/**
 * Data is gone, or cannot be read; what there still is goes on to be served. It comes once for each
 * loss, in each tab that is open. What is lost before there is a listener, as while no tab was open,
 * is told to the first one.
 */
export interface StorageLostEvent extends Event {
  readonly loss: StorageLoss;
}

/**
 * Another tab runs a newer version of this software, which has taken the database over: every call
 * rejects with `newer-version` from now on. Nothing is lost; ask the user to reload the page.
 */
export interface NewerVersionEvent extends Event {}

/** The events of a runtime, by their type. */
export interface RuntimeEventMap {
  progress: StartProgressEvent;
  restart: RestartEvent;
  failed: FailedEvent;
  activity: ActivityEvent;
  error: WorkerErrorEvent;
  'storage-lost': StorageLostEvent;
  'newer-version': NewerVersionEvent;
}

/** What an event of a runtime has besides what every event has. */
type Members<Type extends keyof RuntimeEventMap> = Omit<RuntimeEventMap[Type], keyof Event>;

/** Makes an event of a runtime. */
export function runtimeEvent<Type extends keyof RuntimeEventMap>(
  type: Type,
  members: Members<Type>,
  init?: EventInit,
): Event & Members<Type> {
  return Object.assign(new Event(type, init), members);
}
