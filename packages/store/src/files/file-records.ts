import {
  type AnnotationsUpdate,
  applyAnnotations,
  checkAnnotationsUpdate,
  sameAnnotations,
} from '../records/annotations.js';
import type { ProgressListener } from '../errors/progress.js';
import type { PiecedBytes, StoredBytes, StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { isStoredFile } from '../schema/valid-records.js';
import type { RevisionOption, WriteOptions } from '../schema/write-options.js';

/** A part of the list of files, in the order of their paths. */
export interface FilePage {
  /** The files, without their bytes. */
  files: StoredFile[];
  /** Pass it as `after` to get the next page; absent at the end. */
  next?: string;
}

/** Options of a write. An `expectedRevision` of 0 means that the file must not exist yet. */
export interface FileWriteOptions extends WriteOptions, AnnotationsUpdate, RevisionOption {
  /**
   * The media type, as `type/subtype` without parameters. Default: of text and code from the name, else from
   * the blob, else from the name, else from the bytes.
   */
  mediaType?: string | undefined;
  /**
   * Called with the number of bytes of the file that are processed, and with its size. The two are equal only
   * once the file is on disk. Default: none.
   */
  onProgress?: ProgressListener | undefined;
}

/** The record of a file to restore, without the size, which follows from the bytes. */
export type RestoredFile = Omit<StoredFile, 'size'>;

/** Such a record, in which the revision may be absent: it follows from the files that had the path before. */
export type NewFile = Omit<RestoredFile, 'revision'> & Partial<Pick<RestoredFile, 'revision'>>;

/** Options of `FileStore.restore`. */
export type FileRestoreOptions = Pick<
  FileWriteOptions,
  'expectedRevision' | 'idempotencyKey' | 'onProgress' | 'signal'
>;

/** A change to a file's record; absent fields stay as they are. */
export interface FileUpdate extends AnnotationsUpdate {}

/** Options of a move. `expectedRevision` is the revision of the file to move. */
export interface FileMoveOptions extends WriteOptions, RevisionOption {
  /** Whether the move may replace a file at the target; else it is a `conflict`. Default: false. */
  overwrite?: boolean | undefined;
}

/** The bytes for a file. */
export interface FileContent {
  /** The bytes in the form in which they are stored, or a reference to their pieces. */
  bytes: StoredBytes | PiecedBytes;
  /** The size in bytes. */
  size: number;
  /** The digest; absent in an insecure context. */
  digest?: string;
}

/** The fields of a record that are written together with the bytes. */
type WithBytes = Pick<StoredFile, 'path' | 'mediaType' | 'size' | 'digest'>;

/**
 * The record of a written file, which may replace a stored one.
 *
 * @param former The highest revision of a file that no longer exists. A new file has a higher one.
 */
export function writtenFile(
  written: WithBytes,
  stored: StoredFile | undefined,
  update: AnnotationsUpdate,
  former = 0,
): StoredFile {
  const now = Date.now();
  // If the new bytes have no digest, the old digest must not stay.
  const { digest: _former, ...kept } = stored ?? {};
  const file = {
    ...kept,
    ...written,
    createdAt: stored?.createdAt ?? now,
    updatedAt: notBefore(now, stored),
    revision: (stored?.revision ?? former) + 1,
  };
  return applyAnnotations(file, update);
}

/** The record of a file after a change that does not affect its bytes. */
export function updatedFile(stored: StoredFile, update: AnnotationsUpdate): StoredFile {
  return writtenFile(stored, stored, update);
}

/**
 * The record of a restored file.
 *
 * @throws {StoreError} `unreadable` if the bytes do not match the digest of the record.
 */
export function restoredFile(record: RestoredFile, { size, digest }: FileContent): StoredFile {
  const { digest: expected, ...kept } = record;
  if (expected !== undefined && digest !== undefined && digest !== expected) {
    throw new StoreError(
      'unreadable',
      `The bytes for the file ${JSON.stringify(record.path)} do not match its digest; nothing was written.`,
    );
  }
  return { ...kept, size, ...(digest !== undefined && { digest }) };
}

/** The record of a moved file, which may replace the one at the target, or have the path of a `former` one. */
export function movedFile(
  to: string,
  stored: StoredFile,
  replaced: StoredFile | undefined,
  former: number,
): StoredFile {
  return {
    ...stored,
    path: to,
    updatedAt: Math.max(notBefore(Date.now(), stored), replaced?.updatedAt ?? 0),
    // Higher than each, so that this file is not mistaken for another one.
    revision: Math.max(stored.revision, replaced?.revision ?? former) + 1,
  };
}

/** The time of a change. It is never earlier than the previous change, because the clock may be set back. */
function notBefore(now: number, stored: StoredFile | undefined): number {
  return Math.max(now, stored?.updatedAt ?? 0);
}

/** Whether two records look the same in a list, apart from size and time. */
export function haveSameListing(a: StoredFile | undefined, b: StoredFile): boolean {
  return a?.mediaType === b.mediaType && sameAnnotations(a, b);
}

/** @throws {StoreError} `conflict` if a revision is expected and the file has another one. */
export function checkFileRevision(
  path: string,
  stored: StoredFile | undefined,
  expected: number | undefined,
): void {
  const revision = stored?.revision ?? 0;
  if (expected === undefined || expected === revision) return;
  throw new StoreError(
    'conflict',
    `The file ${JSON.stringify(path)} has revision ${revision}, not ${expected}: read it again.`,
  );
}

/** Creates the error for a file that does not exist. */
export function fileNotFound(path: string): StoreError {
  return new StoreError('not-found', `There is no file ${JSON.stringify(path.slice(0, 200))}.`);
}

/** @throws {StoreError} `invalid-argument` if the record, apart from the size, is invalid. */
export function checkRestored(record: RestoredFile): void {
  checkAnnotationsUpdate(record);
  const isValid = isStoredFile({ ...record, size: 0 }) && record.revision > 0;
  if (!isValid) throw new StoreError('invalid-argument', 'The record of the file is invalid.');
}
