import type { StoreSync } from '@inpage-mcp/store/sync';
import type { FilePayload, Payload } from '../keys/payload.js';
import { RecordError } from '../keys/record-error.js';
import { mergeEntry, type Entry } from '../merge/merge-entry.js';
import {
  RemoteError,
  type Remote,
  type RemoteChange,
  type RemoteRecord,
} from '../remotes/remote.js';
import { contentFor, entryOf, isDeletion, versionsOf } from './entries.js';
import { ATTEMPTS, type Receiver } from './receiver.js';
import { KEEP_PIECES_MS } from './sweeper.js';
import type { Transfer } from './transfer.js';

/** The parts of its engine that the merging of rivals needs. */
export interface RivalsParts {
  store: StoreSync;
  remote: Remote;
  transfer: Transfer;
  receiver: Receiver;
  now: () => number;
  refuse: (reason: RecordError['code']) => void;
  /** Opens a record; `undefined` if it cannot be used. */
  open: (
    record: Pick<RemoteChange, 'name' | 'bytes'>,
    signal: AbortSignal,
  ) => Promise<Payload | undefined>;
  /** Adds a version of a file, as a file of its own. */
  addFile: (rival: FilePayload, signal: AbortSignal) => Promise<void>;
}

/** Merges the versions that the nodes of a server have accepted next to a record: see RemoteRecord.rivals. */
export class Rivals {
  readonly #parts: RivalsParts;

  constructor(parts: RivalsParts) {
    this.#parts = parts;
  }

  /**
   * Whether all versions that the server has accepted in addition to a record can be merged; otherwise it is
   * counted. The record of a later version of this package cannot, nor a file whose pieces have not reached
   * this node yet; those of an older file may have been deleted.
   */
  async canMerge(
    { name, rivals = [] }: Pick<RemoteChange, 'name' | 'rivals'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const bytes of rivals) {
      try {
        const rival = await this.#parts.transfer.open(name, bytes);
        const { pieces = [], updatedAt = 0 } = rival as Partial<FilePayload>;
        if (this.#parts.now() - updatedAt > KEEP_PIECES_MS) continue;
        const there = await this.#parts.remote.pieces.has(pieces, signal);
        if (pieces.every((piece) => there.has(piece))) continue;
        this.#parts.refuse('damaged');
        return false;
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        if (error.code !== 'newer') continue;
        this.#parts.refuse('newer');
        return false;
      }
    }
    return true;
  }

  /**
   * Merges the versions that the server has accepted in addition to a taken record, if all of them can be
   * merged. Only then does a write expect the version of the record, because it deletes them.
   */
  async take(
    record: RemoteRecord & { name: string },
    winner: Entry | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (!record.rivals || !(await this.canMerge(record, signal))) return;
    await this.#mergeAll(record, winner, signal);
    if (!winner) return;
    const { kind, key } = winner;
    const { mark, synced } = await this.#parts.store.read(kind, key);
    // Otherwise, the winner was not taken yet, as a file to be fetched.
    const isTaken = winner.id === undefined || synced?.past?.includes(winner.id);
    if (synced?.version !== '' || !isTaken) return;
    const known = { ...synced, version: record.version };
    const keepMark = mark !== undefined;
    await this.#parts.store.apply([{ kind, key, expectedMark: mark, synced: known, keepMark }]);
  }

  /** Merges the rivals of a record, as if they had been written here. */
  async #mergeAll(
    { name, rivals = [] }: Pick<RemoteChange, 'name' | 'rivals'>,
    winner: Entry | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    for (const bytes of rivals) {
      const rival = (await this.#parts.open({ name, bytes }, signal)) as Entry | undefined;
      if (!rival || !['note', 'file'].includes(rival.kind) || isDeletion(rival)) continue;
      // The version led to the present one: its answer got lost, and another node did not know of it.
      if (winner && rival.id !== undefined && versionsOf(winner).includes(rival.id)) continue;
      const isNewer = winner?.id !== undefined && rival.past?.includes(winner.id);
      if (rival.kind === 'file') await this.#parts.addFile(rival, signal);
      else await this.#mergeNote(isNewer ? winner : undefined, rival);
    }
  }

  /** Merges a version of a note, as if it had been written here. */
  async #mergeNote(base: Entry | undefined, theirs: Entry): Promise<void> {
    const { kind, key } = theirs;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const local = await this.#parts.store.read(kind, key);
      const mine = entryOf(kind, key, local, [], this.#parts.now());
      const { merged, copy } = await mergeEntry(base, mine, theirs);
      if (copy) await this.#parts.receiver.addCopy(copy);
      const write = { kind, key, expectedMark: local.mark, synced: local.synced, keepMark: true };
      const [outcome] = await this.#parts.store.apply([{ ...write, ...contentFor(merged) }]);
      if (outcome === 'applied') return;
    }
    throw new RemoteError('unavailable', 'An entry changes all the time.');
  }
}
