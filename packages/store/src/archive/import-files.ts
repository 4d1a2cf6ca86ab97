import { sameAnnotations } from '../records/annotations.js';
import { bufferOf, bytesOf } from '../database/blob-bytes.js';
import type { FileRestoreOptions } from '../files/file-records.js';
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
  /** Absent for a file that the manifest does not list: a user added it by hand. */
  record: StoredFile | undefined;
  /** Reads the bytes; called only if they are needed. */
  read(): Promise<Blob>;
  /** Called with how many bytes are written. */
  onProgress: ProgressListener;
}

/** How many names are tried for a copy. */
const MAX_COPIES = 100;

/** How many attempts are made if another tab writes the file at the same time. */
const MAX_ATTEMPTS = 5;

/** What has become of a file, and whether its bytes are others than those that were exported. */
export interface MergedFile {
  outcome: Outcome;
  isEdited: boolean;
}

/**
 * Imports a file. If another program has changed it since the export, it is newer than what was exported:
 * it replaces that, and where the store has something else, it becomes a copy.
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
  const blob = await file.read();
  const merging = { files, file, stored, blob, signal };
  // What is new is compared with its digest when it is written: not twice.
  if (stored ? await hasOtherBytes(merging) : hasOtherSize(merging))
    return { outcome: await mergeEdited(merging), isEdited: true };
  try {
    return { outcome: await mergeExported(merging), isEdited: false };
  } catch (error) {
    const isOther = !stored && error instanceof StoreError && error.code === 'unreadable';
    if (!isOther) throw error;
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
  if (record && (!stored.blob || stored.file.revision < record.revision)) {
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
  if (stored?.blob && (await haveSameBytes(stored.blob, blob, signal))) return 'unchanged';
  const { file: before } = stored ?? {};
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

/** Whether a file is another one than its record says. Without a digest, only its size tells. */
async function hasOtherBytes(merging: Merging): Promise<boolean> {
  const { file, blob, signal } = merging;
  if (hasOtherSize(merging)) return true;
  const expected = file.record?.digest;
  const digest = expected === undefined ? undefined : await digestOf(blob, signal);
  return digest !== undefined && digest !== expected;
}

/** Writes a copy beside the file at its path, unless an earlier import has done so. */
async function copy(
  files: FileStore,
  { path, record, onProgress }: ArchivedFile,
  blob: Blob,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  for (let number = 1; number <= MAX_COPIES; number++) {
    const to = copyPath(path, number);
    const stored = await readStored(files, to);
    if (stored && (await haveSameContent(stored, record, blob, signal))) return 'unchanged';
    if (stored) continue;
    const copied = record && { ...record, path: to, revision: 1 };
    await write(files, to, copied, blob, { expectedRevision: 0, onProgress, signal });
    return 'copied';
  }
  throw new InvalidEntry('Another file has this path, and no name for a copy is free.');
}

/** `a (imported).txt` for `a.txt`, then `a (imported 2).txt`. */
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
  record: StoredFile | undefined,
  blob: Blob,
  options: FileRestoreOptions,
): Promise<void> {
  if (!record) {
    await files.write(path, blob, options);
    return;
  }
  await files.restore(record, blob, options);
}

/** A stored file; without its bytes if they cannot be read. */
interface FileAt {
  file: Pick<StoredFile, 'revision'> & Partial<StoredFile>;
  blob?: Blob;
}

async function readStored(files: FileStore, path: string): Promise<FileAt | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not-found') return undefined;
    if (!isUnreadable(error)) throw error;
  }
  try {
    return { file: await files.get(path) };
  } catch (error) {
    if (isUnreadable(error)) return { file: { revision: 0 } };
    throw error;
  }
}

/** Whether two files have the same content, apart from times. */
async function haveSameContent(
  { file, blob }: FileAt,
  record: StoredFile | undefined,
  other: Blob,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!blob || blob.size !== other.size) return false;
  if (record && (file.mediaType !== record.mediaType || !sameAnnotations(file, record)))
    return false;
  const digests = [file.digest, record?.digest];
  if (digests.every((digest) => digest !== undefined)) return digests[0] === digests[1];
  return await haveSameBytes(blob, other, signal);
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
