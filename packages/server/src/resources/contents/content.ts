import { decodeText, isTextType } from '@inpage-mcp/encoding';
import { nextTask } from '@inpage-mcp/protocol';
import { base64Size, decodeBase64, toBase64 } from './base64.js';
import { ENCODING_META_KEY, handleIn, handleMeta, metaWithoutHandle } from './binary-extension.js';
import type { TaskQueue } from './fair-scheduler.js';
import { tooLargeError } from '../protocol-errors.js';
import type { ResourceCall, ResourceContents } from '../resource-provider.js';

/** The types that every client with support for images can show (Prompts › Image Content). */
export const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
];

/**
 * The maximum size of a content that is sent inside a message, in bytes. A connection may have its own limit.
 */
export const MAX_INLINE_BYTES = 16 * 1024 * 1024;

/** Options for sending the contents of one read. */
export interface Delivery extends Required<ResourceCall> {
  /** The queue for large contents. */
  queue: TaskQueue;
}

/**
 * The size above which contents are read and encoded in the queue, because each is in memory several times.
 */
const MAX_UNQUEUED_BYTES = 256 * 1024;

/**
 * Converts a provider's content to the form that is sent. A client that accepts handles gets one
 * for a content that is not UTF-8 or too large. Other clients get text if the type is textual and
 * the bytes look like a text, with the encoding if they are not UTF-8; else base64. The bytes themselves
 * are read in ranges.
 *
 * @throws {ProtocolError} −32603 if it is too large for a message and the client accepts no
 *   handles.
 */
export async function deliver(
  content: ResourceContents,
  delivery: Delivery,
): Promise<ResourceContents> {
  const handle = handleIn(content);
  if (handle) return await deliverHandle(content, handle, delivery);
  if (isDeliverable(content, delivery)) return content;
  const bytes = await bytesOf(content, delivery.signal);
  if (!delivery.blobs) throw tooLargeError(content.uri, bytes.size, delivery.inlineBytes);
  return withHandle(content, bytes);
}

/** Whether a content without a handle is sent unchanged. */
function isDeliverable(content: ResourceContents, { inlineBytes, blobs }: Delivery): boolean {
  if ('text' in content) return isTextWithin(content.text, inlineBytes);
  return !blobs && base64Size(content.blob) <= inlineBytes;
}

async function deliverHandle(
  content: ResourceContents,
  handle: Blob,
  delivery: Delivery,
): Promise<ResourceContents> {
  const { inlineBytes, blobs } = delivery;
  const fits = handle.size <= inlineBytes;
  if (!fits && !blobs) throw tooLargeError(content.uri, handle.size, inlineBytes);
  const isText = fits && isTextType(content.mimeType ?? '');
  if (blobs && !isText) return content;
  return await readAndEncode(handle, delivery, async (bytes) => {
    const decoded = isText ? await decodeText(new Uint8Array(bytes)) : undefined;
    if (decoded?.encoding === 'utf-8' && !decoded.isGuess)
      return { ...withoutBytes(content), text: decoded.text };
    if (blobs) return content;
    if (!decoded || !isTextWithin(decoded.text, inlineBytes)) return withBase64(content, bytes);
    const { text, encoding: name, isGuess } = decoded;
    const { _meta, ...rest } = withoutBytes(content);
    return { ...rest, _meta: { ..._meta, [ENCODING_META_KEY]: { name, isGuess } }, text };
  });
}

/** A content with its bytes replaced by these, in base64. */
export async function encodeBytes(
  content: ResourceContents,
  bytes: Blob,
  delivery: Pick<Delivery, 'signal' | 'queue'>,
): Promise<ResourceContents> {
  return await readAndEncode(bytes, delivery, (read) => withBase64(content, read));
}

/** Reads bytes and encodes them; large ones go through the queue. */
async function readAndEncode<Encoded>(
  bytes: Blob,
  delivery: Pick<Delivery, 'signal' | 'queue'>,
  encode: (read: ArrayBuffer) => Encoded | Promise<Encoded>,
): Promise<Encoded> {
  const work = async (): Promise<Encoded> => {
    const read = await bytes.arrayBuffer();
    delivery.signal.throwIfAborted();
    return await encode(read);
  };
  if (bytes.size <= MAX_UNQUEUED_BYTES) return await work();
  return await delivery.queue.run(async () => {
    const encoded = await work();
    // The content is sent in a separate task, because encoding and sending both take long. Encoding in pieces
    // would take longer, because the whole is copied once more before it is sent.
    await new Promise<void>((resolve) => nextTask(resolve));
    return encoded;
  }, delivery.signal);
}

function withBase64(content: ResourceContents, bytes: ArrayBuffer): ResourceContents {
  return { ...withoutBytes(content), blob: toBase64(new Uint8Array(bytes)) };
}

/** A content with its bytes replaced by a handle to these. */
export function withHandle(content: ResourceContents, bytes: Blob): ResourceContents {
  return { ...withoutBytes(content), blob: '', _meta: { ...content._meta, ...handleMeta(bytes) } };
}

/** The bytes of a content in any form. Those of a handle are not read. */
export async function bytesOf(content: ResourceContents, signal: AbortSignal): Promise<Blob> {
  const handle = handleIn(content);
  if (handle) return handle;
  if ('text' in content) return new Blob([content.text]);
  return await decodeBase64(content.blob, signal, () => undefined);
}

/** Whether a content of this type and size is sent inside the message. */
export function isInline(
  { mimeType, size }: { mimeType: string; size: number },
  { inlineBytes = MAX_INLINE_BYTES, blobs = false }: ResourceCall,
): boolean {
  return !blobs || (isTextType(mimeType) && size <= inlineBytes);
}

function withoutBytes(content: ResourceContents): Pick<ResourceContents, 'uri' | '_meta'> {
  const { uri, mimeType } = content;
  return { uri, ...(mimeType === undefined ? {} : { mimeType }), ...metaWithoutHandle(content) };
}

/**
 * Whether a text has at most this size. Encodes it only if its length does not decide: a UTF-16 code unit is
 * 1 to 3 bytes of UTF-8.
 */
function isTextWithin(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return true;
  return text.length <= maxBytes && new Blob([text]).size <= maxBytes;
}
