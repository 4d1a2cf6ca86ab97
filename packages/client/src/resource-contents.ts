import type { BlobResourceContents, ResourceContents } from './protocol-types.js';

/** Not yet in the library types: Chromium 140, Firefox 133, Safari 18.2. */
interface NativeBase64 {
  fromBase64(encoded: string): Uint8Array<ArrayBuffer>;
}

/** Whether the contents are bytes rather than text. */
export function isBlobContents(contents: ResourceContents): contents is BlobResourceContents {
  return 'blob' in contents;
}

/** The bytes of the contents: text as UTF-8, base64 decoded. */
export function bytesOf(contents: ResourceContents): Uint8Array<ArrayBuffer> {
  return isBlobContents(contents)
    ? fromBase64(contents.blob)
    : new TextEncoder().encode(contents.text);
}

function fromBase64(encoded: string): Uint8Array<ArrayBuffer> {
  if ('fromBase64' in Uint8Array)
    return (Uint8Array as unknown as NativeBase64).fromBase64(encoded);
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}
