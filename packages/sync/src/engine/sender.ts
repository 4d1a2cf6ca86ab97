import type { StoreError } from '@inpage-mcp/store';
import {
  digestOf,
  type Acknowledgement,
  type StoreSync,
  type SyncEntry,
  type UnsyncedEntry,
} from '@inpage-mcp/store/sync';
import type { Entry } from '../merge/merge-entry.js';
import { RemoteError, type RemoteChange } from '../remotes/remote.js';
import { entryOf, isKnown, syncedOf, versionOf } from './entries.js';
import { idOf, withSent } from './sent-entries.js';
import type { SyncState } from './sync-state.js';
import type { Transfer } from './transfer.js';

/** The maximum number of entries that are sent before the database is written. */
const SENT_AT_ONCE = 100;

/** The number of entries to send that are read at once, because all their texts are in memory. */
const READ_AT_ONCE = 25;

/** The number of characters after which no more entries are read before these are sent. */
const MAX_TEXT = 2_000_000;

/** The maximum number of records that are remembered as written here: some 3 MB. */
const MAX_WRITTEN = 20_000;

/** The maximum number of attempts for an entry that changes again and again; then it stays unsynced. */
const ATTEMPTS = 10;

/** The parts of its engine that a sender needs. */
export interface SenderParts {
  store: StoreSync;
  transfer: Transfer;
  now: () => number;
  state: () => SyncState;
  save: (change: Partial<SyncState>) => Promise<void>;
  /** Throws if the pieces that were found on the server may have been deleted since. */
  checkLook: () => void;
  refuse: (reason: 'rejected' | 'damaged') => undefined;
  /** Takes the record that prevents sending. Returns whether the entry can be sent then. */
  takeOne: (name: string, known: Acknowledgement, signal: AbortSignal) => Promise<boolean>;
}

/** Sends the entries that were changed here. */
export class Sender {
  readonly #parts: SenderParts;
  /** The entries that were acknowledged since the sent versions were last stored. */
  readonly #acknowledged = new Set<string>();
  /** The versions of records that were written here and have not come back yet, by name. */
  readonly #written = new Map<string, string>();
  /** The failure of a server without room for the pieces of a file. */
  #full: RemoteError | undefined;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Whether a change is one that was written here, so that it is known. True only once for each. */
  isOwn({ name, version }: RemoteChange): boolean {
    const written = this.#written.get(name);
    this.#written.delete(name);
    return written === version;
  }

  /** Forgets the written versions, because the server is another one, or has gone back. */
  forget(): void {
    this.#written.clear();
  }

  /**
   * Sends all changes of this device.
   *
   * @returns The failure of a server without room for some of them.
   */
  async sendAll(signal: AbortSignal): Promise<RemoteError | undefined> {
    this.#full = undefined;
    let last: UnsyncedEntry | undefined;
    for (;;) {
      const entries = await this.#parts.store.unsynced(SENT_AT_ONCE, last);
      last = entries.at(-1);
      if (!last) return this.#full;
      try {
        await this.#sendSome(entries, signal);
      } catch (error) {
        if (error instanceof RemoteError && error.code === 'full') return error;
        throw error;
      }
    }
  }

