import type { EntryId, StoreSync, SyncEntry } from '@inpage-mcp/store/sync';
import { KEY_RING_NAME } from '../keys/key-ring.js';
import type { Payload } from '../keys/payload.js';
import type { Remote, RemoteRecord } from '../remotes/remote.js';

/** The number of entries that are compared at once, because their bases are in memory. */
const COMPARED_AT_ONCE = 50;

/**
 * The maximum number of returned names. A hostile device may write any number of records that no device can
 * open, so the names are chosen at random: each record that can be opened has its turn.
 */
export const MAX_UNKNOWN = 1_000;

/** An entry that the server has had, as this device knows it. */
export type KnownEntry = EntryId & Pick<SyncEntry, 'mark' | 'synced'>;

/** The parts that the comparison needs. */
export interface Comparison {
  store: Pick<StoreSync, 'synced' | 'read'>;
  remote: Pick<Remote, 'list' | 'get'>;
  nameOf: (kind: EntryId['kind'], key: string) => Promise<string>;
  /** Opens a record; `undefined` if it cannot be used. */
  open: (record: RemoteRecord & { name: string }) => Promise<Payload | undefined>;
  /**
   * Lets the entry be sent again if its record was emptied or damaged on the server. Returns whether it was.
   */
  restore: (known: KnownEntry, record: RemoteRecord & { name: string }) => Promise<boolean>;
  /** Takes the changes so far. Called after the list was read. */
  takeChanges: () => Promise<void>;
}

/**
 * Compares the versions that this device knows with all records of the server. This finds losses that are not
 * visible otherwise: the server has gone back in time, and other devices have written since.
 *
 * @returns `lost` if the server has lost a version that it had acknowledged; otherwise the names of the
 *   records whose version this device does not know, at most {@link MAX_UNKNOWN} of entries that it never
 *   had.
 */
export async function compareRecords(
  { store, remote, nameOf, open, restore, takeChanges }: Comparison,
  signal: AbortSignal,
): Promise<'lost' | string[]> {
  const versions = new Map<string, string>();
  for await (const { name, version } of remote.list(signal)) versions.set(name, version);
  versions.delete(KEY_RING_NAME);
  await takeChanges();
  const changed: string[] = [];
  let last: EntryId | undefined;
  do {
    const entries = await store.synced(COMPARED_AT_ONCE, last);
    for (const { kind, key, synced: known } of entries) {
      const version = known?.version;
      if (version === '') continue;
      const name = await nameOf(kind, key);
      const listed = versions.get(name);
      versions.delete(name);
      if (listed === version) continue;
      const record = await remote.get(name, signal);
      const { mark, synced } = await store.read(kind, key);
      if (!synced || record?.version === synced.version) continue;
      const payload = record && (await open({ ...record, name }));
      if (!record || (payload && payload.counter <= synced.counter)) return 'lost';
      if (!payload && (await restore({ kind, key, mark, synced }, { ...record, name }))) continue;
      // Another device has written it during the comparison, or this device had read past it before the
      // server went back.
      changed.push(name);
    }
    last = entries.at(-1);
  } while (last);
  const unknown = [...versions.keys()];
  const start = Math.floor(Math.random() * unknown.length);
  const names = [...changed, ...unknown.slice(start), ...unknown.slice(0, start)];
  return names.slice(0, Math.max(changed.length, MAX_UNKNOWN));
}
