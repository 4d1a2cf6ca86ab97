import { checkAnnotationsUpdate } from './annotations.js';
import type { Database } from './database.js';
import { type FileChildren, readChildren, readChildrenWithin } from './file-children.js';
import {
  fileNotFound,
  type FileMoveOptions,
  type FilePage,
  type FileUpdate,
  type FileWriteOptions,
} from './file-records.js';
import {
  changeFile,
  FILE_PARTS,
  moveFile,
  putFile,
  readFile,
  removeFile,
} from './file-transactions.js';
import { readPage } from './key-range-page.js';
import { checkMediaType, checkPageSize, checkPath, MAX_PATH_BYTES } from './limits.js';
import { mediaTypeOf } from './media-type.js';
import type { StoredFile } from './schema.js';
import type { StoreChanges } from './store-changes.js';
import { EVERYTHING, forbidden, hasPath, rangesOfPaths, type StoreScope } from './store-scope.js';
import { StoreError, toStoreError } from './store-error.js';
import type { RevisionOption, WriteOptions } from './write-options.js';
import { Writer } from './writer.js';

/**
 * Uploaded files in IndexedDB. Every method rejects with a {@link StoreError}, or with the reason
 * of the signal that it was given.
 */
export class FileStore {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #writer: Writer;
  readonly #scope: () => StoreScope;

  /** @param scope What there is of it, asked for at each call. Default: everything. */
  constructor(
    database: Database,
    changes: StoreChanges,
    scope: () => StoreScope = () => EVERYTHING,
  ) {
    this.#database = database;
    this.#changes = changes;
    this.#writer = new Writer(database, changes, () => scope().holder ?? '');
    this.#scope = scope;
  }

  /** The same files, as far as they are in a scope: the others do not exist in it. */
  within(scope: () => StoreScope): FileStore {
    return new FileStore(this.#database, this.#changes, scope);
  }

  /**
   * Writes a file whole, over one of the same path; resolves once it is on disk. With an
   * idempotency key the bytes are read twice: once to know them again.
   */
  async write(path: string, blob: Blob, options: FileWriteOptions = {}): Promise<StoredFile> {
    checkPath(path);
    if (!(blob instanceof Blob)) {
      throw new StoreError('invalid-argument', 'The content of a file must be a Blob.');
    }
    checkAnnotationsUpdate(options);
    this.#checkTarget(path);
    // Before the transaction: awaiting anything but its requests would commit it half-way.
    const mediaType = await chosenMediaType(path, blob, options.mediaType);
    const { audience, priority, expectedRevision } = options;
    const args = { path, mediaType, audience, priority, expectedRevision };
    const call = { operation: 'files.write', args, blob };
    // A slice drops the name and date of a DOM `File`; the bytes are not copied.
    const bytes = blob.slice(0, blob.size, mediaType);
    const { result } = await this.#writer.write(FILE_PARTS, call, options, (transaction) =>
      putFile(transaction, path, bytes, options),
    );
    return result;
  }

