import type { IDBPObjectStore } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { Database } from '../database/database.js';
import { FileDigest } from '../schema/digest.js';
import type { FileContent } from './file-records.js';
import { newId } from '../schema/ids.js';
import type { ProgressListener } from '../errors/progress.js';
import type { PiecedBytes, StoredBytes, StoreSchema } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { checkStored, copyOf } from '../database/stored-bytes.js';

/**
 * A file that is too large for one transaction is first uploaded: its bytes are stored in pieces
 * that belong to an entry in `uploads`. One transaction then assigns them to the file. Until then
 * they are invisible, and if anything fails, they are deleted.
 */

/** The age from which an upload without a lock counts as abandoned. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

const UPLOAD_PARTS: ('file-pieces' | 'uploads')[] = ['file-pieces', 'uploads'];

type PieceKey = StoreSchema['file-pieces']['key'];
type Uploading = Transaction<typeof UPLOAD_PARTS, 'readwrite'>;
type Reading = Transaction<'file-pieces'[], 'readonly'>;

type ObjectStore<Name extends 'file-pieces' | 'uploads'> = IDBPObjectStore<
  StoreSchema,
  Name[],
  Name,
  'readwrite'
>;

/** Options of an upload. */
export interface UploadOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of uploaded bytes. Default: none. */
  onProgress?: ProgressListener | undefined;
}

/** The bytes of a file to upload. */
interface UploadSource {
  /** The bytes in Blobs of `pieceBytes` of the database, and a smaller one at the end. */
  pieces: Iterable<Blob> | AsyncIterable<Blob>;
  /** Their total size in bytes. */
  size: number;
}

/**
 * Stores the bytes of a blob in pieces and calls `use`, which assigns them to a file with
 * {@link adoptUpload}. Afterwards, pieces that do not belong to a file are deleted; if that fails,
 * {@link removeAbandoned} deletes them later.
 *
 * Rejects with `signal.reason`, with `unreadable`, `quota-exceeded` and other {@link StoreError}s, or with
 * the error of `use`.
 */
export async function withUpload<Value>(
  database: Database,
  blob: Blob,
  options: UploadOptions,
  use: (content: FileContent) => Promise<Value>,
): Promise<Value> {
  const pieces = piecesOfBlob(blob, database.blobs.pieceBytes);
  return await withUploadOf(database, { pieces, size: blob.size }, options, use);
}

/** Does the same for pieces that come one after the other. Also rejects with the errors of their source. */
export async function withUploadOf<Value>(
  database: Database,
  source: UploadSource,
  options: UploadOptions,
  use: (content: FileContent) => Promise<Value>,
): Promise<Value> {
  const content = newId();
  return await withLock(content, async () => {
    try {
      return await use(await upload(database, content, source, options));
    } finally {
      await discard(database, content).catch(() => undefined);
    }
  });
}

/**
 * Assigns the pieces of an upload to a file, in the transaction that writes the file.
 *
 * @throws {StoreError} `failed` if they no longer exist: the data was cleared during the upload.
 */
export async function adoptUpload(
  uploads: Pick<ObjectStore<'uploads'>, 'getKey' | 'delete'>,
  storedPieces: Pick<ObjectStore<'file-pieces'>, 'count'>,
  { content, pieces }: PiecedBytes,
): Promise<void> {
  await checkUpload(uploads, content);
  if ((await storedPieces.count(piecesOf(content))) !== pieces) throw uploadGone();
  await uploads.delete(content);
}

/** The key range of the pieces of an upload or file. */
export function piecesOf(content: string): IDBKeyRange {
  // An array sorts after every number.
  return IDBKeyRange.bound([content], [content, []]);
}

/** Deletes the uploads of closed or crashed tabs, but not those that are still running. */
export async function removeAbandoned(database: Database): Promise<void> {
  const uploads = await database.run(['uploads'], 'readonly', async (transaction) => {
    const store = transaction.objectStore('uploads');
    const [contents, times] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return contents.map((content, index) => ({ content, since: times[index] }));
  });
  for (const { content, since } of uploads) {
    await ifAbandoned(content, since, () => discard(database, content));
  }
}

