import type { EntryId, StoreSync, SyncedEntry } from '@inpage-mcp/store/sync';
import { KEY_RING_NAME } from '../keys/key-ring.js';
import { RecordError } from '../keys/record-error.js';
import {
  type Remote,
  type RemoteChange,
  RemoteError,
  type RemotePiece,
} from '../remotes/remote.js';
import { baseOf } from './entries.js';
import type { SyncState, UnneededPiece } from './sync-state.js';
import type { PieceWatch, Transfer } from './transfer.js';

/** The time that a piece without a record stays on the server, in milliseconds. */
export const KEEP_PIECES_MS = 30 * 86_400_000;

/**
 * The number of checks in which a piece must have been unneeded until it is deleted: a wrong clock adds two
 * of them.
 */
const LOOKS = 30;

/** The maximum number of unneeded pieces that are watched at once: 2 GB. The others are watched later. */
export const MAX_UNNEEDED = 4_000;

/**
 * The maximum number of unknown records that are read one by one; if there are more, all records are read.
 */
const READ_ONE_BY_ONE = 100;

/** The number of entries that are read together, because their bases are in memory. */
const ENTRIES_AT_ONCE = 50;

/** The length of a record's content, in characters, above which it may be in pieces itself. */
const MAX_PLAIN_LENGTH = 100_000;

/**
 * The pieces that records need, each with an entry of this device that has it, and whether the list is
 * complete.
 */
interface Needed {
  needed: ReadonlyMap<string, EntryId | undefined>;
  isWhole: boolean;
}

/** The parts of its engine that a sweeper needs. */
export interface SweeperParts {
  store: Pick<StoreSync, 'synced' | 'read' | 'apply'>;
  remote: Remote;
  transfer: Transfer;
  now: () => number;
  state: () => SyncState;
  save: (change: Partial<SyncState>) => Promise<void>;
  /** The time that an unneeded piece stays: see {@link KEEP_PIECES_MS}. */
  keepMs: number;
}

/**
 * Deletes the pieces that no record has needed for long, and lets the engine send those again that a record
 * needs but the server has lost.
 *
 * Another device may find such a piece on the server, and write a record that needs it while the piece is
 * being deleted. So a device that finds a piece that has been unneeded for a quarter of that time writes it
 * again, and only the version that was unneeded all the time is deleted. The last check of a device that
 * finds a piece was less than half of that time ago.
 */
export class Sweeper implements PieceWatch {
  readonly #parts: SweeperParts;
  /** The pieces that this device has written since its last check. */
  readonly #written = new Set<string>();

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  noteWritten(name: string): void {
    this.#written.add(name);
  }

  mayBeDeleted(name: string): boolean {
    if (this.#written.has(name)) return false;
    const { unneeded } = this.#parts.state();
    const piece = unneeded?.get(name);
    if (piece) return piece.mostMs >= this.#parts.keepMs / 4;
    return unneeded !== undefined && unneeded.size >= MAX_UNNEEDED;
  }

  /**
   * Checks the time of the last check.
   *
   * @throws RemoteError `unavailable` if it was too long ago, as after a long sleep.
   */
  checkLook(): void {
    if (this.#sinceLook() > this.#parts.keepMs / 2)
      throw new RemoteError('unavailable', 'The round has taken too long.');
  }

  /** Checks the pieces, unless this device has done so lately. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { keepMs, now, remote, save, state } = this.#parts;
    const sinceMs = this.#sinceLook();
    if (sinceMs < keepMs / LOOKS) return;
    const change: Partial<SyncState> = { sweptAt: now() };
    try {
      const pieces = await arrayOf(remote.pieces.list(signal));
      // At the first check, nothing can be lost yet: if no pieces exist, no record has to be read.
      const mayNeed = pieces.length > 0 || sinceMs < Infinity;
      const { needed, isWhole } = mayNeed
        ? await this.#needed(signal)
        : { needed: new Map<string, undefined>(), isWhole: true };
      const listed = new Set(pieces.map(({ name }) => name));
      await this.#sendMissing(needed, listed, signal);
      const unneeded = this.#unneeded(
        pieces.filter(({ name }) => !needed.has(name)),
        sinceMs,
      );
      const due = [...unneeded].filter(([, { seenMs }]) => isWhole && seenMs >= keepMs);
      const unwanted = due.map(([name, { version }]) => ({ name, version }));
      if (due.length > 0) await remote.pieces.delete(unwanted, signal);
      if (unneeded.size > 0 || state().unneeded) change.unneeded = unneeded;
    } catch (error) {
      // If the server does not let the user's devices delete anything, the pieces stay.
      const isRefused = error instanceof RemoteError && error.code !== 'unavailable';
      if (!isRefused || signal.aborted) throw error;
    }
    this.#written.clear();
    await save(change);
  }

  /**
   * The time since the last check of this device, in milliseconds; Infinity before the first one, or if its
   * clock went back.
   */
  #sinceLook(): number {
    const { sweptAt = -1 } = this.#parts.state();
    const sinceMs = this.#parts.now() - sweptAt;
    return sweptAt < 0 || sinceMs < 0 ? Infinity : sinceMs;
  }

  /** The facts about pieces that are not needed; those that were unneeded before come first. */
  #unneeded(pieces: readonly RemotePiece[], sinceMs: number): Map<string, UnneededPiece> {
    const { keepMs, state } = this.#parts;
    const { unneeded: before } = state();
    const countedMs = sinceMs === Infinity ? 0 : Math.min(sinceMs, (2 * keepMs) / LOOKS);
    const again: [string, UnneededPiece][] = [];
    const others: [string, UnneededPiece][] = [];
    for (const { name, version } of pieces) {
      const known = before?.get(name);
      if (known?.version === version)
        again.push([
          name,
          { version, seenMs: known.seenMs + countedMs, mostMs: known.mostMs + sinceMs },
        ]);
      else others.push([name, { version, seenMs: 0, mostMs: sinceMs }]);
    }
    return new Map([...again, ...others].slice(0, MAX_UNNEEDED));
  }

