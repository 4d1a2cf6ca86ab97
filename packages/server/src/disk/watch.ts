import type { ResourceChange } from '../resources/resource-provider.js';
import { diskUri } from './disk-uris.js';
import type { MountedFolder } from './mounted-folder.js';

/** The number of records in a row above which single files are no longer announced. */
const MAX_RECORDS = 50;

/** The time without records before everything is announced, in milliseconds. */
const QUIET_MS = 200;

/**
 * The time after which everything is announced although records keep coming, in milliseconds: a log may grow
 * for as long as a program runs.
 */
const MAX_BUSY_MS = 2_000;

/** A record of `FileSystemObserver`, which the library types do not have yet. */
interface ChangeRecord {
  changedHandle: FileSystemHandle | null;
  relativePathComponents: readonly string[];
  relativePathMovedFrom: readonly string[] | null;
  type: 'appeared' | 'disappeared' | 'modified' | 'moved' | 'unknown' | 'errored';
}

interface Observer {
  observe(handle: FileSystemHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}

type ObserverConstructor = new (callback: (records: ChangeRecord[]) => void) => Observer;

/** Receives the changes of the files in a folder. */
export interface WatchEvents {
  emit(changes: readonly ResourceChange[]): void;
  /** Called when anything in the folder may have changed. */
  onanything(): void;
}

/**
 * Watches a folder. Chromium silently loses records whenever many files change, so a record is only a hint.
 * Single saves are announced at once. If a record does not show what has changed, and after many records, the
 * whole folder is announced as soon as the records stop, or after {@link MAX_BUSY_MS}.
 */
export class FolderWatch {
  readonly #folder: MountedFolder;
  readonly #events: WatchEvents;
  #observer: Observer | undefined;
  #quietTimer: ReturnType<typeof setTimeout> | undefined;
  #busyTimer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #isUnsure = false;

  constructor(folder: MountedFolder, events: WatchEvents) {
    this.#folder = folder;
    this.#events = events;
  }

  /** Begins, or begins again. Does nothing in a browser that does not report changes. */
  async start(): Promise<void> {
    this.stop();
    const { FileSystemObserver } = globalThis as { FileSystemObserver?: ObserverConstructor };
    if (!FileSystemObserver) return;
    const observer = new FileSystemObserver((records) => this.#onRecords(records));
    this.#observer = observer;
    // The browser may have no more watches. The missed changes are found by the checks of the folder.
    await observer.observe(this.#folder.handle, { recursive: true }).catch(() => undefined);
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#stopTimers();
  }

  #onRecords(records: readonly ChangeRecord[]): void {
    this.#count += records.length;
    if (this.#count > MAX_RECORDS) this.#isUnsure = true;
    for (const record of records) void this.#announce(record);
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(() => this.#settle(), QUIET_MS);
    this.#busyTimer ??= setTimeout(() => this.#settle(), MAX_BUSY_MS);
  }

  async #announce(record: ChangeRecord): Promise<void> {
    const { type, changedHandle, relativePathComponents, relativePathMovedFrom } = record;
    const isFile = changedHandle?.kind === 'file';
    // A deleted entry may have been a folder.
    if (!isFile || type === 'unknown' || type === 'errored' || type === 'disappeared')
      this.#isUnsure = true;
    const paths = [relativePathComponents, relativePathMovedFrom ?? []];
    if (paths.some((path) => path.at(-1) === '.gitignore')) {
      this.#isUnsure = true;
      // The next access must not use the old patterns.
      this.#folder.forget();
    }
    const isMany = this.#count > MAX_RECORDS;
    for (const path of paths) {
      const parent = path.slice(0, -1);
      this.#folder.forget(parent.join('/'));
      if (isMany || path.length === 0 || (await this.#isIgnored(path))) continue;
      const names = [this.#folder.name, ...path];
      const listChanged = type !== 'modified';
      const own = { uri: diskUri(names, false), listChanged };
      const above = { uri: diskUri(names.slice(0, -1), true), listChanged: false };
      this.#events.emit(listChanged ? [own, above] : [own]);
    }
  }

  /** Whether a path is excluded; true also if that cannot be checked now. */
  #isIgnored(path: readonly string[]): Promise<boolean> {
    return this.#folder.isIgnored(path, false).catch(() => true);
  }

  #stopTimers(): void {
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#busyTimer);
    this.#busyTimer = undefined;
  }

  /** Announces everything if the records so far do not show what has changed. */
  #settle(): void {
    this.#stopTimers();
    this.#count = 0;
    if (!this.#isUnsure) return;
    this.#isUnsure = false;
    this.#folder.forget();
    this.#events.onanything();
  }
}
