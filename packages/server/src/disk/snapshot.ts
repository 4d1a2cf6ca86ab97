/** The maximum size of files that are copied when they are read, in bytes. */
export const MAX_COPIED_BYTES = 4_194_304;

/** The number of attempts to read a file that is being saved, and the pause, times the attempt. */
const ATTEMPTS = 12;
const PAUSE_MS = 5;

/**
 * The errors of a file that is being saved: it has changed; it is being replaced, although its handle was
 * found a moment ago; and the error of Firefox.
 */
const ERRORS_OF_SAVES: readonly string[] = ['NotReadableError', 'NotFoundError', 'AbortError'];

/** The bytes of a file, and the time when they were saved. */
export interface Snapshot {
  bytes: Blob;
  lastModified: number;
  /** The media type that the system reports; may be empty. */
  type: string;
}

/**
 * The bytes of a file as they are now. The browser does not let a `File` be read after the file has been
 * saved again. So a small one is copied, and then a save during or after the read does not matter. Rejects
 * with an error of the browser.
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
