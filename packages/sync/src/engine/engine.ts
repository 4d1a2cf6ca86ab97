import type { Acknowledgement, StoreSync } from '@inpage-mcp/store/sync';
import { isOlderKeyRing, KEY_RING_NAME } from '../keys/key-ring.js';
import type { NotePayload, Payload } from '../keys/payload.js';
import { RecordError } from '../keys/record-error.js';
import type { Entry } from '../merge/merge-entry.js';
import {
  RemoteError,
  type Remote,
  type RemoteChange,
  type RemoteRecord,
} from '../remotes/remote.js';
import { compareRecords, type Comparison, type KnownEntry } from './compare-records.js';
import { expectedOf, type RemoteEntry } from './decide.js';
import { DeviceList, areSameDevices, noteDevice } from './device-list.js';
import { isDeletion } from './entries.js';
import { FileReceiver } from './file-receiver.js';
import { checkKeyRing } from './newest-key.js';
import { Receiver } from './receiver.js';
import { Rivals } from './rivals.js';
import { Sender } from './sender.js';
import type { SyncState } from './sync-state.js';
import { KEEP_PIECES_MS, Sweeper } from './sweeper.js';
import { Transfer } from './transfer.js';

/** The maximum number of records that are taken before the database is written. */
const AT_ONCE = 100;

/** The maximum size of records that are taken at once, in bytes. */
const BYTES_AT_ONCE = 1_000_000;

/** The maximum number of characters of texts in one transaction: fewer bytes than the limit of the store. */
const TEXT_AT_ONCE = 2_000_000;

/** The maximum number of records that are remembered as unusable: a hostile device may write any number. */
export const MAX_UNUSABLE = 1_000;

/** The number of rounds in which a server must know fewer changes until it counts as gone back in time. */
const LOOKS = 3;

/**
 * The interval at which this device compares the records of the server, in milliseconds; the second one
 * applies after the server was unavailable.
 */
const COMPARISON_INTERVAL_MS = 86_400_000;
const DOUBTED_INTERVAL_MS = 600_000;

type NamedRecord = RemoteRecord & { name: string };

/** The parts that an engine works with. */
export interface EngineParts {
  store: StoreSync;
  remote: Remote;
  /** The current time in milliseconds since 1970. Default: the clock. */
  now?: () => number;
  /** Called when the state has changed, and has been stored. */
  onchange?: (state: SyncState) => void;
  /** The time that a piece without a record stays, in milliseconds. Default: {@link KEEP_PIECES_MS}. */
  keepPiecesMs?: number;
}

/** The reason why a record cannot be used. */
type Refusal = RecordError['code'] | 'replayed' | 'rejected';

/** The records that a round could not use; they stay on the server as they are. */
export interface RoundReport {
  /** The number of refused records, by the reason; those that cannot be opened until they are written again. */
  refused: Map<Refusal, number>;
}

/**
 * Makes a database and the records of a server the same. Its work may be interrupted at any moment, because
 * the next round continues from the stored state.
 */
export class Engine {
  readonly #store: StoreSync;
  readonly #remote: Remote;
  readonly #transfer: Transfer;
  readonly #receiver: Receiver;
  readonly #files: FileReceiver;
  readonly #rivals: Rivals;
  readonly #sender: Sender;
  readonly #sweeper: Sweeper;
  readonly #devices: DeviceList;
  readonly #now: () => number;
  readonly #onchange: (state: SyncState) => void;
  #state: SyncState;
  /** The refusals of a round that are not those of records. */
  #refused: RoundReport['refused'] = new Map();
  /** The records that cannot be opened, by name. */
  readonly #unusable: Map<string, RecordError['code']>;
  /** The number of rounds in which the server has known fewer changes than before. */
  #lower = 0;
  /** The minimum time since the last comparison before another one, in milliseconds. */
  #comparisonMs = COMPARISON_INTERVAL_MS;

