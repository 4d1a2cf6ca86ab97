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

/** How long a piece stays on the server that no record needs, in milliseconds. */
export const KEEP_PIECES_MS = 30 * 86_400_000;

/** In how many looks a piece must have been unneeded until it is deleted: a wrong clock adds two of them. */
const LOOKS = 30;

/** How many unneeded pieces are watched at once: 2 GB. The others have their turn later. */
export const MAX_UNNEEDED = 4_000;

/** Up to so many records that this device does not know are read one by one, more with all others. */
const READ_ONE_BY_ONE = 100;

/** How many entries are looked at together: their bases are in memory. */
const ENTRIES_AT_ONCE = 50;

/** From this length on, in characters, what a record says may be in pieces itself. */
const MAX_PLAIN_LENGTH = 100_000;

/** The pieces that records need, each with an entry of this device that has it, and whether that is all of them. */
interface Needed {
  needed: ReadonlyMap<string, EntryId | undefined>;
  isWhole: boolean;
}

/** What a sweeper needs of its engine. */
export interface SweeperParts {
  store: Pick<StoreSync, 'synced' | 'read' | 'apply'>;
  remote: Remote;
  transfer: Transfer;
  now: () => number;
  state: () => SyncState;
  save: (change: Partial<SyncState>) => Promise<void>;
  /** As {@link KEEP_PIECES_MS}. */
  keepMs: number;
}

/**
 * Deletes the pieces that no record has needed for long, and sends those again that a record needs and the
 * server has lost.
 *
 * Another device may find such a piece on the server, and write a record that needs it while it is being
 * deleted. So whoever finds one that has been unneeded for a quarter of that time writes it again, and only
 * the version that was seen all the time is deleted. A device that finds one has looked less than half of
 * that time before.
 */
export class Sweeper implements PieceWatch {
  readonly #parts: SweeperParts;
  /** The pieces that this device has written since it looked. */
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

  /** @throws RemoteError `unavailable` where this device has looked too long ago, as after a long sleep */
  checkLook(): void {
    if (this.#sinceLook() > this.#parts.keepMs / 2)
      throw new RemoteError('unavailable', 'The round has taken too long.');
  }

  /** Looks at the pieces, unless it has lately. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { keepMs, now, remote, save, state } = this.#parts;
    const sinceMs = this.#sinceLook();
    if (sinceMs < keepMs / LOOKS) return;
    const change: Partial<SyncState> = { sweptAt: now() };
    try {
      const pieces = await arrayOf(remote.pieces.list(signal));
      // At the first look nothing is lost yet: where there are no pieces, no record has to be asked.
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
      // Where the user's devices may delete nothing, the pieces stay.
      const isRefused = error instanceof RemoteError && error.code !== 'unavailable';
      if (!isRefused || signal.aborted) throw error;
    }
    this.#written.clear();
    await save(change);
  }

  /** How long ago this device has looked, in milliseconds; Infinity where it has not, or its clock went back. */
  #sinceLook(): number {
    const { sweptAt = -1 } = this.#parts.state();
    const sinceMs = this.#parts.now() - sweptAt;
    return sweptAt < 0 || sinceMs < 0 ? Infinity : sinceMs;
  }

  /** What is known of pieces that are not needed; those that were seen before come first. */
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

  /** Marks what this device has of the pieces that are needed and not listed: it is sent in this round. */
  async #sendMissing(
    needed: Needed['needed'],
    listed: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    const { remote, store } = this.#parts;
    const missing = [...needed].filter(([name, id]) => id && !listed.has(name));
    if (missing.length === 0) return;
    // Others may have written them since they were listed.
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
   * The names of records of which this device does not know what they need, with its own entry if it has one;
   * notes what the others need.
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

/** The pieces that an entry needs, as far as this device knows; `undefined` where only its record says. */
function piecesIn(kind: EntryId['kind'], synced: SyncedEntry | undefined): string[] | undefined {
  const base = baseOf(synced);
  if (!base || synced?.isLost) return undefined;
  const pieces = 'pieces' in base ? (base.pieces as string[]) : [];
  if (kind === 'file' && !('pieces' in base) && !('deleted' in base)) return undefined;
  return JSON.stringify(base).length > MAX_PLAIN_LENGTH ? undefined : pieces;
}
