/** Not yet in the library types: Chromium 140, Firefox 133, Safari 18.2. */
interface NativeBase64 {
  toBase64(): string;
}

/** A multiple of 3, so that no piece ends in padding; below the stack limit. */
const PIECE_BYTES = 0x6000;

/** Base64 with padding (RFC 4648 section 4). The native method is far faster than `btoa`. */
export function toBase64(bytes: Uint8Array): string {
  if ('toBase64' in bytes) return (bytes as unknown as NativeBase64).toBase64();
  return toBase64ByPieces(bytes);
}

/** The same for browsers without the native method. */
export function toBase64ByPieces(bytes: Uint8Array): string {
  let encoded = '';
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    encoded += btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES)));
  }
  return encoded;
}