function* piecesOfBlob(blob: Blob, pieceBytes: number): Generator<Blob> {
  for (let start = 0; start < blob.size; start += pieceBytes) {
    yield blob.slice(start, start + pieceBytes);
  }
}

async function upload(
  database: Database,
  content: string,
  { pieces: source, size }: UploadSource,
  { signal, onProgress }: UploadOptions,
): Promise<FileContent> {
  await database.run(
    ['uploads'],
    'readwrite',
    (transaction) => transaction.objectStore('uploads').put(Date.now(), content),
    { signal },
  );
  const isBlob = await database.blobs.isSupported();
  const digest = new FileDigest();
  const { pieceBytes, isReliable } = database.blobs;
  let pieces = 0;
  let done = 0;
  // The total is only reported once the file is written.
  const report = (): void => {
    if (done < size) onProgress?.(done, size);
  };
  const onread = (bytes: number): void => {
    done += bytes;
    // The end of a piece is reported once the piece is stored.
    if (done % pieceBytes !== 0) report();
  };
  for await (const piece of source) {
    const copy = await copyOf(piece, isBlob, digest, { signal, onread });
    const key: PieceKey = [content, pieces];
    const put = (transaction: Uploading) => putPiece(transaction, copy, key);
    await database.run(UPLOAD_PARTS, 'readwrite', put, { signal });
    if (!isReliable) {
      const get = (transaction: Reading) => transaction.objectStore('file-pieces').get(key);
      const stored = await database.run(['file-pieces'], 'readonly', get, { signal });
      await checkStored(stored, piece.size);
    }
    pieces += 1;
    report();
  }
  return { bytes: { content, pieces }, size: done, ...(await digest.field()) };
}

async function putPiece(transaction: Uploading, copy: StoredBytes, key: PieceKey): Promise<void> {
  await checkUpload(transaction.objectStore('uploads'), key[0]);
  await transaction.objectStore('file-pieces').put(copy, key);
}

/** Deletes an upload; has no effect once it belongs to a file. */
async function discard(database: Database, content: string): Promise<void> {
  const isThere = await database.run(
    ['uploads'],
    'readonly',
    async (transaction) => (await transaction.objectStore('uploads').getKey(content)) !== undefined,
  );
  if (!isThere) return;
  await database.run(UPLOAD_PARTS, 'readwrite', async (transaction) => {
    const uploads = transaction.objectStore('uploads');
    // A transaction whose caller has timed out may have assigned the upload to a file since.
    if ((await uploads.getKey(content)) === undefined) return;
    await transaction.objectStore('file-pieces').delete(piecesOf(content));
    await uploads.delete(content);
  });
}

async function checkUpload(
  uploads: Pick<ObjectStore<'uploads'>, 'getKey'>,
  content: string,
): Promise<void> {
  if ((await uploads.getKey(content)) === undefined) throw uploadGone();
}

function uploadGone(): StoreError {
  return new StoreError(
    'failed',
    'The data was cleared while the file was being written; no part of the file was kept.',
  );
}

/** The locks of the browser; `undefined` in an insecure context, although typed as always defined. */
function locks(): LockManager | undefined {
  const { locks: manager }: { locks?: LockManager } = navigator;
  return manager;
}

function lockOf(content: string): string {
  return `inpage-mcp:upload:${content}`;
}

/**
 * Runs `work` under a lock, which shows other tabs that the upload runs. If this tab dies, the browser
 * releases it.
 */
async function withLock<Value>(content: string, work: () => Promise<Value>): Promise<Value> {
  const manager = locks();
  return manager ? await manager.request(lockOf(content), work) : await work();
}

async function ifAbandoned(
  content: string,
  since: number | undefined,
  remove: () => Promise<void>,
): Promise<void> {
  const manager = locks();
  if (manager) {
    await manager.request(lockOf(content), { ifAvailable: true }, async (lock) => {
      if (lock) await remove();
    });
  } else if (since === undefined || Date.now() - since > ABANDONED_AFTER_MS) {
    await remove();
  }
}
