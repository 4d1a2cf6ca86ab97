import type { DiskParts, FolderInfo, MountOptions } from '../resources/disk/disk-types.js';
import { diskUri } from './disk-uris.js';
import { isHidden } from './hidden-names.js';
import { snapshotOf } from './snapshot.js';

/** The maximum number of entries of a folder that is sorted and listed; a larger one is read by pages. */
export const MAX_SORTED = 10_000;

/**
 * The time for which the entries of a folder are cached, and the maximum numbers of folders and of entries in
 * all.
 */
const KNOWN_MS = 5_000;
const MAX_KNOWN = 200;
const MAX_KNOWN_ENTRIES = 20_000;

/** The maximum number of folders whose patterns are cached. */
const MAX_PATTERNS = 1_000;

/**
 * The number of entries of a large folder that are compared with the patterns at once, which the page does.
 */
const COMPARED = 500;

/** A file or folder in a folder. */
export type Entry = FileSystemFileHandle | FileSystemDirectoryHandle;

interface Listing {
  at: number;
  /** The entries, sorted by name; `undefined` if the folder has more than {@link MAX_SORTED}. */
  entries: readonly Entry[] | undefined;
}

/** The errors of a path that does not lead to a file, or not to one that may be opened. */
const ABSENCES: readonly string[] = [
  'NotFoundError',
  'TypeMismatchError',
  'SecurityError',
  'TypeError',
];

/**
 * Whether an error of the browser means that the file or folder cannot be opened because it does not exist.
 */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && ABSENCES.includes(error.name);
}

/** A mounted folder, and the cached facts about the folders in it. */
export class MountedFolder {
  readonly name: string;
  readonly handle: FileSystemDirectoryHandle;
  write = false;
  guests = false;
  state: FolderInfo['state'] = 'ready';
  readonly #parts: Pick<DiskParts, 'ignored'>;
  readonly #listings = new Map<string, Listing>();
  /** The number of times that cached entries were cleared. */
  #changes = 0;
  /** The patterns, by the path of their folder. */
  readonly #patterns = new Map<string, Promise<readonly string[]>>();
  #ignore: MountOptions['ignore'];
  /** The state at the last {@link look}. */
  #seenState: FolderInfo['state'] = 'ready';

  constructor(name: string, handle: FileSystemDirectoryHandle, parts: Pick<DiskParts, 'ignored'>) {
    this.name = name;
    this.handle = handle;
    this.#parts = parts;
  }

  get info(): FolderInfo {
    const { name, state, write, guests } = this;
    return { name, uri: diskUri([name], true), state, write, guests };
  }

  set({ write = false, guests = false, ignore }: MountOptions): void {
    Object.assign(this, { write, guests });
    this.#ignore = ignore;
    this.forget();
  }

  /**
   * Asks the browser whether the folder exists and may be read. Resolves with whether its state differs from
   * that at the last call, also if an error has changed it since.
   */
  async look(): Promise<boolean> {
    const mode = this.write ? 'readwrite' : 'read';
    if (!(await isGranted(this.handle, mode))) this.state = 'permission';
    else {
      const error: unknown = await this.handle
        .keys()
        .next()
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      this.state = stateAfter(error) ?? 'ready';
    }
    const isOther = this.state !== this.#seenState;
    this.#seenState = this.state;
    return isOther;
  }

  /** Updates the state from an error of the folder itself. */
  note(error: unknown): void {
    this.state = stateAfter(error) ?? this.state;
  }

  /** Clears the cache of a folder, or of all. */
  forget(path?: string): void {
    this.#changes += 1;
    if (path === undefined) {
      this.#listings.clear();
      this.#patterns.clear();
    } else this.#listings.delete(path);
  }

