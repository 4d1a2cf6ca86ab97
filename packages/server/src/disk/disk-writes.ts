import { MAX_URI_LENGTH, type ToolAnswer } from '@inpage-mcp/protocol';
import type {
  DiskAnswer,
  DiskArguments,
  DiskCall,
  DiskParts,
  DiskTool,
} from '../resources/disk/disk-types.js';
import type { PermittedUris } from '../resources/resource-provider.js';
import { quote } from '../resources/quote.js';
import { readingProblem } from './disk-errors.js';
import { diskUri, parseDiskUri } from './disk-uris.js';
import { plainName } from './hidden-names.js';
import { isAbsence, type MountedFolder } from './mounted-folder.js';

/** The interval of progress reports while the browser saves, which may take seconds. */
const PROGRESS_MS = 1_000;

type Answer = ToolAnswer<DiskAnswer>;

/** A file to write. */
interface Target {
  uri: string;
  /** The path as it is shown, with the name of the mounted folder. */
  path: string;
  folder: MountedFolder;
  /** The names of the folders inside, and of the file. */
  parents: readonly string[];
  name: string;
  /** The present file; `undefined` if it does not exist. */
  file: File | undefined;
}

/** The reasons of the browser's errors that have no other meaning when a file is read. */
const PROBLEMS: { readonly [errorName: string]: string } = {
  NoModificationAllowedError: 'Something else is writing the file at this moment: try again.',
  QuotaExceededError: 'The disk has no room.',
  NotFoundError: 'The file, or its folder, is gone.',
  // Chromium checks what is written for what may harm the user.
  AbortError: 'The browser has refused to write this content.',
  InvalidStateError: 'The file was changed in between: read it again.',
  InvalidModificationError: 'The disk does not permit this change.',
  UnknownError: 'The disk has failed: read the file to see whether it has changed.',
};

/** A handle that can move a file, which only Chromium has. */
type MovableHandle = FileSystemFileHandle & {
  move(parent: FileSystemDirectoryHandle, name: string): Promise<void>;
};

/**
 * Writes files of the disk. Never overwrites a version that the caller does not know, and never leaves half
 * of a file.
 */
export class DiskWrites {
  readonly #mounts: ReadonlyMap<string, MountedFolder>;
  readonly #parts: DiskParts;

  constructor(mounts: ReadonlyMap<string, MountedFolder>, parts: DiskParts) {
    this.#mounts = mounts;
    this.#parts = parts;
  }

