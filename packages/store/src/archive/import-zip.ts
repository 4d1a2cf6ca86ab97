import type { Database } from '../database/database.js';
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
import { reasonOf } from './record-checks.js';
import { bytesToTake, isFolder, type Survey, survey } from './survey.js';
import { UnfitEntry } from './unfit-entry.js';
import { openZip, type OpenZip, readBlob, readBytes } from './zip-content.js';

/** How many notes are written in one transaction, */
const NOTES_AT_ONCE = 300;
/** unless their texts have more bytes together. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** How many bytes of a file go by before it is told of them. */
const PROGRESS_BYTES = 1024 * 1024;

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
  const zip = await openZip(blob);
  const report = emptyReport();
  const surveyed = await survey(zip, signal, (path) =>
    skip(report, FILES_FOLDER + path, 'It is missing in the archive.'),
  );
  await new Import(target, zip, surveyed, report, safeListener(onProgress), signal).run();
  return report;
}

/** One archive on its way in: first its notes, then its files. */
class Import {
  readonly #target: ImportTarget;
  readonly #zip: OpenZip;
  readonly #survey: Survey;
  readonly #report: ImportReport;
  readonly #onProgress: ProgressListener;
  readonly #signal: AbortSignal | undefined;
  /** Notes that are read and not written yet, by id. */
  readonly #batch = new Map<string, ArchivedNote>();
  #batchBytes = 0;
  /** How many bytes of the archive the batch takes. */
  #batchWeight = 0;
  #doneBytes = 0;
  #toldBytes = 0;

  constructor(
    target: ImportTarget,
    zip: OpenZip,
    surveyed: Survey,
    report: ImportReport,
    onProgress: ProgressListener,
    signal: AbortSignal | undefined,
  ) {
    this.#target = target;
    this.#zip = zip;
    this.#survey = surveyed;
    this.#report = report;
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    this.#tell(0);
    for await (const entry of this.#entries()) {
      if (entry.name.startsWith(NOTES_FOLDER)) await this.#takeNote(entry);
    }
    await this.#writeNotes();
    for await (const entry of this.#entries()) {
      if (entry.name.startsWith(FILES_FOLDER)) await this.#takeFile(entry);
      else if (!entry.name.startsWith(NOTES_FOLDER) && entry.name !== MANIFEST_NAME) {
        skip(this.#report, entry.name, 'It is neither a note nor a file.');
      }
    }
    this.#tell(this.#survey.totalBytes);
  }

  async *#entries(): AsyncGenerator<ZipEntry> {
    for await (const entry of entriesOf(this.#zip.bytes, this.#zip.directory)) {
      this.#signal?.throwIfAborted();
      if (!isFolder(entry)) yield entry;
    }
  }

  async #takeNote(entry: ZipEntry): Promise<void> {
    const note = await this.#orSkip(entry, async () =>
      readNoteEntry(entry, await readBytes(this.#zip, entry, MAX_NOTE_ENTRY_BYTES, this.#signal)),
    );
    const weight = bytesToTake(entry, this.#zip.bytes.blob);
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
    const { database, writer } = this.#target;
    const outcomes = await mergeNotes(database, writer, notes, this.#signal);
    for (const outcome of outcomes) this.#report.notes[outcome] += 1;
    this.#batch.clear();
    this.#batchBytes = 0;
    this.#advance(this.#batchWeight);
    this.#batchWeight = 0;
  }

  async #takeFile(entry: ZipEntry): Promise<void> {
    const path = entry.name.slice(FILES_FOLDER.length);
    const weight = bytesToTake(entry, this.#zip.bytes.blob);
    const outcome = await this.#orSkip(entry, async () => {
      const record = this.#survey.claims.get(path);
      // What comes a second time under the same name is none that the manifest speaks of.
      this.#survey.claims.delete(path);
      if (typeof record === 'string') throw new UnfitEntry(record);
      if (entry.size > MAX_FILE_BYTES) throw new UnfitEntry('It is too large.');
      if (record && record.size !== entry.size) {
        throw new UnfitEntry('It has another size than it had.');
      }
      // All bytes are read, to see whether they are right, before they are read to be written.
      const onread = (bytes: number): void => this.#tellWithin(bytes / 2);
      const onProgress = (bytes: number): void => this.#tellWithin((weight + bytes) / 2);
      const read = async (): Promise<Blob> =>
        await readBlob(this.#zip, entry, this.#signal, onread);
      const file = { path, record, read, onProgress };
      return await mergeFile(this.#target.files, file, this.#signal);
    });
    if (outcome) this.#report.files[outcome] += 1;
    this.#advance(weight);
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
      skip(this.#report, name, reason);
      return undefined;
    }
  }

  #advance(bytes: number): void {
    this.#doneBytes += bytes;
    this.#tell(this.#doneBytes);
  }

  /** Tells of what is done of the present entry, if that is worth a word: it may be started anew. */
  #tellWithin(bytes: number): void {
    const doneBytes = this.#doneBytes + Math.floor(bytes);
    if (doneBytes - this.#toldBytes >= PROGRESS_BYTES) this.#tell(doneBytes);
  }

  #tell(doneBytes: number): void {
    this.#toldBytes = doneBytes;
    this.#onProgress(doneBytes, this.#survey.totalBytes);
  }
}
