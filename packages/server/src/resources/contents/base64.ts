/** The native encoder. The library types do not have it yet: Chromium 140, Firefox 133, Safari 18.2. */
interface NativeEncoder {
  toBase64(): string;
}

/** The native decoder of the constructor. */
interface NativeDecoder {
  fromBase64(base64: string): Uint8Array<ArrayBuffer>;
}

/**
 * The number of bytes of a piece: a multiple of 3, so that no piece ends in padding; below the stack limit.
 */
const PIECE_BYTES = 0x6000;

/** The number of characters that are decoded at a time: a multiple of 4, so that no byte is split. */
const PIECE_CHARACTERS = 4 * 1024 * 1024;

/** Base64 with padding (RFC 4648 section 4). The native method is far faster than `btoa`. */
export function toBase64(bytes: Uint8Array): string {
  if ('toBase64' in bytes) return (bytes as unknown as NativeEncoder).toBase64();
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

/**
 * Whether a text is canonical base64 (RFC 4648 section 4): padded, without white space, and with
 * all unused bits zero.
 */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?$/.test(text);
}

/** The decoded size of a base64 text, in bytes. */
export function base64Size(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/**
 * Decodes valid base64 piece by piece, and yields between the pieces, so that other work such as a
 * cancellation can run.
 *
 * @param onPiece Receives the number of decoded bytes after each piece but the last.
 * @throws `signal.reason` when it is aborted.
 */
export async function decodeBase64(
  base64: string,
  signal: AbortSignal,
  onPiece: (done: number) => void,
): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < base64.length; start += PIECE_CHARACTERS) {
    if (start > 0) {
      onPiece((start / 4) * 3);
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
    }
    pieces.push(bytesOf(base64.slice(start, start + PIECE_CHARACTERS)));
  }
  return new Blob(pieces);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  if ('fromBase64' in Uint8Array) {
    return (Uint8Array as unknown as NativeDecoder).fromBase64(base64);
  }
  return bytesByAtob(base64);
}

/** The same for browsers without the native method, several times slower. */
export function bytesByAtob(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
