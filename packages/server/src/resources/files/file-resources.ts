import type {
  FileAndBytes,
  StoreErrorCode,
  StoreView,
  StoreChange,
  StoredFile,
} from '@inpage-mcp/store';
import type { Resource } from '@inpage-mcp/protocol';
import { blobContents } from '../contents/binary-extension.js';
import { completeFilePaths, completeFolderPaths } from './file-completions.js';
import { FOLDER_MEDIA_TYPE, folderResource, withFolders } from './file-folders.js';
import { gather, MAX_GATHERED } from '../contents/gathered-contents.js';
import { ICONS } from '../icons.js';
import { ignoreNotFound } from '../ignore-not-found.js';
import { annotationsOf, contentMeta } from '../resource-annotations.js';
import type { ProviderHost } from '../provider-host.js';
import type {
  ProviderCall,
  ResourceChange,
  ResourceContents,
  ResourcePage,
  ResourceProvider,
} from '../resource-provider.js';
import {
  FILE_URI_PREFIX,
  FILE_URI_TEMPLATE,
  fileUri,
  FOLDER_URI_TEMPLATE,
  foldersOf,
  folderUri,
  parseResourceUri,
} from '../resource-uris.js';

/**
 * The user's uploaded files as resources, in the order of their paths: `file:///{+path}`, and
 * before the first file of each folder `file:///{+folder}/`.
 */
export function files(): (host: Pick<ProviderHost, 'store'>) => ResourceProvider {
  return ({ store }) => ({
    name: 'files',
    templates: [
      {
        uriTemplate: FILE_URI_TEMPLATE,
        name: 'file',
        title: 'File',
        description: 'A file the user uploaded, by its percent-encoded path.',
        icons: ICONS.file,
      },
      {
        uriTemplate: FOLDER_URI_TEMPLATE,
        name: 'folder',
        title: 'Folder',
        description: 'The files in a folder and in the folders inside it, by its path.',
        mimeType: FOLDER_MEDIA_TYPE,
        icons: ICONS.folder,
      },
    ],
    list: ({ after = '', limit }) => listFiles(store, after, limit),
    async read(uri, call) {
      const target = parseResourceUri(uri);
      if (target?.kind === 'folder') return await readFolder(store, uri, target.path, call);
      if (target?.kind !== 'file') return undefined;
      const content = await readFile(store, target.path);
      return content && [content];
    },
    async complete({ argument, value }, { signal }) {
      if (argument === 'path') return await completeFilePaths(store, value, signal);
      if (argument === 'folder') return await completeFolderPaths(store, value, signal);
      return { values: [], total: 0 };
    },
    listen: (listener) =>
      store.changes.listen((changes, author) => {
        if (changes.some(({ kind }) => kind === 'everything')) return listener([ANY_FILE], author);
        const own = changes.filter((change) => change.kind === 'file').flatMap(fileChanges);
        if (own.length > 0) listener(own, author);
      }),
  });
}

/** The change for the case that any file may have changed or been deleted. */
const ANY_FILE: ResourceChange = { uri: FILE_URI_PREFIX, listChanged: true, andLonger: true };

/**
 * The errors that mean that a file does not exist, for a path that a client has chosen: no file has an
 * invalid path.
 */
const ABSENCE: readonly StoreErrorCode[] = ['not-found', 'invalid-argument'];

/** A file in lists and links. */
export function fileResource(file: StoredFile): Resource {
  return {
    uri: fileUri(file.path),
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    title: file.path,
    description: kindOf(file.mediaType),
    mimeType: file.mediaType,
    size: file.size,
    annotations: annotationsOf(file),
  };
}

async function listFiles(store: StoreView, after: string, limit: number): Promise<ResourcePage> {
  const page = await store.files.list(after === '' ? { limit } : { after, limit });
  const entries = withFolders(page.files, after);
  const shown = entries.slice(0, limit);
  const resources = shown.map((entry) =>
    'file' in entry ? fileResource(entry.file) : folderResource(entry.folder),
  );
  const last = shown.at(-1);
  const isEnd = page.next === undefined && entries.length === shown.length;
  return isEnd || !last ? { resources } : { resources, next: last.position };
}

async function readFile(store: StoreView, path: string): Promise<ResourceContents | undefined> {
  const found = await ignoreNotFound(store.files.read(path), ABSENCE);
  return found && fileContents(found);
}

function fileContents({ file, blob }: FileAndBytes): ResourceContents {
  const contents = blobContents(fileUri(file.path), file.mediaType, blob);
  const { _meta } = contentMeta(fileResource(file), file.revision);
  return { ...contents, _meta: { ...contents._meta, ..._meta } };
}

async function readFolder(
  store: StoreView,
  uri: string,
  folder: string,
  call: ProviderCall,
): Promise<ResourceContents[] | undefined> {
  const page = await ignoreNotFound(store.files.list({ folder, limit: MAX_GATHERED }), ABSENCE);
  if (!page || page.files.length === 0) return undefined;
  const total = page.next === undefined ? page.files.length : store.files.count({ folder });
  const items = page.files.map(({ path, mediaType, size }) => ({
    path,
    uri: fileUri(path),
    mimeType: mediaType,
    size,
  }));
  return await gather(uri, items, total, call, async (chosen) =>
    (await store.files.readAll(chosen.map(({ path }) => path))).map(fileContents),
  );
}

/** The kind of a file, as a short text for models and people. */
function kindOf(mediaType: string): string {
  const [type = '', subtype = ''] = mediaType.split('/');
  const kind = KINDS.get(mediaType) ?? KINDS.get(type) ?? 'File';
  return subtype === 'octet-stream' ? kind : `${kind} (${mediaType})`;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['image', 'Image'],
  ['audio', 'Audio'],
  ['video', 'Video'],
  ['text', 'Text'],
  ['font', 'Font'],
  ['application/pdf', 'PDF document'],
  ['application/json', 'JSON data'],
  ['application/zip', 'Archive'],
  ['text/markdown', 'Markdown text'],
  ['text/csv', 'Table'],
  ['text/html', 'Web page'],
]);

/** The change of a file, and of the folders that contain it. */
function fileChanges({ key, listingChanged }: StoreChange): ResourceChange[] {
  const folders = foldersOf(key).map((folder) => ({ uri: folderUri(folder), listChanged: false }));
  return [{ uri: fileUri(key), listChanged: listingChanged }, ...folders];
}
