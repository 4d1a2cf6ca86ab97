import type { Runtime } from '@inpage-mcp/runtime';

/** The time in which the browser must begin a download, in milliseconds. */
const HAND_OVER_MS = 60_000;

/** Saves a file of the store to the user's disk, regardless of its size. */
export async function downloadFile(runtime: Runtime, path: string): Promise<void> {
  const { blob } = await runtime.files.read(path);
  downloadBlob(blob, path.slice(path.lastIndexOf('/') + 1));
}

/** Passes bytes to the browser's downloads. */
function downloadBlob(blob: Blob, download: string): void {
  // Without its type, because a document at a blob: address would run with the rights of this page.
  const href = URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
  Object.assign(document.createElement('a'), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), HAND_OVER_MS);
}