  /** Sends entries at the same time, and again those of which the server had another version. */
  async #sendSome(unsynced: readonly UnsyncedEntry[], signal: AbortSignal): Promise<void> {
    const left = [...unsynced];
    for (let attempt = 0; left.length > 0 && attempt < ATTEMPTS; attempt += 1) {
      const prepared = await this.#prepareSome(left, signal);
      const sendings = valuesOf(prepared);
      const entries = sendings.flatMap(({ entry }) => entry ?? []);
      if (entries.length > 0) await this.noteSent(entries);
      const sent = await Promise.allSettled(sendings.map((one) => this.#send(one, signal)));
      const done = valuesOf(sent).filter((one) => one !== 'again');
      await this.#parts.store.acknowledge(done);
      for (const one of done) this.#acknowledged.add(idOf(one));
      for (const result of [...prepared, ...sent])
        if (result.status === 'rejected') throw result.reason;
      left.push(
        ...sendings.filter((_, index) => (sent[index] as { value: unknown }).value === 'again'),
      );
    }
  }

  /** Prepares entries until they have much text, and removes them from the list. */
  async #prepareSome(
    unsynced: UnsyncedEntry[],
    signal: AbortSignal,
  ): Promise<PromiseSettledResult<Sending | undefined>[]> {
    const prepared = [];
    let length = 0;
    while (unsynced.length > 0 && length < MAX_TEXT) {
      const some = unsynced.splice(0, READ_AT_ONCE);
      const stored = await this.#parts.store.readAll(some);
      const preparing = some.map((one, index) => this.#prepare(one, stored[index]!, signal));
      prepared.push(...(await Promise.allSettled(preparing)));
      for (const { note } of stored) length += note?.text.length ?? 0;
    }
    return prepared;
  }

  /** Stores the versions that the server may have from now on, whether its answer arrives or not. */
  async noteSent(entries: readonly Entry[], change: Partial<SyncState> = {}): Promise<void> {
    const { sent = new Map() } = this.#parts.state();
    await this.#parts.save({ ...change, sent: withSent(sent, entries, this.#acknowledged) });
    this.#acknowledged.clear();
  }

  /**
   * Prepares what is sent of an entry; without an entry if the server has it. `undefined` if it stays
   * unsynced.
   */
  async #prepare(
    { kind, key }: UnsyncedEntry,
    local: SyncEntry,
    signal: AbortSignal,
  ): Promise<Sending | undefined> {
    const { mark, synced, file } = local;
    // An entry that cannot be read is not sent as a deletion, because other devices may still have it.
    if (mark === undefined || local.damaged) return undefined;
    const known = { kind, key, mark, synced };
    // The versions that the server may have although its answer got lost.
    const sent = this.#parts.state().sent?.get(idOf({ kind, key })) ?? [];
    const unheard = sent.filter((id) => !synced?.past?.includes(id));
    // The entry was created and deleted between two rounds.
    if (!local.note && !file && !synced && unheard.length === 0) return known;
    const pieces = file ? await this.#sendBytes(file, signal) : [];
    if (!pieces) return undefined;
    const isDoubted = synced?.isLost || unheard.length > 0;
    const entry = entryOf(kind, key, local, pieces, this.#parts.now());
    if (!isDoubted && (await isKnown(entry, synced))) return known;
    return { ...known, entry: await versionOf(entry, synced, unheard) };
  }

  /**
   * The pieces of a file, which the server has then; `undefined` if it does not take them, or if the bytes
   * cannot be read.
   */
  async #sendBytes(
    { record, bytes }: NonNullable<SyncEntry['file']>,
    signal: AbortSignal,
  ): Promise<string[] | undefined> {
    try {
      const pieces = await this.#parts.transfer.sendBytes(bytes, signal);
      // Where there is a vault, there is SHA-256.
      record.digest ??= (await digestOf(bytes))!;
      return pieces;
    } catch (error) {
      // Such a file must not prevent the other entries from being sent.
      const { code } = error as Partial<RemoteError | StoreError>;
      if (code === 'unreadable') return this.#parts.refuse('damaged');
      if (code === 'invalid') return this.#parts.refuse('rejected');
      if (code !== 'full') throw error;
      this.#full = error as RemoteError;
      return undefined;
    }
  }

  /**
   * Sends an entry. Returns the acknowledgement to store, or `again` if it has to be tried again; `undefined`
   * if it stays unsynced.
   */
  async #send(
    { entry, ...known }: Sending,
    signal: AbortSignal,
  ): Promise<Acknowledgement | 'again' | undefined> {
    if (!entry) return known;
    const { kind, key, synced } = known;
    const name = await this.#parts.transfer.nameOf(kind, key);
    this.#parts.checkLook();
    try {
      const version = await this.#parts.transfer.send(name, entry, synced?.version ?? '', signal);
      if (this.#written.size < MAX_WRITTEN) this.#written.set(name, version);
      return { ...known, synced: await syncedOf(entry, version) };
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      // A server that refuses such a record must not prevent the others from being sent.
      if (error.code === 'invalid') return this.#parts.refuse('rejected');
      if (error.code !== 'conflict') throw error;
      return (await this.#parts.takeOne(name, known, signal)) ? 'again' : undefined;
    }
  }
}

/** An entry to be sent, with its acknowledgement; without `entry` if the server has it. */
interface Sending extends Acknowledgement {
  entry?: Entry;
}

function valuesOf<Value>(results: readonly PromiseSettledResult<Value | undefined>[]): Value[] {
  return results.flatMap((one) =>
    one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [],
  );
}
