import { sameAnnotations } from '../records/annotations.js';
import { bufferOf, bytesOf } from '../database/blob-bytes.js';
import type { FileStore } from '../files/file-store.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import type { ProgressListener } from '../errors/progress.js';
import type { StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import type { Outcome } from './import-report.js';
import { UnfitEntry } from './unfit-entry.js';

/** A file of an archive. */
export interface ArchivedFile {
  path: string;
  /** Absent for a file that the archive says nothing of: somebody has put it in by hand. */
  record: StoredFile | undefined;
  /** Its bytes, read only where they are needed. */
  read(): Promise<Blob>;
  /** Hears how many of its bytes are written. */
  onProgress: ProgressListener;
}

/** How many names are tried for a copy. */
const MAX_COPIES = 100;

/** How often a file is looked at anew because another tab has just written it. */
const MAX_ATTEMPTS = 5;

/**
 * Brings a file in.
 *
 * @throws {UnfitEntry} {@link StoreError} `invalid-argument` where it is not what the archive says.
 */
export async function mergeFile(
  files: FileStore,
  file: ArchivedFile,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await mergeOnce(files, file, signal);
    } catch (error) {
      const isChanged = error instanceof StoreError && error.code === 'conflict';
      if (!isChanged || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function mergeOnce(
  files: FileStore,
  file: ArchivedFile,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { path, record, onProgress } = file;
  const stored = await storedAt(files, path);
  const expected: Writing = {
    expectedRevision: stored?.file.revision ?? 0,
    onProgress,
    ...(signal && { signal }),
  };
  if (!stored) {
    await write(files, path, record, await file.read(), expected);
    return 'added';
  }
  if (record && stored.file.revision > record.revision) return 'older';
  const blob = await file.read();
  if (record && (!stored.blob || stored.file.revision < record.revision)) {
    await write(files, path, record, blob, expected);
    return 'updated';
  }
  if (await areAlike(stored, record, blob, signal)) return 'unchanged';
  return await copy(files, file, blob, signal);
}

/** Puts the file beside the one at its path, unless it is there already from another time. */
async function copy(
  files: FileStore,
  { path, record, onProgress }: ArchivedFile,
  blob: Blob,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  for (let number = 1; number <= MAX_COPIES; number++) {
    const to = copyPath(path, number);
    const stored = await storedAt(files, to);
    if (stored && (await areAlike(stored, record, blob, signal))) return 'unchanged';
    if (stored) continue;
    const copied = record && { ...record, path: to, revision: 1 };
    const expected: Writing = { expectedRevision: 0, onProgress, ...(signal && { signal }) };
    await write(files, to, copied, blob, expected);
    return 'copied';
  }
  throw new UnfitEntry('There is another one, and no name for a copy is free.');
}

/** `a (imported).txt` for `a.txt`, then `a (imported 2).txt`. */
function copyPath(path: string, number: number): string {
  const nameStart = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const end = dot > nameStart ? dot : path.length;
  const mark = number === 1 ? ' (imported)' : ` (imported ${number})`;
  return path.slice(0, end) + mark + path.slice(end);
}

/** How a file of an archive is written. */
interface Writing {
  expectedRevision: number;
  onProgress: ProgressListener;
  signal?: AbortSignal;
}

async function write(
  files: FileStore,
  path: string,
  record: StoredFile | undefined,
  blob: Blob,
  options: Writing,
): Promise<void> {
  if (!record) {
    await files.write(path, blob, options);
    return;
  }
  try {
    await files.restore(record, blob, options);
  } catch (error) {
    // The archive was read before: that these are other bytes is its own fault.
    if (error instanceof StoreError && error.code === 'unreadable') {
      throw new UnfitEntry('Its bytes are not those that it had.');
    }
    throw error;
  }
}

/** A stored file; without its bytes where they cannot be read. */
interface FileAt {
  file: Pick<StoredFile, 'revision'> & Partial<StoredFile>;
  blob?: Blob;
}

async function storedAt(files: FileStore, path: string): Promise<FileAt | undefined> {
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

/** Whether two files say the same; when they did is not what they say. */
async function areAlike(
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
