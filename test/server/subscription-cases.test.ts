import { NOTIFICATION_INTERVAL_MS } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';
import { sizeOf } from '../support/test-size.js';
import { errorOf, resultOf } from '../support/revisions.js';

const UPDATES = sizeOf({ ci: 120, soak: 1_000 });

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';

interface Case {
  subscribe(client: RawClient, uri: string): Promise<void>;
  open(client: RawClient): Promise<unknown>;
  missing: number;
}

/** The same behaviour, in the words of each era. */
const ERAS: { [era: string]: Case } = {
  modern: {
    missing: -32602,
    open: (client) => client.modern('resources/list'),
    async subscribe(client, uri) {
      const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
      const before = client.notifications(ACKNOWLEDGED).length;
      const notifications = { resourceSubscriptions: [uri], resourcesListChanged: true };
      client.post('subscriptions/listen', { notifications, _meta: MODERN_META });
      await client.when(() => client.notifications(ACKNOWLEDGED).length > before);
    },
  },
  legacy: {
    missing: -32002,
    open: (client) => client.initialize(),
    async subscribe(client, uri) {
      resultOf(await client.request('resources/subscribe', { uri }));
    },
  },
};

for (const [era, { subscribe, open, missing }] of Object.entries(ERAS)) {
  describe(`a subscription of the ${era} era`, () => {
    const linked = useLinkedServer();
    let client: RawClient;

    beforeEach(async () => {
      client = linked.connectRaw();
      await open(client);
    });

    const read = (uri: string) =>
      era === 'modern'
        ? client.modern('resources/read', { uri })
        : client.request('resources/read', { uri });
    const updates = (): number => client.notifications(UPDATED).length;
    /** Resolves when everything that was committed before has been reported. */
    const passBurst = async (): Promise<void> => {
      const seen = client.notifications(LIST_CHANGED).length;
      await linked.server.store.files.write(`marker ${Math.random()}`, new Blob([]));
      await client.when(() => client.notifications(LIST_CHANGED).length > seen);
    };

    it('to a resource that is not there yet notifies when it comes', async () => {
      await subscribe(client, 'file:///later.txt');
      await linked.server.store.files.write('later.txt', new Blob(['x']));
      await client.when(() => updates() === 1);
      expect(resultOf(await read('file:///later.txt'))['contents']).to.have.length(1);
    });

    it('to a resource that is deleted notifies once, and reading it then finds nothing', async () => {
      await linked.server.store.files.write('a', new Blob(['x']));
      await subscribe(client, 'file:///a');
      await linked.server.store.files.delete('a');
      await client.when(() => updates() === 1);
      expect(errorOf(await read('file:///a')).code).to.equal(missing);
      await passBurst();
      expect(updates()).to.equal(1);
    });

    it('to a resource that is moved notifies for both addresses', async () => {
      await linked.server.store.files.write('a', new Blob(['x']));
      await subscribe(client, 'file:///a');
      await subscribe(client, 'file:///b');
      await linked.server.store.files.move('a', 'b');
      await client.when(() => updates() >= 2);
      const uris = client.notifications(UPDATED).map(({ params }) => params?.['uri']);
      expect(uris).to.have.members(['file:///a', 'file:///b']);
    });

    it('never has more than one update waiting, and never misses the last state', async () => {
      const { notes } = linked.server.store;
      const { id } = await notes.create({ title: 'a', text: '-1' });
      const uri = `note:///${id}`;
      await subscribe(client, uri);
      const start = performance.now();
      const writes: Promise<unknown>[] = [];
      for (let index = 0; index < UPDATES; index += 1) {
        writes.push(notes.update(id, { text: String(index) }));
        if (index % 100 === 99) await Promise.all(writes);
      }
      let text: string | undefined;
      let seen = 0;
      while (text !== String(UPDATES - 1)) {
        await client.when(() => updates() > seen);
        seen = updates();
        const { contents } = resultOf(await read(uri));
        ({ text } = (contents as [{ text: string }])[0]);
      }
      await passBurst();
      const intervals = (performance.now() - start) / NOTIFICATION_INTERVAL_MS;
      expect(updates()).to.be.within(1, Math.ceil(intervals) + 1);
    });
  });
}

describe('subscriptions of the legacy era', () => {
  const linked = useLinkedServer();
  let client: RawClient;

  beforeEach(async () => {
    client = linked.connectRaw();
    await client.initialize();
  });

  it('may be made twice and notify once', async () => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: '' });
    const uri = `note:///${id}`;
    for (let times = 0; times < 2; times += 1) {
      resultOf(await client.request('resources/subscribe', { uri }));
    }
    const lists = client.notifications(LIST_CHANGED).length;
    await linked.server.store.notes.update(id, { title: 'b' });
    // It is sent after the updates of the same commit.
    await client.when(() => client.notifications(LIST_CHANGED).length > lists);
    expect(client.notifications(UPDATED)).to.have.length(1);
  });

  it('may be ended twice, also when they never were', async () => {
    for (const uri of ['note:///never', 'note:///never', 'https://example.org/']) {
      resultOf(await client.request('resources/unsubscribe', { uri }));
    }
  });
});

describe('subscriptions of the modern era', () => {
  it('of the same resource are each notified, and end one by one', async () => {
    const linked = await openLinkedServer();
    const client = linked.connectRaw();
    const { id } = await linked.server.store.notes.create({ title: 'a', text: '' });
    const filter = { notifications: { resourceSubscriptions: [`note:///${id}`] } };
    const ids = [1, 2].map(() =>
      client.post('subscriptions/listen', { ...filter, _meta: MODERN_META }),
    );
    await client.when(() => client.received.length === 2);
    await linked.server.store.notes.update(id, { text: 'b' });
    await client.when(() => client.notifications(UPDATED).length === 2);
    client.notify('notifications/cancelled', { requestId: ids[0] });
    client.notify('notifications/cancelled', { requestId: ids[0] });
    await client.modern('resources/list');
    await linked.server.store.notes.update(id, { text: 'c' });
    await client.when(() => client.notifications(UPDATED).length === 3);
    expect(client.notifications(UPDATED)[2]!.params?.['_meta']).to.deep.equal({
      'io.github.inpage-mcp/changed-by': { own: true },
      'io.modelcontextprotocol/subscriptionId': ids[1],
    });
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });
});
