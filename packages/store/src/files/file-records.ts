import {
  type AnnotationsUpdate,
  applyAnnotations,
  sameAnnotations,
} from '../records/annotations.js';
import type { ProgressListener } from '../errors/progress.js';
import type { PiecedBytes, StoredBytes, StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import type { RevisionOption, WriteOptions } from '../schema/write-options.js';

/** A part of the list of files, in the order of their paths. */
export interface FilePage {
  files: StoredFile[];
  /** Pass it as `after` to get the next page; absent at the end. */
  next?: string;
}

/** How a file is to be written. An `expectedRevision` of 0 means that there must be none yet. */
export interface FileWriteOptions extends WriteOptions, AnnotationsUpdate, RevisionOption {
  /** `type/subtype` without parameters. Default: the blob's, else the name's, else the bytes'. */
  mediaType?: string | undefined;
  /**
   * Hears how many bytes of the file have been taken in, and how many it has. Both are equal once
   * the file is on disk, not before. Default: nobody.
   */
  onProgress?: ProgressListener | undefined;
}

/** The record that a file is to have: all but what its bytes say by themselves. */
export type RestoredFile = Omit<StoredFile, 'size'>;

/** How a file is to be written with a record that is given. */
export type FileRestoreOptions = Pick<
  FileWriteOptions,
  'expectedRevision' | 'idempotencyKey' | 'onProgress' | 'signal'
>;

/** What is to change of a file's record; what is absent stays. */
export interface FileUpdate extends AnnotationsUpdate {}

/** How a file is to be moved. The revision expected is that of the file that moves. */
export interface FileMoveOptions extends WriteOptions, RevisionOption {
  /** Whether a file at the target may be replaced; else it is a `conflict`. Default: false. */
  overwrite?: boolean | undefined;
}

/** Bytes that can become those of a file. */
export interface FileContent {
  bytes: StoredBytes | PiecedBytes;
  size: number;
  /** Absent in an insecure context. */
  digest?: string;
}

/** What of a record comes with the bytes. */
type WithBytes = Pick<StoredFile, 'path' | 'mediaType' | 'size' | 'digest'>;

/** The record of a file that is written, over another where there is one. */
export function writtenFile(
  written: WithBytes,
  stored: StoredFile | undefined,
  update: AnnotationsUpdate,
): StoredFile {
  const now = Date.now();
  // Where the new bytes have no digest, that of the former must not stay.
  const { digest: _former, ...kept } = stored ?? {};
  const file = {
    ...kept,
    ...written,
    createdAt: stored?.createdAt ?? now,
    updatedAt: notBefore(now, stored),
    revision: (stored?.revision ?? 0) + 1,
  };
  return applyAnnotations(file, update);
}

/** The record of a file after a change that leaves its bytes alone. */
export function updatedFile(stored: StoredFile, update: AnnotationsUpdate): StoredFile {
  return writtenFile(stored, stored, update);
}

/**
 * The record of a file that is written as it was elsewhere.
 *
 * @throws {StoreError} `unreadable` where the bytes are not those that the record had.
 */
export function restoredFile(record: RestoredFile, { size, digest }: FileContent): StoredFile {
  const { digest: expected, ...kept } = record;
  if (expected !== undefined && digest !== undefined && digest !== expected) {
    throw new StoreError(
      'unreadable',
      `The bytes for the file ${JSON.stringify(record.path)} are not those that it had; nothing was written.`,
    );
  }
  return { ...kept, size, ...(digest !== undefined && { digest }) };
}

/** The record of a file that is moved to a path, over another where there is one. */
export function movedFile(
  to: string,
  stored: StoredFile,
  replaced: StoredFile | undefined,
): StoredFile {
  return {
    ...stored,
    path: to,
    updatedAt: Math.max(notBefore(Date.now(), stored), replaced?.updatedAt ?? 0),
    // Higher than both: whoever knew either file must not take this one for it.
    revision: Math.max(stored.revision, replaced?.revision ?? 0) + 1,
  };
}

/** Clocks go back; what was changed later must not look older. */
function notBefore(now: number, stored: StoredFile | undefined): number {
  return Math.max(now, stored?.updatedAt ?? 0);
}

/** Whether a list shows the two alike, but for size and time. */
export function listedAlike(a: StoredFile | undefined, b: StoredFile): boolean {
  return a?.mediaType === b.mediaType && sameAnnotations(a, b);
}

/** @throws {StoreError} `conflict` unless the file has the revision, where one is expected. */
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

/** That there is no such file. */
export function fileNotFound(path: string): StoreError {
  return new StoreError('not-found', `There is no file ${JSON.stringify(path.slice(0, 200))}.`);
}
