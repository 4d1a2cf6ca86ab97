import type { FileStore } from '../files/file-store.js';
import { digestOf } from '../files/file-writing.js';
import type { ParseYaml } from '../records/front-matter.js';
import { MAX_FILE_BYTES } from '../schema/limits.js';
import { type ProgressListener, safeListener } from '../errors/progress.js';
import type { StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import type { Writer } from '../changes/writer.js';
import type { ImportOptions } from './export-zip.js';
import { type KnownCopies, mergeFile } from './import-files.js';
import { mergeNotes } from './import-notes.js';
import { addName, emptyReport, type ImportReport, skip } from './import-report.js';
import { FILES_FOLDER } from './manifest.js';
import {
  type ArchivedNote,
  MAX_NOTE_ENTRY_BYTES,
  NOTES_FOLDER,
  readNoteEntry,
} from './note-entry.js';
import type { ZipEntry } from './read-zip.js';
import { reasonOf } from './record-checks.js';
import {
  importableSize,
  isFolder,
  isManifest,
  isOfSystem,
  scanArchive,
  type ArchiveScan,
} from './scan-archive.js';
import { InvalidEntry } from './invalid-entry.js';
import {
  entriesBelowRoot,
  openZip,
  readBlob,
  readBytes,
  type RootedEntry,
} from './read-zip-entries.js';

/** The maximum number of notes that are written in one transaction. */
const NOTES_AT_ONCE = 300;
/** The maximum total size of their texts, in bytes. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** The number of bytes of a file that are processed between two progress notifications. */
const PROGRESS_BYTES = 1024 * 1024;

/** The parts of a store that an import writes to. */
export interface ImportTarget {
  writer: Writer;
  files: FileStore;
  /** Reads front matter that another program has written. */
  parseYaml?: ParseYaml | undefined;
}

/** Imports an archive. See `Store.importZip`. */
export async function importZip(
  target: ImportTarget,
  blob: Blob,
  { onProgress, signal, maxBytes }: ImportOptions,
): Promise<ImportReport> {
  signal?.throwIfAborted();
  if (maxBytes !== undefined && !(maxBytes >= 0))
    throw new StoreError('invalid-argument', 'The limit of an import must be a number of bytes.');
  if (!(blob instanceof Blob))
    throw new StoreError('invalid-argument', 'An archive must be a Blob.');
  const zip = await openZip(blob);
  const report = emptyReport();
  const onmissing = (path: string): void =>
    skip(report, FILES_FOLDER + path, 'It is missing from the archive.');
  const onunreadable = (name: string, reason: string): void =>
    skip(report, name, `${reason} The dates and types of files that it does not say are new.`);
  const scan = await scanArchive(zip, { maxBytes, signal, onmissing, onunreadable });
  await new Import(target, scan, report, safeListener(onProgress), signal).run();
  for (const { path } of scan.lost) onmissing(path);
  return report;
}

/** The import of one archive. */
class Import {
  readonly #target: ImportTarget;
  readonly #scan: ArchiveScan;
  readonly #report: ImportReport;
  readonly #onProgress: ProgressListener;
  readonly #signal: AbortSignal | undefined;
  /** Notes that were read and are not written yet, by id. */
  readonly #batch = new Map<string, ArchivedNote>();
  readonly #copies: KnownCopies = new Map();
  #batchBytes = 0;
  /** The number of bytes of the archive that the batch accounts for. */
  #batchWeight = 0;
  #doneBytes = 0;
  #notifiedBytes = 0;

  constructor(
    target: ImportTarget,
    scan: ArchiveScan,
    report: ImportReport,
    onProgress: ProgressListener,
    signal: AbortSignal | undefined,
  ) {
    this.#target = target;
    this.#scan = scan;
    this.#report = report;
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    this.#notify(0);
    for await (const entry of entriesBelowRoot(this.#scan.zip)) {
      this.#signal?.throwIfAborted();
      await this.#importEntry(entry);
    }
    await this.#writeNotes();
    this.#notify(this.#scan.totalBytes);
  }

  async #importEntry(entry: RootedEntry): Promise<void> {
    const { name, isBeside = false } = entry;
    if (isFolder(entry)) return;
    if (isBeside && !isOfSystem(entry))
      return skip(this.#report, name, 'It is beside the export that was imported.');
    if (isManifest(entry)) return;
    const isListed = this.#scan.claims.get(pathOf(entry)) !== undefined;
    if (isOfSystem(entry) && !isListed)
      return skip(this.#report, name, 'It was added by a system, and not by you.');
    if (name.startsWith(NOTES_FOLDER)) return await this.#importNote(entry);
    if (name.startsWith(FILES_FOLDER)) return await this.#importFile(entry);
    skip(this.#report, name, 'It is neither a note nor a file.');
  }

  async #importNote(entry: ZipEntry): Promise<void> {
    const note = await this.#orSkip(entry, async () => {
      const bytes = await readBytes(this.#scan.zip, entry, MAX_NOTE_ENTRY_BYTES, this.#signal);
      return await readNoteEntry(entry, bytes, this.#target.parseYaml);
    });
    const weight = importableSize(entry, this.#scan.zip.bytes.blob);
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
    const weight = importableSize(entry, this.#scan.zip.bytes.blob);
    const merged = await this.#orSkip(entry, async () => {
      if (entry.size > MAX_FILE_BYTES) throw new InvalidEntry('It is too large.');
      const record = await this.#takeRecord(entry);
      // All bytes are read twice: first to verify them, then to write them.
      const onread = (bytes: number): void => this.#notifyWithin(bytes / 2);
      const onProgress = (bytes: number): void => this.#notifyWithin((weight + bytes) / 2);
      const read = async (): Promise<Blob> =>
        await readBlob(this.#scan.zip, entry, this.#signal, onread);
      const path = record?.path ?? pathOf(entry);
      const { size } = entry;
      const file = { path, record, size, read, onProgress, copies: this.#copies };
      return await mergeFile(this.#target.files, file, this.#signal);
    });
    if (merged) this.#report.files[merged.outcome] += 1;
    if (merged?.isEdited) addName(this.#report.edited, entry.name);
    this.#advance(weight);
  }

  /** The record of a file; undefined if the manifest does not list it. */
  async #takeRecord(entry: ZipEntry): Promise<StoredFile | undefined> {
    const { claims, lost, zip } = this.#scan;
    const record = claims.get(pathOf(entry));
    // A second entry with the same name is not the one that the manifest lists.
    claims.delete(pathOf(entry));
    if (typeof record === 'string') throw new InvalidEntry(record);
    if (record || !entry.isGarbled) return record;
    const isThere = lost.some(({ size }) => size === entry.size);
    const blob = isThere ? await readBlob(zip, entry, this.#signal) : undefined;
    const digest = blob && (await digestOf(blob, this.#signal));
    const index = lost.findIndex((file) => digest !== undefined && file.digest === digest);
    const [found] = index === -1 ? [] : lost.splice(index, 1);
    if (!found) throw new InvalidEntry('Its name is not in UTF-8.');
    return found;
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

/** The path of a file in the archive. */
function pathOf({ name }: ZipEntry): string {
  return name.startsWith(FILES_FOLDER) ? name.slice(FILES_FOLDER.length) : '';
}
