import type { Database } from '../database.js';
import type { FileStore } from '../file-store.js';
import { MAX_ARCHIVE_ENTRIES, MAX_FILE_BYTES, MAX_MANIFEST_BYTES } from '../limits.js';
import { heard, type ProgressListener } from '../progress.js';
import { StoreError } from '../store-error.js';
import type { Writer } from '../writer.js';
import type { ArchiveOptions } from './export-zip.js';
import { mergeFile } from './import-files.js';
import { mergeNotes } from './import-notes.js';
import { emptyReport, type ImportReport, skip } from './import-report.js';
import {
  checkedFile,
  FILES_FOLDER,
  MANIFEST_NAME,
  readManifest,
  type ReadManifest,
} from './manifest.js';
import {
  type ArchivedNote,
  MAX_NOTE_ENTRY_BYTES,
  NOTES_FOLDER,
  readNoteEntry,
} from './note-entry.js';
import { entriesOf, findDirectory, type ZipEntry } from './read-zip.js';
import { reasonOf } from './record-checks.js';
import { UnfitEntry } from './unfit-entry.js';
import { type OpenZip, readBlob, readBytes } from './zip-content.js';

/** How many notes are written in one transaction, */
const NOTES_AT_ONCE = 300;
/** unless their texts have more bytes together. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** The parts of a store that something is brought into. */
export interface ImportTarget {
  database: Database;
  writer: Writer;
  files: FileStore;
}

/** Brings an archive in. See `Store.importZip`. */
export async function importZip(
  target: ImportTarget,
  blob: Blob,
  { onProgress, signal }: ArchiveOptions,
): Promise<ImportReport> {
  signal?.throwIfAborted();
  if (!(blob instanceof Blob))
    throw new StoreError('invalid-argument', 'An archive must be a Blob.');
  const zip = { blob, directory: await findDirectory(blob) };
  const { manifest, total } = await survey(zip, signal);
  const bringing = new Import(target, zip, manifest, total, heard(onProgress), signal);
  await bringing.run();
  return bringing.report;
}

/**
 * Looks at the whole directory before anything is written.
 *
 * @throws {StoreError} `invalid-argument` where it cannot be an archive of ours.
 */
async function survey(
  zip: OpenZip,
  signal: AbortSignal | undefined,
): Promise<{ manifest: ReadManifest; total: number }> {
  let manifest: ZipEntry | undefined;
  let entries = 0;
  let bytes = 0;
  for await (const entry of entriesOf(zip.blob, zip.directory)) {
    signal?.throwIfAborted();
    entries += 1;
    // What alone is larger than the archive is wrong by itself, and is skipped when its turn comes.
    if (entry.compressedSize <= zip.blob.size) bytes += entry.compressedSize;
    if (entries > MAX_ARCHIVE_ENTRIES) {
      refuse(`The archive has more than ${MAX_ARCHIVE_ENTRIES} entries.`);
    }
    // The same bytes for many entries: a small archive that becomes an enormous one.
    if (bytes > zip.blob.size) refuse('The entries of the archive overlap.');
    if (entry.name === MANIFEST_NAME) manifest ??= entry;
  }
  if (!manifest) refuse(`The archive has no ${MANIFEST_NAME}: it was not exported here.`);
  const content = await readBytes(zip, manifest, MAX_MANIFEST_BYTES, signal).catch(
    (error: unknown) => {
      if (error instanceof UnfitEntry) refuse(`${MANIFEST_NAME}: ${error.message}`);
      throw error;
    },
  );
  return { manifest: readManifest(content), total: entries - 1 };
}

/** One archive on its way in: first its notes, then its files. */
class Import {
  readonly report = emptyReport();
  readonly #target: ImportTarget;
  readonly #zip: OpenZip;
  readonly #manifest: ReadManifest;
  readonly #total: number;
  readonly #onProgress: ProgressListener;
  readonly #signal: AbortSignal | undefined;
  /** Notes that are read and not written yet, by id. */
  readonly #batch = new Map<string, ArchivedNote>();
  #batchBytes = 0;
  #done = 0;

