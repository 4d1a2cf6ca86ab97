import { bytesOf } from './blob-bytes.js';
import type { Database } from './database.js';
import type { FileDigest } from './digest.js';
import type { StoredBytes } from './schema.js';
import { storeErrorOf } from './store-error.js';

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

/** Whether Blobs can be stored: WebKit stores none in a private window (webkit.org/b/156347). */
export class BlobSupport {
  readonly #database: Database;
  #found: boolean | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Tried once, in a transaction of which nothing is kept. */
  async isThere(): Promise<boolean> {
    if (this.#found === undefined) await this.#find().catch(() => undefined);
    // Where not even that could be tried, what is to be stored says why.
    return this.#found ?? true;
  }

  async #find(): Promise<void> {
    await this.#database.run(['ballast'], 'readwrite', async (transaction) => {
      try {
        await transaction.objectStore('ballast').put(new Blob(['-']), 'trial');
        this.#found = true;
      } catch {
        this.#found = false;
      }
      transaction.abort();
    });
  }
}