  constructor(parts: EngineParts, state: SyncState) {
    const { store, remote, now = Date.now, onchange = () => undefined } = parts;
    const { keepPiecesMs: keepMs = KEEP_PIECES_MS } = parts;
    this.#store = store;
    this.#remote = remote;
    this.#now = now;
    this.#onchange = onchange;
    this.#state = state;
    this.#unusable = new Map(state.unusable);
    const transfer = new Transfer(remote, () => this.#state.keys, {
      mayBeDeleted: (piece) => this.#sweeper.mayBeDeleted(piece),
      noteWritten: (piece) => this.#sweeper.noteWritten(piece),
    });
    this.#transfer = transfer;
    const shared = {
      store,
      transfer,
      now,
      state: () => this.#state,
      save: (change: Partial<SyncState>) => this.#save(change),
      refuse: (reason: Refusal) => this.#refuse(reason),
    };
    this.#sweeper = new Sweeper({ ...shared, remote, keepMs });
    this.#devices = new DeviceList({
      ...shared,
      remote,
      open: (...record) => this.#open(...record),
      restoreRing: (signal) => this.#restoreRing(signal),
    });
    this.#receiver = new Receiver(shared);
    this.#files = new FileReceiver({
      ...shared,
      remote,
      receiver: this.#receiver,
      open: (...record) => this.#open(...record),
      takeRivals: (...record) => this.#rivals.take(...record),
    });
    this.#rivals = new Rivals({
      ...shared,
      remote,
      receiver: this.#receiver,
      open: (...record) => this.#open(...record),
      addFile: (...rival) => this.#files.addRival(...rival),
    });
    this.#sender = new Sender({
      ...shared,
      checkLook: () => this.#sweeper.checkLook(),
      takeOne: (...record) => this.#takeOne(...record),
    });
  }

  get state(): SyncState {
    return this.#state;
  }

  /**
   * Takes the changes of the other devices, and sends those of this device.
   *
   * @throws RemoteError; `RecordError` with `unknown-key` if the keys are no longer the newest; `StoreError`
   */
  async round(signal: AbortSignal): Promise<RoundReport> {
    this.#refused = new Map();
    const last = await this.#recognise(signal);
    const position = await this.#position();
    if (position !== last) await this.#takeSince(position, signal);
    await this.#compare(signal);
    await this.#sweeper.sweep(signal);
    const full = await this.#sender.sendAll(signal);
    // What others have sent needs no room.
    await this.#files.fetchAll(signal);
    if (full) throw full;
    await this.#devices.sayHelloAgain(signal);
    const { changes } = await this.#remote.state(signal);
    await this.#sender.noteSent([], { changes, syncedAt: this.#now() });
    for (const reason of this.#unusable.values()) this.#refuse(reason);
    return { refused: this.#refused };
  }

  /**
   * Lets a next round soon compare the records of the server: it was unavailable, so it may have lost some.
   */
  doubt(): void {
    this.#comparisonMs = Math.min(this.#comparisonMs, DOUBTED_INTERVAL_MS);
  }

  /** Lets the next round compare the records of the server, regardless of the time of the last comparison. */
  compareNext(): void {
    this.#comparisonMs = 0;
  }

  async #save(change: Partial<SyncState>): Promise<void> {
    // The user may have changed other parts of the state, in any tab.
    this.#state = await this.#store.changeState((state) => ({
      ...(state as SyncState),
      ...change,
    }));
    this.#onchange(this.#state);
  }

  /**
   * Recognises the server. One that has gone back in time, or was created again, is treated like a new one.
   * Returns the position of its last change.
   */
  async #recognise(signal: AbortSignal): Promise<string> {
    const { epoch, changes, position } = await this.#remote.state(signal);
    const known = this.#state;
    if (epoch === known.epoch && changes >= known.changes) {
      this.#lower = 0;
      return position;
    }
    // Another node of a cluster may only be behind. The pauses between the rounds give it time to catch up.
    this.#lower += 1;
    if (epoch === known.epoch && this.#lower < LOOKS)
      throw new RemoteError('unavailable', 'The server knows fewer changes than before.');
    this.#lower = 0;
    if (known.epoch !== '') {
      await this.#forget();
      await this.#restoreRing(signal);
    }
    await this.#save({ epoch, changes, waiting: new Set() });
    return position;
  }

  /**
   * Compares the records now and then. This finds losses of a server that went back in time, and was written
   * to since.
   */
  async #compare(signal: AbortSignal): Promise<void> {
    const now = this.#now();
    const { comparedAt } = this.#state;
    if (comparedAt !== undefined && Math.abs(now - comparedAt) < this.#comparisonMs) return;
    const comparison: Comparison = {
      store: this.#store,
      remote: this.#remote,
      nameOf: (kind, key) => this.#transfer.nameOf(kind, key),
      open: (record) => this.#open(record, signal),
      restore: async (known, record) => {
        if (record.rivals || !(await this.#isLost(record))) return false;
        this.#unusable.delete(record.name);
        await this.#restore(known, record.version);
        return true;
      },
      takeChanges: async () => await this.#takeSince(await this.#position(), signal),
    };
    // Directly after the first round, a comparison is not necessary.
    const found = comparedAt === undefined ? [] : await compareRecords(comparison, signal);
    if (found === 'lost') {
      await this.#forget();
      await this.#takeSince('', signal);
    } else {
      await this.#takeAll(this.#recordsOf(found, signal), signal);
    }
    await this.#restoreRing(signal);
    this.#comparisonMs = COMPARISON_INTERVAL_MS;
    await this.#save({ comparedAt: now });
  }

  /**
   * Checks the key ring, and writes it again if the server has lost it or shows an older one. Without it, the
   * next device that joins would begin another vault, and one that is locked would go on with an old key.
   *
   * @throws RecordError `unknown-key` if it is a newer one.
   */
  async #restoreRing(signal: AbortSignal): Promise<void> {
    const record = await this.#remote.get(KEY_RING_NAME, signal);
    const { ring = record?.bytes } = this.#state;
    if (!ring) return;
    if (record?.bytes) await checkKeyRing(record.bytes, this.#state);
    if (ring !== this.#state.ring) await this.#save({ ring });
    if (record?.bytes && !(await isOlderKeyRing(record.bytes, ring))) return;
    try {
      await this.#remote.put(KEY_RING_NAME, ring, record?.version ?? '', signal);
    } catch (error) {
      // Another device has written it first.
      if (!(error instanceof RemoteError) || error.code !== 'conflict') throw error;
    }
  }

  /** The records as changes, as if they had just changed. The position of the last read change stays. */
  async *#recordsOf(names: readonly string[], signal: AbortSignal): AsyncGenerator<RemoteChange> {
    const position = await this.#position();
    for (const name of names) {
      const record = await this.#remote.get(name, signal);
      if (record) yield { ...record, name, position };
    }
  }

  async #position(): Promise<string> {
    return (await this.#store.state())?.position ?? '';
  }

  /** Forgets the state of the server, so that everything is taken and sent as for the first time. */
  async #forget(): Promise<void> {
    this.#sender.forget();
    this.#unusable.clear();
    await this.#store.forget();
    await this.#save({ waiting: new Set(), unneeded: new Map(), sweptAt: -1 });
  }

  async #takeSince(position: string, signal: AbortSignal): Promise<void> {
    await this.#takeAll(this.#remote.since(position, signal), signal);
  }

  async #takeAll(coming: AsyncIterable<RemoteChange>, signal: AbortSignal): Promise<void> {
    let changes: RemoteChange[] = [];
    let bytes = 0;
    for await (const change of coming) {
      changes.push(change);
      bytes += change.bytes?.length ?? 0;
      if (changes.length < AT_ONCE && bytes < BYTES_AT_ONCE) continue;
      await this.#take(changes, signal);
      changes = [];
      bytes = 0;
    }
    if (changes.length > 0) await this.#take(changes, signal);
  }

  async #take(all: readonly RemoteChange[], signal: AbortSignal): Promise<void> {
    const changes = all.filter((change) => !this.#sender.isOwn(change));
    if (changes.some(({ name }) => name === KEY_RING_NAME)) await this.#restoreRing(signal);
    const opened = await Promise.all(changes.map((change) => this.#openRecord(change)));
    const waiting = new Set(this.#state.waiting);
    const devices = new Map(this.#state.devices);
    let entries: RemoteEntry[] = [];
    let length = 0;
    for (const [index, record] of opened.entries()) {
      const { name, bytes, ...change } = changes[index]!;
      // One after the other, because a payload in pieces may be large.
      const payload = await this.#unpack(name, record, signal);
      if (!bytes) await this.#devices.forget(name, devices, signal);
      if (!payload) continue;
      if (payload.kind === 'device') {
        noteDevice(devices, payload);
        continue;
      }
      const entry = payload as Entry;
      const version = expectedOf(change);
      if (entry.kind === 'file' && !isDeletion(entry)) {
        // A file that needs no bytes is handled before anything is sent, including one that this device has
        // sent itself.
        if (!(await this.#files.accept({ entry, version }, signal, { mayFetch: false })))
          waiting.add(name);
        continue;
      }
      entries.push({ entry, version });
      length += 'text' in entry ? (entry as NotePayload).text.length : 0;
      if (length < TEXT_AT_ONCE) continue;
      await this.#receiver.accept(entries);
      entries = [];
      length = 0;
    }
    // The files to fetch are stored before the position moves past them.
    const known = this.#state;
    const unusable = new Map(this.#unusable);
    const isSame = isSameMap(unusable, known.unusable) && areSameDevices(devices, known.devices);
    if (waiting.size > known.waiting.size || !isSame)
      await this.#save({ waiting, devices, unusable });
    const { position } = all.at(-1)!;
    const hasRivals = changes.some(({ rivals }) => rivals);
    const isWritten = await this.#receiver.accept(entries, hasRivals ? undefined : position);
    for (const [index, change] of changes.entries()) {
      if (!change.rivals) continue;
      const winner = await this.#unpack(change.name, opened[index], signal);
      await this.#rivals.take(change, winner as Entry | undefined, signal);
    }
    if (!isWritten) await this.#store.apply([], position);
  }

  /** Opens a record; `undefined` if it cannot be used, which is remembered. */
  async #open(
    record: Pick<RemoteChange, 'name' | 'bytes'>,
    signal: AbortSignal,
  ): Promise<Payload | undefined> {
    return await this.#unpack(record.name, await this.#openRecord(record), signal);
  }

  /** Opens a record, whose payload may be in pieces. */
  async #openRecord({
    name,
    bytes,
  }: Pick<RemoteChange, 'name' | 'bytes'>): Promise<Payload | undefined> {
    this.#unusable.delete(name);
    // Deletions are sealed, so an empty record has no meaning for entries.
    if (!bytes || name === KEY_RING_NAME) return undefined;
    return await this.#usable(name, this.#transfer.open(name, bytes));
  }

  /** Fetches the pieces of a payload that did not fit into its record. */
  async #unpack(
    name: string,
    payload: Payload | undefined,
    signal: AbortSignal,
  ): Promise<Payload | undefined> {
    return payload && (await this.#usable(name, this.#transfer.unpack(name, payload, signal)));
  }

  /** Remembers a record that cannot be used. */
  async #usable(name: string, opening: Promise<Payload>): Promise<Payload | undefined> {
    try {
      return await opening;
    } catch (error) {
      if (!(error instanceof RecordError) || error.code === 'unknown-key') throw error;
      if (this.#unusable.size < MAX_UNUSABLE) this.#unusable.set(name, error.code);
      return undefined;
    }
  }

  #refuse(reason: Refusal): undefined {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  /** Takes the record that prevents sending. Returns whether the entry can be sent then. */
  async #takeOne(name: string, known: Acknowledgement, signal: AbortSignal): Promise<boolean> {
    const record = await this.#remote.get(name, signal);
    if (!(await this.#rivals.canMerge({ ...record, name }, signal))) return false;
    if (!record?.bytes) {
      // The record was emptied on the server, or no longer exists: the entry of this device takes its place.
      await this.#restore(known, record?.version ?? '');
      return true;
    }
    const payload = await this.#open({ name, bytes: record.bytes }, signal);
    if (!payload || payload.kind === 'device') return false;
    const entry = payload as Entry;
    let isTaken = true;
    if (entry.kind === 'file' && !isDeletion(entry))
      isTaken = await this.#files.fetchIfWhole(name, signal, true);
    else await this.#receiver.accept([{ entry, version: expectedOf(record) }], undefined, true);
    if (isTaken) await this.#rivals.take({ ...record, name }, entry, signal);
    return isTaken;
  }

  /** Whether a record was emptied or damaged. If only its pieces are missing, they may still come. */
  async #isLost({ name, bytes }: NamedRecord): Promise<boolean> {
    if (!bytes) return true;
    return await this.#transfer.open(name, bytes).then(
      () => false,
      (error: RecordError) => error.code === 'damaged',
    );
  }

  /** Lets an entry be sent in the place of a version that the server no longer has. */
  async #restore({ kind, key, mark, synced }: KnownEntry, version: string): Promise<void> {
    const lost = { counter: 0, ...synced, version, isLost: true };
    await this.#store.apply([{ kind, key, expectedMark: mark, synced: lost, keepMark: true }]);
  }

  /**
   * Reports that this device is in use, even if it was removed before.
   *
   * @throws RemoteError
   */
  async sayHello(signal: AbortSignal): Promise<void> {
    await this.#devices.sayHello(signal);
  }
}

/** Whether two maps have the same entries. */
const isSameMap = (
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string> = new Map(),
): boolean => a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