  async #needed(signal: AbortSignal): Promise<Needed> {
    const needed = new Map<string, EntryId | undefined>();
    const { remote, transfer } = this.#parts;
    const unknown = await this.#unknownRecords(needed, signal);
    const records =
      unknown.size > READ_ONE_BY_ONE
        ? remote.since('', signal)
        : recordsOf(remote, [...unknown.keys()], signal);
    let isWhole = true;
    for await (const { name, bytes } of records) {
      const id = unknown.get(name);
      if (!unknown.delete(name) || !bytes) continue;
      try {
        for (const piece of await transfer.piecesOf(name, bytes, signal))
          needed.set(piece, needed.get(piece) ?? id);
      } catch (error) {
        if (!(error instanceof RecordError) || error.code === 'unknown-key') throw error;
        isWhole = false;
      }
    }
    return { needed, isWhole: isWhole && unknown.size === 0 };
  }

  /**
   * Marks the entries of this device that have needed pieces which are not listed, so that they are sent in
   * this round.
   */
  async #sendMissing(
    needed: Needed['needed'],
    listed: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    const { remote, store } = this.#parts;
    const missing = [...needed].filter(([name, id]) => id && !listed.has(name));
    if (missing.length === 0) return;
    // Other devices may have written the pieces since they were listed.
    const there = await remote.pieces.has(
      missing.map(([name]) => name),
      signal,
    );
    for (const [name, id] of missing) {
      if (there.has(name)) continue;
      const { mark, synced, note, file } = await store.read(id!.kind, id!.key);
      if (!synced || !(note ?? file)) continue;
      const lost = { ...synced, isLost: true };
      await store.apply([{ ...id!, expectedMark: mark, synced: lost, keepMark: true }]);
    }
  }

  /**
   * The names of the records whose pieces this device does not know, each with its own entry if it has one.
   * Adds the pieces of the other records to `needed`.
   */
  async #unknownRecords(
    needed: Map<string, EntryId | undefined>,
    signal: AbortSignal,
  ): Promise<Map<string, EntryId | undefined>> {
    const { remote, store, transfer } = this.#parts;
    const listed = await arrayOf(remote.list(signal));
    const versions = new Map(listed.map(({ name, version }) => [name, version]));
    versions.delete(KEY_RING_NAME);
    const unknown = new Map<string, EntryId | undefined>();
    for (const name of versions.keys()) unknown.set(name, undefined);
    let last: EntryId | undefined;
    do {
      const entries = await store.synced(ENTRIES_AT_ONCE, last);
      for (const { kind, key, synced } of entries) {
        const pieces = piecesIn(kind, synced);
        const id = { kind, key };
        for (const piece of pieces ?? []) needed.set(piece, id);
        const name = await transfer.nameOf(kind, key);
        if (pieces && versions.get(name) === synced?.version) unknown.delete(name);
        else if (unknown.has(name)) unknown.set(name, id);
      }
      last = entries.at(-1);
    } while (last);
    return unknown;
  }
}

async function* recordsOf(
  remote: Remote,
  names: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Pick<RemoteChange, 'name' | 'bytes'>> {
  for (const name of names) {
    const { bytes } = (await remote.get(name, signal)) ?? { bytes: null };
    yield { name, bytes };
  }
}

async function arrayOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/**
 * The pieces that an entry needs, as far as this device knows; `undefined` if only its record contains them.
 */
function piecesIn(kind: EntryId['kind'], synced: SyncedEntry | undefined): string[] | undefined {
  const base = baseOf(synced);
  if (!base || synced?.isLost) return undefined;
  const pieces = 'pieces' in base ? (base.pieces as string[]) : [];
  if (kind === 'file' && !('pieces' in base) && !('deleted' in base)) return undefined;
  return JSON.stringify(base).length > MAX_PLAIN_LENGTH ? undefined : pieces;
}
