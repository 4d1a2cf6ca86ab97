import type { Provided, ProvidedResource } from './provided.js';
import { openPageSync, type Sync, type SyncOptions, type SyncStatus } from '@inpage-mcp/sync/page';

/** @see Runtime.sync */
export async function startSync(
  options: SyncOptions & { databaseName: string },
  runtime: {
    readonly ended: AbortSignal;
    provide: (resource: ProvidedResource) => Promise<Provided>;
  },
): Promise<Sync> {
  const sync = await openPageSync(options);
  try {
    runtime.ended.throwIfAborted();
    runtime.ended.addEventListener('abort', () => void sync.close(), { signal: sync.closed });
    const provided = await runtime.provide({
      uri: 'inpage:///sync',
      name: 'sync',
      title: 'Sync',
      description: 'Whether the other devices of the user have the same notes and files.',
      mimeType: 'application/json',
      read: () => JSON.stringify(reportOf(sync.status), null, 2),
    });
    sync.addEventListener('status', () => void provided.changed());
    sync.closed.addEventListener('abort', () => void provided.remove());
    return sync;
  } catch (error) {
    await sync.close();
    throw error;
  }
}

/** The status for clients: with times that they can read, and without the ids of devices. */
function reportOf({ device, devices, conflicts, syncedAt, ...status }: SyncStatus): unknown {
  return {
    ...status,
    ...(syncedAt > 0 && { syncedAt: timeOf(syncedAt) }),
    devices: devices.map(({ id, name, seenAt }) => ({
      name,
      seenAt: timeOf(seenAt),
      isThis: id === device,
    })),
    conflicts: conflicts.map(({ at, ...conflict }) => ({ ...conflict, at: timeOf(at) })),
  };
}

/** A time as a text; `undefined` if it is not valid, because another device may have sent any number. */
function timeOf(time: number): string | undefined {
  return Number.isNaN(new Date(time).valueOf()) ? undefined : new Date(time).toISOString();
}