  /** Whether a folder that was listed lately now has other entries. */
  async hasOtherEntries(): Promise<boolean> {
    let isOther = false;
    this.#patterns.clear();
    // Each listing is replaced by a new one in the loop.
    const listings = [...this.#listings];
    for (const [path, { entries: before }] of listings) {
      this.forget(path);
      const now = await this.entriesOf(path === '' ? [] : path.split('/')).catch(() => undefined);
      if (namesOf(before) !== namesOf(now)) isOther = true;
    }
    return isOther;
  }

  /**
   * Opens the folder of a path. Rejects with an error of the browser.
   *
   * @param creates Whether missing folders are created.
   */
  async open(path: readonly string[], creates = false): Promise<FileSystemDirectoryHandle> {
    let folder = this.handle;
    for (const name of path) folder = await folder.getDirectoryHandle(name, { create: creates });
    return folder;
  }

  /**
   * The entries of a folder that are not excluded, sorted by name; `undefined` if there are more than
   * {@link MAX_SORTED}. Rejects with an error of the browser.
   */
  async entriesOf(path: readonly string[], opened?: FileSystemDirectoryHandle) {
    const key = path.join('/');
    const known = this.#listings.get(key);
    if (known && performance.now() - known.at < KNOWN_MS) return known.entries;
    const changes = this.#changes;
    const found: Entry[] = [];
    let isLarge = false;
    for await (const entry of (opened ?? (await this.open(path))).values()) {
      if (isHidden(entry.name)) continue;
      isLarge = found.length >= MAX_SORTED;
      if (isLarge) break;
      found.push(entry);
    }
    const entries = isLarge ? undefined : await this.#wanted(path, found);
    entries?.sort((a, b) => (a.name < b.name ? -1 : 1));
    // What has changed while it was read may be missing.
    if (changes === this.#changes) this.#know(key, { at: performance.now(), entries });
    return entries;
  }

  #know(path: string, listing: Listing): void {
    this.#listings.delete(path);
    this.#listings.set(path, listing);
    let count = 0;
    for (const { entries } of this.#listings.values()) count += entries?.length ?? 0;
    for (const [oldest, { entries }] of this.#listings) {
      if (count <= MAX_KNOWN_ENTRIES && this.#listings.size <= MAX_KNOWN) return;
      count -= entries?.length ?? 0;
      this.#listings.delete(oldest);
    }
  }

  /** The entries of a large folder that are not excluded, in the order of the disk, as they are found. */
  async *stream(path: readonly string[]): AsyncGenerator<Entry> {
    let found: Entry[] = [];
    for await (const entry of (await this.open(path)).values()) {
      if (isHidden(entry.name)) continue;
      found.push(entry);
      if (found.length < COMPARED) continue;
      yield* await this.#wanted(path, found);
      found = [];
    }
    yield* await this.#wanted(path, found);
  }

  /**
   * Whether a path is excluded by one of its names, or by the patterns of the page. Rejects with an error of
   * the browser.
   */
  async isIgnored(path: readonly string[], isFolder: boolean): Promise<boolean> {
    if (path.some(isHidden)) return true;
    const line = path.join('/') + (isFolder ? '/' : '');
    return path.length > 0 && (await this.#ignoredOf([line], path.slice(0, -1)))[0] === true;
  }

  async #wanted(path: readonly string[], entries: Entry[]): Promise<Entry[]> {
    if (this.#ignore === undefined) return entries;
    const lines = entries.map(({ name, kind }) =>
      [...path, kind === 'directory' ? `${name}/` : name].join('/'),
    );
    const ignored = await this.#ignoredOf(lines, path);
    return entries.filter((_entry, index) => !ignored[index]);
  }

  /**
   * Whether each path in a folder is excluded, by the folder's own patterns, or by those of a folder above
   * it.
   */
  async #ignoredOf(lines: string[], folder: readonly string[]): Promise<readonly boolean[]> {
    if (this.#ignore === undefined) return lines.map(() => false);
    if (this.#ignore !== 'gitignore') return await this.#matches(this.#ignore, lines);
    const levels = [...folder.keys(), folder.length].map(async (depth) => {
      const patterns = await this.#patternsOf(folder.slice(0, depth));
      if (patterns.length === 0) return [];
      const start = folder.slice(0, depth).reduce((sum, { length }) => sum + length + 1, 0);
      return await this.#matches(
        patterns,
        lines.map((line) => line.slice(start)),
      );
    });
    const ignored = await Promise.all(levels);
    return lines.map((_line, index) => ignored.some((level) => level[index]));
  }

  /** Compares in one form of accents, because some disks find a file under both. */
  #matches(patterns: readonly string[], lines: string[]): Promise<readonly boolean[]> {
    return this.#parts.ignored(patterns.map(composed), lines.map(composed));
  }

  #patternsOf(path: readonly string[]): Promise<readonly string[]> {
    const key = path.join('/');
    let patterns = this.#patterns.get(key);
    if (!patterns) {
      if (this.#patterns.size >= MAX_PATTERNS) this.#patterns.clear();
      patterns = this.#readPatterns(path);
      this.#patterns.set(key, patterns);
      patterns.catch(() => this.#patterns.delete(key));
    }
    return patterns;
  }

  /**
   * Reads the patterns of a folder. Rejects if they exist but cannot be read: without them, a client could
   * see too much.
   */
  async #readPatterns(path: readonly string[]): Promise<readonly string[]> {
    try {
      const handle = await (await this.open(path)).getFileHandle('.gitignore');
      const { bytes } = await snapshotOf(handle);
      return (await bytes.text()).split(/\r?\n/);
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  }
}

function composed(text: string): string {
  return text.normalize('NFC');
}

/** The state that an error of the folder itself shows; `undefined` if the error does not show one. */
function stateAfter(error: unknown): FolderInfo['state'] | undefined {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return 'permission';
  return name === 'NotFoundError' ? 'gone' : undefined;
}

/**
 * Whether the page may use a handle. Outside of Chromium, a handle needs no permission, because it belongs to
 * the page's own storage.
 */
async function isGranted(
  handle: FileSystemDirectoryHandle & {
    queryPermission?(descriptor: { mode: 'read' | 'readwrite' }): Promise<PermissionState>;
  },
  mode: 'read' | 'readwrite',
): Promise<boolean> {
  return ((await handle.queryPermission?.({ mode })) ?? 'granted') === 'granted';
}

function namesOf(entries: readonly Entry[] | undefined): string | undefined {
  return entries?.map(({ name }) => name).join('/');
}
