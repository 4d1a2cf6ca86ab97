import { openStoreSync, type StoreSync } from '@inpage-mcp/store/sync';
import { Engine } from '../engine/engine.js';
import { KEEP_PIECES_MS } from '../engine/sweeper.js';
import { SyncLoop, type LoopStatus } from '../engine/sync-loop.js';
import type { Conflict, Device, SyncState } from '../engine/sync-state.js';
import { invite } from '../keys/invitation.js';
import { checkPayload } from '../keys/payload.js';
import { nameOf, type VaultKeys } from '../keys/vault-keys.js';
import { RemoteError, type Remote } from '../remotes/remote.js';
import { changeKeys, openOrCreate, readRing, reopen, type Attempt } from './vault-access.js';

/** The timeout of a command, in milliseconds: it sends some requests to the server, and derives keys. */
export const COMMAND_TIMEOUT_MS = 60_000;

/** The delay before a database that could not be read is tried again, in milliseconds. */
const RETRY_MS = 60_000;

/** The minimum of `keepPiecesMs`. */
const MIN_KEEP_PIECES_MS = 60_000;

/** The parts that a service works with. */
export interface SyncServiceParts {
  /** The name of the database, as in `openStore`. */
  databaseName: string;
  remote: Remote;
  /**
   * The time that a piece of a file stays on the server after the last record that needs it, in milliseconds,
   * at least a minute. All devices must have the same value. Default: 30 days.
   */
  keepPiecesMs?: number | undefined;
  /** Called with each change of the status, in every tab. */
  onstatus: (status: SyncStatus) => void;
}

/** The status of the sync of this device. */
export interface SyncStatus {
  /** The state: `off` unless the device has joined; for the others see `LoopState`. */
  state: 'off' | 'paused' | LoopStatus['state'];
  /** The reason why it waits. */
  reason?: LoopStatus['reason'];
  /** The number of entries to be sent, and of files to be fetched. */
  unsynced: number;
  unfetched: number;
  /** The time when a round last succeeded, in milliseconds since 1970; 0 before the first. */
  syncedAt: number;
  /** The number of records of the server that the last round could not use, by the reason. */
  refused: Record<string, number>;
  /** The id of this device among `devices`; absent while it is off. */
  device?: string;
  devices: (Device & { id: string })[];
  conflicts: readonly Conflict[];
}

/** Options for joining with a device. */
export interface JoinOptions {
  /** The passphrase, a recovery code, or the code of an invitation. */
  secret: string;
  /** The name for the user's list of devices; at most 100 characters, without line breaks. */
  deviceName: string;
}

type Message =
  { type: 'changed' } | { type: 'sync' } | { type: 'ask' } | { type: 'status'; status: SyncStatus };

const OFF: SyncStatus = {
  state: 'off',
  unsynced: 0,
  unfetched: 0,
  syncedAt: 0,
  refused: {},
  devices: [],
  conflicts: [],
};

/**
 * The sync of this device in one tab. Each tab has one, but only one of them works: the one that holds a
 * lock, until its tab is closed, or until it is hidden and has nothing to do. All show the same status.
 */
export class SyncService {
  readonly #parts: SyncServiceParts;
  readonly #lockName: string;
  readonly #channel: BroadcastChannel;
  readonly #closing = new AbortController();
  #store!: StoreSync;
  #leading: Promise<unknown> = Promise.resolve();
  /** Whether this tab works. */
  #isLeading = false;
  /** Whether the user sees this tab. */
  #isVisible = true;
  /** Whether something has changed here since the last round began. */
  #isDue = false;
  /** The number of entries that the last turn of this tab has not sent. */
  #left = 0;
  #wake: () => void = () => undefined;
  #loop: SyncLoop | undefined;
  #loopStatus: LoopStatus | undefined;
  #status = OFF;
  #restart: () => void = () => undefined;
  readonly #attempt: Attempt = {};

