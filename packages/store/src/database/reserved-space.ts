import type { Transaction, TransactionRunner } from './begin-transaction.js';
import { storageEstimate } from '../errors/storage-estimate.js';
import { intentionalAbort, isDiskError, isQuotaError } from '../errors/store-error.js';
import type { BlobSupport } from './stored-bytes.js';

/**
 * The size of the space that is reserved, in bytes. Without any space left even a deletion fails, because the
 * browser has to write the deletion down. So some space is reserved, and released in this case. Chromium
 * always lets a transaction delete. There the space of a Blob is free at once, that of small records perhaps
 * only after the next compaction.
 */
const RESERVED_BYTES = 1024 * 1024;

/** Space is reserved only if this many times as much is available. */
const MIN_FREE_FACTOR = 3;

/** The delay after the start, when the page is waiting for its first data. */
const FIRST_DELAY_MS = 2_000;

/** The delay before another attempt to reserve the space. */
const RETRY_MS = 60_000;

/** The steps before the second and each later attempt. */
const STEPS_TO_FREE_SPACE = [release, compact, compact, compact];

const FREES_SPACE = { freesSpace: true };

/** The time for a compaction, which runs in the background. */
const COMPACTION_MS = 500;

/** Space that is reserved for deletions, in the object store `ballast`. */
export class ReservedSpace {
  readonly #database: TransactionRunner;
  readonly #blobs: BlobSupport;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(database: TransactionRunner, blobs: BlobSupport) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Reserves the space a moment later, and again after each release once space is available. */
  start(): void {
    this.#reserveIn(FIRST_DELAY_MS);
  }

  /** Reserves nothing from now on. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /**
   * Runs a write that frees space. If the quota is exceeded, the reserved space is released and the
   * write is retried for some seconds. Rejects as the write does.
   */
  async runDeletion<Value>(
    write: () => Promise<Value>,
    signal: AbortSignal | undefined,
  ): Promise<Value> {
    let failure: unknown;
    for (const freeSpace of [undefined, ...STEPS_TO_FREE_SPACE]) {
      // A failure shows in the next attempt.
      await freeSpace?.(this.#database).catch(() => undefined);
      signal?.throwIfAborted();
      try {
        return await writeReopened(write);
      } catch (error) {
        // More writing would make a full disk worse.
        if (!isQuotaError(error)) throw error;
        failure = error;
        this.#reserveIn(RETRY_MS);
      }
    }
    throw failure;
  }

  #reserveIn(delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Without reserved space, only deletions at the quota limit fail.
      this.#reserve().catch(() => this.#reserveIn(RETRY_MS));
    }, delayMs);
  }

  async #reserve(): Promise<void> {
    const isThere = await this.#database.run(['ballast'], 'readonly', async (transaction) => {
      return (await transaction.objectStore('ballast').getKey('ballast')) !== undefined;
    });
    if (isThere) return;
    if (!(await hasSpace())) return this.#reserveIn(RETRY_MS);
    // Random bytes: some disks do not store zeros.
    const noise = crypto.getRandomValues(new Uint8Array(NOISE_BYTES));
    const parts = Array.from({ length: RESERVED_BYTES / NOISE_BYTES }, () => noise);
    const blob = new Blob(parts);
    const bytes = (await this.#blobs.isSupported()) ? blob : await blob.arrayBuffer();
    await this.#database.run(['ballast'], 'readwrite', (transaction) =>
      transaction.objectStore('ballast').put(bytes, 'ballast'),
    );
  }
}

/**
 * Releases the reserved space in a transaction that only deletes. It runs even if nothing is reserved:
 * only after a committed deletion does Chromium recount the usage, and the old count may be far too high.
 */
async function release(database: TransactionRunner): Promise<void> {
  await database.run(['ballast'], 'readwrite', clear, FREES_SPACE);
}

function clear(transaction: Transaction<['ballast'], 'readwrite'>): Promise<void> {
  return transaction.objectStore('ballast').clear();
}

/** Triggers a LevelDB compaction by writes that are aborted. This needs no free space. */
async function compact(database: TransactionRunner): Promise<void> {
  await database.run(['ballast'], 'readwrite', fillAndAbort, FREES_SPACE).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, COMPACTION_MS));
  await release(database);
}

/**
 * The number of bytes that make LevelDB compact: more than it writes before that, which is 4 MiB, in records
 * of up to 64 KiB.
 */
const COMPACTION_BYTES = 5 * 1024 * 1024;
const COMPACTION_RECORD_BYTES = 60 * 1024;

async function fillAndAbort(transaction: Transaction<['ballast'], 'readwrite'>): Promise<void> {
  const store = transaction.objectStore('ballast');
  const zeros = new Uint8Array(COMPACTION_RECORD_BYTES);
  const count = Math.ceil(COMPACTION_BYTES / COMPACTION_RECORD_BYTES);
  await Promise.all(
    Array.from({ length: count }, (_, index) => store.put(zeros, `zeros ${index}`)),
  );
  throw intentionalAbort();
}

/** The maximum number of bytes that `getRandomValues` returns at once. */
const NOISE_BYTES = 64 * 1024;

/**
 * Writes once more if the disk could not be written to. Chromium has then closed the connection, and the next
 * one is opened only with room, for which the space that is reserved on the disk is released: see
 * `DiskReserve`. Its first write may fail even if the disk has room again.
 */
async function writeReopened<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    if (!isDiskError(error)) throw error;
    return await write();
  }
}

/** Assumes enough space if the browser gives no estimate. */
async function hasSpace(): Promise<boolean> {
  const { usage, quota } = await storageEstimate();
  if (usage === undefined || quota === undefined) return true;
  return quota - usage >= MIN_FREE_FACTOR * RESERVED_BYTES;
}
