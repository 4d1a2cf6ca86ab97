import { ignoredPaths } from '../../packages/runtime/src/worker/ignored-paths.js';
import { Permission, PORT_HOLDER } from '../../packages/server/src/access/permission.js';
import { createDisk } from '../../packages/server/src/disk/create-disk.js';
import * as contents from '../../packages/server/src/resources/contents/binary-extension.js';
import type * as types from '../../packages/server/src/resources/disk/disk-types.js';
import type {
  PermittedUris,
  ResourceChange,
} from '../../packages/server/src/resources/resource-provider.js';
import { SHARED_WITH_DISK } from '../../packages/server/src/serving/lazy-disk.js';

/** A suite on folders of the page's own storage, which have the interfaces of those of the disk. */
export function describeDisk(title: string, suite: () => void): void {
  describe(title, () => {
    if ('getDirectory' in StorageManager.prototype) suite();
    // WebKitGTK has no such folders, nor any way to another handle: there is nothing to call the code with.
    else it.skip('is not tested: this browser has no navigator.storage.getDirectory');
  });
}

/** What the page may see. */
export const EVERYTHING: PermittedUris = new Permission({}, false, '', 1);

/** The address of a path in the folder `project`. */
export const uriOf = (path: string): string =>
  `disk:///project/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The folders without a server, and an empty one, `project`, that is not mounted yet. */
export class TestDisk {
  folder!: FileSystemDirectoryHandle;
  disk!: types.Disk;
  changes!: ResourceChange[];
  /** The states of the folders, as they were reported. */
  reports!: types.FolderInfo[][];

  start(folder: FileSystemDirectoryHandle): void {
    const changes: ResourceChange[] = [];
    const reports: types.FolderInfo[][] = [];
    const disk = createDisk({
      emit: (some) => changes.push(...some),
      report: (folders) => reports.push(folders),
      ignored: async (patterns, paths) => ignoredPaths(patterns, paths),
      ...SHARED_WITH_DISK,
    });
    Object.assign(this, { folder, disk, changes, reports });
  }

  /** The folder of a path, which is created. */
  async folderAt(path: string): Promise<FileSystemDirectoryHandle> {
    let folder = this.folder;
    for (const name of path.split('/').filter(Boolean))
      folder = await folder.getDirectoryHandle(name, { create: true });
    return folder;
  }

  /** The file of a path, which is created with its folders. */
  async fileAt(path: string): Promise<FileSystemFileHandle> {
    const [parent, name] = split(path);
    return await (await this.folderAt(parent)).getFileHandle(name, { create: true });
  }

  /** Creates empty files, and the folders whose paths end in a slash. */
  async plant(...paths: string[]): Promise<void> {
    for (const path of paths) await (path.endsWith('/') ? this.folderAt(path) : this.fileAt(path));
  }

  /** Writes a file as another program does. */
  async save(path: string, content: FileSystemWriteChunkType): Promise<void> {
    const writable = await (await this.fileAt(path)).createWritable();
    await writable.write(content);
    await writable.close();
  }

  /** Deletes a file, or a folder with what is in it. */
  async remove(path: string): Promise<void> {
    const [parent, name] = split(path.replace(/\/$/, ''));
    await (await this.folderAt(parent)).removeEntry(name, { recursive: true });
  }

  async textOf(path: string): Promise<string> {
    return await (await (await this.fileAt(path)).getFile()).text();
  }

  async dateOf(path: string): Promise<string> {
    return new Date((await (await this.fileAt(path)).getFile()).lastModified).toISOString();
  }

  /** The names in a folder, as they are on the disk. */
  async namesIn(path: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of (await this.folderAt(path)).values()) names.push(name);
    return names.toSorted();
  }

  mount(options: types.MountOptions = {}, handle = this.folder): Promise<types.FolderInfo> {
    return this.disk.control.mount(handle, options);
  }

  /** What a guest with this access may see. */
  guest(...read: string[]): PermittedUris {
    return new Permission({ read }, true, PORT_HOLDER, 1, (uri) => this.disk.isOpen(uri));
  }

  /** The page of the list after a position. */
  list(after: string | undefined, limit: number, permitted = EVERYTHING) {
    return this.disk.list({ after, limit }, callBy(permitted));
  }

  /** The addresses in the list, in its order. */
  async listed(permitted = EVERYTHING, limit = 1_000): Promise<string[]> {
    const uris: string[] = [];
    let after: string | undefined;
    do {
      const page = await this.list(after, limit, permitted);
      uris.push(...page.resources.map(({ uri }) => uri));
      after = page.next;
    } while (after !== undefined);
    return uris;
  }

  async contentOf(uri: string, permitted = EVERYTHING, more = {}) {
    const [content] = (await this.disk.read(uri, { ...callBy(permitted), ...more })) ?? [];
    return content && { ...content, blob: contents.handleIn(content) };
  }

  /** The text of a file or of a folder on the disk; `undefined` if it is not served. */
  async read(uri: string, permitted = EVERYTHING): Promise<string | undefined> {
    const content = await this.contentOf(uri, permitted);
    return content && ((await content.blob?.text()) ?? (content as { text?: string }).text);
  }

  async readFolder(uri: string, permitted = EVERYTHING) {
    return JSON.parse((await this.read(uri, permitted))!) as {
      total?: number;
      children: { name: string; uri: string; state?: string }[];
      next?: string;
    };
  }

  /** The completions of the variable of one of the templates of the disk. */
  async complete(value: string, permitted = EVERYTHING, argument: 'path' | 'folder' = 'path') {
    const uriTemplate = argument === 'path' ? 'disk:///{+path}' : 'disk:///{+folder}/';
    return await this.disk.complete(
      { uriTemplate, argument, value, chosen: {} },
      callBy(permitted),
    );
  }

  search(query: string, input: Partial<types.DiskSearch> = {}, permitted = EVERYTHING, more = {}) {
    const call = { ...callBy(permitted), ...more };
    return this.disk.search({ query, limit: 1_000, ...input }, call, permitted);
  }

  async write(tool: types.DiskTool, input: types.DiskArguments, permitted = EVERYTHING, more = {}) {
    const call = { ...callBy(permitted), ...more };
    return (await this.disk.write(tool, input, call, permitted)).structuredContent;
  }
}

/** A {@link TestDisk} for each test of the suite that calls this, in the same object each time. */
export function useDisk(): TestDisk {
  const own = new TestDisk();
  let name: string;

  beforeEach(async () => {
    name = crypto.randomUUID();
    const root = await navigator.storage.getDirectory();
    const parent = await root.getDirectoryHandle(name, { create: true });
    own.start(await parent.getDirectoryHandle('project', { create: true }));
  });

  afterEach(async () => {
    for (const folder of own.reports.at(-1) ?? []) await own.disk.control.unmount(folder.name);
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(name, { recursive: true });
  });

  return own;
}

/** The names of the folders whose entries were listed while some work was done. */
export async function foldersListed(work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const { prototype } = FileSystemDirectoryHandle;
  const { values } = prototype;
  prototype.values = function (this: FileSystemDirectoryHandle) {
    names.push(this.name);
    return values.call(this);
  };
  await work().finally(() => (prototype.values = values));
  return names;
}

const callBy = (permitted: PermittedUris) => ({
  permitted,
  signal: new AbortController().signal,
  progress: () => undefined,
});

/** The path of the folder, and the name in it. */
function split(path: string): [parent: string, name: string] {
  const end = path.lastIndexOf('/');
  return [path.slice(0, Math.max(end, 0)), path.slice(end + 1)];
}
