import type { Acknowledgement, StoreSync, SyncEntry, UnsyncedEntry } from '@inpage-mcp/store/sync';
import type { Entry } from '../merge/merge-entry.js';
import { RemoteError, type RemoteChange } from '../remotes/remote.js';
import { entryOf, isKnown, syncedOf, versionOf } from './entries.js';
import { digestOf } from './file-bytes.js';
import { idOf, withSent } from './sent-entries.js';
import type { SyncState } from './sync-state.js';
import type { Transfer } from './transfer.js';

/** How many entries are sent before the database is written. */
const SENT_AT_ONCE = 100;

/** How many entries to send are read at once: all their texts are in memory. */
const READ_AT_ONCE = 25;

/** After how many characters no more entries are read before these are sent. */
const MAX_TEXT = 2_000_000;

/** Of how many records it is remembered that they were written here: some 3 MB. */
const MAX_WRITTEN = 20_000;

/** How often an entry is tried that changes again and again; it stays unsynced then. */
const ATTEMPTS = 10;

/** What a sender needs of its engine. */
export interface SenderParts {
  store: StoreSync;
  transfer: Transfer;
  now: () => number;
  state: () => SyncState;
  save: (change: Partial<SyncState>) => Promise<void>;
  /** Throws where the pieces that were found on the server may no longer be there. */
  checkLook: () => void;
  refuse: (reason: 'rejected') => undefined;
  /** Takes the record that was in the way. Returns whether the entry can be sent then. */
  takeOne: (name: string, known: Acknowledgement, signal: AbortSignal) => Promise<boolean>;
}

/** Sends the entries that were changed here. */
export class Sender {
  readonly #parts: SenderParts;
  /** The entries that were acknowledged since it was last written down what was sent. */
  readonly #acknowledged = new Set<string>();
  /** The versions of records that were written here and did not come back yet, by name. */
  readonly #written = new Map<string, string>();

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Whether a change is what was written here: it is known. Says so once. */
  isOwn({ name, version }: RemoteChange): boolean {
    const written = this.#written.get(name);
    this.#written.delete(name);
    return written === version;
  }

  /** Forgets what was written: the server is another one, or has gone back. */
  forget(): void {
    this.#written.clear();
  }

  /** Sends all that was changed here. */
  async sendAll(signal: AbortSignal): Promise<void> {
    let last: UnsyncedEntry | undefined;
    for (;;) {
      const entries = await this.#parts.store.unsynced(SENT_AT_ONCE, last);
      last = entries.at(-1);
      if (!last) return;
      await this.#sendSome(entries, signal);
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

  /** Prepares entries until they have much text, and takes them from the list. */
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

  /** Writes down what the server may have from now on, whether its answer comes or not. */
  async noteSent(entries: readonly Entry[], change: Partial<SyncState> = {}): Promise<void> {
    const { sent = new Map() } = this.#parts.state();
    await this.#parts.save({ ...change, sent: withSent(sent, entries, this.#acknowledged) });
    this.#acknowledged.clear();
  }

  /** What is to be sent of an entry; without an entry if the server has it. Nothing if it stays unsynced. */
  async #prepare(
    { kind, key }: UnsyncedEntry,
    local: SyncEntry,
    signal: AbortSignal,
  ): Promise<Sending | undefined> {
    const { mark, synced, file } = local;
    // Not what cannot be read: others may still have it.
    if (mark === undefined || local.damaged) return undefined;
    const known = { kind, key, mark, synced };
    // What the server may have although its answer got lost.
    const sent = this.#parts.state().sent?.get(idOf({ kind, key })) ?? [];
    const unheard = sent.filter((id) => !synced?.past?.includes(id));
    // Came and went between two rounds.
    if (!local.note && !file && !synced && unheard.length === 0) return known;
    const pieces = file ? await this.#parts.transfer.sendBytes(file.bytes, signal) : [];
    if (file) file.record.digest ??= await digestOf(file.bytes);
    const isDoubted = synced?.isLost || unheard.length > 0;
    const entry = entryOf(kind, key, local, pieces, this.#parts.now());
    if (!isDoubted && (await isKnown(entry, synced))) return known;
    return { ...known, entry: await versionOf(entry, synced, unheard) };
  }

  /** Sends an entry. Returns what to note of it, or whether to try again; nothing if it stays unsynced. */
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
      // A server that takes no such record must not keep the others back.
      if (error.code === 'invalid') return this.#parts.refuse('rejected');
      if (error.code !== 'conflict') throw error;
      return (await this.#parts.takeOne(name, known, signal)) ? 'again' : undefined;
    }
  }
}

/** What an entry is when it is sent; without `entry` the server has it. */
interface Sending extends Acknowledgement {
  entry?: Entry;
}

function valuesOf<Value>(results: readonly PromiseSettledResult<Value | undefined>[]): Value[] {
  return results.flatMap((one) =>
    one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [],
  );
}
