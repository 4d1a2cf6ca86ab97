import { checkAnnotationsUpdate } from '../records/annotations.js';
import type { Database } from '../database/database.js';
import { type FileChildren, readChildren, readChildrenWithin } from './file-children.js';
import { type FileAndBytes, readFile, readFileRecord } from './file-reading.js';
import {
  fileNotFound,
  type FileContent,
  type FileMoveOptions,
  type FilePage,
  type FileRestoreOptions,
  type FileUpdate,
  type FileWriteOptions,
  type RestoredFile,
  restoredFile,
  writtenFile,
} from './file-records.js';
import { changeFile, FILE_PARTS, moveFile, removeFile } from './file-transactions.js';
import { type FileVerification, type VerifyOptions, verifyFile } from './file-verification.js';
import { type FileMatches, type FileSearchOptions, searchFiles } from './file-search.js';
import { writeFile } from './file-writing.js';
import { currentHead } from '../changes/journal.js';
import {
  checkFileBytes,
  checkMediaType,
  checkPageSize,
  checkPath,
  MAX_PATH_BYTES,
} from '../schema/limits.js';
import { PageCache } from '../records/page-cache.js';
import { mediaTypeOf } from './media-type.js';
import { readRecords } from '../records/readable-records.js';
import type { StoredFile } from '../schema/schema.js';
import type { SearchIndex } from '../search/search-index.js';
import type { StoreChanges } from '../changes/store-changes.js';
import {
  EVERYTHING,
  forbiddenError,
  hasPath,
  rangesOfPaths,
  type StoreScope,
} from '../changes/store-scope.js';
import { StoreError, toStoreError } from '../errors/store-error.js';
import { isStoredFile } from '../schema/valid-records.js';
import { checkNoOptions, type UpdateOptions } from '../schema/write-options.js';
import { Writer } from '../changes/writer.js';

/** What a file is named by, and what kind it is. */
export type FileName = Pick<StoredFile, 'path' | 'mediaType' | 'size'>;

/** How many entries `names` holds at a time. */
const NAMES_PAGE = 1_000;

/**
 * Uploaded files in IndexedDB. Every method rejects with a {@link StoreError}, or with the reason
 * of the signal that it was given.
 */
export class FileStore {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #index: SearchIndex;
  readonly #writer: Writer;
  readonly #scope: () => StoreScope;
  /** Of all files, whatever the scope. */
  readonly #names: PageCache<FileName>;

  /** @param scope What there is of it, asked for at each call. Default: everything. */
  constructor(
    database: Database,
    changes: StoreChanges,
    index: SearchIndex,
    scope: () => StoreScope = () => EVERYTHING,
    names?: PageCache<FileName>,
  ) {
    this.#database = database;
    this.#changes = changes;
    this.#index = index;
    this.#writer = new Writer(database, changes, () => scope().holder ?? '');
    this.#scope = scope;
    this.#names = names ?? this.#namesOfAll();
  }

