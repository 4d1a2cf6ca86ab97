import type { Transaction, TransactionRunner } from './begin-transaction.js';
import { bufferOf, bytesOf } from './blob-bytes.js';
import type { FileDigest } from '../schema/digest.js';
import { IS_WEBKIT } from './is-webkit.js';
import type { StoredBytes } from '../schema/schema.js';
import { diskFullError, intentionalAbort, storeErrorOf } from '../errors/store-error.js';
import { isStoredBytes } from '../schema/valid-records.js';

/** The most bytes in one record: 16 MiB take a fraction of a second, even on a slow disk. */
const PIECE_BYTES = 16 * 1024 * 1024;

/** The size in bytes. */
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

/** One Blob of all stored pieces. Blobs are not copied, and a slice reads only its own bytes. */
export function blobOf(stored: readonly StoredBytes[], type: string): Blob {
  const [first, ...others] = stored;
  // A piece of a file has no type.
  const isWhole = first instanceof Blob && others.length === 0 && first.type === type;
  return isWhole ? first : new Blob([...stored], { type });
}

/**
 * Copies bytes, to be stored, and adds them to a digest. The digest then matches the stored bytes, even if
 * the user's file changes during the copy.
 *
 * For a slice of a Blob, WebKit (2.50) stores the whole Blob, and reads the whole Blob instead of the slice
 * after a restart of the browser. A copy is not a slice.
 *
 * @param isBlob Whether a Blob can be stored.
 * @param onread Called after each read with the number of bytes.
 * @throws `signal.reason` after an abort; {@link StoreError} `unreadable` if the bytes cannot be read.
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
    // In a Blob at once, so that its bytes are not on the heap.
    parts.push(isBlob ? new Blob([bytes]) : bytes);
    onread?.(bytes.byteLength);
  }
  const copy = new Blob(parts, { type: blob.type });
  // In WebKit: a slice that another script has stored reads as the whole Blob.
  if (copy.size !== blob.size) throw storeErrorOf('unreadable');
  return isBlob ? copy : await copy.arrayBuffer();
}

/**
 * The bytes that can be stored as a Blob. Blobs are not reliable in WebKit (2.50): on a full disk it writes
 * as much of a Blob as fits, and the transaction completes; in a private window it stores no Blob
 * (webkit.org/b/156347). Remove this when WebKit rejects such a write.
 */
export class BlobSupport {
  readonly #database: TransactionRunner;
  /**
   * Whether a Blob is stored completely when its transaction completes. If not, a small file is stored
   * as bytes, and the pieces of a large one are read back before they count.
   */
  readonly isReliable = !IS_WEBKIT;
  /**
   * The maximum size of a file that is not stored in pieces. Without Blobs, a read loads the bytes with the
   * record, and other reads wait for this, so the limit is low in WebKit.
   */
  readonly maxWholeBytes: number;
  /** The most bytes of a file in one record. */
  readonly pieceBytes: number;
  #isSupported: Promise<boolean> | undefined;

  /** @param pieceBytes A multiple of 1 MiB. */
  constructor(database: TransactionRunner, pieceBytes = PIECE_BYTES) {
    this.#database = database;
    this.pieceBytes = pieceBytes;
    this.maxWholeBytes = IS_WEBKIT ? pieceBytes / 16 : pieceBytes;
  }

  /**
   * Whether a Blob can be stored at all. In WebKit this is tried once, in a transaction that is aborted;
   * rejects if it cannot be tried.
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

/** Rejects unless the last byte of what was stored can be read. */
export async function checkStored(stored: unknown, size: number): Promise<void> {
  if (isStoredBytes(stored)) {
    const last = new Blob([stored]).slice(size - 1);
    if ((await last.arrayBuffer().catch(() => new ArrayBuffer(0))).byteLength === 1) return;
  }
  throw diskFullError(undefined);
}
