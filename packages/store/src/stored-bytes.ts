import { bytesOf } from './blob-bytes.js';
import type { Database } from './database.js';
import type { FileDigest } from './digest.js';
import type { StoredBytes } from './schema.js';
import { diskFull, nothingKept, storeErrorOf } from './store-error.js';
import { isStoredBytes } from './valid-records.js';

/** One Blob of what was stored. Of Blobs nothing is copied, and a slice of it reads only what it needs. */
export function blobOf(stored: readonly StoredBytes[], type: string): Blob {
  const [only] = stored;
  return stored.length === 1 && only instanceof Blob ? only : new Blob([...stored], { type });
}

/**
 * Copies bytes, to be stored, and adds them to a digest: what is digested is what is stored, also where
 * the user's file is changed meanwhile.
 *
 * WebKit (2.50) stores all of the Blob that another is a part of, and reads that in its place once the
 * browser was started again. A copy is a part of nothing.
 *
 * @param isBlob Whether a Blob can be stored.
 * @param onread Hears how many bytes were read, each time.
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
 * Whether a write of a Blob that is not written as a whole fails. On a full disk WebKit (2.50) writes as
 * much of it as there is room for, and says that all went well. Nothing but its name tells of that, in
 * which its version has been the same since 2017. Until WebKit says that such a write failed.
 */
const ARE_BLOBS_WHOLE = !navigator.userAgent.includes('AppleWebKit/605.1.15');

/** What can be stored as a Blob. */
export class BlobSupport {
  readonly #database: Database;
  #isThere: boolean | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether what is written in one transaction with its record can be. */
  async isReliable(): Promise<boolean> {
    return ARE_BLOBS_WHOLE && (await this.isThere());
  }

  /**
   * Whether what is looked at again can be, before it counts: WebKit stores no Blob in a private window
   * (webkit.org/b/156347). Tried once, in a transaction of which nothing is kept; rejects where not even
   * that can be tried.
   */
  async isThere(): Promise<boolean> {
    if (this.#isThere === undefined) {
      await this.#try().catch((error: unknown) => {
        if (this.#isThere === undefined) throw error;
      });
    }
    return this.#isThere ?? false;
  }

  async #try(): Promise<void> {
    await this.#database.run(['ballast'], 'readwrite', async (transaction) => {
      try {
        await transaction.objectStore('ballast').put(new Blob(['-']), 'trial');
        this.#isThere = true;
      } catch {
        this.#isThere = false;
      }
      throw nothingKept();
    });
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
