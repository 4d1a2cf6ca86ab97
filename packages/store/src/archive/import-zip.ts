import type { FileStore } from '../files/file-store.js';
import { MAX_FILE_BYTES } from '../schema/limits.js';
import { type ProgressListener, safeListener } from '../errors/progress.js';
import { StoreError } from '../errors/store-error.js';
import type { Writer } from '../changes/writer.js';
import type { ArchiveOptions } from './export-zip.js';
import { mergeFile } from './import-files.js';
import { mergeNotes } from './import-notes.js';
import { emptyReport, type ImportReport, skip } from './import-report.js';
import { FILES_FOLDER, MANIFEST_NAME } from './manifest.js';
import {
  type ArchivedNote,
  MAX_NOTE_ENTRY_BYTES,
  NOTES_FOLDER,
  readNoteEntry,
} from './note-entry.js';
import { entriesOf, type ZipEntry } from './read-zip.js';
import { FIRST_MANIFEST_NAME } from './read-manifest.js';
import { reasonOf } from './record-checks.js';
import { importableSize, isFolder, scanArchive, type ArchiveScan } from './scan-archive.js';
import { InvalidEntry } from './invalid-entry.js';
import { openZip, type OpenZip, readBlob, readBytes } from './read-zip-entries.js';

/** How many notes are written in one transaction, */
const NOTES_AT_ONCE = 300;
/** unless their texts have more bytes together. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** How many bytes of a file are processed between two progress notifications. */
const PROGRESS_BYTES = 1024 * 1024;

/** The parts of a store that an import writes to. */
export interface ImportTarget {
  writer: Writer;
  files: FileStore;
}

/** Imports an archive. See `Store.importZip`. */
export async function importZip(
  target: ImportTarget,
  blob: Blob,
  { onProgress, signal }: ArchiveOptions,
): Promise<ImportReport> {
  signal?.throwIfAborted();
  if (!(blob instanceof Blob))
    throw new StoreError('invalid-argument', 'An archive must be a Blob.');
  const zip = await openZip(blob);
  const report = emptyReport();
  const scan = await scanArchive(zip, signal, (path) =>
    skip(report, FILES_FOLDER + path, 'It is missing from the archive.'),
  );
  await new Import(target, zip, scan, report, safeListener(onProgress), signal).run();
  return report;
}

/** The import of one archive. */
class Import {
  readonly #target: ImportTarget;
  readonly #zip: OpenZip;
  readonly #scan: ArchiveScan;
  readonly #report: ImportReport;
  readonly #onProgress: ProgressListener;
  readonly #signal: AbortSignal | undefined;
  /** Notes that were read and are not written yet, by id. */
  readonly #batch = new Map<string, ArchivedNote>();
  #batchBytes = 0;
  /** How many bytes of the archive the batch accounts for. */
  #batchWeight = 0;
  #doneBytes = 0;
  #notifiedBytes = 0;

  constructor(
    target: ImportTarget,
    zip: OpenZip,
    scan: ArchiveScan,
    report: ImportReport,
    onProgress: ProgressListener,
    signal: AbortSignal | undefined,
  ) {
    this.#target = target;
    this.#zip = zip;
    this.#scan = scan;
    this.#report = report;
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    this.#notify(0);
    for await (const entry of entriesOf(this.#zip.bytes, this.#zip.directory)) {
      this.#signal?.throwIfAborted();
      await this.#importEntry(entry);
    }
    await this.#writeNotes();
    this.#notify(this.#scan.totalBytes);
  }

  async #importEntry(entry: ZipEntry): Promise<void> {
    const { name } = entry;
    if (isFolder(entry) || name === MANIFEST_NAME || name === FIRST_MANIFEST_NAME) return;
    if (name.startsWith(NOTES_FOLDER)) return await this.#importNote(entry);
    if (name.startsWith(FILES_FOLDER)) return await this.#importFile(entry);
    skip(this.#report, name, 'It is neither a note nor a file.');
  }

  async #importNote(entry: ZipEntry): Promise<void> {
    const note = await this.#orSkip(entry, async () =>
      readNoteEntry(entry, await readBytes(this.#zip, entry, MAX_NOTE_ENTRY_BYTES, this.#signal)),
    );
    const weight = importableSize(entry, this.#zip.bytes.blob);
    if (!note) return this.#advance(weight);
    const { id, size } = note.summary;
    const isFull =
      this.#batch.size >= NOTES_AT_ONCE || this.#batchBytes + size > TEXT_BYTES_AT_ONCE;
    if (isFull || this.#batch.has(id)) await this.#writeNotes();
    this.#batch.set(id, note);
    this.#batchBytes += size;
    this.#batchWeight += weight;
  }

  async #writeNotes(): Promise<void> {
    if (this.#batch.size === 0) return;
    const notes = [...this.#batch.values()];
    const outcomes = await mergeNotes(this.#target.writer, notes, this.#signal);
    for (const outcome of outcomes) this.#report.notes[outcome] += 1;
    this.#batch.clear();
    this.#batchBytes = 0;
    this.#advance(this.#batchWeight);
    this.#batchWeight = 0;
  }

  async #importFile(entry: ZipEntry): Promise<void> {
    // A large file takes long: the notes before it are not kept in memory.
    await this.#writeNotes();
    const path = entry.name.slice(FILES_FOLDER.length);
    const weight = importableSize(entry, this.#zip.bytes.blob);
    const outcome = await this.#orSkip(entry, async () => {
      const record = this.#scan.claims.get(path);
      // A second entry with the same name is not the one that the manifest lists.
      this.#scan.claims.delete(path);
      if (typeof record === 'string') throw new InvalidEntry(record);
      if (entry.size > MAX_FILE_BYTES) throw new InvalidEntry('It is too large.');
      if (record && record.size !== entry.size) {
        throw new InvalidEntry('Its size has changed since it was exported.');
      }
      // All bytes are read twice: first to verify them, then to write them.
      const onread = (bytes: number): void => this.#notifyWithin(bytes / 2);
      const onProgress = (bytes: number): void => this.#notifyWithin((weight + bytes) / 2);
      const read = async (): Promise<Blob> =>
        await readBlob(this.#zip, entry, this.#signal, onread);
      const file = { path, record, read, onProgress };
      return await mergeFile(this.#target.files, file, this.#signal);
    });
    if (outcome) this.#report.files[outcome] += 1;
    this.#advance(weight);
  }

  /** Calls `importEntry`. If the entry is invalid, skips it and resolves with undefined. */
  async #orSkip<Value>(
    { name, problem }: ZipEntry,
    importEntry: () => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      if (problem !== undefined) throw new InvalidEntry(problem);
      return await importEntry();
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      skip(this.#report, name, reason);
      return undefined;
    }
  }

  #advance(bytes: number): void {
    this.#doneBytes += bytes;
    this.#notify(this.#doneBytes);
  }

  /** Reports progress within the current entry. A retry does not report the same bytes again. */
  #notifyWithin(bytes: number): void {
    const doneBytes = this.#doneBytes + Math.floor(bytes);
    if (doneBytes - this.#notifiedBytes >= PROGRESS_BYTES) this.#notify(doneBytes);
  }

  #notify(doneBytes: number): void {
    this.#notifiedBytes = doneBytes;
    this.#onProgress(doneBytes, this.#scan.totalBytes);
  }
}
