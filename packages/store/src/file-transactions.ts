import type { Transaction } from './database.js';
import {
  checkFileRevision,
  fileNotFound,
  type FileMoveOptions,
  type FileUpdate,
  listedAlike,
  movedFile,
  updatedFile,
  writtenFile,
} from './file-records.js';
import type { StoredFile } from './schema.js';
import type { StoreChange } from './store-changes.js';
import { StoreError } from './store-error.js';

/** The object stores that hold a file. */
export const FILE_PARTS: ('files' | 'file-bytes')[] = ['files', 'file-bytes'];

type Writing = Transaction<typeof FILE_PARTS, 'readwrite'>;

/** What a write did to a file that is still there. */
export interface FileEffect {
  result: StoredFile;
  changes: StoreChange[];
}

/** Record and bytes of one moment; rejects with `not-found`. */
export async function readFile(
  transaction: Transaction<typeof FILE_PARTS, IDBTransactionMode>,
  path: string,
): Promise<{ file: StoredFile; blob: Blob }> {
  const [file, blob] = await Promise.all([
    transaction.objectStore('files').get(path),
    transaction.objectStore('file-bytes').get(path),
  ]);
  if (!file || !(blob instanceof Blob)) throw fileNotFound(path);
  return { file, blob };
}

/**
 * Writes a file, over one of the same path; rejects with `conflict`.
 *
 * @param blob Its type is the file's media type.
 */
export async function putFile(
  transaction: Writing,
  path: string,
  blob: Blob,
  { expectedRevision, ...update }: FileUpdate,
): Promise<FileEffect> {
  const stored = await transaction.objectStore('files').get(path);
  checkFileRevision(path, stored, expectedRevision);
  const result = writtenFile({ path, mediaType: blob.type, size: blob.size }, stored, update);
  await transaction.objectStore('files').put(result);
  await transaction.objectStore('file-bytes').put(blob, path);
  return { result, changes: [changeTo(result, stored)] };
}

/** Writes a file's record; rejects with `not-found` or `conflict`. */
export async function changeFile(
  transaction: Transaction<'files'[], 'readwrite'>,
  path: string,
  { expectedRevision, ...update }: FileUpdate,
): Promise<FileEffect> {
  const stored = await transaction.objectStore('files').get(path);
  if (!stored) throw fileNotFound(path);
  checkFileRevision(path, stored, expectedRevision);
  const result = updatedFile(stored, update);
  await transaction.objectStore('files').put(result);
  return { result, changes: [changeTo(result, stored)] };
}

/** Gives a file another path; rejects with `not-found` or `conflict`. */
export async function moveFile(
  transaction: Writing,
  from: string,
  to: string,
  { overwrite = false, expectedRevision }: FileMoveOptions,
): Promise<FileEffect> {
  const { file, blob } = await readFile(transaction, from);
  checkFileRevision(from, file, expectedRevision);
  const replaced = await transaction.objectStore('files').get(to);
  if (replaced && !overwrite) throw alreadyThere(to);
  const result = movedFile(to, file, replaced);
  await transaction.objectStore('files').put(result);
  await transaction.objectStore('file-bytes').put(blob, to);
  await removeParts(transaction, from);
  return { result, changes: [deletionOf(from), changeTo(result, replaced)] };
}

/** Deletes a file; rejects with `not-found` or `conflict`. */
export async function removeFile(
  transaction: Writing,
  path: string,
  expectedRevision: number | undefined,
): Promise<{ result: null; changes: StoreChange[] }> {
  const stored = await transaction.objectStore('files').get(path);
  if (!stored) throw fileNotFound(path);
  checkFileRevision(path, stored, expectedRevision);
  await removeParts(transaction, path);
  return { result: null, changes: [deletionOf(path)] };
}

async function removeParts(transaction: Writing, path: string): Promise<void> {
  await transaction.objectStore('files').delete(path);
  await transaction.objectStore('file-bytes').delete(path);
}

function alreadyThere(path: string): StoreError {
  const text = `There is a file ${JSON.stringify(path)} already: choose another path, or overwrite it.`;
  return new StoreError('conflict', text);
}

function changeTo(file: StoredFile, before: StoredFile | undefined): StoreChange {
  const type = before ? 'updated' : 'created';
  return { kind: 'file', key: file.path, type, listingChanged: !listedAlike(before, file) };
}

function deletionOf(path: string): StoreChange {
  return { kind: 'file', key: path, type: 'deleted', listingChanged: true };
}
