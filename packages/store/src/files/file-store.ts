import { checkAnnotationsUpdate } from '../records/annotations.js';
import type { Database } from '../database/database.js';
import { childrenOf, type FileChildren } from './file-children.js';
import { type FileAndBytes, readFile, readFileRecord, readFiles } from './file-reading.js';
import {
  checkRestored,
  fileNotFound,
  type FileContent,
  type FileMoveOptions,
  type FilePage,
  type FileRestoreOptions,
  type FileUpdate,
  type FileWriteOptions,
  type NewFile,
  restoredFile,
  writtenFile,
} from './file-records.js';
import { changeFile, FILE_PARTS, moveFile, removeFile } from './file-transactions.js';
import { type FileVerification, type VerifyOptions, verifyFile } from './file-verification.js';
import {
  cacheOfFiles,
  countFiles,
  currentPaths,
  type FileCache,
  type FileName,
  readNames,
  readPage,
} from './file-listing.js';
import { type FileMatches, type FileSearchOptions, readPaths, searchFiles } from './file-search.js';
import { writeFile } from './file-writing.js';
import {
  checkFileBytes,
  checkMediaType,
  checkPageSize,
  checkPath,
  MAX_PATH_BYTES,
} from '../schema/limits.js';
import { resolveMediaType } from './media-type.js';
import type { StoredFile } from '../schema/schema.js';
import type { StoreChanges } from '../changes/store-changes.js';
import {
  EVERYTHING,
  forbiddenError,
  hasPath,
  rangesOfPaths,
  type StoreScope,
} from '../changes/store-scope.js';
import { StoreError } from '../errors/store-error.js';
import { checkNoOptions, type UpdateOptions } from '../schema/write-options.js';
import { Writer } from '../changes/writer.js';

/**
 * Uploaded files in IndexedDB. Methods reject with a {@link StoreError}, or with the reason of
 * their signal.
 */
export class FileStore {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #writer: Writer;
  readonly #scope: () => StoreScope;
  readonly #cache: FileCache;

  /** @param scope Returns the scope; called by each method. Default: everything. */
  constructor(
    database: Database,
    changes: StoreChanges,
    scope: () => StoreScope = () => EVERYTHING,
    cache?: FileCache,
  ) {
    this.#database = database;
    this.#changes = changes;
    this.#writer = new Writer(database, changes, scope);
    this.#scope = scope;
    this.#cache = cache ?? cacheOfFiles(database, (page) => this.list(page), changes);
  }

