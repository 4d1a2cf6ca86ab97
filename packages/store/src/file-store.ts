import type { Database } from './database.js';
import { readPage } from './key-range-page.js';
import { checkPageSize, checkPath } from './limits.js';
import { mediaTypeOf } from './media-type.js';
import type { StoredFile } from './schema.js';
import type { StoreChange, StoreChanges } from './store-changes.js';
import { StoreError, toStoreError } from './store-error.js';

/** A part of the list of files, in the order of their paths. */
export interface FilePage {
  files: StoredFile[];
  /** Pass it as `after` to get the next page; absent at the end. */
  next?: string;
}

/** Uploaded files in IndexedDB. Every method rejects with a {@link StoreError}. */
export class FileStore {
  readonly #database: Database;
  readonly #changes: StoreChanges;

  constructor(database: Database, changes: StoreChanges) {
    this.#database = database;
    this.#changes = changes;
  }

  /**
   * Writes a file whole, over one of the same path; resolves once it is on disk.
   *
   * The media type is the blob's own where it has one, else the name's, else the bytes'.
   *
   * @param options.expectedRevision Refuse with `conflict` unless the stored file has this
   *   revision; 0 means that there must be none yet.
   */
  async write(
    path: string,
    blob: Blob,
    { expectedRevision }: { expectedRevision?: number } = {},
  ): Promise<StoredFile> {
    checkPath(path);
    if (!(blob instanceof Blob)) {
      throw new StoreError('invalid-argument', 'The content of a file must be a Blob.');
    }
    // Before the transaction: awaiting anything but its requests would commit it half-way.
    const mediaType = await mediaTypeOf(path, blob).catch((error: unknown) => {
      throw toStoreError(error);
    });
    // A slice drops the name and date of a DOM `File`; the bytes are not copied.
    const bytes = blob.slice(0, blob.size, mediaType);
    const [before, after] = await this.#database.run(
      ['files', 'file-bytes'],
      'readwrite',
      async (transaction) => {
        const files = transaction.objectStore('files');
        const stored = await files.get(path);
        checkRevision(path, stored, expectedRevision);
        const written = overwritten(path, mediaType, blob.size, stored);
        await files.put(written);
        await transaction.objectStore('file-bytes').put(bytes, path);
        return [stored, written] as const;
      },
    );
    const type = before ? 'updated' : 'created';
    this.#announce(path, type, before?.mediaType !== after.mediaType);
    return after;
  }

  /** What is known of a file, without its bytes; rejects with `not-found`. */
  async get(path: string): Promise<StoredFile> {
    checkPath(path);
    return await this.#database.run(['files'], 'readonly', async (transaction) => {
      const file = await transaction.objectStore('files').get(path);
      if (!file) throw notFound(path);
      return file;
    });
  }

  /** A file and a handle on its bytes, of one moment; rejects with `not-found`. */
  async read(path: string): Promise<{ file: StoredFile; blob: Blob }> {
    checkPath(path);
    return await this.#database.run(['files', 'file-bytes'], 'readonly', async (transaction) => {
      const [file, blob] = await Promise.all([
        transaction.objectStore('files').get(path),
        transaction.objectStore('file-bytes').get(path),
      ]);
      if (!file || !blob) throw notFound(path);
      return { file, blob };
    });
  }

  /** Deletes a file, or rejects with `not-found`. */
  async delete(path: string): Promise<void> {
    checkPath(path);
    await this.#database.run(['files', 'file-bytes'], 'readwrite', async (transaction) => {
      const files = transaction.objectStore('files');
      if ((await files.getKey(path)) === undefined) throw notFound(path);
      await files.delete(path);
      await transaction.objectStore('file-bytes').delete(path);
    });
    this.#announce(path, 'deleted', true);
  }

  /**
   * Lists files without their bytes, in the order of their paths, at the cost of one page.
   *
   * @param options.after The `next` of the page before; absent for the first page.
   * @param options.limit The most entries of the page. Default: 200.
   */
  async list({ after, limit = 200 }: { after?: string; limit?: number } = {}): Promise<FilePage> {
    checkPageSize(limit);
    const range = after === undefined ? null : IDBKeyRange.lowerBound(after, true);
    const found = await this.#database.run(['files'], 'readonly', async (transaction) =>
      // One more than asked for tells whether there is another page.
      readPage(transaction.objectStore('files'), range, limit + 1, 'next'),
    );
    const files = found.slice(0, limit);
    const last = files.at(-1);
    return found.length > limit && last ? { files, next: last.path } : { files };
  }

  #announce(key: string, type: StoreChange['type'], listingChanged: boolean): void {
    this.#changes.announce([{ kind: 'file', key, type, listingChanged }]);
  }
}

function overwritten(
  path: string,
  mediaType: string,
  size: number,
  stored: StoredFile | undefined,
): StoredFile {
  const now = Date.now();
  return {
    path,
    mediaType,
    size,
    createdAt: stored?.createdAt ?? now,
    // Clocks go back; what was changed later must not look older.
    updatedAt: Math.max(now, stored?.updatedAt ?? 0),
    revision: (stored?.revision ?? 0) + 1,
  };
}

function checkRevision(path: string, stored: StoredFile | undefined, expected?: number): void {
  const revision = stored?.revision ?? 0;
  if (expected === undefined || expected === revision) return;
  throw new StoreError(
    'conflict',
    `The file ${JSON.stringify(path)} has revision ${revision}, not ${expected}: read it again.`,
  );
}

function notFound(path: string): StoreError {
  return new StoreError('not-found', `There is no file ${JSON.stringify(path.slice(0, 200))}.`);
}
