import { openStore, type Store } from '@inpage-mcp/store';
import { openStoreSync, type StoreSync } from '@inpage-mcp/store/sync';
import type { Remote } from '@inpage-mcp/sync';
import { Engine, type RoundReport } from '../../packages/sync/src/engine/engine.js';
import type { SyncState } from '../../packages/sync/src/engine/sync-state.js';
import { createVault } from '../../packages/sync/src/keys/vault.js';
import type { VaultKeys } from '../../packages/sync/src/keys/vault-keys.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { MemoryServer } from '../support/sync/memory-remote.js';

let keys: Promise<VaultKeys> | undefined;

/** The same for all tests: a passphrase takes its time. */
export const testKeys = (): Promise<VaultKeys> =>
  (keys ??= createVault('correct horse battery').then((vault) => vault.keys));

/** A device of a user: a database, and an engine between it and a server. */
export class Device {
  readonly name: string;
  store!: Store;
  sync!: StoreSync;
  engine!: Engine;
  /** The changes that a listener of the store was called with, by kind and key. */
  readonly changes: string[] = [];
  /** In milliseconds since 1970. */
  now = Date.now();
  #remote!: Remote;

  readonly title: string;

  constructor(title: string) {
    this.title = title;
    this.name = freshDatabaseName();
  }

  /** Opens the database, which nobody else has yet. */
  async openAlone(): Promise<this> {
    this.store = await openStore(this.name);
    return this;
  }

  /** Opens the database, and joins unless it has. */
  async open(remote: Remote): Promise<this> {
    this.#remote = remote;
    this.store ??= await openStore(this.name);
    this.sync = await openStoreSync(this.name);
    this.store.changes.listen((changes) => {
      for (const { kind, key } of changes) this.changes.push(`${kind} ${key}`);
    });
    if (!(await this.sync.state())) await this.sync.join(await this.#newState());
    await this.begin();
    return this;
  }

  /** A new engine, as after a restart. */
  async begin(remote = this.#remote): Promise<void> {
    const { state } = (await this.sync.state())!;
    this.engine = new Engine({ store: this.sync, remote, now: () => this.now }, state as SyncState);
  }

  async round(signal = new AbortController().signal): Promise<RoundReport> {
    return await this.engine.round(signal);
  }

  async texts(): Promise<Record<string, string>> {
    const texts: Record<string, string> = {};
    for (const { id } of (await this.store.notes.list()).notes)
      texts[id] = (await this.store.notes.get(id)).text;
    return texts;
  }

  async files(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const { path } of (await this.store.files.list()).files)
      found[path] = await (await this.store.files.read(path)).blob.text();
    return found;
  }

  async close(): Promise<void> {
    await this.sync.close();
    this.store.close();
    await deleteDatabase(this.name);
  }

  async #newState(): Promise<SyncState> {
    return {
      v: 1,
      keys: await testKeys(),
      device: { id: `device-${this.title}`, name: this.title },
      epoch: '',
      changes: 0,
      waiting: new Set(),
      conflicts: [],
      devices: new Map(),
      syncedAt: 0,
    };
  }
}

/** The server and the devices of one test, which are closed after it. */
export class UserUnderTest {
  readonly server = new MemoryServer();
  readonly devices: Device[] = [];

  /** Opens a device that has joined. */
  readonly device = async (title: string, remote = this.server.connect()): Promise<Device> => {
    const one = new Device(title);
    this.devices.push(one);
    return await one.open(remote);
  };

  async close(): Promise<void> {
    for (const one of this.devices) await one.close();
  }
}
