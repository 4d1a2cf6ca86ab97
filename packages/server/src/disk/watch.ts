import type { ResourceChange } from '../resources/resource-provider.js';
import { diskUri } from './disk-uris.js';
import type { MountedFolder } from './mounted-folder.js';

/** After so many records in a row, single files are not announced any more. */
const MAX_RECORDS = 50;

/** How long it must be quiet before everything is announced, in milliseconds. */
const QUIET_MS = 200;

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
  /** Anything in the folder may have changed. */
  onanything(): void;
}

/**
 * Watches a folder. Chromium loses records without a word, in each change of many files: a record is a
 * hint that something has changed. Single saves are announced at once; where a record leaves it open what
 * has changed, and after many of them, the whole folder is announced as soon as it is quiet.
 */
export class FolderWatch {
  readonly #folder: MountedFolder;
  readonly #events: WatchEvents;
  #observer: Observer | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #isUnsure = false;

  constructor(folder: MountedFolder, events: WatchEvents) {
    this.#folder = folder;
    this.#events = events;
  }

  /** Begins, or begins again. In a browser that reports no changes it does nothing. */
  async start(): Promise<void> {
    this.stop();
    const { FileSystemObserver } = globalThis as { FileSystemObserver?: ObserverConstructor };
    if (!FileSystemObserver) return;
    const observer = new FileSystemObserver((records) => this.#onRecords(records));
    this.#observer = observer;
    // It may have no more watches: what it misses is found by looking.
    await observer.observe(this.#folder.handle, { recursive: true }).catch(() => undefined);
  }

  stop(): void {
    this.#observer?.disconnect();
    clearTimeout(this.#timer);
    this.#observer = undefined;
  }

  #onRecords(records: readonly ChangeRecord[]): void {
    this.#count += records.length;
    if (this.#count > MAX_RECORDS) this.#isUnsure = true;
    for (const record of records) void this.#announce(record);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onQuiet(), QUIET_MS);
  }

  async #announce(record: ChangeRecord): Promise<void> {
    const { type, changedHandle, relativePathComponents, relativePathMovedFrom } = record;
    const isFile = changedHandle?.kind === 'file';
    // What has disappeared may have been a folder.
    if (!isFile || type === 'unknown' || type === 'errored' || type === 'disappeared')
      this.#isUnsure = true;
    if (relativePathComponents.at(-1) === '.gitignore') this.#isUnsure = true;
    const isMany = this.#count > MAX_RECORDS;
    for (const path of [relativePathComponents, relativePathMovedFrom ?? []]) {
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

  /** True also if it cannot be known now. */
  #isIgnored(path: readonly string[]): Promise<boolean> {
    return this.#folder.isIgnored(path, false).catch(() => true);
  }

  #onQuiet(): void {
    this.#count = 0;
    if (!this.#isUnsure) return;
    this.#isUnsure = false;
    this.#folder.forget();
    this.#events.onanything();
  }
}
