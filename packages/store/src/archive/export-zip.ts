import type { Database } from '../database/database.js';
import type { FileStore } from '../files/file-store.js';
import { readHead } from '../changes/journal.js';
import { MAX_ARCHIVE_ENTRIES } from '../schema/limits.js';
import { type ProgressListener, safeListener } from '../errors/progress.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import type { StoredFile } from '../schema/schema.js';
import { StoreError, toStoreError } from '../errors/store-error.js';
import { FILES_FOLDER, MANIFEST_NAME, ManifestWriter } from './manifest.js';
import { noteSource } from './note-entry.js';
import { PortableNames } from './portable-names.js';
import { storedNotes } from './stored-notes.js';
import { InvalidEntry } from './invalid-entry.js';
import { zipOf, type ZipSource } from './write-zip.js';

/** Options of an export, and of an import. */
export interface ArchiveOptions {
  /**
   * Called with the amount done and the total: an export counts notes and files, an import their
   * bytes. Default: none.
   */
  onProgress?: ProgressListener | undefined;
  /** Aborts the export or import, which rejects with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
}

/** Options of an import. */
export interface ImportOptions extends ArchiveOptions {
  /**
   * The maximum total size of the notes and files in the archive, in bytes. If it is exceeded, the import
   * rejects with `too-large` before it writes anything. Default: a quarter of the free space, and at most 64
   * MiB and 20 times the size of the archive. To import more, ask the user, and import again with a higher
   * limit.
   */
  maxBytes?: number | undefined;
}

/** The number of paths that are in memory at a time. */
const PATHS_AT_ONCE = 1_000;

/** A length above that of any file name in an archive, in code units. */
const MAX_NAME = 1_000;

const UNREADABLE = 'It could not be read.';

/**
 * A zip archive of all notes and files, as a stream that reads the store only on demand. Each entry
 * is consistent; different entries may be from different moments. See `Store.exportZip`.
 */
export function exportZip(
  database: Database,
  files: FileStore,
  { onProgress, signal }: ArchiveOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = zipOf(new Export(database, files, safeListener(onProgress)).sources());
  const ended = new AbortController();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const abort = (): void => {
          controller.error(signal?.reason);
          void chunks.return(undefined).catch(() => undefined);
        };
        if (signal?.aborted) return abort();
        signal?.addEventListener('abort', abort, { signal: ended.signal });
      },
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          // If it was aborted during the read, the stream has already failed.
          if (signal?.aborted) return;
          if (!done) return controller.enqueue(value);
          ended.abort();
          controller.close();
        } catch (error) {
          ended.abort();
          throw toStoreError(error);
        }
      },
      async cancel() {
        ended.abort();
        await chunks.return(undefined);
      },
    },
    // Nothing is read before the consumer asks.
    { highWaterMark: 0 },
  );
}

/** The state of one export. */
class Export {
  readonly #database: Database;
  readonly #files: FileStore;
  readonly #onProgress: ProgressListener;
  readonly #startedAt = Date.now();
  readonly #manifest = new ManifestWriter(this.#startedAt);
  readonly #names = new PortableNames();
  #done = 0;
  #total = 0;

  constructor(database: Database, files: FileStore, onProgress: ProgressListener) {
    this.#database = database;
    this.#files = files;
    this.#onProgress = onProgress;
  }

  async *sources(): AsyncGenerator<ZipSource> {
    const head = await this.#database.run(['head'], 'readonly', (transaction) =>
      readHead(transaction.objectStore('head')),
    );
    this.#total = head.notes + head.files;
    checkCount(this.#total);
    this.#onProgress(0, this.#total);
    yield* this.#noteSources();
    yield* this.#fileSources();
    const { content } = this.#manifest;
    yield { name: MANIFEST_NAME, modifiedAt: this.#startedAt, content };
    this.#onProgress(this.#total, this.#total);
  }

  async *#noteSources(): AsyncGenerator<ZipSource> {
    for await (const notes of storedNotes(this.#database)) {
      for (const note of notes) {
        const source = 'text' in note && sourceOf(() => noteSource(note.summary, note.text));
        if (source) {
          this.#manifest.counts.notes += 1;
          yield source;
        } else {
          this.#skip(note.id);
        }
      }
      this.#advance(notes.length);
    }
  }

  async *#fileSources(): AsyncGenerator<ZipSource> {
    for await (const path of this.#paths()) {
      const found = await this.#readFile(path);
      if (found) {
        const { file, blob } = found;
        const name = FILES_FOLDER + this.#names.nameOf(path);
        let isWhole = true;
        yield {
          name,
          modifiedAt: file.updatedAt,
          content: blob,
          onunreadable: () => (isWhole = false),
        };
        if (isWhole) {
          this.#manifest.addFile(file, name);
        } else {
          this.#skip(name);
        }
      }
      this.#advance(1);
    }
  }

  async *#paths(): AsyncGenerator<string> {
    let range: IDBKeyRange | null = null;
    for (;;) {
      const within: IDBKeyRange | null = range;
      const paths: string[] = await this.#database.run(['files'], 'readonly', (transaction) =>
        transaction.objectStore('files').getAllKeys(within, PATHS_AT_ONCE),
      );
      yield* paths;
      const last = paths.at(-1);
      if (last === undefined) return;
      range = IDBKeyRange.lowerBound(last, true);
    }
  }

  /** Reads a file; `undefined` if it was deleted since, or cannot be read. */
  async #readFile(path: string): Promise<{ file: StoredFile; blob: Blob } | undefined> {
    try {
      return await this.#files.read(path);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not-found') return undefined;
      const isAboutFile =
        isUnreadable(error) || (error instanceof StoreError && error.code === 'invalid-argument');
      if (!isAboutFile) throw error;
      this.#skip(FILES_FOLDER + path);
      return undefined;
    }
  }

  #skip(name: unknown): void {
    // The key of a damaged entry may be any value.
    const shown = typeof name === 'string' ? name.slice(0, MAX_NAME) : '';
    this.#manifest.addUnreadable({ name: shown, reason: UNREADABLE });
  }

  #advance(count: number): void {
    this.#done += count;
    // Entries may have been added since the start.
    this.#total = Math.max(this.#total, this.#done);
    checkCount(this.#total);
    this.#onProgress(this.#done, this.#total);
  }
}

/**
 * Rejects an archive that could not be imported.
 *
 * @throws {StoreError} `invalid-argument` if there are too many notes and files for an archive.
 */
function checkCount(count: number): void {
  // The manifest is an entry, too.
  if (count < MAX_ARCHIVE_ENTRIES) return;
  throw new StoreError(
    'invalid-argument',
    `There are ${count} notes and files; an archive holds at most ${MAX_ARCHIVE_ENTRIES - 1}.`,
  );
}

/** Makes a source; `undefined` if the stored note is invalid. */
function sourceOf(make: () => ZipSource): ZipSource | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof InvalidEntry) return undefined;
    throw error;
  }
}
