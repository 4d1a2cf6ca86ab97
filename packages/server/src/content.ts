import { toBase64 } from './base64.js';
import { tooLargeError } from './protocol-errors.js';
import type { ResourceContents } from './resource-provider.js';

/** The images that every client that shows images knows (Prompts › Image Content). */
export const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
];

/** The largest content that `resources/read` sends inside a message, in bytes. */
export const MAX_INLINE_BYTES = 16 * 1024 * 1024;

/**
 * Bytes as a content: text where the type says so and the bytes agree; else base64, so that no
 * byte is ever lost.
 *
 * @throws {ProtocolError} −32603 above {@link MAX_INLINE_BYTES}.
 */
export async function contentsOf(
  uri: string,
  mimeType: string,
  blob: Blob,
): Promise<ResourceContents> {
  checkInlineSize(uri, blob.size);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const text = isTextType(mimeType) ? decodeUtf8(bytes) : undefined;
  return text === undefined ? { uri, mimeType, blob: toBase64(bytes) } : { uri, mimeType, text };
}

/** @throws {ProtocolError} −32603 above {@link MAX_INLINE_BYTES}. */
export function checkInlineSize(uri: string, size: number): void {
  if (size > MAX_INLINE_BYTES) throw tooLargeError(uri, size, MAX_INLINE_BYTES);
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
