import type { Transaction } from '../database/begin-transaction.js';
import {
  checkFileRevision,
  type FileContent,
  type FileMoveOptions,
  fileNotFound,
  type FileUpdate,
  listedAlike,
  movedFile,
  updatedFile,
} from './file-records.js';
import { adoptUpload, piecesOf } from './file-uploads.js';
import type { StoreChange, StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { unreadableError } from '../schema/unreadable-entry.js';
import { isPiecedBytes, isStoredFile } from '../schema/valid-records.js';

/** The object stores that hold a file. */
export const FILE_PARTS: ('files' | 'file-bytes' | 'file-pieces' | 'uploads')[] = [
  'files',
  'file-bytes',
  'file-pieces',
  'uploads',
];

type Writing = Transaction<typeof FILE_PARTS, 'readwrite'>;

/** What a write did to a file that is still there. */
export interface FileEffect {
  result: StoredFile;
  changes: StoreChange[];
}

/** A file that is to be written. */
export interface WrittenFile {
  content: FileContent;
  expectedRevision: number | undefined;
  /** The record that it gets, over another where there is a readable one. */
  recordOf: (stored: StoredFile | undefined) => StoredFile;
}

/** Writes a file, over one of the same path; rejects with `conflict`. */
export async function putFile(
  transaction: Writing,
  path: string,
  { content, expectedRevision, recordOf }: WrittenFile,
): Promise<FileEffect> {
  const found = await transaction.objectStore('files').get(path);
  // What cannot be read can be replaced.
  const stored = isStoredFile(found) ? found : undefined;
  checkFileRevision(path, stored, expectedRevision);
  const result = recordOf(stored);
  await removePieces(transaction, path);
  if (isPiecedBytes(content.bytes)) {
    const uploads = transaction.objectStore('uploads');
    await adoptUpload(uploads, transaction.objectStore('file-pieces'), content.bytes);
  }
  await transaction.objectStore('files').put(result);
  await transaction.objectStore('file-bytes').put(content.bytes, path);
  return { result, changes: [changeTo(result, stored, found !== undefined)] };
}

/** Writes a file's record; rejects with `not-found`, `conflict` or `unreadable`. */
export async function changeFile(
  transaction: Transaction<'files'[], 'readwrite'>,
  path: string,
  expectedRevision: number | undefined,
  update: FileUpdate,
): Promise<FileEffect> {
  const stored = await readRecord(transaction.objectStore('files'), path);
  checkFileRevision(path, stored, expectedRevision);
  const result = updatedFile(stored, update);
  await transaction.objectStore('files').put(result);
  return { result, changes: [changeTo(result, stored)] };
}

/** Gives a file another path; rejects with `not-found`, `conflict` or `unreadable`. */
export async function moveFile(
  transaction: Writing,
  from: string,
  to: string,
  { overwrite = false, expectedRevision }: FileMoveOptions,
): Promise<FileEffect> {
  const file = await readRecord(transaction.objectStore('files'), from);
  checkFileRevision(from, file, expectedRevision);
  const bytes = await transaction.objectStore('file-bytes').get(from);
  if (bytes === undefined) throw unreadableError({ kind: 'file', key: from });
  const found = await transaction.objectStore('files').get(to);
  if (found !== undefined && !overwrite) throw alreadyThere(to);
  const replaced = isStoredFile(found) ? found : undefined;
  const result = movedFile(to, file, replaced);
  await removePieces(transaction, to);
  await transaction.objectStore('files').put(result);
  // The pieces stay where they are: this is where they are found.
  await transaction.objectStore('file-bytes').put(bytes, to);
  await removeRecord(transaction, from);
  return { result, changes: [deletionOf(from), changeTo(result, replaced, found !== undefined)] };
}

/** Deletes a file, readable or not; rejects with `not-found` or `conflict`. */
export async function removeFile(
  transaction: Writing,
  path: string,
  expectedRevision: number | undefined,
): Promise<{ result: null; changes: StoreChange[] }> {
  const found = await transaction.objectStore('files').get(path);
  if (found === undefined) throw fileNotFound(path);
  checkFileRevision(path, isStoredFile(found) ? found : undefined, expectedRevision);
  await removePieces(transaction, path);
  await removeRecord(transaction, path);
  return { result: null, changes: [deletionOf(path)] };
}

/** What is known of a file; rejects with `not-found`, or with `unreadable`. */
export async function readRecord(
  files: { get(path: string): Promise<unknown> },
  path: string,
): Promise<StoredFile> {
  const file = await files.get(path);
  if (file === undefined) throw fileNotFound(path);
  if (!isStoredFile(file)) throw unreadableError({ kind: 'file', key: path });
  return file;
}

async function removePieces(transaction: Writing, path: string): Promise<void> {
  const bytes = await transaction.objectStore('file-bytes').get(path);
  if (isPiecedBytes(bytes))
    await transaction.objectStore('file-pieces').delete(piecesOf(bytes.content));
}

async function removeRecord(transaction: Writing, path: string): Promise<void> {
  await transaction.objectStore('files').delete(path);
  await transaction.objectStore('file-bytes').delete(path);
}

function alreadyThere(path: string): StoreError {
  const text = `There is a file ${JSON.stringify(path)} already: choose another path, or overwrite it.`;
  return new StoreError('conflict', text);
}

/** @param wasThere Whether there was one before, readable or not. */
function changeTo(
  file: StoredFile,
  before: StoredFile | undefined,
  wasThere = before !== undefined,
): StoreChange {
  const type = wasThere ? 'updated' : 'created';
  return { kind: 'file', key: file.path, type, listingChanged: !listedAlike(before, file) };
}

function deletionOf(path: string): StoreChange {
  return { kind: 'file', key: path, type: 'deleted', listingChanged: true };
}
