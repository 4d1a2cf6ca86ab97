import { expose } from 'comlink';
import { openSync, type SyncService, type SyncStatus } from '../packages/sync/src/index.js';
import { remoteOf, type BenchRemote } from './sync-remotes.js';

let sync: SyncService | undefined;

/** The sync of one device, as an app has it: in a worker of its own. */
const device = {
  async open(databaseName: string, remote: BenchRemote): Promise<void> {
    sync = await openSync({ databaseName, remote: remoteOf(remote), onstatus: () => undefined });
  },
  async join(): Promise<void> {
    await sync?.join({ secret: 'correct horse battery', deviceName: 'Bench' });
  },
  status: (): SyncStatus | undefined => sync?.status,
  async leave(): Promise<void> {
    await sync?.leave();
    await sync?.close();
  },
};
expose(device);

export type SyncDevice = typeof device;
