import { nextTask } from '@inpage-mcp/protocol';
import { base64Size, decodeBase64 } from './base64-content.js';
import { toBase64 } from './base64.js';
import { handleIn, handleMeta, metaWithoutHandle } from './binary-extension.js';
import type { WorkLine } from './one-at-a-time.js';
import { tooLargeError } from '../protocol-errors.js';
import type { ProviderCall, ResourceContents } from '../resource-provider.js';

/** The images that every client that shows images knows (Prompts › Image Content). */
export const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
];

/** The largest content that is sent inside a message, in bytes, unless a connection has its own. */
export const MAX_INLINE_BYTES = 16 * 1024 * 1024;

/** What decides how a content goes out. */
type Delivery = Required<Pick<ProviderCall, 'signal' | 'inlineBytes' | 'blobs'>> & {
  /** The line in which large bytes are read. */
  line: WorkLine;
};

/** Larger bytes are read and encoded one after the other: they stand in memory several times. */
const MAX_AT_ONCE_BYTES = 256 * 1024;

/**
 * A content of a provider as it goes out. What is not text, or too large, goes by its handle to
 * whoever takes handles. For anyone else it is text where the type says so and the bytes agree,
 * else base64, so that no byte is ever lost.
 *
 * @throws {ProtocolError} −32603 when it is too large for a message and a handle is not taken.
 */
export async function delivered(
  content: ResourceContents,
  delivery: Delivery,
): Promise<ResourceContents> {
  const handle = handleIn(content);
  if (handle) return await deliveredHandle(content, handle, delivery);
  if (isDeliverable(content, delivery)) return content;
  const bytes = await bytesOf(content, delivery.signal);
  if (!delivery.blobs) throw tooLargeError(content.uri, bytes.size, delivery.inlineBytes);
  return withHandle(content, bytes);
}

/** Whether a content that has its bytes in itself goes out as it is. */
function isDeliverable(content: ResourceContents, { inlineBytes, blobs }: Delivery): boolean {
  if ('text' in content) return isTextWithin(content.text, inlineBytes);
  return !blobs && base64Size(content.blob) <= inlineBytes;
}

async function deliveredHandle(
  content: ResourceContents,
  handle: Blob,
  delivery: Delivery,
): Promise<ResourceContents> {
  const { inlineBytes, blobs } = delivery;
  const fits = handle.size <= inlineBytes;
  if (!fits && !blobs) throw tooLargeError(content.uri, handle.size, inlineBytes);
  const isText = fits && isTextType(content.mimeType ?? '');
  if (blobs && !isText) return content;
  return await inTurn(handle, delivery, (bytes) => {
    const text = isText ? decodeUtf8(bytes) : undefined;
    if (text !== undefined) return { ...withoutBytes(content), text };
    return blobs ? content : withBase64(content, bytes);
  });
}

/** A content with these bytes in base64, in the place of its own. */
export async function inBase64(
  content: ResourceContents,
  bytes: Blob,
  delivery: Pick<Delivery, 'signal' | 'line'>,
): Promise<ResourceContents> {
  return await inTurn(bytes, delivery, (read) => withBase64(content, read));
}

/** Reads bytes and makes something of them, large ones when nobody else does. */
async function inTurn<Made>(
  bytes: Blob,
  delivery: Pick<Delivery, 'signal' | 'line'>,
  make: (read: ArrayBuffer) => Made,
): Promise<Made> {
  const work = async (): Promise<Made> => {
    const read = await bytes.arrayBuffer();
    delivery.signal.throwIfAborted();
    return make(read);
  };
  if (bytes.size <= MAX_AT_ONCE_BYTES) return await work();
  return await delivery.line.run(async () => {
    const made = await work();
    // It is sent in a task of its own: either takes its time. In pieces it would take longer, as the
    // whole is copied once more before it is sent.
    await new Promise<void>((resolve) => nextTask(resolve));
    return made;
  }, delivery.signal);
}

function withBase64(content: ResourceContents, bytes: ArrayBuffer): ResourceContents {
  return { ...withoutBytes(content), blob: toBase64(new Uint8Array(bytes)) };
}

/** A content with the handle of these bytes, in the place of its own. */
export function withHandle(content: ResourceContents, bytes: Blob): ResourceContents {
  return { ...withoutBytes(content), blob: '', _meta: { ...content._meta, ...handleMeta(bytes) } };
}

/** The bytes of a content, whatever form it has. Those of a handle are not read. */
export async function bytesOf(content: ResourceContents, signal: AbortSignal): Promise<Blob> {
  const handle = handleIn(content);
  if (handle) return handle;
  if ('text' in content) return new Blob([content.text]);
  return await decodeBase64(content.blob, signal, () => undefined);
}

/** Whether a content of this kind goes inside the message. */
export function isInline(
  { mimeType, size }: { mimeType: string; size: number },
  { inlineBytes = MAX_INLINE_BYTES, blobs = false }: ProviderCall,
): boolean {
  return !blobs || (isTextType(mimeType) && size <= inlineBytes);
}

function withoutBytes(content: ResourceContents): Pick<ResourceContents, 'uri' | '_meta'> {
  const { uri, mimeType } = content;
  return { uri, ...(mimeType === undefined ? {} : { mimeType }), ...metaWithoutHandle(content) };
}

/** Most texts need not be measured: a UTF-16 code unit is 1 to 3 bytes of UTF-8. */
function isTextWithin(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return true;
  return text.length <= maxBytes && new Blob([text]).size <= maxBytes;
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

function decodeUtf8(bytes: ArrayBuffer): string | undefined {
  try {
    // A byte order mark is kept: encoding the text again must give the same bytes.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
