import type { Resource, ResourceTemplate } from '@inpage-mcp/protocol';
import {
  DISK_URI,
  type DiskCall,
  type DiskParts,
  type DiskSearch,
} from '../resources/disk/disk-types.js';
import type {
  Completion,
  CompletionQuery,
  PermittedUris,
  ProviderCall,
  ResourceContents,
  ResourcePage,
} from '../resources/resource-provider.js';
import { FOLDER_MEDIA_TYPE } from '../resources/files/file-folders.js';
import { readingError } from './disk-errors.js';
import { diskUri, isName, parseDiskUri } from './disk-uris.js';
import { readPage } from './folder-pages.js';
import { isAbsence, type Entry, type MountedFolder } from './mounted-folder.js';
import { snapshotOf, type Snapshot } from './snapshot.js';
import { walk, type Found, type Walker } from './walk.js';

/** The key of the `_meta` of a mounted folder: its state, and whether tools may write to it. */
const FOLDER_META_KEY = 'io.github.inpage-mcp/folder';

/** The maximum number of files that are checked again for changes after they were read. */
const MAX_REMEMBERED = 200;

/** The maximum duration of a search, in milliseconds. */
const SEARCH_MS = 10_000;

/** The templates of addresses on the disk. */
export const TEMPLATES: readonly ResourceTemplate[] = [
  {
    uriTemplate: `${DISK_URI}{+path}`,
    name: 'disk-file',
    title: 'File of the disk',
    description: 'A file in a folder that the user has opened, by its percent-encoded path.',
  },
  {
    uriTemplate: `${DISK_URI}{+folder}/`,
    name: 'disk-folder',
    title: 'Folder of the disk',
    description: 'The names in a folder that the user has opened, as JSON.',
    mimeType: FOLDER_MEDIA_TYPE,
  },
];

/** Lists, reads and searches the mounted folders. */
export class DiskProvider {
  readonly #mounts: ReadonlyMap<string, MountedFolder>;
  readonly #parts: DiskParts;
  readonly #lookAgain: (folder: MountedFolder) => Promise<void>;
  /** The times when the files that were read last had been saved, by their addresses. */
  readonly #seen = new Map<string, number>();

  /** @param lookAgain Called with a folder whose state may have changed. */
  constructor(
    mounts: ReadonlyMap<string, MountedFolder>,
    parts: DiskParts,
    lookAgain: (folder: MountedFolder) => Promise<void>,
  ) {
    this.#mounts = mounts;
    this.#parts = parts;
    this.#lookAgain = lookAgain;
  }

