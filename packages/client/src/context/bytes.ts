interface NativeBase64 {
  toBase64(): string;
}

/** How many bytes become one string: the arguments of one call are limited. */
const CHUNK_BYTES = 0x8000;

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a content: a Blob only if the server sent one, because each Blob costs the browser time. */
export type Bytes = Uint8Array<ArrayBuffer> | Blob;

export const sizeOf = (bytes: Bytes): number => (bytes instanceof Blob ? bytes.size : bytes.length);

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

/** @throws {TypeError} if the bytes are not UTF-8. */
export async function textOf(source: Bytes): Promise<string> {
  return DECODER.decode(await inMemory(source));
}

async function inMemory(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  return bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;
}