  /**
   * Creates a closed service; use {@link openSync}.
   *
   * @throws {RangeError}
   */
  constructor(parts: SyncServiceParts) {
    const { keepPiecesMs = KEEP_PIECES_MS } = parts;
    if (!(keepPiecesMs >= MIN_KEEP_PIECES_MS))
      throw new RangeError(`keepPiecesMs is ${keepPiecesMs}; at least ${MIN_KEEP_PIECES_MS}.`);
    this.#parts = parts;
    this.#lockName = `inpage-mcp:${parts.databaseName}:sync`;
    this.#channel = new BroadcastChannel(this.#lockName);
  }

  /** Opens the database, and begins to work as soon as no other tab works. */
  async open(): Promise<this> {
    this.#store = await openStoreSync(this.#parts.databaseName);
    this.#channel.addEventListener('message', this.#receive);
    this.#show(await this.#newStatus());
    this.#send({ type: 'ask' });
    this.#leading = this.#takeTurns(this.#closing.signal);
    return this;
  }

  /** Ends the work of this tab. */
  async close(): Promise<void> {
    this.#closing.abort(new DOMException('The sync is closed.', 'AbortError'));
    this.#restart();
    this.#wake();
    await this.#leading;
    this.#channel.close();
    await this.#store.close();
  }

