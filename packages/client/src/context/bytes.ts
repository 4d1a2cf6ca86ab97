interface NativeBase64 {
  toBase64(): string;
}

/** How many bytes become one string: the arguments of one call are limited. */
const CHUNK_BYTES = 0x8000;

/** The bytes in base64, with padding. */
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  // Not in TypeScript's library types yet: Chromium 140, Firefox 133, Safari 18.2.
  if ('toBase64' in bytes) return (bytes as unknown as NativeBase64).toBase64();
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  return btoa(binary);
}

/** @throws {TypeError} if the bytes are not UTF-8. */
export async function textOf(blob: Blob): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return decoder.decode(await blob.arrayBuffer());
}
