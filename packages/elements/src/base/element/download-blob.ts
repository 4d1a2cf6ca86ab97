/** How long the browser has to begin with what was handed to it, in milliseconds. */
const HAND_OVER_MS = 60_000;

/** Hands bytes to the downloads of the browser. */
export function downloadBlob(blob: Blob, download: string): void {
  // Of no type: a document behind a blob: address would run as one of this page's.
  const href = URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
  Object.assign(document.createElement('a'), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), HAND_OVER_MS);
}
