import type { Transaction } from '../database/begin-transaction.js';
import {
  checkFileRevision,
  type FileContent,
  type FileMoveOptions,
  fileNotFound,
  type FileUpdate,
  haveSameListing,
  movedFile,
  updatedFile,
} from './file-records.js';
import { formerRevisionOf, readHead } from '../changes/journal.js';
import { adoptUpload, piecesOf } from './file-uploads.js';
import type { StoreChange, StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { unreadableError } from '../schema/unreadable-entry.js';
import { isPiecedBytes, isStoredFile } from '../schema/valid-records.js';

/** The object stores that hold a file. */
export const FILE_PARTS: ('files' | 'file-bytes' | 'file-pieces' | 'uploads' | 'head')[] = [
  'files',
  'file-bytes',
  'file-pieces',
  'uploads',
  // For the revisions of former files.
  'head',
];

type Writing = Transaction<typeof FILE_PARTS, 'readwrite'>;

/** The effect of a write that did not delete the file. */
export interface FileEffect {
  result: StoredFile;
  changes: StoreChange[];
}

/** A file to write. */
export interface WrittenFile {
  content: FileContent;
  expectedRevision: number | undefined;
  /**
   * @param stored The readable record that is replaced, if any.
   * @param former The highest revision of a file that no longer exists.
   */
  recordOf: (stored: StoredFile | undefined, former: number) => StoredFile;
}

/** Writes a file, replacing one with the same path; rejects with `conflict`. */
export async function putFile(
  transaction: Writing,
  path: string,
  { content, expectedRevision, recordOf }: WrittenFile,
): Promise<FileEffect> {
  const [found, head] = await Promise.all([
    transaction.objectStore('files').get(path),
    readHead(transaction.objectStore('head')),
  ]);
  // An unreadable file can be replaced.
  const stored = isStoredFile(found) ? found : undefined;
  checkFileRevision(path, stored, expectedRevision);
  const result = recordOf(stored, formerRevisionOf(head, 'file'));
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

/** Moves a file to another path; rejects with `not-found`, `conflict` or `unreadable`. */
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
  const [found, head] = await Promise.all([
    transaction.objectStore('files').get(to),
    readHead(transaction.objectStore('head')),
  ]);
  if (found !== undefined && !overwrite) throw pathTaken(to);
  const replaced = isStoredFile(found) ? found : undefined;
  const result = movedFile(to, file, replaced, formerRevisionOf(head, 'file'));
  await removePieces(transaction, to);
  await transaction.objectStore('files').put(result);
  // The pieces do not move: this entry refers to them.
  await transaction.objectStore('file-bytes').put(bytes, to);
  await removeRecord(transaction, from);
  return {
    result,
    changes: [deletionOf(from, file), changeTo(result, replaced, found !== undefined)],
  };
}

/** Deletes a file, readable or not; rejects with `not-found` or `conflict`. */
export async function removeFile(
  transaction: Writing,
  path: string,
  expectedRevision: number | undefined,
): Promise<{ result: null; changes: StoreChange[] }> {
  const found = await transaction.objectStore('files').get(path);
  if (found === undefined) throw fileNotFound(path);
  const stored = isStoredFile(found) ? found : undefined;
  checkFileRevision(path, stored, expectedRevision);
  await removePieces(transaction, path);
  await removeRecord(transaction, path);
  return { result: null, changes: [deletionOf(path, stored)] };
}

/** Reads the record of a file; rejects with `not-found` or `unreadable`. */
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

function pathTaken(path: string): StoreError {
  const text = `A file ${JSON.stringify(path)} already exists: choose another path, or overwrite it.`;
  return new StoreError('conflict', text);
}

/**
 * The change event of a file that is written.
 *
 * @param existed Whether a file existed before, readable or not.
 */
export function changeTo(
  file: StoredFile,
  before: StoredFile | undefined,
  existed = before !== undefined,
): StoreChange {
  const type = existed ? 'updated' : 'created';
  return { kind: 'file', key: file.path, type, listingChanged: !haveSameListing(before, file) };
}

function deletionOf(path: string, stored: StoredFile | undefined): StoreChange {
  const change: StoreChange = { kind: 'file', key: path, type: 'deleted', listingChanged: true };
  return stored ? { ...change, revision: stored.revision } : change;
}
