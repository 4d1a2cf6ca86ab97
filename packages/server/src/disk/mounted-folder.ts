import type { DiskParts, FolderInfo, MountOptions } from '../resources/disk/disk-types.js';
import { diskUri } from './disk-uris.js';
import { isHidden } from './hidden-names.js';
import { snapshotOf } from './snapshot.js';

/** A folder with more entries is neither sorted nor listed, but read by pages. */
export const MAX_SORTED = 10_000;

/** How long the entries of a folder are known, of how many folders, and how many entries in all. */
const KNOWN_MS = 5_000;
const MAX_KNOWN = 200;
const MAX_KNOWN_ENTRIES = 20_000;

/** How many folders are remembered with their patterns. */
const MAX_PATTERNS = 1_000;

/** How many entries of a large folder are compared with the patterns at once, which the page does. */
const COMPARED = 500;

/** A file or folder in a folder. */
export type Entry = FileSystemFileHandle | FileSystemDirectoryHandle;

interface Listing {
  at: number;
  /** Sorted by name; `undefined` if there are more than {@link MAX_SORTED}. */
  entries: readonly Entry[] | undefined;
}

/** The errors of a path that leads to no file, or to none that may be opened. */
const ABSENCES: readonly string[] = [
  'NotFoundError',
  'TypeMismatchError',
  'SecurityError',
  'TypeError',
];

/** Whether an error of the browser says that there is nothing to open. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && ABSENCES.includes(error.name);
}

/** A mounted folder, and what is known of the folders in it. */
export class MountedFolder {
  readonly name: string;
  readonly handle: FileSystemDirectoryHandle;
  write = false;
  guests = false;
  state: FolderInfo['state'] = 'ready';
  readonly #parts: Pick<DiskParts, 'ignored'>;
  readonly #listings = new Map<string, Listing>();
  /** By the path of their folder. */
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
   * Asks the browser whether the folder may be read, and is there. Resolves with whether its state is
   * another than at the last look, also if an error has changed it since.
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

  /** Notes what an error of the folder itself says of its state. */
  note(error: unknown): void {
    this.state = stateAfter(error) ?? this.state;
  }

  /** Forgets what is known of a folder, or of all. */
  forget(path?: string): void {
    if (path === undefined) {
      this.#listings.clear();
      this.#patterns.clear();
    } else this.#listings.delete(path);
  }

  /** Whether a folder that was listed lately has other entries now. */
  async hasOtherEntries(): Promise<boolean> {
    let isOther = false;
    this.#patterns.clear();
    // Each is replaced by a new one on the way.
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
   * @param creates Whether folders that are missing are created.
   */
  async open(path: readonly string[], creates = false): Promise<FileSystemDirectoryHandle> {
    let folder = this.handle;
    for (const name of path) folder = await folder.getDirectoryHandle(name, { create: creates });
    return folder;
  }

  /**
   * The entries of a folder that are not left out, sorted by name; `undefined` if there are more than
   * {@link MAX_SORTED}. Rejects with an error of the browser.
   */
  async entriesOf(path: readonly string[], opened?: FileSystemDirectoryHandle) {
    const key = path.join('/');
    const known = this.#listings.get(key);
    if (known && performance.now() - known.at < KNOWN_MS) return known.entries;
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
    this.#know(key, { at: performance.now(), entries });
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

  /** The entries of a large folder in the order of the disk, as they are found. */
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
   * Whether a path is left out by one of its names, or by the patterns of the page. Rejects with an error
   * of the browser.
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

  /** Which paths in a folder are left out: by its own patterns, or by those of a folder above it. */
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

  /** In one form of accents: some disks find a file under both. */
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

  /** Rejects if there are patterns that cannot be read: without them, too much would be seen. */
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

/** The state that an error of the folder itself shows; `undefined` if it shows none. */
function stateAfter(error: unknown): FolderInfo['state'] | undefined {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return 'permission';
  return name === 'NotFoundError' ? 'gone' : undefined;
}

/** Outside of Chromium, a handle needs no permission: it is of the page's own storage. */
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
