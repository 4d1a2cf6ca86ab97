import { StoreError } from '@inpage-mcp/store';
import { bytesOf, digestOf, type FileContent, type StoreSync } from '@inpage-mcp/store/sync';
import type { Bytes } from '../keys/bytes.js';
import type { DeletionPayload, FilePayload, Payload } from '../keys/payload.js';
import { RecordError } from '../keys/record-error.js';
import { copiedPath } from '../merge/merge-entry.js';
import { RemoteError, type Remote, type RemoteRecord } from '../remotes/remote.js';
import { expectedOf, type RemoteEntry } from './decide.js';
import { contentFor, isDeletion } from './entries.js';
import { ATTEMPTS, type Receiver } from './receiver.js';
import type { SyncState } from './sync-state.js';
import type { Transfer } from './transfer.js';

/** The delay before a file that is damaged on the server is tried again, in milliseconds. */
const DAMAGED_RETRY_MS = 600_000;

/** The parts of its engine that a receiver of files needs. */
export interface FileReceiverParts {
  store: StoreSync;
  remote: Remote;
  transfer: Transfer;
  receiver: Receiver;
  now: () => number;
  state: () => SyncState;
  save: (change: Partial<SyncState>) => Promise<void>;
  refuse: (reason: RecordError['code']) => void;
  /** Opens a record; `undefined` if it cannot be used. */
  open: (
    record: Pick<RemoteRecord, 'bytes'> & { name: string },
    signal: AbortSignal,
  ) => Promise<Payload | undefined>;
  /** Merges the versions that the server has accepted in addition to a taken record. */
  takeRivals: (
    record: RemoteRecord & { name: string },
    winner: FilePayload,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** Fetches files from the server. */
export class FileReceiver {
  readonly #parts: FileReceiverParts;
  /** The time when a file that was damaged on the server is tried again, by the name of its record. */
  readonly #retryAt = new Map<string, number>();

  constructor(parts: FileReceiverParts) {
    this.#parts = parts;
  }

  /** Fetches the files that are stored as waiting, one after the other, because they may be large. */
  async fetchAll(signal: AbortSignal): Promise<void> {
    for (const name of this.#parts.state().waiting) {
      if ((this.#retryAt.get(name) ?? 0) > this.#parts.now()) continue;
      if (!(await this.fetchIfWhole(name, signal))) continue;
      const waiting = new Set(this.#parts.state().waiting);
      waiting.delete(name);
      await this.#parts.save({ waiting });
    }
  }

  /** Fetches a file; returns whether it is done. A file that is damaged on the server may be whole later. */
  async fetchIfWhole(name: string, signal: AbortSignal, isInTheWay = false): Promise<boolean> {
    const isDone = await this.#isWhole(() => this.#fetch(name, signal, isInTheWay));
    if (!isDone) this.#retryAt.set(name, this.#parts.now() + DAMAGED_RETRY_MS);
    return isDone;
  }

  /** Adds a version that the server has in addition to a record, unless that is damaged on the server. */
  async addRival(rival: FilePayload, signal: AbortSignal): Promise<void> {
    const parts = () => this.#parts.transfer.receiveBytes(rival.pieces, signal);
    const copy = { ...rival, key: copiedPath(rival) };
    await this.#isWhole(() => this.addCopy(copy, parts, signal));
  }

  /** Runs a function; returns false if it fails because a file is damaged, which is counted. */
  async #isWhole(run: () => Promise<void>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      const isDamaged =
        error instanceof StoreError && ['unreadable', 'invalid-argument'].includes(error.code);
      const isRecord = error instanceof RecordError && error.code !== 'unknown-key';
      if (!isDamaged && !isRecord) throw error;
      this.#parts.refuse(isRecord ? error.code : 'damaged');
      return false;
    }
  }

  /** Makes a file the same as on the server, or the result of a merge. */
  async #fetch(name: string, signal: AbortSignal, isInTheWay: boolean): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await this.#parts.remote.get(name, signal);
      const payload = record && (await this.#parts.open({ name, bytes: record.bytes }, signal));
      if (payload?.kind !== 'file') return;
      const entry = payload as FilePayload | DeletionPayload;
      const version = expectedOf(record!);
      if (isDeletion(entry)) {
        await this.#parts.receiver.accept([{ entry, version }], undefined, isInTheWay);
        return;
      }
      const remote = { entry, version };
      if (!(await this.accept(remote, signal, { isInTheWay }))) continue;
      if (!isInTheWay) await this.#parts.takeRivals({ ...record!, name }, entry, signal);
      return;
    }
    throw new RemoteError('unavailable', 'A file changes all the time.');
  }

  /**
   * Makes a file the same as on the server, or the result of a merge.
   *
   * @returns Whether the file is done; it is not if it has changed in the meantime, or needs bytes that may
   *   not be fetched.
   */
  async accept(
    remote: RemoteEntry<FilePayload>,
    signal: AbortSignal,
    { isInTheWay = false, mayFetch = true },
  ): Promise<boolean> {
    const { entry: theirs } = remote;
    const local = await this.#parts.store.read('file', theirs.key);
    const { file } = local;
    const hasDigest = file?.record.digest !== undefined;
    if (file && !hasDigest) {
      if (!mayFetch) return false;
      // Without one, the content would not count as one that could be lost.
      file.record.digest = (await digestOf(file.bytes))!;
    }
    const decision = await this.#parts.receiver.decide(remote, local, isInTheWay);
    if (!decision) return true;
    const { write, copy, conflict } = decision;
    const isMine = (digest: string | undefined): boolean => file?.record.digest === digest;
    /** The bytes of a version of this file: from this device if it has them, otherwise from the server. */
    const partsFor = (digest: string | undefined): AsyncIterable<Bytes> =>
      file && isMine(digest)
        ? partsOf(file.bytes)
        : this.#parts.transfer.receiveBytes(theirs.pieces, signal);
    const sizeOf = (digest: string | undefined): number =>
      file && isMine(digest) ? file.bytes.size : theirs.size;
    const digest = write.file?.record.digest;
    // The store keeps the bytes of a record without a digest only for another such record.
    const isHere = !write.file || (hasDigest && file?.record.digest === digest);
    if (!mayFetch && (copy || !isHere)) return false;
    if (copy) await this.addCopy(copy as FilePayload, partsFor, signal);
    const apply = async (bytes?: FileContent): Promise<boolean> => {
      const content = write.file && bytes ? { file: { ...write.file, bytes } } : {};
      const [outcome] = await this.#parts.receiver.apply([{ ...write, ...content }]);
      return outcome === 'applied';
    };
    const isDone = isHere
      ? await apply()
      : await this.#parts.store.withBytes(
          { parts: partsFor(digest), size: sizeOf(digest) },
          apply,
          signal,
        );
    if (isDone && conflict) await this.#parts.receiver.noteConflicts([decision]);
    return isDone;
  }

  /** Adds the other version of a file, as a file of this device. */
  async addCopy(
    copy: FilePayload,
    partsFor: (digest: string) => AsyncIterable<Bytes>,
    signal: AbortSignal,
  ): Promise<void> {
    const { file, mark, damaged } = await this.#parts.store.read('file', copy.key);
    if (file ?? mark ?? damaged) return;
    const write = {
      kind: 'file' as const,
      key: copy.key,
      expectedMark: undefined,
      synced: undefined,
    };
    await this.#parts.store.withBytes(
      { parts: partsFor(copy.digest), size: copy.size },
      async (bytes) => {
        const content = { file: { ...contentFor(copy).file!, bytes } };
        await this.#parts.store.apply([{ ...write, ...content, keepMark: true }]);
      },
      signal,
    );
  }
}

/** The bytes of a Blob, which the store reads in parts. */
async function* partsOf(blob: Blob): AsyncGenerator<Bytes> {
  for await (const buffer of bytesOf(blob)) yield new Uint8Array(buffer);
}
