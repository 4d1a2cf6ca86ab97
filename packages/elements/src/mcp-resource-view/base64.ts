/** Not yet in the library types: Chromium 140, Firefox 133, Safari 18.2. */
interface NativeBase64 {
  fromBase64(encoded: string): Uint8Array<ArrayBuffer>;
}

/** The bytes behind base64 (RFC 4648 section 4); throws for anything else. */
export function fromBase64(encoded: string): Uint8Array<ArrayBuffer> {
  if ('fromBase64' in Uint8Array)
    return (Uint8Array as unknown as NativeBase64).fromBase64(encoded);
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}

/** How many bytes a base64 string stands for, without decoding it. */
export function decodedLength(encoded: string): number {
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0;
  return (encoded.length / 4) * 3 - padding;
}
