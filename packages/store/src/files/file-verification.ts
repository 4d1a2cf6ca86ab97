import type { Database } from '../database/database.js';
import { bytesOf } from '../database/blob-bytes.js';
import { canDigest, FileDigest } from '../schema/digest.js';
import { readFile, readFileRecord } from './file-reading.js';
import { type ProgressListener, safeListener } from '../errors/progress.js';
import type { StoredFile } from '../schema/schema.js';
import { isUnreadable } from '../schema/unreadable-entry.js';

/** The result of verifying a file. */
export interface FileVerification {
  /**
   * - `intact`: length and digest are the same as when the file was written.
   * - `damaged`: they differ, or bytes are missing or unreadable.
   * - `unknown`: the file has no digest, or SHA-256 is not available. The bytes can be read.
   */
  state: 'intact' | 'damaged' | 'unknown';
  /** The file that was verified: it may have been overwritten since. */
  file: StoredFile;
}

/** Options of a verification. */
export interface VerifyOptions {
  /** Called with the number of bytes that have been read. Default: none. */
  onProgress?: ProgressListener | undefined;
  /** Aborting it makes the call reject with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads all bytes of a file and compares their digest. Rejects with `not-found`, and with
 * `unreadable` if the record itself cannot be read.
 *
 * A missing digest is not added: damaged bytes must not count as intact later.
 */
export async function verifyFile(
  database: Database,
  path: string,
  { onProgress, signal }: VerifyOptions,
): Promise<FileVerification> {
  const file = await readFileRecord(database, path);
  const verification = await verifyBytes(database, file, { onProgress, signal });
  if (verification.state === 'damaged') database.reportUnreadable([{ kind: 'file', key: path }]);
  return verification;
}

async function verifyBytes(
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
