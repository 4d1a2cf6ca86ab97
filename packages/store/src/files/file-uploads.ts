import type { IDBPObjectStore } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { Database } from '../database/database.js';
import { FileDigest } from '../schema/digest.js';
import type { FileContent } from './file-records.js';
import { newId } from '../schema/ids.js';
import type { ProgressListener } from '../errors/progress.js';
import type { PiecedBytes, StoredBytes, StoreSchema } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { checkStored, copyOf, PIECE_BYTES } from '../database/stored-bytes.js';

/**
 * A file that is too large for one transaction is first uploaded: its bytes are stored in pieces that
 * belong to no file, under an entry in `uploads`. One transaction then makes them a file's. Until
 * that moment nobody sees them, and whatever goes wrong, they are deleted.
 */

/** When an upload without a lock counts as given up. */
const GIVEN_UP_AFTER_MS = 24 * 60 * 60 * 1000;

const UPLOAD_PARTS: ('file-pieces' | 'uploads')[] = ['file-pieces', 'uploads'];

type Uploading = Transaction<typeof UPLOAD_PARTS, 'readwrite'>;
type Reading = Transaction<'file-pieces'[], 'readonly'>;

type ObjectStore<Name extends 'file-pieces' | 'uploads'> = IDBPObjectStore<
  StoreSchema,
  Name[],
  Name,
  'readwrite'
>;

/** How bytes are taken in. */
export interface UploadOptions {
  signal?: AbortSignal | undefined;
  /** Called with how many bytes were taken in. */
  onProgress: ProgressListener;
}

/**
 * Stores the bytes of a blob in pieces and calls `use`, which is to make them a file's by
 * {@link adoptUpload}. When this settles, what did not become a file's is deleted; where even that
 * fails, {@link removeGivenUp} does it later.
 *
 * Rejects with `signal.reason`, with `unreadable`, `quota-exceeded` and other {@link StoreError}s,
 * or with what `use` rejects with.
 */
export async function withUpload<Value>(
  database: Database,
  blob: Blob,
  options: UploadOptions,
  use: (content: FileContent) => Promise<Value>,
): Promise<Value> {
  const content = newId();
  return await whileLocked(content, async () => {
    try {
      return await use(await upload(database, content, blob, options));
    } finally {
      await discard(database, content).catch(() => undefined);
    }
  });
}

/**
 * Makes the pieces of an upload those of a file, in the transaction that writes the file.
 *
 * @throws {StoreError} `failed` where they are gone: the data was cleared meanwhile.
 */
export async function adoptUpload(
  uploads: Pick<ObjectStore<'uploads'>, 'getKey' | 'delete'>,
  storedPieces: Pick<ObjectStore<'file-pieces'>, 'count'>,
  { content, pieces }: PiecedBytes,
): Promise<void> {
  await checkUpload(uploads, content);
  if ((await storedPieces.count(piecesOf(content))) !== pieces) throw gone();
  await uploads.delete(content);
}

/** The key range of the pieces of a content. */
export function piecesOf(content: string): IDBKeyRange {
  // An array is greater than any number.
  return IDBKeyRange.bound([content], [content, []]);
}

/** Deletes the uploads whose tab died. Those that a tab is still at are left alone. */
export async function removeGivenUp(database: Database): Promise<void> {
  const uploads = await database.run(['uploads'], 'readonly', async (transaction) => {
    const store = transaction.objectStore('uploads');
    const [contents, times] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return contents.map((content, index) => ({ content, since: times[index] }));
  });
  for (const { content, since } of uploads) {
    await ifGivenUp(content, since, () => discard(database, content));
  }
}

async function upload(
  database: Database,
  content: string,
  blob: Blob,
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
  const pieces = Math.ceil(blob.size / PIECE_BYTES);
  let done = 0;
  // All of it is only there once it is a file.
  const report = (): void => {
    if (done < blob.size) onProgress(done, blob.size);
  };
  const onread = (bytes: number): void => {
    done += bytes;
    // What completes a piece counts once that is stored.
    if (done % PIECE_BYTES !== 0) report();
  };
  for (let piece = 0; piece < pieces; piece++) {
    const slice = blob.slice(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
    const copy = await copyOf(slice, isBlob, digest, { signal, onread });
    const put = (transaction: Uploading) => putPiece(transaction, copy, [content, piece]);
    await database.run(UPLOAD_PARTS, 'readwrite', put, { signal });
    if (!database.blobs.isReliable) {
      const get = (transaction: Reading) =>
        transaction.objectStore('file-pieces').get([content, piece]);
      const stored = await database.run(['file-pieces'], 'readonly', get, { signal });
      await checkStored(stored, slice.size);
    }
    report();
  }
  return { bytes: { content, pieces }, size: done, ...(await digest.field()) };
}

async function putPiece(
  transaction: Uploading,
  copy: StoredBytes,
  key: [content: string, piece: number],
): Promise<void> {
  await checkUpload(transaction.objectStore('uploads'), key[0]);
  await transaction.objectStore('file-pieces').put(copy, key);
}

/** Deletes an upload; without effect once it has become a file. */
async function discard(database: Database, content: string): Promise<void> {
  const isThere = await database.run(
    ['uploads'],
    'readonly',
    async (transaction) => (await transaction.objectStore('uploads').getKey(content)) !== undefined,
  );
  if (!isThere) return;
  await database.run(UPLOAD_PARTS, 'readwrite', async (transaction) => {
    const uploads = transaction.objectStore('uploads');
    // It may have become one since, by a transaction that took too long for whoever waited for it.
    if ((await uploads.getKey(content)) === undefined) return;
    await transaction.objectStore('file-pieces').delete(piecesOf(content));
    await uploads.delete(content);
  });
}

async function checkUpload(
  uploads: Pick<ObjectStore<'uploads'>, 'getKey'>,
  content: string,
): Promise<void> {
  if ((await uploads.getKey(content)) === undefined) throw gone();
}

function gone(): StoreError {
  return new StoreError(
    'failed',
    'The data was cleared while the file was being written; nothing of it was kept.',
  );
}

/** An insecure context has none. Typed as always there. */
function locks(): LockManager | undefined {
  const { locks: manager }: { locks?: LockManager } = navigator;
  return manager;
}

function lockOf(content: string): string {
  return `inpage-mcp:upload:${content}`;
}

/** The lock tells the other tabs that somebody is at it; the browser takes it from the dead. */
async function whileLocked<Value>(content: string, work: () => Promise<Value>): Promise<Value> {
  const manager = locks();
  return manager ? await manager.request(lockOf(content), work) : await work();
}

async function ifGivenUp(
  content: string,
  since: number | undefined,
  remove: () => Promise<void>,
): Promise<void> {
  const manager = locks();
  if (manager) {
    await manager.request(lockOf(content), { ifAvailable: true }, async (lock) => {
      if (lock) await remove();
    });
  } else if (since === undefined || Date.now() - since > GIVEN_UP_AFTER_MS) {
    await remove();
  }
}