  /**
   * The question to the user before a write.
   *
   * @throws {ToolError} if the write would fail.
   */
  async question(tool: DiskTool, input: DiskArguments, permitted: PermittedUris): Promise<string> {
    return await this.#inWords(async () => {
      const { source, target } = await this.#check(tool, input, permitted);
      const old = target.file && `${bytes(target.file.size)}, ${dateOf(target.file)}`;
      const path = quotePath(target);
      if (tool === 'delete_file') return `Delete ${path} from the disk for good (${old})?`;
      if (source) {
        const from = `${quotePath(source)} (${bytes(source.file?.size ?? 0)})`;
        return `Move ${from} ${old ? `over ${path} (${old})` : `to ${path}`} on the disk?`;
      }
      const size = bytes(input.content?.size ?? 0);
      return old
        ? `Save ${size} over ${path} on the disk (now ${old})?`
        : `Save a new file on the disk: ${path} (${size})?`;
    });
  }

  /**
   * Writes a file.
   *
   * @throws {ToolError} without having changed anything.
   */
  async write(
    tool: DiskTool,
    input: DiskArguments,
    call: DiskCall,
    permitted: PermittedUris,
  ): Promise<Answer> {
    let seconds = 0;
    const timer = setInterval(() => call.progress((seconds += 1)), PROGRESS_MS);
    try {
      const work = async (): Promise<Answer> => {
        const { source, target } = await this.#check(tool, input, permitted);
        call.signal.throwIfAborted();
        if (tool === 'delete_file') return await this.#delete(target);
        if (source) return await this.#move(source, target, input.overwrite);
        return await this.#save(target, input.content ?? new Blob(), call.signal);
      };
      const { signal } = call;
      return await this.#inWords(() => withLocks(locksOf(input), signal, work), signal);
    } finally {
      clearInterval(timer);
    }
  }

  async #check(
    tool: DiskTool,
    { path, from, to, overwrite, expectedLastModified: expected }: DiskArguments,
    permitted: PermittedUris,
  ): Promise<{ source?: Target; target: Target }> {
    const source = from === undefined ? undefined : await this.#targetOf(from, permitted);
    const target = await this.#targetOf(to ?? path ?? '', permitted);
    const known = source ?? target;
    if (tool !== 'save_file' && !known.file) this.#refuse(`There is no file ${known.path}.`);
    if (source?.uri === target.uri) this.#refuse(`${target.path} cannot be moved to itself.`);
    if (source && target.file && !overwrite) this.#refuseOverwrite(target);
    // An empty file loses nothing, and is what remains if a tab ends while it saves a new one.
    if (tool === 'save_file' && target.file?.size && expected === undefined)
      this.#refuse(
        `${target.path} exists: read it, and give the lastModified that you know as expectedLastModified.`,
      );
    if (expected !== undefined && known.file?.lastModified !== Date.parse(expected))
      this.#refuse(
        known.file
          ? `${known.path} was changed in between (${dateOf(known.file)}): read it again.`
          : `${known.path} is gone.`,
      );
    return source ? { source, target } : { target };
  }

  async #targetOf(uri: string, permitted: PermittedUris): Promise<Target> {
    const target = parseDiskUri(uri);
    const [mount = '', ...path] = target?.names ?? [];
    const folder = this.#mounts.get(mount);
    const name = path.at(-1);
    // A file that the connection may not see does not exist for it.
    if (!target || !folder || name === undefined || target.isFolder || !permitted.permits(uri))
      return this.#refuse(`${uri} is not the address of a file in a folder of the disk.`);
    if (!folder.write) this.#refuse(`The folder ${mount} was opened for reading only.`);
    if (await folder.isIgnored(path, false))
      this.#refuse(`${uri} has a name that is never written, such as a hidden one.`);
    const parents = path.slice(0, -1);
    const file = await ifFound(folder.open(parents).then((parent) => fileIn(parent, name)));
    return { uri, path: [mount, ...path].join('/'), folder, parents, name, file };
  }

  async #save(target: Target, content: Blob, signal: AbortSignal): Promise<Answer> {
    const { folder, parents, name, file: old } = target;
    const parent = await folder.open(parents, true);
    const handle = await parent.getFileHandle(name, { create: old === undefined });
    try {
      // The browser writes to a file next to it, and puts the new one in its place at the end.
      const writable = await handle.createWritable();
      try {
        await writable.write(content);
        const now = await ifFound(handle.getFile());
        const isAsBefore = old
          ? now?.lastModified === old.lastModified && now.size === old.size
          : now?.size === 0;
        if (!isAsBefore) this.#refuse(`${target.path} was changed in between: read it again.`);
        signal.throwIfAborted();
        await writable.close();
      } catch (error) {
        await writable.abort().catch(() => undefined);
        throw error;
      }
    } catch (error) {
      if (!old) await removeIfEmpty(parent, handle);
      throw error;
    }
    this.#announce(target, old === undefined);
    // The file is written, although another program may have moved it already.
    const saved = await handle.getFile().catch(() => new File([content], name));
    return this.#answer(target, saved);
  }

  async #move(source: Target, target: Target, overwrite = false): Promise<Answer> {
    const parent = await target.folder.open(target.parents, true);
    const handle = await (await source.folder.open(source.parents)).getFileHandle(source.name);
    // Another program may have created it since the check.
    if (!overwrite && (await ifFound(fileIn(parent, target.name)))) this.#refuseOverwrite(target);
    await (handle as MovableHandle).move(parent, target.name);
    this.#announce(source, true);
    this.#announce(target, true);
    const moved = await fileIn(parent, target.name).catch(() => source.file!);
    return this.#answer(target, moved, { from: source.uri });
  }

  async #delete(target: Target): Promise<Answer> {
    await (await target.folder.open(target.parents)).removeEntry(target.name);
    this.#announce(target, true);
    const { uri, path } = target;
    return { structuredContent: { path, uri, deleted: true } };
  }

  /** Notifies clients at once, because the browser does so later, or never. */
  #announce({ uri, folder, parents }: Target, listChanged: boolean): void {
    const above = [...parents.keys(), parents.length].map((depth) => parents.slice(0, depth));
    for (const names of above) folder.forget(names.join('/'));
    // A folder above may be new, too, so all of them are announced.
    const folders = above.map((names) => diskUri([folder.name, ...names], true));
    const changed = listChanged ? [uri, ...folders] : [uri];
    this.#parts.emit(changed.map((one) => ({ uri: one, listChanged })));
  }

  #answer({ uri, path, name }: Target, file: File, more: Partial<DiskAnswer> = {}): Answer {
    const mediaType = this.#parts.typeOf(name) ?? (file.type || 'application/octet-stream');
    const { size } = file;
    const facts = { path, uri, mediaType, size, updatedAt: dateOf(file), ...more };
    return {
      structuredContent: facts,
      links: [{ type: 'resource_link', uri, name, title: path, mimeType: mediaType, size }],
    };
  }

  /** Turns the errors of the browser into texts with the reason, but not that of the signal. */
  async #inWords<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error === signal?.reason) throw error;
      const name = error instanceof Error ? error.name : '';
      const known = Object.hasOwn(PROBLEMS, name) ? PROBLEMS[name] : undefined;
      const absence = isAbsence(error)
        ? 'The browser does not permit this name, or a folder of the path is a file.'
        : undefined;
      const problem = readingProblem(error) ?? known ?? absence;
      if (problem !== undefined) this.#refuse(problem);
      throw error;
    }
  }

  #refuseOverwrite({ path }: Target): never {
    this.#refuse(`${path} exists: give overwrite to replace it.`);
  }

  #refuse(message: string): never {
    throw new this.#parts.ToolError(message);
  }
}