  constructor(
    target: ImportTarget,
    zip: OpenZip,
    manifest: ReadManifest,
    total: number,
    onProgress: ProgressListener,
    signal: AbortSignal | undefined,
  ) {
    this.#target = target;
    this.#zip = zip;
    this.#manifest = manifest;
    this.#total = total;
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    this.#onProgress(0, this.#total);
    for await (const entry of this.#entries()) {
      if (entry.name.startsWith(NOTES_FOLDER)) await this.#takeNote(entry);
    }
    await this.#writeNotes();
    for await (const entry of this.#entries()) {
      if (entry.name.startsWith(FILES_FOLDER)) await this.#takeFile(entry);
      else if (!entry.name.startsWith(NOTES_FOLDER) && entry.name !== MANIFEST_NAME) {
        skip(this.report, entry.name, 'It is neither a note nor a file.');
        this.#advance(1);
      }
    }
    for (const path of this.#manifest.files.keys()) {
      skip(this.report, FILES_FOLDER + path, 'It is missing in the archive.');
    }
    this.#onProgress(this.#total, this.#total);
  }

  async *#entries(): AsyncGenerator<ZipEntry> {
    for await (const entry of entriesOf(this.#zip.blob, this.#zip.directory)) {
      this.#signal?.throwIfAborted();
      yield entry;
    }
  }

  async #takeNote(entry: ZipEntry): Promise<void> {
    const note = await this.#orSkip(entry, async () =>
      readNoteEntry(entry, await readBytes(this.#zip, entry, MAX_NOTE_ENTRY_BYTES, this.#signal)),
    );
    if (!note) return this.#advance(1);
    const { id, size } = note.summary;
    const isFull =
      this.#batch.size >= NOTES_AT_ONCE || this.#batchBytes + size > TEXT_BYTES_AT_ONCE;
    if (isFull || this.#batch.has(id)) await this.#writeNotes();
    this.#batch.set(id, note);
    this.#batchBytes += size;
  }

  async #writeNotes(): Promise<void> {
    if (this.#batch.size === 0) return;
    const notes = [...this.#batch.values()];
    const { database, writer } = this.#target;
    const outcomes = await mergeNotes(database, writer, notes, this.#signal);
    for (const outcome of outcomes) this.report.notes[outcome] += 1;
    this.#batch.clear();
    this.#batchBytes = 0;
    this.#advance(notes.length);
  }

  async #takeFile(entry: ZipEntry): Promise<void> {
    const path = entry.name.slice(FILES_FOLDER.length);
    const outcome = await this.#orSkip(entry, async () => {
      const claimed = this.#manifest.files.get(path);
      this.#manifest.files.delete(path);
      if (this.#manifest.unreadable.has(entry.name)) {
        throw new UnfitEntry('It could not be read whole when it was exported.');
      }
      if (entry.size > MAX_FILE_BYTES) throw new UnfitEntry('It is too large.');
      const record = claimed === undefined ? undefined : checkedFile(claimed, path, entry.size);
      const read = async (): Promise<Blob> => await readBlob(this.#zip, entry, this.#signal);
      return await mergeFile(this.#target.files, { path, record, read }, this.#signal);
    });
    if (outcome) this.report.files[outcome] += 1;
    this.#advance(1);
  }

  /** Undefined where the entry is none that can come in. */
  async #orSkip<Value>(
    { name, problem }: ZipEntry,
    take: () => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      if (problem !== undefined) throw new UnfitEntry(problem);
      return await take();
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      skip(this.report, name, reason);
      return undefined;
    }
  }

  #advance(count: number): void {
    this.#done += count;
    this.#onProgress(this.#done, this.#total);
  }
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}
