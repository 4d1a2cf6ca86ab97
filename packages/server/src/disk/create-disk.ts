import type {
  CreateDisk,
  DiskControl,
  DiskParts,
  FolderInfo,
  MountOptions,
} from '../resources/disk/disk-types.js';
import { MountError } from './disk-errors.js';
import { DiskProvider, TEMPLATES } from './disk-provider.js';
import { diskUri, isName, parseDiskUri } from './disk-uris.js';
import { DiskWrites } from './disk-writes.js';
import { MountedFolder } from './mounted-folder.js';
import { searchTool } from './search-tool.js';
import { FolderWatch } from './watch.js';

/** The maximum number of folders that a page mounts at a time. */
export const MAX_MOUNTS = 32;

/** The maximum length of a mounted folder's name. */
const MAX_NAME = 255;

/** The maximum length of a mounted folder's address; the addresses inside it are longer. */
const MAX_NAME_URI = 1_000;

/** The maximum number of patterns in `ignore`, and their maximum length together. */
const MAX_PATTERNS = 1_000;
const MAX_PATTERNS_LENGTH = 100_000;

/** Creates the folders of the disk. */
export const createDisk: CreateDisk = (parts) => {
  const mounts = new Map<string, MountedFolder>();
  const provider = new DiskProvider(mounts, parts, (folder) => control.lookAtState(folder));
  const control = new Mounts(mounts, provider, parts);
  const writes = new DiskWrites(mounts, parts);
  return {
    templates: TEMPLATES,
    list: (page, call) => provider.list(page, call),
    read: (uri, call) => provider.read(uri, call),
    complete: (query, call) => provider.complete(query, call),
    search: (input, call, permitted) => provider.search(input, call, permitted),
    question: (tool, input, permitted) => writes.question(tool, input, permitted),
    write: (tool, input, call, permitted) => writes.write(tool, input, call, permitted),
    isOpen: (uri) => {
      const [name] = parseDiskUri(uri)?.names ?? [''];
      if (name !== undefined) return mounts.get(name)?.guests ?? false;
      return [...mounts.values()].some(({ guests }) => guests);
    },
    control,
    tools: [searchTool],
  };
};

/** Mounts folders, and monitors them. */
class Mounts implements DiskControl {
  readonly #mounts: Map<string, MountedFolder>;
  readonly #provider: DiskProvider;
  readonly #parts: DiskParts;
  readonly #watches = new Map<MountedFolder, FolderWatch>();
  /**
   * The end of the last call. Calls run one at a time: of two with the same folder, the second has to find
   * it, also if it unmounts it.
   */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(mounts: Map<string, MountedFolder>, provider: DiskProvider, parts: DiskParts) {
    this.#mounts = mounts;
    this.#provider = provider;
    this.#parts = parts;
  }

  async mount(handle: FileSystemDirectoryHandle, options: MountOptions = {}): Promise<FolderInfo> {
    checkOptions(handle, options);
    const folder = await this.#inTurn(() => this.#folderFor(handle, options));
    await folder.look();
    if (folder.state === 'ready') await this.#watches.get(folder)?.start();
    this.#announce(folder);
    this.#report();
    return folder.info;
  }