  /** A view of the files in a scope. Other files do not exist in the view. */
  within(scope: () => StoreScope): FileStore {
    return new FileStore(this.#database, this.#changes, scope, this.#cache);
  }

  /**
   * Writes a file of up to `MAX_FILE_BYTES` atomically; replaces a file with the same path. Of two
   * concurrent writes to one path, the one that finishes last wins. Resolves once it is on disk.
   *
   * A large file is stored in pieces; other reads and writes run in between. Its bytes are never
   * all in memory, except in a private window, where the browser keeps the whole database there.
   */
  async write(path: string, blob: Blob, options: FileWriteOptions = {}): Promise<StoredFile> {
    checkPath(path);
    checkFileBytes(blob);
    checkAnnotationsUpdate(options);
    this.#checkTarget(path);
    const mediaType = await resolveMediaType(path, blob, options.mediaType);
    const { audience, priority, expectedRevision } = options;
    const writing = {
      path,
      blob: blob.slice(0, blob.size, mediaType),
      call: {
        operation: 'files.write',
        args: { path, mediaType, audience, priority, expectedRevision },
      },
      recordOf: (
        { size, digest }: FileContent,
        stored: StoredFile | undefined,
        former: number,
      ): StoredFile => {
        const facts = { path, mediaType, size, ...(digest !== undefined && { digest }) };
        return writtenFile(facts, stored, options, former);
      },
    };
    return await writeFile(this.#database, this.#writer, writing, options);
  }

  /**
   * Writes a file like {@link write}, but with the given record, including revision and times: a
   * deleted file, as it was read before, or one of an archive. Rejects with `unreadable` if the bytes
   * do not match the digest of the record.
   *
   * @param record Its revision may be absent if the file is new: it is above all files that are gone.
   * @param options.expectedRevision The revision of the file that is replaced; 0 for none. Default: any.
   */
  async restore(
    record: NewFile,
    blob: Blob,
    options: FileRestoreOptions = {},
  ): Promise<StoredFile> {
    const { path, mediaType } = record;
    checkPath(path);
    checkMediaType(mediaType);
    checkFileBytes(blob);
    checkRestored({ revision: 1, ...record });
    this.#checkTarget(path);
    const { expectedRevision } = options;
    const writing = {
      path,
      blob: blob.slice(0, blob.size, mediaType),
      call: { operation: 'files.restore', args: { record, expectedRevision } },
      recordOf: (content: FileContent, _stored: unknown, former: number) =>
        restoredFile({ revision: former + 1, ...record }, content),
    };
    return await writeFile(this.#database, this.#writer, writing, options);
  }

  /** Changes the annotations of a file, not its bytes; rejects with `not-found`. */
  async update(
    path: string,
    update: FileUpdate,
    { expectedRevision, ...options }: UpdateOptions = {},
  ): Promise<StoredFile> {
    checkNoOptions(update);
    checkAnnotationsUpdate(update);
    this.#check(path);
    const { audience, priority } = update;
    const args = { path, audience, priority, expectedRevision };
    const call = { operation: 'files.update', args };
    const { result } = await this.#writer.write(['files'], call, options, (transaction) =>
      changeFile(transaction, path, expectedRevision, update),
    );
    return result;
  }

  /**
   * Moves a file to another path, in one transaction, without reading or writing its bytes. Rejects
   * with `not-found`, and with `conflict` if a file exists at the new path and `overwrite` is not
   * set. The media type stays, even if the new name suggests another one.
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

  /** Reads the record of a file, without its bytes; rejects with `not-found` or `unreadable`. */
  async get(path: string): Promise<StoredFile> {
    this.#check(path);
    return await readFileRecord(this.#database, path);
  }

  /**
   * Reads a file and a Blob with its bytes, consistently. If the file has 256 KiB or more, a slice of the
   * Blob reads only its own bytes, and the Blob is returned 20 ms after it was first read. Rejects with
   * `not-found`, and with `unreadable` if the record or bytes are missing or damaged.
   */
  async read(path: string): Promise<FileAndBytes> {
    this.#check(path);
    return await readFile(this.#database, path);
  }

  /**
   * Reads several files like {@link read}, in one transaction, which waits for other writes only once.
   *
   * @returns The files that exist and can be read, in the order of the paths.
   */
  async readAll(paths: readonly string[]): Promise<FileAndBytes[]> {
    for (const path of paths) checkPath(path);
    const scope = this.#scope();
    return await readFiles(
      this.#database,
      paths.filter((path) => hasPath(scope, path)),
    );
  }

  /** Reads all bytes of a file to check whether they are still the bytes that were written. */
  async verify(path: string, options: VerifyOptions = {}): Promise<FileVerification> {
    this.#check(path);
    return await verifyFile(this.#database, path, options);
  }

  /** Deletes a file. Rejects with `not-found`. */
  async delete(path: string, options: UpdateOptions = {}): Promise<void> {
    this.#check(path);
    const { expectedRevision } = options;
    const call = { operation: 'files.delete', args: { path, expectedRevision } };
    await this.#writer.write(
      FILE_PARTS,
      call,
      options,
      (transaction) => removeFile(transaction, path, expectedRevision),
      { freesSpace: true },
    );
  }

  /**
   * Lists files without their bytes, in the order of their paths, at the cost of one page.
   * Unreadable files are skipped.
   *
   * @param options.after The `next` of the previous page; absent for the first page.
   * @param options.limit The most entries of the page. Default: 200.
   * @param options.folder Like `photos/2024`: only files anywhere below it. Default: all.
   */
  async list({
    after,
    limit = 200,
    folder,
  }: {
    after?: string | undefined;
    limit?: number | undefined;
    folder?: string | undefined;
  } = {}): Promise<FilePage> {
    checkPageSize(limit);
    return await readPage(this.#database, this.#scope(), { after, limit, folder });
  }

  /**
   * The names of all files, in the order of their paths, in arrays of up to 1,000; from a cache if
   * they were read recently and have not changed.
   *
   * @param options.signal Aborts the iteration: the next step rejects with `signal.reason`.
   */
  async *names({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncIterableIterator<
    readonly FileName[]
  > {
    if (this.#scope().files === 'all') yield* this.#cache.names.pages(signal);
    else yield* readNames((page) => this.list(page), signal);
  }

  /**
   * Completes the start of a path by one name: `pho` gives `phone.txt` and `photos/`; `photos/`
   * gives the content of that folder.
   *
   * @param prefix Any string; '' gives everything at the top level.
   * @param options.limit The most names; `total` counts all of them. Default: 100.
   * @param options.signal Aborts the call, which rejects with `signal.reason`.
   */
  async children(
    prefix: string,
    { limit = 100, signal }: { limit?: number | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<FileChildren> {
    checkPageSize(limit);
    if (typeof prefix !== 'string') {
      throw new StoreError('invalid-argument', 'The beginning of a path must be a string.');
    }
    if (prefix.length > MAX_PATH_BYTES) return { names: [], total: 0 };
    return await childrenOf(this.#database, this.#scope().files, prefix, limit, signal);
  }

  /**
   * Finds files by the words of their path, as `NoteStore.search` finds notes. Best first: words in
   * the name count more than words in the folders. Equal scores are in the order of paths.
   */
  async search(query: string, options: FileSearchOptions = {}): Promise<FileMatches> {
    const { signal } = options;
    const scope = this.#scope();
    const paths = () =>
      scope.files === 'all'
        ? currentPaths(this.#database, this.#changes, this.#cache.paths, signal)
        : readPaths(this.#database, signal, rangesOfPaths(scope));
    return await searchFiles(this.#database, paths, query, options);
  }

  /**
   * The number of files.
   *
   * @param options.folder Like `photos/2024`: only files anywhere below it. Default: all.
   */
  async count({ folder }: { folder?: string | undefined } = {}): Promise<number> {
    return await countFiles(this.#database, this.#scope(), folder);
  }

  /** @throws {StoreError} `not-found` for a path outside the scope, as if no file existed. */
  #check(path: string): void {
    checkPath(path);
    const scope = this.#scope();
    if (hasPath(scope, path)) return;
    scope.ondenied?.('file', path);
    throw fileNotFound(path);
  }

  /**
   * @throws {StoreError} `forbidden` for a path outside the scope, whether or not a file exists.
   */
  #checkTarget(path: string): void {
    const scope = this.#scope();
    if (hasPath(scope, path)) return;
    scope.ondenied?.('file', path);
    throw forbiddenError(`The path ${JSON.stringify(path.slice(0, 200))}`);
  }
}
