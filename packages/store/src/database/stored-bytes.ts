import type { Transaction, TransactionRunner } from './begin-transaction.js';
import { bufferOf, bytesOf } from './blob-bytes.js';
import type { FileDigest } from '../schema/digest.js';
import { IS_WEBKIT } from './is-webkit.js';
import type { StoredBytes } from '../schema/schema.js';
import { diskFull, intentionalAbort, storeErrorOf } from '../errors/store-error.js';
import { isStoredBytes } from '../schema/valid-records.js';

/** The most bytes that are stored as one: 16 MiB take a fraction of a second, on a slow disk too. */
export const PIECE_BYTES = 16 * 1024 * 1024;

/** In bytes. */
export function sizeOf(stored: StoredBytes): number {
  return stored instanceof Blob ? stored.size : stored.byteLength;
}

/**
 * The bytes, in memory.
 *
 * @throws {StoreError} `unreadable`.
 */
export async function buffersOf(stored: readonly StoredBytes[]): Promise<ArrayBuffer[]> {
  return await Promise.all(
    stored.map(async (bytes) => (bytes instanceof Blob ? await bufferOf(bytes) : bytes)),
  );
}

/** One Blob of what was stored. Of Blobs nothing is copied, and a slice of it reads only what it needs. */
export function blobOf(stored: readonly StoredBytes[], type: string): Blob {
  const [first, ...others] = stored;
  // The only piece of a file has no type.
  const isWhole = first instanceof Blob && others.length === 0 && first.type === type;
  return isWhole ? first : new Blob([...stored], { type });
}

/**
 * Copies bytes, to be stored, and adds them to a digest: what is digested is what is stored, also where
 * the user's file changes while it is copied.
 *
 * WebKit (2.50) stores all of the Blob that another is a part of, and reads that in its place once the
 * browser was started again. A copy is a part of nothing.
 *
 * @param isBlob Whether a Blob can be stored.
 * @param onread Called after each read with the number of bytes.
 * @throws `signal.reason` once it is aborted; {@link StoreError} `unreadable` when the bytes are.
 */
export async function copyOf(
  blob: Blob,
  isBlob: boolean,
  digest: FileDigest,
  { signal, onread }: { signal?: AbortSignal | undefined; onread?: (bytes: number) => void } = {},
): Promise<StoredBytes> {
  const parts: StoredBytes[] = [];
  for await (const bytes of bytesOf(blob, signal)) {
    await digest.add(bytes);
    // In a Blob at once: its bytes are not on the heap.
    parts.push(isBlob ? new Blob([bytes]) : bytes);
    onread?.(bytes.byteLength);
  }
  const copy = new Blob(parts, { type: blob.type });
  // As where WebKit reads a Blob that somebody else has stored like that.
  if (copy.size !== blob.size) throw storeErrorOf('unreadable');
  return isBlob ? copy : await copy.arrayBuffer();
}

/**
 * Which bytes can be stored as a Blob. WebKit (2.50) cannot be relied on with Blobs: on a full disk it writes
 * as much of a Blob as there is room for, and lets the transaction complete; in a private window it stores
 * no Blob (webkit.org/b/156347). Remove this when WebKit rejects a write that it could not carry out.
 */
export class BlobSupport {
  readonly #database: TransactionRunner;
  /**
   * Whether a Blob is whole once its transaction has completed. Where not, a small file is stored as
   * bytes, and the pieces of a large one are read back before they count.
   */
  readonly isReliable = !IS_WEBKIT;
  /**
   * A file of more bytes is stored in pieces. Bytes that are no Blob come with the record of their file,
   * and other reads wait for them: in WebKit these are few.
   */
  readonly maxWholeBytes = IS_WEBKIT ? 1024 * 1024 : PIECE_BYTES;
  #isSupported: Promise<boolean> | undefined;

  constructor(database: TransactionRunner) {
    this.#database = database;
  }

  /**
   * Whether one can be stored at all. In WebKit it is tried once, in a transaction of which nothing is
   * kept; rejects if that cannot be tried.
   */
  async isSupported(): Promise<boolean> {
    if (!IS_WEBKIT) return true;
    this.#isSupported ??= this.#try().catch((error: unknown) => {
      this.#isSupported = undefined;
      throw error;
    });
    return await this.#isSupported;
  }

  async #try(): Promise<boolean> {
    let isStored: boolean | undefined;
    const store = async (transaction: Transaction<['ballast'], 'readwrite'>): Promise<void> => {
      try {
        await transaction.objectStore('ballast').put(new Blob(['-']), 'trial');
        isStored = true;
      } catch {
        isStored = false;
      }
      throw intentionalAbort();
    };
    await this.#database.run(['ballast'], 'readwrite', store).catch((error: unknown) => {
      if (isStored === undefined) throw error;
    });
    return isStored === true;
  }
}

/** Fails unless the end of what was stored is there. */
export async function checkStored(stored: unknown, size: number): Promise<void> {
  if (isStoredBytes(stored)) {
    const last = new Blob([stored]).slice(size - 1);
    if ((await last.arrayBuffer().catch(() => new ArrayBuffer(0))).byteLength === 1) return;
  }
  throw diskFull(undefined);
}
