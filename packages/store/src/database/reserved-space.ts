import type { Transaction, TransactionRunner } from './begin-transaction.js';
import { storageEstimate } from '../errors/storage-estimate.js';
import { intentionalAbort, isOfQuota } from '../errors/store-error.js';
import type { BlobSupport } from './stored-bytes.js';

/**
 * Where no room is left, not even a deletion would go in: it writes down what it has deleted. So some
 * room is kept, to be given up then. In Chromium, whose transactions may always delete, that of a Blob
 * is free at once, while that of small records may be only when it next tidies up.
 */
const RESERVED_BYTES = 1024 * 1024;

/** The ballast is made only where it leaves several times as much to the user. */
const ROOM_FACTOR = 3;

/** Not right after the start: whoever opens the store is waiting for what is to be shown. */
const FIRST_DELAY_MS = 2_000;

/** When to look again whether there is room for it. */
const RETRY_MS = 60_000;

/** What is done before each attempt, after the first one. */
const WAYS_TO_MAKE_ROOM = [release, compact, compact, compact];

/** How long the browser may take to tidy up: it does so in the background. */
const COMPACTION_MS = 500;

/** The room that is kept for deletions. */
export class ReservedSpace {
  readonly #database: TransactionRunner;
  readonly #blobs: BlobSupport;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(database: TransactionRunner, blobs: BlobSupport) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Makes it a moment later where there is none, and again after it was used, when there is room. */
  start(): void {
    this.#reserveIn(FIRST_DELAY_MS);
  }

  /** Makes it no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /**
   * Runs a write that leaves less than there was; where there is no room for it, the ballast is given
   * up, and it is tried again for some seconds. Rejects as the write does.
   */
  async runDeletion<Value>(
    write: () => Promise<Value>,
    signal: AbortSignal | undefined,
  ): Promise<Value> {
    let failure: unknown;
    for (const make of [undefined, ...WAYS_TO_MAKE_ROOM]) {
      // Whether it went well shows in the next attempt.
      await make?.(this.#database).catch(() => undefined);
      signal?.throwIfAborted();
      try {
        return await write();
      } catch (error) {
        // On a full disk more writing would make it worse.
        if (!isOfQuota(error)) throw error;
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
      // Without it everything works but deletions where no room is left.
      this.#reserve().catch(() => this.#reserveIn(RETRY_MS));
    }, delayMs);
  }

  async #reserve(): Promise<void> {
    const isThere = await this.#database.run(['ballast'], 'readonly', async (transaction) => {
      return (await transaction.objectStore('ballast').getKey('ballast')) !== undefined;
    });
    if (isThere) return;
    if (!(await hasRoom())) return this.#reserveIn(RETRY_MS);
    // Not zeros, which some disks do not store.
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
 * In a transaction that only deletes. Also where there is no ballast: after one that went well Chromium
 * counts anew what is used; until then it goes by what it once was, and that may be too much by far.
 */
async function release(database: TransactionRunner): Promise<void> {
  await database.run(['ballast'], 'readwrite', (transaction) =>
    transaction.objectStore('ballast').clear(),
  );
}

/** Has LevelDB tidy up what was deleted, by what is not kept: for that no room has to be left. */
async function compact(database: TransactionRunner): Promise<void> {
  await database.run(['ballast'], 'readwrite', fillAndAbort).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, COMPACTION_MS));
  await release(database);
}

/** Comfortably more than LevelDB writes before it tidies up: 4 MiB, in records of up to 64 KiB. */
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

/** The most that is drawn at once. */
const NOISE_BYTES = 64 * 1024;

/** Where the browser does not say, it is tried. */
async function hasRoom(): Promise<boolean> {
  const { usage, quota } = await storageEstimate();
  if (usage === undefined || quota === undefined) return true;
  return quota - usage >= ROOM_FACTOR * RESERVED_BYTES;
}