/**
 * The locks of the files that a write concerns, sorted, so that two writes cannot wait for each other. A file
 * has several addresses if a folder inside of another one is mounted, too, or if the disk ignores case; its
 * own name is the same in all of them.
 */
function locksOf({ path, from, to }: DiskArguments): readonly string[] {
  const names = [path, from, to].flatMap((uri = '') => parseDiskUri(uri)?.names.at(-1) ?? []);
  return [...new Set(names.map((name) => `inpage-mcp disk: ${plainName(name)}`))].toSorted();
}

/**
 * Runs a write while no other one of this origin holds one of its locks: the check of a file and its change
 * are several steps for the browser, so that two writes could pass the check at once, also in two tabs.
 */
async function withLocks<Value>(
  [first, ...others]: readonly string[],
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  if (first === undefined) return await work();
  return await navigator.locks.request(first, { signal }, () => withLocks(others, signal, work));
}

async function fileIn(parent: FileSystemDirectoryHandle, name: string): Promise<File> {
  return await (await parent.getFileHandle(name)).getFile();
}

/** The file; `undefined` if it does not exist. */
async function ifFound(file: Promise<File>): Promise<File | undefined> {
  try {
    return await file;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFoundError') return undefined;
    throw error;
  }
}

/** Removes a file that was created for a write that has failed. */
async function removeIfEmpty(
  parent: FileSystemDirectoryHandle,
  handle: FileSystemFileHandle,
): Promise<void> {
  try {
    if ((await handle.getFile()).size === 0) await parent.removeEntry(handle.name);
  } catch {
    // The file is gone.
  }
}

/** Quotes a path in full, because two files must not look the same in a question. */
function quotePath({ path }: Target): string {
  return quote(path, MAX_URI_LENGTH);
}

function dateOf({ lastModified }: File): string {
  return new Date(lastModified).toISOString();
}

function bytes(size: number): string {
  return `${size} bytes`;
}
