/** Files up to this size are copied when they are read, in bytes. */
export const MAX_COPIED_BYTES = 4_194_304;

/** How often a file is read again that is being saved at that moment, and the pause, times the attempt. */
const ATTEMPTS = 12;
const PAUSE_MS = 5;

/**
 * The errors of a file that is being saved: one that has changed, one that is just replaced, although its
 * handle was found a moment ago, and that of Firefox.
 */
const ERRORS_OF_SAVES: readonly string[] = ['NotReadableError', 'NotFoundError', 'AbortError'];

/** The bytes of a file, and when they were saved. */
export interface Snapshot {
  bytes: Blob;
  lastModified: number;
  /** What the system takes it for; may be empty. */
  type: string;
}

/**
 * The bytes of a file as they are now. The browser lets nobody read a `File` once the file has been saved
 * again: a small one is copied, so that neither a save in the middle of a read nor one after it matters.
 * Rejects with an error of the browser.
 */
export async function snapshotOf(handle: FileSystemFileHandle): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const file = await handle.getFile();
      const { lastModified, type } = file;
      const bytes = file.size > MAX_COPIED_BYTES ? file : new Blob([await file.arrayBuffer()]);
      return { bytes, lastModified, type };
    } catch (error) {
      const isSaved = error instanceof Error && ERRORS_OF_SAVES.includes(error.name);
      if (!isSaved || attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}