  /**
   * Joins the devices of the user, or becomes the first of them: then the secret is the passphrase of all
   * devices from now on.
   *
   * @returns The recovery code, to be shown once; only on the first device.
   * @throws VaultError, RemoteError; RecordError `invalid` if the name of the device is not allowed.
   */
  async join({ secret, deviceName }: JoinOptions): Promise<{ recoveryCode?: string }> {
    return await this.#act(async (signal) => {
      if (await this.#store.state()) throw new RemoteError('conflict', 'This device has joined.');
      const device = { id: crypto.randomUUID(), name: deviceName };
      // The other devices would refuse a name that is not allowed, and the user would not know why.
      const { id: key, name } = device;
      checkPayload({ v: 1, kind: 'device', key, counter: 1, name, seenAt: Date.now() });
      const { keys, ring, recoveryCode } = await openOrCreate(
        this.#parts.remote,
        secret,
        this.#attempt,
        signal,
      );
      const state: SyncState = {
        v: 1,
        keys,
        ring,
        device,
        epoch: '',
        changes: 0,
        waiting: new Set(),
        conflicts: [],
        devices: new Map(),
        syncedAt: 0,
      };
      await this.#store.join(state);
      this.#attempt.created = undefined;
      return recoveryCode === undefined ? {} : { recoveryCode };
    });
  }

  /**
   * Continues with the keys that another device has changed.
   *
   * @throws VaultError, RemoteError
   */
  async unlock(secret: string): Promise<void> {
    await this.#act(async (signal) => {
      const state = await this.#state();
      const { remote } = this.#parts;
      const { keys, ring } = await reopen(remote, secret, state, signal);
      const unlocked = await this.#store.changeState((now) => ({
        ...(now as SyncState),
        keys,
        ring,
      }));
      // A device that was removed, but knows the passphrase, joins the list again.
      const hello = new Engine({ store: this.#store, remote }, unlocked).sayHello(signal);
      await hello.catch((error: unknown) => {
        // The device has the keys, so it can go on without this, unless it was removed.
        this.#beginAnewInAllTabs();
        throw error;
      });
    });
  }

  /** Leaves the sync: notes and files stay, here and on the other devices. */
  async leave(): Promise<void> {
    await this.#act(() => this.#store.leave());
  }

  async pause(): Promise<void> {
    await this.#setPaused(true);
  }

  async resume(): Promise<void> {
    await this.#setPaused(false);
  }

  /** Begins a round at once, which compares the records of the server. */
  syncNow(): void {
    this.#loop?.syncNow();
    this.#wake();
    this.#send({ type: 'sync' });
  }

  /** Begins a round at once, if this tab works and waits after a failure. */
  retry(): void {
    this.#loop?.retry();
  }

  /**
   * A code with which another device joins within ten minutes.
   *
   * @throws VaultError `wrong-secret` if the passphrase is wrong.
   */
  async invite(passphrase: string): Promise<string> {
    return await this.#act(async (signal) => {
      const { bytes } = await readRing(this.#parts.remote, signal);
      const { code, name, record } = await invite(bytes, passphrase);
      // The invitation is not stored among the records, because each device would try to open it.
      await this.#parts.remote.pieces.put(name, record, signal);
      return code;
    });
  }

  /**
   * Removes another device, so that it cannot read later changes. All others have to be unlocked with the
   * passphrase.
   *
   * @returns The new recovery code, to be shown once.
   */
  async removeDevice(id: string, passphrase: string): Promise<string> {
    return await this.#act(async (signal) => {
      const state = await this.#state();
      const vault = await changeKeys(this.#parts.remote, state.keys, passphrase, signal);
      await this.#store.changeState((now) => ({
        ...(now as SyncState),
        keys: vault.keys,
        ring: vault.record,
      }));
      // The old recovery code has ended, so the user gets the new one in any case. If the record of the device
      // cannot be emptied, the device stays in the list, and can be removed again.
      await this.#forgetDevice(id, vault.keys, signal).catch(() => undefined);
      return vault.recoveryCode;
    });
  }

  /** Empties the record of a device, and removes the device from the list. */
  async #forgetDevice(id: string, keys: VaultKeys, signal: AbortSignal): Promise<void> {
    const { remote } = this.#parts;
    const name = await nameOf(keys, 'device', id);
    const record = await remote.get(name, signal);
    if (record?.bytes) await remote.put(name, null, record.version, signal);
    await this.#store.changeState((now) => {
      const devices = new Map((now as SyncState).devices);
      devices.delete(id);
      return { ...(now as SyncState), devices };
    });
  }

  /**
   * Sets whether the user sees this tab; at first it counts as visible. A hidden tab sends its own changes,
   * and then leaves the work to other tabs, or to later.
   */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) this.#wake();
    else if (this.#mayRest) this.#restart();
  }

  /** The last status, regardless of which tab works. */
  get status(): SyncStatus {
    return this.#status;
  }

  readonly #receive = ({ data }: MessageEvent<Message>): void => {
    if (data.type === 'changed') this.#beginAnew();
    else if (data.type === 'sync') this.#loop?.syncNow();
    else if (data.type === 'status') this.#show(data.status);
    else if (this.#isLeading) void this.#tell();
  };

  /** Starts the work again with the changes of a command, if this tab works. */
  #beginAnew(): void {
    this.#loopStatus = undefined;
    this.#restart();
  }

  /** Lets the working tab start again, whichever it is. */
  #beginAnewInAllTabs(): void {
    this.#beginAnew();
    this.#wake();
    this.#send({ type: 'changed' });
  }

  #show(status: SyncStatus): void {
    this.#status = status;
    this.#parts.onstatus(status);
  }

  #send(message: Message): void {
    if (!this.#closing.signal.aborted) this.#channel.postMessage(message);
  }

  get #mayRest(): boolean {
    return !this.#isVisible && this.#loopStatus?.state === 'idle';
  }

  /** Works until this tab may rest, and again when it is seen or something is to be sent. */
  async #takeTurns(signal: AbortSignal): Promise<void> {
    const stop = this.#listen(() => {
      this.#isDue = true;
      this.#wake();
    });
    while (!signal.aborted) {
      await navigator.locks
        .request(this.#lockName, { signal }, () => this.#lead(signal))
        .catch(() => undefined);
      if (!signal.aborted) await this.#rest();
    }
    stop();
  }

  /** Resolves when this tab is seen, something has changed, or it is closed. */
  async #rest(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    // Copies are made while others are sent, so there is another round. What it leaves is not tried again.
    const left = await this.#store.countUnsynced().catch(() => 0);
    const isMoving = left > 0 && left !== this.#left;
    this.#left = left;
    if (this.#isVisible || this.#isDue || isMoving || this.#closing.signal.aborted) this.#wake();
    await woken;
  }

  /** Calls the listener after each change that is to be sent. Returns a function that ends this. */
  #listen(listener: () => void): () => void {
    return this.#store.changes.listen((changes) => {
      if (changes.some(({ origin }) => origin !== 'sync')) listener();
    });
  }

  /** Works until a command changes something, and then starts again. */
  async #lead(signal: AbortSignal): Promise<void> {
    this.#isLeading = true;
    this.#loopStatus = undefined;
    while (!signal.aborted && !this.#mayRest) {
      const round = new AbortController();
      const changed = new Promise<void>((resolve) => {
        this.#restart = resolve;
      });
      const state = await this.#stateOrNothing().catch(() => {
        // The database may be available again later.
        setTimeout(() => this.#restart(), RETRY_MS);
        return undefined;
      });
      const working = state && !state.isPaused ? this.#work(state, round.signal) : undefined;
      if (!working) await this.#tell();
      if (!signal.aborted) await changed;
      round.abort(new DOMException('The sync begins anew.', 'AbortError'));
      await working;
    }
    this.#isLeading = false;
  }

  async #work(state: SyncState, signal: AbortSignal): Promise<void> {
    const { remote, keepPiecesMs = KEEP_PIECES_MS } = this.#parts;
    const engine = new Engine({ store: this.#store, remote, keepPiecesMs }, state);
    this.#loop = new SyncLoop({
      engine,
      remote,
      listen: (listener) => this.#listen(listener),
      onstatus: (next) => {
        const { report } = { ...this.#loopStatus, ...next };
        this.#loopStatus = { ...next, ...(report && { report }) };
        if (next.state === 'syncing') this.#isDue = false;
        // Perhaps a command of this device has changed the keys, and begins anew with them.
        const isLocked = next.state === 'locked';
        void (isLocked
          ? this.#afterCommand(() => this.#tell()).catch(() => undefined)
          : this.#tell());
        if (this.#mayRest) this.#restart();
      },
    });
    await this.#loop.run(signal);
    this.#loop = undefined;
    if (signal.aborted && !this.#mayRest) this.#loopStatus = undefined;
  }

  /** Reports the status to all tabs. */
  async #tell(): Promise<void> {
    const status = await this.#newStatus().catch(() => undefined);
    if (!status || this.#closing.signal.aborted) return;
    this.#show(status);
    this.#send({ type: 'status', status });
  }

  async #newStatus(): Promise<SyncStatus> {
    const state = await this.#stateOrNothing();
    if (!state) return OFF;
    const loop = this.#loopStatus;
    return {
      state: state.isPaused ? 'paused' : (loop?.state ?? 'syncing'),
      ...(loop?.reason && { reason: loop.reason }),
      unsynced: await this.#store.countUnsynced(),
      unfetched: state.waiting.size,
      syncedAt: state.syncedAt,
      refused: Object.fromEntries(loop?.report?.refused ?? []),
      device: state.device.id,
      devices: [...state.devices].map(([id, device]) => ({ id, ...device })),
      conflicts: state.conflicts,
    };
  }

  /** Runs a command, one at a time among all tabs. Then the working tab starts again. */
  async #act<Value>(command: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(COMMAND_TIMEOUT_MS)]);
    const result = await this.#afterCommand(() => command(signal), signal);
    this.#beginAnewInAllTabs();
    return result;
  }

  /** Calls a function while no tab of this device runs a command. */
  async #afterCommand<Value>(
    run: () => Promise<Value>,
    signal = this.#closing.signal,
  ): Promise<Value> {
    return await navigator.locks.request(`${this.#lockName}:command`, { signal }, run);
  }

  async #setPaused(isPaused: boolean): Promise<void> {
    await this.#act(async () => {
      await this.#store.changeState((state) => ({ ...(state as SyncState), isPaused }));
    });
  }

  async #stateOrNothing(): Promise<SyncState | undefined> {
    return (await this.#store.state())?.state as SyncState | undefined;
  }

  async #state(): Promise<SyncState> {
    const state = await this.#stateOrNothing();
    if (!state) throw new RemoteError('conflict', 'This device has not joined.');
    return state;
  }
}

/**
 * Opens the sync of this device, in another worker than the one that serves MCP.
 *
 * @throws {RangeError} if `keepPiecesMs` is less than a minute.
 */
export async function openSync(parts: SyncServiceParts): Promise<SyncService> {
  return await new SyncService(parts).open();
}