  /** The same files, as far as they are in a scope: the others do not exist in it. */
  within(scope: () => StoreScope): FileStore {
    return new FileStore(this.#database, this.#changes, this.#index, scope, this.#names);
  }

  /**
   * Writes a file of up to `MAX_FILE_BYTES`, over one of the same path: whole or not at all, and of
   * two that are written to one path at once the last to be done stays. Resolves once it is on disk.
   *
   * A large one is stored a piece at a time, while others read and write. Its bytes are never all in
   * memory, except where the browser keeps the whole database there: in a private window.
   */
  async write(path: string, blob: Blob, options: FileWriteOptions = {}): Promise<StoredFile> {
    checkPath(path);
    checkFileBytes(blob);
    checkAnnotationsUpdate(options);
    this.#checkTarget(path);
    const mediaType = await chosenMediaType(path, blob, options.mediaType);
    const { audience, priority, expectedRevision } = options;
    const writing = {
      path,
      blob: blob.slice(0, blob.size, mediaType),
      call: {
        operation: 'files.write',
        args: { path, mediaType, audience, priority, expectedRevision },
      },
      recordOf: ({ size, digest }: FileContent, stored: StoredFile | undefined) =>
        writtenFile(
          { path, mediaType, size, ...(digest !== undefined && { digest }) },
          stored,
          options,
        ),
    };
    return await writeFile(this.#database, this.#writer, writing, options);
  }

  /**
   * Writes a file with a record that is given, as it was elsewhere: revision and times, too. Else
   * like `write`. Rejects with `unreadable` where the record has a digest, and these bytes another.
   */
  async restore(
    record: RestoredFile,
    blob: Blob,
    options: FileRestoreOptions = {},
  ): Promise<StoredFile> {
    const { path, mediaType } = record;
    checkPath(path);
    checkMediaType(mediaType);
    checkFileBytes(blob);
    checkRestored(record);
    this.#checkTarget(path);
    const { expectedRevision } = options;
    const writing = {
      path,
      blob: blob.slice(0, blob.size, mediaType),
      call: { operation: 'files.restore', args: { record, expectedRevision } },
      recordOf: (content: FileContent) => restoredFile(record, content),
    };
    return await writeFile(this.#database, this.#writer, writing, options);
  }

  /** Changes what is said of a file, and not its bytes; rejects with `not-found`. */
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
   * Gives a file another path, in one transaction; no byte is read or written. Rejects with
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

  /** What is known of a file, without its bytes; rejects with `not-found`, or with `unreadable`. */
  async get(path: string): Promise<StoredFile> {
    this.#check(path);
    return await readFileRecord(this.#database, path);
  }

  /**
   * A file and a handle on its bytes, of one moment; a slice of it reads only its own, where it is of
   * 256 KiB or more: that is given 20 ms after it was read for the first time. Rejects with
   * `not-found`, and with `unreadable` where the record or bytes are missing or damaged.
   */
  async read(path: string): Promise<FileAndBytes> {
    this.#check(path);
    return await readFile(this.#database, path);
  }

  /** Reads all bytes of a file, to see whether they are still those that were written. */
  async verify(path: string, options: VerifyOptions = {}): Promise<FileVerification> {
    this.#check(path);
    return await verifyFile(this.#database, path, options);
  }

  /** Deletes a file, or rejects with `not-found`. */
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
   * Lists files without their bytes, in the order of their paths, at the cost of one page. What
   * cannot be read is skipped.
   *
   * @param options.after The `next` of the page before; absent for the first page.
   * @param options.limit The most entries of the page. Default: 200.
   * @param options.folder Like `photos/2024`: only files anywhere below it. Default: all.
   */
  async list({
    after,
    limit = 200,
    folder,
  }: {
    after?: string | undefined;
    limit?: number;
    folder?: string | undefined;
  } = {}): Promise<FilePage> {
    checkPageSize(limit);
    const ranges = rangesOfPaths(this.#scope(), folder, after);
    // One more than asked for tells whether there is another page.
    const query = { store: 'files', ranges, count: limit + 1, direction: 'next' } as const;
    const found = await readRecords(this.#database, query);
    const files = found.slice(0, limit);
    const last = files.at(-1);
    return found.length > limit && last ? { files, next: last.path } : { files };
  }

  /**
   * What all files are named by, in the order of their paths, in arrays of up to 1,000; from memory
   * where it was read a moment ago and is still so.
   *
   * @param options.signal Ends it: the next step rejects with `signal.reason`.
   */
  async *names({ signal }: { signal?: AbortSignal } = {}): AsyncIterableIterator<
    readonly FileName[]
  > {
    if (this.#scope().files === 'all') yield* this.#names.pages(signal);
    else yield* this.#readNames(signal);
  }

  /**
   * What the beginning of a path may go on with, one name further, for completing it: `pho` leads
   * to `phone.txt` and `photos/`, `photos/` to what is in that folder.
   *
   * @param prefix Any string; '' leads to everything at the top.
   * @param options.limit The most names; `total` counts all of them. Default: 100.
   * @param options.signal Ends it: it then rejects with `signal.reason`.
   */
  async children(
    prefix: string,
    { limit = 100, signal }: { limit?: number; signal?: AbortSignal } = {},
  ): Promise<FileChildren> {
    checkPageSize(limit);
    if (typeof prefix !== 'string') {
      throw new StoreError('invalid-argument', 'The beginning of a path must be a string.');
    }
    if (prefix.length > MAX_PATH_BYTES) return { names: [], total: 0 };
    const scope = this.#scope();
    return await this.#database.run(
      ['files'],
      'readonly',
      (transaction) =>
        scope.files === 'all'
          ? readChildren(transaction, prefix, limit)
          : readChildrenWithin(transaction, scope.files, prefix, limit),
      { signal },
    );
  }

  /**
   * Finds files in whose path each word of the query begins some word, as `NoteStore.search` finds
   * notes. Best first: what is in the name counts more than what is in the folders; then in the order
   * of their paths.
   */
  async search(query: string, options: FileSearchOptions = {}): Promise<FileMatches> {
    return await searchFiles(this.#index, query, this.#scope(), options);
  }

  /**
   * How many files there are.
   *
   * @param options.folder Like `photos/2024`: only those anywhere below it. Default: all.
   */
  async count({ folder }: { folder?: string } = {}): Promise<number> {
    const scope = this.#scope();
    const ranges = rangesOfPaths(scope, folder);
    if (scope.files === 'all' && folder === undefined) {
      return (await currentHead(this.#database)).files;
    }
    return await this.#database.run(['files'], 'readonly', async (transaction) => {
      const store = transaction.objectStore('files');
      const counts = await Promise.all(ranges.map((range) => store.count(range)));
      return counts.reduce((sum, count) => sum + count, 0);
    });
  }

  #namesOfAll(): PageCache<FileName> {
    const names = new PageCache<FileName>({
      read: (signal) => this.#readNames(signal),
      lengthOf: ({ path, mediaType }) => path.length + mediaType.length,
    });
    this.#changes.listen((changes) => {
      if (changes.some(({ kind }) => kind !== 'note')) names.invalidate();
    });
    return names;
  }

  async *#readNames(signal: AbortSignal | undefined): AsyncIterableIterator<FileName[]> {
    let after: string | undefined;
    do {
      signal?.throwIfAborted();
      const page = await this.list({ limit: NAMES_PAGE, ...(after !== undefined && { after }) });
      yield page.files.map(({ path, mediaType, size }) => ({ path, mediaType, size }));
      after = page.next;
    } while (after !== undefined);
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
    throw forbiddenError(`The path ${JSON.stringify(path.slice(0, 200))}`);
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

/** @throws {StoreError} `invalid-argument` unless the rest of the record can be that of a file. */
function checkRestored(record: RestoredFile): void {
  checkAnnotationsUpdate(record);
  const isValid = isStoredFile({ ...record, size: 0 }) && record.revision > 0;
  if (!isValid) throw new StoreError('invalid-argument', 'That is not the record of a file.');
}
