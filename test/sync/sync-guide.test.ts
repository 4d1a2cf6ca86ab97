import { expect } from '@open-wc/testing';
import { openStore, type Store } from '@inpage-mcp/store';
import { openSync, type Remote, type SyncService } from '@inpage-mcp/sync';
import { couchdbRemote } from '@inpage-mcp/sync/couchdb';
import { natsRemote } from '@inpage-mcp/sync/nats';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { SyncServer, hasNats } from '../support/sync/sync-server.js';
import { codeOf } from './remote-contract.js';
import { until } from './until.js';

const { signal } = new AbortController();
const found = await hasNats();

/** A page of another app. */
const OTHER_ORIGIN = 'https://other.example';

/** Joins two devices, and brings a note and a file from each to the other. */
async function joinTwo(connect: () => Remote): Promise<void> {
  const devices: { databaseName: string; store: Store; sync: SyncService }[] = [];
  for (const deviceName of ['Laptop', 'Phone']) {
    const databaseName = freshDatabaseName();
    const store = await openStore(databaseName);
    await store.notes.create({ title: deviceName, text: `Of the ${deviceName}` });
    await store.files.write(`${deviceName}.bin`, new Blob([new Uint8Array(1_500_000)]));
    const remote = connect();
    const sync = await openSync({ databaseName, remote, onstatus: () => undefined });
    await sync.join({ secret: 'correct horse battery', deviceName });
    devices.push({ databaseName, store, sync });
  }
  const hasAll = async ({ store }: { store: Store }): Promise<boolean> => {
    const { notes } = await store.notes.list();
    const { files } = await store.files.list();
    return notes.length === 2 && files.length === 2;
  };
  for (const device of devices) await until(() => hasAll(device));
  for (const { databaseName, store, sync } of devices) {
    await sync.close();
    store.close();
    await deleteDatabase(databaseName);
  }
}

describe('the guide about sync', () => {
  describe('PouchDB Server', () => {
    const remoteOf = (server: SyncServer, user: string, database = `notes-of-${user}`): Remote =>
      couchdbRemote({
        url: `http://127.0.0.1:${server.port}/${database}`,
        headers: () => ({ authorization: `Basic ${btoa(`${user}:secret`)}` }),
      });

    it('joins the devices of a user, and refuses others', async () => {
      const server = await SyncServer.guideCouchdb(location.origin);
      await joinTwo(() => remoteOf(server, 'ada'));
      const ofAda = remoteOf(server, 'grace', 'notes-of-ada');
      expect(await codeOf(ofAda.state(signal))).to.equal('unauthorized');
      expect(await codeOf(ofAda.put('a', null, '', signal))).to.equal('unauthorized');
      const stranger = remoteOf(server, 'stranger', 'notes-of-ada');
      expect(await codeOf(stranger.state(signal))).to.equal('unauthorized');
      expect(await codeOf(remoteOf(server, 'grace').state(signal))).to.equal('no error');
    });

    it('answers no page of another origin', async () => {
      const server = await SyncServer.guideCouchdb(OTHER_ORIGIN);
      expect(await codeOf(remoteOf(server, 'ada').state(signal))).to.equal('unavailable');
    });
  });

  // Without a nats-server they are skipped; CONTRIBUTING.md says how to get one.
  (found ? describe : describe.skip)('NATS', () => {
    const remoteOf = (servers: SyncServer[], user: string, pass = 'secret'): Remote =>
      natsRemote({
        servers: servers.map(({ port }) => `ws://127.0.0.1:${port}`),
        credentials: () => ({ user, pass }),
        replicas: servers.length,
      });

    it('joins the devices of a user, and shows others nothing', async () => {
      const servers = await SyncServer.guideNats(location.origin, 1);
      await joinTwo(() => remoteOf(servers, 'ada'));
      const ada = remoteOf(servers, 'ada');
      await ada.put('a', new Uint8Array(1_000_000), '', signal);
      expect(await codeOf(remoteOf(servers, 'ada', 'other').state(signal))).to.equal(
        'unauthorized',
      );
      const grace = remoteOf(servers, 'grace');
      expect((await grace.state(signal)).epoch).not.to.equal((await ada.state(signal)).epoch);
      expect(await grace.get('a', signal)).to.equal(undefined);
    });

    it('answers no page of another origin', async () => {
      const servers = await SyncServer.guideNats(OTHER_ORIGIN, 1);
      expect(await codeOf(remoteOf(servers, 'ada').state(signal))).to.equal('unavailable');
    });

    it('joins the devices of a user over three servers', async () => {
      const servers = await SyncServer.guideNats(location.origin, 3);
      const remote = remoteOf(servers, 'ada');
      const isThere = async (): Promise<boolean> =>
        (await codeOf(remote.state(signal))) === 'no error';
      // Until they have found each other, and have elected another leader.
      await until(isThere);
      await servers[0]?.kill();
      await until(isThere);
      await joinTwo(() => remoteOf(servers, 'ada'));
    });
  });
});
