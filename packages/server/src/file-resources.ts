import { StoreError, type Store, type StoreChange, type StoredFile } from '@inpage-mcp/store';
import type { Resource } from '@modelcontextprotocol/server';
import { toBase64 } from './base64.js';
import { tooLargeError } from './protocol-errors.js';
import type { ResourceChange, ResourceContents, ResourceProvider } from './resource-provider.js';
import { FILE_URI_TEMPLATE, fileUri, parseResourceUri } from './resource-uris.js';

/** The largest file that `resources/read` sends inside a message, in bytes. */
export const MAX_INLINE_BYTES = 16 * 1024 * 1024;

/** The user's uploaded files as resources: `file:///{+path}`, in the order of their paths. */
export function files(): (store: Store) => ResourceProvider {
  return (store) => ({
    name: 'files',
    templates: [
      {
        uriTemplate: FILE_URI_TEMPLATE,
        name: 'file',
        title: 'File',
        description: 'A file the user uploaded, by its percent-encoded path.',
      },
    ],
    async list({ after, limit }) {
      const page = await store.files.list(after === undefined ? { limit } : { after, limit });
      const resources = page.files.map(fileResource);
      return page.next === undefined ? { resources } : { resources, next: page.next };
    },
    read: (uri) => readFile(store, uri),
    listen: (listener) =>
      store.changes.listen((changes) => {
        const own = changes.filter((change) => change.kind === 'file').map(fileChange);
        if (own.length > 0) listener(own);
      }),
  });
}

function fileResource(file: StoredFile): Resource {
  return {
    uri: fileUri(file.path),
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    title: file.path,
    mimeType: file.mediaType,
    size: file.size,
    annotations: { lastModified: new Date(file.updatedAt).toISOString() },
  };
}

async function readFile(store: Store, uri: string): Promise<ResourceContents[] | undefined> {
  const target = parseResourceUri(uri);
  if (target?.kind !== 'file') return undefined;
  try {
    const { file, blob } = await store.files.read(target.path);
    if (file.size > MAX_INLINE_BYTES) throw tooLargeError(uri, file.size, MAX_INLINE_BYTES);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return [fileContents(uri, file.mediaType, bytes)];
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** Text where the type says so and the bytes agree; else base64, so that no byte is ever lost. */
function fileContents(uri: string, mimeType: string, bytes: Uint8Array): ResourceContents {
  const text = isTextType(mimeType) ? decodeUtf8(bytes) : undefined;
  return text === undefined ? { uri, mimeType, blob: toBase64(bytes) } : { uri, mimeType, text };
}

function isTextType(mediaType: string): boolean {
  return (
    mediaType.startsWith('text/') ||
    /^application\/(.*\+)?(json|xml|yaml)$/.test(mediaType) ||
    /^application\/(ld\+json|javascript|ecmascript|sql|toml|x-sh|x-yaml|x-ndjson)$/.test(
      mediaType,
    ) ||
    mediaType === 'image/svg+xml'
  );
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark is kept: encoding the text again must give the same bytes.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function fileChange(change: StoreChange): ResourceChange {
  return { uri: fileUri(change.key), listChanged: change.listingChanged };
}
