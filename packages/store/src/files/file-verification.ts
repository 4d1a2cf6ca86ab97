import type { Database } from '../database/database.js';
import { bytesOf } from '../database/blob-bytes.js';
import { canDigest, FileDigest } from '../schema/digest.js';
import { readFile, readFileRecord } from './file-reading.js';
import { type ProgressListener, safeListener } from '../errors/progress.js';
import type { StoredFile } from '../schema/schema.js';
import { isUnreadable } from '../schema/unreadable-entry.js';

/** What came of looking at the bytes of a file. */
export interface FileVerification {
  /**
   * - `intact`: length and digest are those that the file had when it was written.
   * - `damaged`: they are not, or bytes are missing or cannot be read.
   * - `unknown`: there is no digest to compare with, or no SHA-256 here. The bytes can be read.
   */
  state: 'intact' | 'damaged' | 'unknown';
  /** The file that was looked at: it may have been overwritten meanwhile. */
  file: StoredFile;
}

/** How a file is to be verified. */
export interface VerifyOptions {
  /** Hears how many bytes have been read. Default: nobody. */
  onProgress?: ProgressListener | undefined;
  /** Aborting it makes the call reject with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads all bytes of a file, and compares. Rejects with `not-found`; with `unreadable` where not
 * even the record can be read.
 *
 * A missing digest is not filled in: bytes that have been damaged must not pass for intact.
 */
export async function verifyFile(
  database: Database,
  path: string,
  { onProgress, signal }: VerifyOptions,
): Promise<FileVerification> {
  const file = await readFileRecord(database, path);
  const verification = await lookAt(database, file, { onProgress, signal });
  if (verification.state === 'damaged') database.reportUnreadable([{ kind: 'file', key: path }]);
  return verification;
}

async function lookAt(
  database: Database,
  file: StoredFile,
  { onProgress, signal }: VerifyOptions,
): Promise<FileVerification> {
  try {
    return await compare(await readFile(database, file.path), safeListener(onProgress), signal);
  } catch (error) {
    if (isUnreadable(error) && !signal?.aborted) return { state: 'damaged', file };
    throw error;
  }
}

async function compare(
  { file, blob }: { file: StoredFile; blob: Blob },
  onProgress: ProgressListener,
  signal: AbortSignal | undefined,
): Promise<FileVerification> {
  const digest = new FileDigest();
  let done = 0;
  for await (const bytes of bytesOf(blob, signal)) {
    await digest.add(bytes);
    done += bytes.byteLength;
    onProgress(done, blob.size);
  }
  if (blob.size === 0) onProgress(0, 0);
  if (file.digest === undefined || !canDigest()) return { state: 'unknown', file };
  return { state: (await digest.value()) === file.digest ? 'intact' : 'damaged', file };
}