  /** The folder of a handle, with these options: the mounted one, or a new one. */
  async #folderFor(
    handle: FileSystemDirectoryHandle,
    options: MountOptions,
  ): Promise<MountedFolder> {
    const known = await this.#mountOf(handle);
    // Guests that may no longer see the folder are notified of that.
    if (known?.guests) this.#announce(known);
    const name = known?.name ?? this.#nameFor(handle, options.name);
    const folder = known ?? new MountedFolder(name, handle, this.#parts);
    folder.set(options);
    if (known) return known;
    this.#mounts.set(name, folder);
    const watch = new FolderWatch(folder, {
      emit: (changes) => this.#parts.emit(changes),
      onanything: () => void this.#onAnything(folder),
    });
    this.#watches.set(folder, watch);
    return folder;
  }

  async unmount(name: string): Promise<void> {
    await this.#inTurn(async () => this.#unmountNow(name));
  }

  #unmountNow(name: string): void {
    const folder = this.#mounts.get(name);
    if (!folder) return;
    this.#watches.get(folder)?.stop();
    this.#watches.delete(folder);
    // The change is announced while guests may still be notified.
    this.#announce(folder);
    this.#mounts.delete(name);
    this.#report();
  }

  async refresh(): Promise<FolderInfo[]> {
    // The mounts before this call.
    await this.#turn;
    for (const folder of this.#mounts.values()) await this.#look(folder);
    for (const uri of await this.#provider.changedFiles())
      this.#parts.emit([{ uri, listChanged: false }]);
    return this.#infos();
  }

  async #onAnything(folder: MountedFolder): Promise<void> {
    await this.lookAtState(folder);
    this.#announce(folder);
  }

  /** Checks the state of a folder, and the entries of those folders inside that were read lately. */
  async #look(folder: MountedFolder): Promise<void> {
    await this.lookAtState(folder);
    if (await folder.hasOtherEntries()) this.#announce(folder);
  }

  /** Checks the state of a folder; if it has changed, reports and announces it. */
  async lookAtState(folder: MountedFolder): Promise<void> {
    if (!(await folder.look())) return;
    this.#report();
    this.#announce(folder);
    if (folder.state === 'ready') await this.#watches.get(folder)?.start();
  }

  async #mountOf(handle: FileSystemDirectoryHandle): Promise<MountedFolder | undefined> {
    for (const folder of this.#mounts.values())
      if (await folder.handle.isSameEntry(handle)) return folder;
    return undefined;
  }

  /**
   * The name for a folder.
   *
   * @throws {MountError} `invalid-argument`.
   */
  #nameFor(handle: FileSystemDirectoryHandle, wanted: string | undefined): string {
    if (this.#mounts.size >= MAX_MOUNTS) fail(`A page mounts at most ${MAX_MOUNTS} folders.`);
    if (wanted !== undefined) {
      if (this.#mounts.has(wanted)) fail(`Another folder is mounted as ${wanted}.`);
      return wanted;
    }
    const own = isName(handle.name) ? handle.name : 'folder';
    let name = own;
    for (let number = 2; this.#mounts.has(name); number += 1) name = `${own} ${number}`;
    return name;
  }

  /** Announces that anything in the folder may have changed. */
  #announce({ name }: MountedFolder): void {
    this.#parts.emit([{ uri: diskUri([name], true), listChanged: true, andLonger: true }]);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return await result;
  }

  #report(): void {
    this.#parts.report(this.#infos());
  }

  #infos(): FolderInfo[] {
    return [...this.#mounts.values()].map(({ info }) => info);
  }
}

function fail(message: string): never {
  throw new MountError(message);
}

/**
 * Checks a handle and its options.
 *
 * @throws {MountError} `invalid-argument`.
 */
function checkOptions(handle: unknown, options: MountOptions): void {
  const { name, ignore, write, guests } = options as { [key in keyof MountOptions]: unknown };
  if (![write, guests].every((one) => one === undefined || typeof one === 'boolean'))
    fail('`write` and `guests` must be true or false.');
  if (!(handle instanceof FileSystemDirectoryHandle)) fail('This is not the handle of a folder.');
  if (name !== undefined) {
    const isUsable = typeof name === 'string' && isName(name) && name.length <= MAX_NAME;
    const isLong = isUsable && diskUri([name], true).length > MAX_NAME_URI;
    if (isLong) fail(`The name of a folder is at most ${MAX_NAME_URI} characters as an address.`);
    if (!isUsable) fail(`The name of a folder has 1 to ${MAX_NAME} characters and no slash.`);
  }
  if (ignore === undefined || ignore === 'gitignore') return;
  const isList = Array.isArray(ignore) && ignore.every((one) => typeof one === 'string');
  if (!isList) fail('`ignore` must be "gitignore" or an array of patterns.');
  const patterns = ignore;
  const length = patterns.reduce((sum, one) => sum + one.length, 0);
  if (patterns.length > MAX_PATTERNS || length > MAX_PATTERNS_LENGTH)
    fail(`\`ignore\` has at most ${MAX_PATTERNS} patterns of ${MAX_PATTERNS_LENGTH} characters.`);
}
