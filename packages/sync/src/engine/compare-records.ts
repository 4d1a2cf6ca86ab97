import type { EntryId, StoreSync } from '@inpage-mcp/store/sync';
import { KEY_RING_NAME } from '../keys/key-ring.js';
import type { Payload } from '../keys/payload.js';
import type { Remote, RemoteRecord } from '../remotes/remote.js';

/** How many entries are compared at once: their bases are in memory. */
const COMPARED_AT_ONCE = 50;

/**
 * The most names that are returned. A hostile device may write any number of records that nobody can use,
 * so which names these are is left to chance: those of use have their day.
 */
export const MAX_UNKNOWN = 1_000;

/** What the comparison needs. */
export interface Comparison {
  store: Pick<StoreSync, 'synced' | 'read'>;
  remote: Pick<Remote, 'list' | 'get'>;
  nameOf: (kind: EntryId['kind'], key: string) => Promise<string>;
  /** `undefined` where it is of no use. */
  open: (record: RemoteRecord & { name: string }) => Promise<Payload | undefined>;
  /** Called once the list is read: takes what has changed until then. */
  takeChanges: () => Promise<void>;
}

/**
 * Compares what this device knows of the server with all that the server has. Finds what only that shows:
 * the server has gone back in time, and others have written since.
 *
 * @returns `lost` where the server no longer has what it had acknowledged; else the names of records of
 *   which this device does not know the version, at most {@link MAX_UNKNOWN} of entries that it never had
 */
export async function compareRecords(
  { store, remote, nameOf, open, takeChanges }: Comparison,
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
      const { synced } = await store.read(kind, key);
      if (!synced || record?.version === synced.version) continue;
      const payload = record && (await open({ ...record, name }));
      if (!record || (payload && payload.counter <= synced.counter)) return 'lost';
      // Written while this went on; or where this device has read already, before the server went back.
      changed.push(name);
    }
    last = entries.at(-1);
  } while (last);
  const unknown = [...versions.keys()];
  const start = Math.floor(Math.random() * unknown.length);
  const names = [...changed, ...unknown.slice(start), ...unknown.slice(0, start)];
  return names.slice(0, Math.max(changed.length, MAX_UNKNOWN));
}