  /** The folders that the connection may see, sorted by name. */
  #mountsFor(permitted: Pick<PermittedUris, 'mayPermit'>): MountedFolder[] {
    return [...this.#mounts.values()]
      .filter(({ name }) => permitted.mayPermit(diskUri([name], true)))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async list(
    { after, limit }: { after: string | undefined; limit: number },
    { permitted, signal }: ProviderCall,
  ): Promise<ResourcePage> {
    const resources: Promise<Resource>[] = [];
    let position: string | undefined;
    for await (const one of this.#entriesFrom(this.#positionOf(after, permitted), permitted)) {
      signal.throwIfAborted();
      resources.push(withFacts(one, this.#parts));
      ({ position } = one);
      if (resources.length >= limit) break;
    }
    const isEnd = resources.length < limit;
    return { resources: await Promise.all(resources), next: isEnd ? undefined : position };
  }

  /**
   * The names of a position.
   *
   * @throws {BadPositionError} unless it is the path of an entry that the connection may see.
   */
  #positionOf(after: string | undefined, permitted: PermittedUris): readonly string[] | undefined {
    if (after === undefined) return undefined;
    const isFolder = after.endsWith('/');
    const names = (isFolder ? after.slice(0, -1) : after).split('/');
    if (!names.every(isName) || !permitted.permits(diskUri(names, isFolder)))
      throw new this.#parts.BadPositionError();
    return isFolder ? [...names, ''] : names;
  }

  async *#entriesFrom(after: readonly string[] | undefined, permitted: PermittedUris) {
    const [first, ...rest] = after ?? [];
    for (const folder of this.#mountsFor(permitted)) {
      const { name } = folder;
      if (first !== undefined && name < first) continue;
      const isBefore = name === first;
      const uri = diskUri([name], true);
      if (!isBefore && permitted.permits(uri))
        yield { resource: this.#rootResource(folder), position: `${name}/` };
      if (folder.state !== 'ready') continue;
      for await (const found of walk(folder, [], permitted, isBefore ? rest : []))
        yield { resource: resourceOf(found), entry: found.entry, position: positionOf(found) };
      // The walk may have found that the folder is gone.
      if (folder.info.state !== 'ready') await this.#lookAgain(folder);
    }
  }

  #rootResource(folder: MountedFolder): Resource {
    const { name, uri, ...state } = folder.info;
    return {
      uri,
      name: `${name}/`,
      title: `${name}/`,
      description: 'Folder of the disk',
      mimeType: FOLDER_MEDIA_TYPE,
      _meta: { [FOLDER_META_KEY]: state },
    };
  }

  async read(uri: string, call: ProviderCall): Promise<ResourceContents[] | undefined> {
    const target = parseDiskUri(uri);
    if (!target) return undefined;
    const [mount, ...path] = target.names;
    if (mount === undefined) return [this.#readAll(uri, call.permitted)];
    const folder = this.#mounts.get(mount);
    if (!folder) return undefined;
    try {
      if (await folder.isIgnored(path, target.isFolder)) return undefined;
      if (target.isFolder) return [await this.#readFolder(uri, folder, path, target.from, call)];
      if (path.length === 0) return undefined;
      return [await this.#readFile(uri, folder, path)];
    } catch (error) {
      if (isAbsence(error) && (path.length > 0 || folder.state !== 'ready')) return undefined;
      const known = readingError(error, uri, this.#parts);
      if (known || path.length === 0) await this.#lookAgain(folder);
      if (!known && isAbsence(error)) return undefined;
      throw known ?? error;
    }
  }

  async #readFile(
    uri: string,
    folder: MountedFolder,
    path: readonly string[],
  ): Promise<ResourceContents> {
    const parent = await folder.open(path.slice(0, -1));
    const file = await snapshotOf(await parent.getFileHandle(path.at(-1)!));
    this.#seen.delete(uri);
    if (this.#seen.size >= MAX_REMEMBERED) this.#seen.delete(this.#seen.keys().next().value ?? '');
    this.#seen.set(uri, file.lastModified);
    const contents = this.#parts.blobContents(
      uri,
      typeOf(path.at(-1)!, file, this.#parts),
      file.bytes,
    );
    const { _meta } = this.#parts.contentMeta({
      title: [folder.name, ...path].join('/'),
      ...factsOf(file),
    });
    return { ...contents, _meta: { ...contents._meta, ..._meta } };
  }

  async #readFolder(
    uri: string,
    folder: MountedFolder,
    path: readonly string[],
    from: number,
    { permitted, signal }: ProviderCall,
  ): Promise<ResourceContents> {
    const names = [folder.name, ...path];
    const { entries, total, next } = await readPage(folder, path, from, signal);
    const children = entries
      .map((entry) => childOf([...names, entry.name], entry.kind === 'directory'))
      .filter(({ uri: own }) => permitted.mayPermit(own));
    // The total would reveal entries that are not permitted. If the folder is permitted, everything in it is.
    const seesAll = permitted.permits(diskUri(names, true));
    return json(uri, {
      ...(total === undefined || !seesAll ? {} : { total }),
      children,
      ...(next === undefined ? {} : { next: `${diskUri(names, true)}?from=${next}` }),
    });
  }

  #readAll(uri: string, permitted: PermittedUris): ResourceContents {
    const children = this.#mountsFor(permitted).map(({ info }) => ({
      ...childOf([info.name], true),
      state: info.state,
    }));
    return json(uri, { total: children.length, children });
  }

  /** Completes the next name of a path. The typed path may be escaped or not; the value is an address. */
  async complete(
    { argument, value }: CompletionQuery,
    { permitted }: ProviderCall,
  ): Promise<Completion> {
    const typed = value.split('/').map(decoded);
    const [mount, ...path] = typed.slice(0, -1);
    const wanted = typed.at(-1)!;
    const isFolder = argument === 'folder';
    const names = await this.#namesIn(mount, path, permitted, isFolder);
    const values = names
      .filter(({ names: own }) => own.at(-1)!.startsWith(wanted))
      .map((one) => diskUri(one.names, one.isFolder).slice(DISK_URI.length))
      .map((one) => (isFolder ? one.replace(/\/$/, '') : one));
    return this.#parts.completionOf(values);
  }

  async #namesIn(
    mount: string | undefined,
    path: readonly string[],
    permitted: PermittedUris,
    foldersOnly: boolean,
  ): Promise<{ names: readonly string[]; isFolder: boolean }[]> {
    if (mount === undefined)
      return this.#mountsFor(permitted).map(({ name }) => ({ names: [name], isFolder: true }));
    const folder = this.#mounts.get(mount);
    // A folder that is not permitted is not read either, because its size would show in the time.
    if (!folder || !path.every(isName) || !permitted.mayPermit(diskUri([mount, ...path], true)))
      return [];
    if (await folder.isIgnored(path, true)) return [];
    const entries = (await folder.entriesOf(path).catch(() => undefined)) ?? [];
    return entries
      .map(({ name, kind }) => ({ names: [mount, ...path, name], isFolder: kind === 'directory' }))
      .filter((one) => one.isFolder || !foldersOnly)
      .filter((one) => permitted.mayPermit(diskUri(one.names, one.isFolder)));
  }

  /** Finds the entries whose paths have all words of a query, up to a limit and for some seconds. */
  async search(
    { query, folder: within, limit }: DiskSearch,
    call: DiskCall,
    permitted: PermittedUris,
  ): Promise<{ matches: { path: string; uri: string }[]; isComplete: boolean }> {
    const matches = this.#parts.createWordMatcher(query);
    const beginning = within ?? DISK_URI;
    let isComplete = true;
    const narrowed: Walker = {
      onskip: () => (isComplete = false),
      permits: (uri) => uri.startsWith(beginning) && permitted.permits(uri),
      mayPermit: (uri) =>
        (uri.startsWith(beginning) || beginning.startsWith(uri)) && permitted.mayPermit(uri),
    };
    const end = performance.now() + SEARCH_MS;
    const found: { path: string; uri: string }[] = [];
    let seen = 0;
    for (const folder of this.#mountsFor(narrowed)) {
      for await (const { names, uri } of walk(folder, [], narrowed)) {
        call.signal.throwIfAborted();
        seen += 1;
        if (seen % 500 === 0) call.progress(seen);
        const path = names.join('/');
        if (matches(path)) found.push({ path, uri });
        if (found.length >= limit || performance.now() > end)
          return { matches: found, isComplete: false };
      }
    }
    return { matches: found, isComplete };
  }

  /** The addresses of files that were read, and have been saved or deleted since. */
  async changedFiles(): Promise<string[]> {
    const looks = [...this.#seen].map(async ([uri, lastModified]) => {
      const [mount = '', ...path] = parseDiskUri(uri)?.names ?? [];
      const now = await this.#mounts
        .get(mount)
        ?.open(path.slice(0, -1))
        .then((parent) => parent.getFileHandle(path.at(-1)!))
        .then((handle) => handle.getFile())
        .catch(() => undefined);
      if (now?.lastModified === lastModified) return [];
      if (now) this.#seen.set(uri, now.lastModified);
      else this.#seen.delete(uri);
      return [uri];
    });
    return (await Promise.all(looks)).flat();
  }
}

