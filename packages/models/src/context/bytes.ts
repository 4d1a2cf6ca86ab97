import { decodeText } from '@inpage-mcp/encoding';

interface NativeBase64 {
  toBase64(): string;
}

/** The number of bytes that become one string at once, because the arguments of one call are limited. */
const CHUNK_BYTES = 0x8000;

/** The bytes of a content: a Blob only if the server sent one, because each Blob costs the browser time. */
export type Bytes = Uint8Array<ArrayBuffer> | Blob;

export const sizeOf = (bytes: Bytes): number => (bytes instanceof Blob ? bytes.size : bytes.length);

/** The first kilobyte, with each byte as one character. */
export async function headOf(bytes: Bytes): Promise<string> {
  return String.fromCharCode(...(await inMemory(bytes.slice(0, 1_024))));
}

/** The bytes in base64, with padding. */
export async function base64Of(source: Bytes): Promise<string> {
  const bytes = await inMemory(source);
  // Not in TypeScript's library types yet: Chromium 140, Firefox 133, Safari 18.2.
  if ('toBase64' in bytes) return (bytes as unknown as NativeBase64).toBase64();
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  return btoa(binary);
}

/**
 * Decodes bytes as a text.
 *
 * @throws {Error} if the bytes are not a text in any encoding.
 */
export async function textOf(source: Bytes): Promise<string> {
  const decoded = await decodeText(await inMemory(source));
  if (!decoded) throw new Error('Its type is that of a text, but its bytes are not a text.');
  return decoded.text;
}

async function inMemory(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  return bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;
}
