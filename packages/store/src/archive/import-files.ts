import { sameAnnotations } from '../records/annotations.js';
import { bufferOf, bytesOf } from '../database/blob-bytes.js';
import type { FileRestoreOptions, NewFile } from '../files/file-records.js';
import type { FileStore } from '../files/file-store.js';
import { digestOf } from '../files/file-writing.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import type { ProgressListener } from '../errors/progress.js';
import type { StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import type { Outcome } from './import-report.js';
import { InvalidEntry } from './invalid-entry.js';

/** A file of an archive. */
export interface ArchivedFile {
  path: string;
  /** The record in the manifest. Absent for a file that the manifest does not list: a user added it by hand. */
  record: StoredFile | undefined;
  /** The size in bytes, as the archive states it. */
  size: number;
  /** Reads the bytes; called only if they are needed. */
  read(): Promise<Blob>;
  /** The known copies, shared by all files of the archive. */
  copies: KnownCopies;
  /** Called with the number of bytes that are written. */
  onProgress: ProgressListener;
}

/**
 * The records of copies, in the order of their numbers, by the path of the original. Each is read once,
 * regardless of how many entries an archive has for one path.
 */
export type KnownCopies = Map<string, FileAt['file'][]>;

/** The maximum number of names that are tried for a copy. */
const MAX_COPIES = 100;

/** The maximum number of attempts if another tab writes the file at the same time. */
const MAX_ATTEMPTS = 5;

/** The outcome for a file, and whether its bytes differ from those that were exported. */
export interface MergedFile {
  outcome: Outcome;
  isEdited: boolean;
}

/**
 * Imports a file. If another program has changed it since the export, it is newer than the exported state,
 * which it replaces. If the store has another content, the file becomes a copy.
 *
 * @throws {InvalidEntry} {@link StoreError} `invalid-argument` if it is not as the archive says.
 */
export async function mergeFile(
  files: FileStore,
  file: ArchivedFile,
  signal: AbortSignal | undefined,
): Promise<MergedFile> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await mergeOnce(files, file, signal);
    } catch (error) {
      const isChanged = error instanceof StoreError && error.code === 'conflict';
      if (!isChanged || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** A file of an archive, and what the store has at its path. */
interface Merging {
  files: FileStore;
  file: ArchivedFile;
  stored: FileAt | undefined;
  blob: Blob;
  signal: AbortSignal | undefined;
}

async function mergeOnce(
  files: FileStore,
  file: ArchivedFile,
  signal: AbortSignal | undefined,
): Promise<MergedFile> {
  const stored = await readStored(files, file.path);
  if (stored && !mayBeTaken(file, stored)) throw noName();
  const blob = await file.read();
  const merging = { files, file, stored, blob, signal };
  // A new file is compared with its digest when it is written, so it is not compared twice.
  if (stored ? await hasOtherBytes(merging) : hasOtherSize(merging))
    return { outcome: await mergeEdited(merging), isEdited: true };
  try {
    return { outcome: await mergeExported(merging), isEdited: false };
  } catch (error) {
    // Without an entry in the manifest, there is nothing to compare it with.
    const isNew = !stored && file.record !== undefined;
    if (!isNew || !(error instanceof StoreError) || error.code !== 'unreadable') throw error;
    return { outcome: await mergeEdited(merging), isEdited: true };
  }
}

async function mergeExported({ files, file, stored, blob, signal }: Merging): Promise<Outcome> {
  const { path, record, onProgress } = file;
  const expected = { expectedRevision: stored?.file.revision ?? 0, onProgress, signal };
  if (!stored) {
    await write(files, path, record, blob, expected);
    return 'added';
  }
  if (record && stored.file.revision > record.revision) return 'older';
  const isReplaced =
    record && (stored.file.revision < record.revision || !(await stored.readBlob()));
  if (isReplaced) {
    await write(files, path, record, blob, expected);
    return 'updated';
  }
  if (await haveSameContent(stored, record, blob, signal)) return 'unchanged';
  return await copy(files, file, blob, signal);
}

async function mergeEdited({ files, file, stored, blob, signal }: Merging): Promise<Outcome> {
  const { path, onProgress } = file;
  const exported = file.record!;
  const { digest, ...facts } = exported;
  const revision = exported.revision + 1;
  const record = { ...facts, size: blob.size, updatedAt: Date.now(), revision };
  const { file: before } = stored ?? {};
  const bytes = before?.size === blob.size ? await stored?.readBlob() : undefined;
  if (bytes && (await haveSameBytes(bytes, blob, signal))) return 'unchanged';
  const isAsExported =
    before?.revision === exported.revision &&
    before.size === exported.size &&
    before.digest === digest;
  if (before && !isAsExported) return await copy(files, { ...file, record }, blob, signal);
  const options = { expectedRevision: before?.revision ?? 0, onProgress, signal };
  await write(files, path, record, blob, options);
  return before ? 'updated' : 'added';
}

const hasOtherSize = ({ file: { record }, blob }: Merging): boolean =>
  record !== undefined && record.size !== blob.size;

/** Whether a file differs from its record. Without a digest, only the size can show this. */
async function hasOtherBytes(merging: Merging): Promise<boolean> {
  const { file, blob, signal } = merging;
  if (hasOtherSize(merging)) return true;
  const expected = file.record?.digest;
  const digest = expected === undefined ? undefined : await digestOf(blob, signal);
  return digest !== undefined && digest !== expected;
}

/** Whether the file may already be stored, judged by its size, or a name for a copy is free. */
function mayBeTaken({ path, record, size, copies }: ArchivedFile, stored: FileAt): boolean {
  const known = copies.get(path) ?? [];
  if (record || known.length < MAX_COPIES) return true;
  return [stored.file, ...known].some((file) => file.size === size);
}

/** Writes a copy next to the file at its path, unless an earlier import has done so. */
async function copy(
  files: FileStore,
  { path, record, onProgress, copies }: ArchivedFile,
  blob: Blob,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const known = copies.get(path) ?? [];
  copies.set(path, known);
  let digest = record?.digest;
  for (let number = 1; number <= MAX_COPIES; number++) {
    const to = copyPath(path, number);
    const before = known[number - 1];
    if (before && before.size !== blob.size) continue;
    if (before?.digest !== undefined) digest ??= await digestOf(blob, signal);
    if (before?.digest !== undefined && digest !== undefined && before.digest !== digest) continue;
    // Read it again, because the known file may have been replaced since.
    const stored = await readStored(files, to);
    if (stored) known[number - 1] = stored.file;
    if (stored && (await haveSameContent(stored, record, blob, signal))) return 'unchanged';
    if (stored) continue;
    const copied = record && withoutRevision({ ...record, path: to });
    const options = { expectedRevision: 0, onProgress, signal };
    known[number - 1] = await write(files, to, copied, blob, options);
    return 'copied';
  }
  throw noName();
}

function withoutRevision({ revision: _former, ...record }: StoredFile): NewFile {
  return record;
}

function noName(): InvalidEntry {
  return new InvalidEntry('Another file has this path, and no name for a copy is free.');
}

/** The path of a copy: `a (imported).txt` for `a.txt`, then `a (imported 2).txt`. */
function copyPath(path: string, number: number): string {
  const nameStart = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const end = dot > nameStart ? dot : path.length;
  const mark = number === 1 ? ' (imported)' : ` (imported ${number})`;
  return path.slice(0, end) + mark + path.slice(end);
}

async function write(
  files: FileStore,
  path: string,
  record: NewFile | undefined,
  blob: Blob,
  options: FileRestoreOptions,
): Promise<StoredFile> {
  return record
    ? await files.restore(record, blob, options)
    : await files.write(path, blob, options);
}

/** A stored file. */
interface FileAt {
  file: Pick<StoredFile, 'revision'> & Partial<StoredFile>;
  /** Resolves with `undefined` if the bytes cannot be read. */
  readBlob(): Promise<Blob | undefined>;
}

async function readStored(files: FileStore, path: string): Promise<FileAt | undefined> {
  const readBlob = async (): Promise<Blob | undefined> =>
    (await unlessLost(files.read(path), undefined))?.blob;
  const file = await unlessLost(files.get(path), { revision: 0 });
  return file && { file, readBlob };
}

/** Resolves with `undefined` if the file does not exist, and with `lost` if it cannot be read. */
async function unlessLost<Found, Lost>(
  reading: Promise<Found>,
  lost: Lost,
): Promise<Found | Lost | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not-found') return undefined;
    if (isUnreadable(error)) return lost;
    throw error;
  }
}

/** Whether two files have the same content, apart from times. */
async function haveSameContent(
  { file, readBlob }: FileAt,
  record: StoredFile | undefined,
  other: Blob,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (file.size !== other.size) return false;
  if (record && (file.mediaType !== record.mediaType || !sameAnnotations(file, record)))
    return false;
  const digests = [file.digest, record?.digest];
  const areKnown = digests.every((digest) => digest !== undefined);
  if (areKnown && digests[0] !== digests[1]) return false;
  const blob = await readBlob();
  return blob !== undefined && (areKnown || (await haveSameBytes(blob, other, signal)));
}

async function haveSameBytes(a: Blob, b: Blob, signal: AbortSignal | undefined): Promise<boolean> {
  if (a.size !== b.size) return false;
  let position = 0;
  for await (const bytes of bytesOf(a, signal)) {
    const [chunk, next] = [new Uint8Array(bytes), b.slice(position, position + bytes.byteLength)];
    const other = new Uint8Array(await bufferOf(next));
    if (!chunk.every((byte, index) => byte === other[index])) return false;
    position += chunk.length;
  }
  return true;
}
