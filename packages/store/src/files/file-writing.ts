import type { Database } from '../database/database.js';
import { bytesOf } from '../database/blob-bytes.js';
import { FileDigest } from '../schema/digest.js';
import type { FileContent, FileRestoreOptions } from './file-records.js';
import { FILE_PARTS, putFile } from './file-transactions.js';
import { withUpload } from './file-uploads.js';
import type { Call } from '../changes/fingerprint.js';
import { safeListener } from '../errors/progress.js';
import type { StoredFile } from '../schema/schema.js';
import { copyOf } from '../database/stored-bytes.js';
import type { Writer } from '../changes/writer.js';

/** A file to write, of any size. */
export interface FileWriting {
  path: string;
  /** The bytes; the type of the Blob is the file's media type. */
  blob: Blob;
  /** The operation and its arguments, without the bytes. */
  call: Call;
  /**
   * @param stored The readable record that is replaced, if any.
   * @param former The highest revision of a file that no longer exists.
   */
  recordOf: (content: FileContent, stored: StoredFile | undefined, former: number) => StoredFile;
}

/** Writes a file: a small file in one transaction, a large one after an upload of its bytes. */
export async function writeFile(
  database: Database,
  writer: Writer,
  { path, blob, call, recordOf }: FileWriting,
  options: FileRestoreOptions,
): Promise<StoredFile> {
  const { expectedRevision, signal } = options;
  const onProgress = safeListener(options.onProgress);
  const commit = async (content: FileContent): Promise<StoredFile> => {
    const written = await writer.write(
      FILE_PARTS,
      callWith(call, content),
      options,
      (transaction) =>
        putFile(transaction, path, {
          content,
          expectedRevision,
          recordOf: (stored, former) => recordOf(content, stored, former),
        }),
    );
    return written.result;
  };
  const write = async (): Promise<StoredFile> => {
    // A rehearsal uploads nothing.
    const isWhole = writer.isRehearsal || blob.size <= database.blobs.maxWholeBytes;
    if (isWhole) return await commit(await contentOf(database, blob, signal));
    // A retry of a finished write must not upload the bytes again.
    const earlier = await writer.findEarlier(options, async () =>
      callWith(call, { size: blob.size, digest: await digestOf(blob, signal) }),
    );
    if (earlier) return earlier as StoredFile;
    return await withUpload(database, blob, { signal, onProgress }, commit);
  };
  const file = await write();
  onProgress(blob.size, blob.size);
  return file;
}

function callWith(
  { operation, args }: Call,
  { size, digest }: { size: number; digest?: string | undefined },
): Call {
  return { operation, args: { ...args, size, digest } };
}

/** The bytes of a file that is small enough for one transaction, with their digest. */
export async function contentOf(
  database: Database,
  blob: Blob,
  signal: AbortSignal | undefined,
): Promise<FileContent> {
  const digest = new FileDigest();
  const bytes = await copyOf(blob, database.blobs.isReliable, digest, { signal });
  return { bytes, size: blob.size, ...(await digest.field()) };
}

/** The digest of a Blob; undefined without SHA-256. */
export async function digestOf(blob: Blob, signal?: AbortSignal): Promise<string | undefined> {
  const digest = new FileDigest();
  for await (const bytes of bytesOf(blob, signal)) await digest.add(bytes);
  return await digest.value();
}