  /** Changes what is said of a file, and not its bytes; rejects with `not-found`. */
  async update(path: string, update: FileUpdate, options: WriteOptions = {}): Promise<StoredFile> {
    checkAnnotationsUpdate(update);
    this.#check(path);
    const { audience, priority, expectedRevision } = update;
    const args = { path, audience, priority, expectedRevision };
    const call = { operation: 'files.update', args };
    const { result } = await this.#writer.write(['files'], call, options, (transaction) =>
      changeFile(transaction, path, update),
    );
    return result;
  }

  /**
   * Gives a file another path, in one transaction; the bytes are not read into memory. Rejects with
   * `not-found`, and with `conflict` when there is a file at the new path already, unless it may be
   * overwritten. The media type stays, whatever the new name suggests.
   */
  async move(from: string, to: string, options: FileMoveOptions = {}): Promise<StoredFile> {
    checkPath(from);
    checkPath(to);
    if (from === to) {
      throw new StoreError('invalid-argument', 'A file cannot be moved to where it is.');
    }
    this.#checkTarget(to);
    this.#check(from);
    const { overwrite = false, expectedRevision } = options;
    const call = { operation: 'files.move', args: { from, to, overwrite, expectedRevision } };
    const { result } = await this.#writer.write(FILE_PARTS, call, options, (transaction) =>
      moveFile(transaction, from, to, options),
    );
    return result;
  }

  /** What is known of a file, without its bytes; rejects with `not-found`. */
  async get(path: string): Promise<StoredFile> {
    this.#check(path);
    return await this.#database.run(['files'], 'readonly', async (transaction) => {
      const file = await transaction.objectStore('files').get(path);
      if (!file) throw fileNotFound(path);
      return file;
    });
  }

  /** A file and a handle on its bytes, of one moment; rejects with `not-found`. */
  async read(path: string): Promise<{ file: StoredFile; blob: Blob }> {
    this.#check(path);
    return await this.#database.run(FILE_PARTS, 'readonly', (transaction) =>
      readFile(transaction, path),
    );
  }

  /** Deletes a file, or rejects with `not-found`. */
  async delete(path: string, options: WriteOptions & RevisionOption = {}): Promise<void> {
    this.#check(path);
    const { expectedRevision } = options;
    const call = { operation: 'files.delete', args: { path, expectedRevision } };
    await this.#writer.write(FILE_PARTS, call, options, (transaction) =>
      removeFile(transaction, path, expectedRevision),
    );
  }

  /**
   * Lists files without their bytes, in the order of their paths, at the cost of one page.
   *
   * @param options.after The `next` of the page before; absent for the first page.
   * @param options.limit The most entries of the page. Default: 200.
   * @param options.folder Like `photos/2024`: only files anywhere below it. Default: all.
   */
  async list({
    after,
    limit = 200,
    folder,
  }: { after?: string; limit?: number; folder?: string } = {}): Promise<FilePage> {
    checkPageSize(limit);
    const ranges = rangesOfPaths(this.#scope(), folder, after);
    const found = await this.#database.run(['files'], 'readonly', async (transaction) => {
      const store = transaction.objectStore('files');
      const read: StoredFile[] = [];
      for (const range of ranges) {
        // One more than asked for tells whether there is another page.
        if (read.length > limit) break;
        read.push(...(await readPage(store, range, limit + 1 - read.length, 'next')));
      }
      return read;
    });
    const files = found.slice(0, limit);
    const last = files.at(-1);
    return found.length > limit && last ? { files, next: last.path } : { files };
  }

  /**
   * What the beginning of a path may go on with, one name further, for completing it: `pho` leads
   * to `phone.txt` and `photos/`, `photos/` to what is in that folder.
   *
   * @param prefix Any string; '' leads to everything at the top.
   * @param options.limit The most names; `total` counts all of them. Default: 100.
   */
  async children(prefix: string, { limit = 100 }: { limit?: number } = {}): Promise<FileChildren> {
    checkPageSize(limit);
    if (typeof prefix !== 'string') {
      throw new StoreError('invalid-argument', 'The beginning of a path must be a string.');
    }
    if (prefix.length > MAX_PATH_BYTES) return { names: [], total: 0 };
    const scope = this.#scope();
    return await this.#database.run(['files'], 'readonly', (transaction) =>
      scope.files === 'all'
        ? readChildren(transaction, prefix, limit)
        : readChildrenWithin(transaction, scope.files, prefix, limit),
    );
  }

  /**
   * How many files there are.
   *
   * @param options.folder Like `photos/2024`: only those anywhere below it. Default: all.
   */
  async count({ folder }: { folder?: string } = {}): Promise<number> {
    const ranges = rangesOfPaths(this.#scope(), folder);
    return await this.#database.run(['files'], 'readonly', async (transaction) => {
      const store = transaction.objectStore('files');
      const counts = await Promise.all(ranges.map((range) => store.count(range)));
      return counts.reduce((sum, count) => sum + count, 0);
    });
  }

  /** @throws {StoreError} `not-found` for a path outside the scope, like where no file is. */
  #check(path: string): void {
    checkPath(path);
    const scope = this.#scope();
    if (hasPath(scope, path)) return;
    scope.ondenied?.('file', path);
    throw fileNotFound(path);
  }

  /** @throws {StoreError} `forbidden` for a path outside the scope, whether or not a file is there. */
  #checkTarget(path: string): void {
    const scope = this.#scope();
    if (hasPath(scope, path)) return;
    scope.ondenied?.('file', path);
    throw forbidden(`The path ${JSON.stringify(path.slice(0, 200))}`);
  }
}

async function chosenMediaType(path: string, blob: Blob, chosen?: string): Promise<string> {
  if (chosen === undefined) {
    return await mediaTypeOf(path, blob).catch((error: unknown) => {
      throw toStoreError(error);
    });
  }
  checkMediaType(chosen);
  return chosen.toLowerCase();
}