function childOf(names: readonly string[], isFolder: boolean): { name: string; uri: string } {
  return { name: `${names.at(-1)}${isFolder ? '/' : ''}`, uri: diskUri(names, isFolder) };
}

function positionOf({ names, entry }: Found): string {
  return names.join('/') + (entry.kind === 'directory' ? '/' : '');
}

function resourceOf({ names, uri, entry }: Found): Resource {
  const title = names.join('/');
  if (entry.kind === 'file') return { uri, name: entry.name, title };
  const name = `${entry.name}/`;
  return { uri, name, title: `${title}/`, description: 'Folder', mimeType: FOLDER_MEDIA_TYPE };
}

/** A file in lists, with the facts that only the file itself has; without them if it is gone. */
async function withFacts(
  { resource, entry }: { resource: Resource; entry?: Entry },
  parts: DiskParts,
): Promise<Resource> {
  if (entry?.kind !== 'file') return resource;
  try {
    const file = await entry.getFile();
    const { lastModified, type } = file;
    const facts = { bytes: file, lastModified, type };
    return { ...resource, mimeType: typeOf(entry.name, facts, parts), ...factsOf(facts) };
  } catch {
    return resource;
  }
}

function factsOf({ bytes, lastModified }: Snapshot): Pick<Resource, 'size' | 'annotations'> {
  return {
    size: bytes.size,
    annotations: { lastModified: new Date(lastModified).toISOString() },
  };
}

/**
 * The media type. For text and code, our own table comes first, because the system takes `.ts` for a
 * translation.
 */
function typeOf(name: string, { type }: Snapshot, parts: Pick<DiskParts, 'typeOf'>): string {
  return (
    parts.typeOf(name) ?? (/^[\w.+-]+\/[\w.+-]+$/.exec(type)?.[0] || 'application/octet-stream')
  );
}

function json(uri: string, value: unknown): ResourceContents {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
