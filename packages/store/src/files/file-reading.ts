import type { Transaction } from '../database/begin-transaction.js';
import type { Database } from '../database/database.js';
import { StoreError } from '../errors/store-error.js';
import { readRecord } from './file-transactions.js';
import { piecesOf } from './file-uploads.js';
import type { PiecedBytes, StoredBytes, StoredFile } from '../schema/schema.js';
import { blobOf, buffersOf, sizeOf } from '../database/stored-bytes.js';
import { readOrReport, unreadableError } from '../schema/unreadable-entry.js';
import { isPiecedBytes, isStoredBytes } from '../schema/valid-records.js';

/** A file and a Blob with its bytes. */
export interface FileAndBytes {
  /** The record. */
  file: StoredFile;
  /** The bytes, as a Blob of the file's media type. */
  blob: Blob;
}

interface Records {
  get(path: string): Promise<unknown>;
}

const HANDLES: ('files' | 'file-bytes')[] = ['files', 'file-bytes'];
const HANDLES_AND_PIECES: ('files' | 'file-bytes' | 'file-pieces')[] = [...HANDLES, 'file-pieces'];

/** The size below which a file is read as a whole. */
const SMALL_BYTES = 256 * 1024;

/** A file as read from the database. */
interface Stored {
  file: StoredFile;
  bytes: readonly StoredBytes[];
  /** Resolves once its Blobs can be sliced; `undefined` for a small file, which is read at once. */
  whenUsable: Promise<void> | undefined;
}

/** A record, and the place of its bytes. */
interface Handle {
  file: StoredFile;
  bytes: StoredBytes | PiecedBytes;
}

/**
 * Reads record and bytes consistently: a small file as a whole, of a large one only Blob handles.
 * Rejects with `not-found`, or with `unreadable` if a part is missing.
 *
 * @param handle The handle, if a transaction has already read it.
 */
export async function readFile(
  database: Database,
  path: string,
  handle?: Handle,
): Promise<FileAndBytes> {
  return await readOrReport(database, { kind: 'file', key: path }, async () => {
    const stored = await readStored(database, path, handle);
    return { file: stored.file, blob: await blobIn(stored) };
  });
}

/** The errors of files that {@link readFiles} skips. */
const SKIPPED: readonly string[] = ['not-found', 'unreadable'];

/** Reads files in one transaction, except for those in pieces. Skips those that cannot be read. */
export async function readFiles(
  database: Database,
  paths: readonly string[],
): Promise<FileAndBytes[]> {
  const handles = await database.run(HANDLES, 'readonly', (transaction) => {
    const files = transaction.objectStore('files');
    const bytes = transaction.objectStore('file-bytes');
    // A file that cannot be read may fail the transaction. All files are then read one by one.
    return Promise.all(paths.map((path) => readHandle(files, bytes, path).catch(() => undefined)));
  });
  const found = paths.map((path, index) =>
    readFile(database, path, handles[index]).catch((error: unknown) => {
      if (error instanceof StoreError && SKIPPED.includes(error.code)) return undefined;
      throw error;
    }),
  );
  return (await Promise.all(found)).filter((file) => file !== undefined);
}

/** The bytes of a file, after the transaction. Rejects with `unreadable`. */
export async function blobIn({ file, bytes, whenUsable }: Stored): Promise<Blob> {
  if (!whenUsable) return blobOf(await buffersOf(bytes), file.mediaType);
  await whenUsable;
  return blobOf(bytes, file.mediaType);
}

/** Reads the record of a file; rejects with `not-found` or `unreadable`. */
export async function readFileRecord(database: Database, path: string): Promise<StoredFile> {
  return await readOrReport(database, { kind: 'file', key: path }, () =>
    database.run(['files'], 'readonly', (transaction) =>
      readRecord(transaction.objectStore('files'), path),
    ),
  );
}

async function readStored(database: Database, path: string, handle?: Handle): Promise<Stored> {
  // `file-pieces` is not included, so that reading a small file does not wait while pieces are written.
  const read = () =>
    database.run(HANDLES, 'readonly', (transaction) =>
      readHandle(transaction.objectStore('files'), transaction.objectStore('file-bytes'), path),
    );
  const { file, bytes } = handle ?? (await read());
  return isStoredBytes(bytes)
    ? openStored(database, file, [bytes])
    : // In a second transaction: the file may have been replaced in between.
      await database.run(HANDLES_AND_PIECES, 'readonly', (transaction) =>
        readWhole(database, transaction, path),
      );
}

/** Reads record and pieces; rejects with `not-found` or `unreadable`. */
export async function readWhole(
  database: Database,
  transaction: Transaction<typeof HANDLES_AND_PIECES, 'readonly'>,
  path: string,
): Promise<Stored> {
  const files = transaction.objectStore('files');
  const { file, bytes } = await readHandle(files, transaction.objectStore('file-bytes'), path);
  if (isStoredBytes(bytes)) return openStored(database, file, [bytes]);
  const pieces = await transaction.objectStore('file-pieces').getAll(piecesOf(bytes.content));
  return openStored(database, file, pieces.filter(isStoredBytes));
}

async function readHandle(files: Records, handles: Records, path: string): Promise<Handle> {
  const [file, bytes] = await Promise.all([readRecord(files, path), handles.get(path)]);
  if (!isStoredBytes(bytes) && !isPiecedBytes(bytes))
    throw unreadableError({ kind: 'file', key: path });
  return { file, bytes };
}

function openStored(
  { heldBlobs }: Database,
  file: StoredFile,
  bytes: readonly StoredBytes[],
): Stored {
  const size = bytes.reduce((sum, part) => sum + sizeOf(part), 0);
  if (size !== file.size) throw unreadableError({ kind: 'file', key: file.path });
  return {
    file,
    bytes,
    whenUsable: file.size < SMALL_BYTES ? undefined : heldBlobs.hold(file, bytes),
  };
}
