import { expect } from '@esm-bundle/chai';
import { openLinkedServer, useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

describe('subscriptions', () => {
  const linked = useLinkedServer();

  const createNote = async (): Promise<{ id: string; uri: string }> => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: 'b' });
    return { id, uri: `note:///${id}` };
  };

  /** Resolves after the notifications of everything that was committed so far. */
  const passBurst = async (client: RawClient): Promise<void> => {
    const { uri, id } = await createNote();
    const seen = client.notifications(LIST_CHANGED).length;
    await linked.server.store.notes.delete(id);
    void uri;
    await client.when(() => client.notifications(LIST_CHANGED).length > seen);
  };

  describe('of the legacy era', () => {
    it('notify of the resources that were subscribed to, until unsubscribed', async () => {
      const client = linked.connectRaw();
      await client.initialize();
      const [watched, other] = [await createNote(), await createNote()];
      await client.request('resources/subscribe', { uri: watched.uri });
      await linked.server.store.notes.update(other.id, { text: 'c' });
      await linked.server.store.notes.update(watched.id, { text: 'c' });
      await client.when(() => client.notifications(UPDATED).length > 0);
      expect(client.notifications(UPDATED)).to.deep.equal([
        { jsonrpc: '2.0', method: UPDATED, params: { uri: watched.uri } },
      ]);
      await client.request('resources/unsubscribe', { uri: watched.uri });
      await linked.server.store.notes.update(watched.id, { text: 'd' });
      await passBurst(client);
      expect(client.notifications(UPDATED)).to.have.length(1);
    });

    it('notify of the list without being asked', async () => {
      const client = linked.connectRaw();
      await client.initialize();
      await linked.server.store.files.write('a', new Blob([]));
      await client.when(() => client.notifications(LIST_CHANGED).length > 0);
      expect(client.notifications(UPDATED)).to.have.length(0);
    });
  });

  describe('of the modern era', () => {
    const listen = (client: RawClient, notifications: object): number =>
      client.post('subscriptions/listen', { notifications, _meta: MODERN_META });

    it('acknowledge first, then notify only of what was asked for, stamped with their id', async () => {
      const client = linked.connectRaw();
      const [watched, other] = [await createNote(), await createNote()];
      const id = listen(client, { resourceSubscriptions: [watched.uri] });
      await client.when(() => client.notifications(ACKNOWLEDGED).length > 0);
      await linked.server.store.notes.update(other.id, { title: 'c' });
      await linked.server.store.notes.update(watched.id, { title: 'c' });
      await client.when(() => client.notifications(UPDATED).length > 0);
      const meta = { [SUBSCRIPTION_ID]: id };
      expect(client.received).to.deep.equal([
        {
          jsonrpc: '2.0',
          method: ACKNOWLEDGED,
          params: { notifications: { resourceSubscriptions: [watched.uri] }, _meta: meta },
        },
        {
          jsonrpc: '2.0',
          method: UPDATED,
          params: {
            uri: watched.uri,
            _meta: { ...meta, 'io.github.inpage-mcp/changed-by': { own: true } },
          },
        },
      ]);
    });

    it('notify of nothing after they were cancelled', async () => {
      const client = linked.connectRaw();
      const note = await createNote();
      const first = listen(client, { resourceSubscriptions: [note.uri] });
      listen(client, { resourcesListChanged: true });
      await client.when(() => client.notifications(ACKNOWLEDGED).length === 2);
      client.notify('notifications/cancelled', { requestId: first });
      await client.modern('resources/list');
      await linked.server.store.notes.update(note.id, { text: 'c' });
      await passBurst(client);
      expect(client.notifications(UPDATED)).to.have.length(0);
    });

    it('end with a result when the server closes', async () => {
      const client = linked.connectRaw();
      const id = listen(client, { resourcesListChanged: true });
      await client.when(() => client.notifications(ACKNOWLEDGED).length > 0);
      await linked.server.close();
      const answer = await client.answerTo(id);
      expect(answer).to.have.nested.property('result.resultType', 'complete');
      await client.when(() => client.received.at(-1) === null);
    });
  });

  it('coalesce a burst of writes and never miss the last state', async () => {
    const client = linked.connectRaw();
    const note = await createNote();
    client.post('subscriptions/listen', {
      notifications: { resourceSubscriptions: [note.uri], resourcesListChanged: true },
      _meta: MODERN_META,
    });
    await client.when(() => client.notifications(ACKNOWLEDGED).length > 0);
    const start = performance.now();
    for (let count = 1; count <= 300; count += 1) {
      await linked.server.store.notes.update(note.id, { text: `${count}` });
    }
    const intervals = Math.ceil((performance.now() - start) / 50);
    let seen = 0;
    let text: unknown;
    while (text !== '300') {
      await client.when(() => client.notifications(UPDATED).length > seen);
      seen = client.notifications(UPDATED).length;
      const answer = await client.modern('resources/read', { uri: note.uri });
      text = (answer as never as { result: { contents: [{ text: string }] } }).result.contents[0]
        .text;
    }
    await passBurst(client);
    expect(client.notifications(UPDATED).length).to.be.within(1, intervals + 2);
    expect(client.notifications(UPDATED).length).to.be.below(300);
  });

  it('notify each connection of its own only', async () => {
    const [first, second] = [linked.connectRaw(), linked.connectRaw()];
    const note = await createNote();
    for (const client of [first, second]) await client.initialize();
    await first.request('resources/subscribe', { uri: note.uri });
    await linked.server.store.notes.update(note.id, { text: 'c' });
    await first.when(() => first.notifications(UPDATED).length > 0);
    await passBurst(second);
    expect(second.notifications(UPDATED)).to.have.length(0);
  });

  it('notify of what another tab commits', async () => {
    const otherTab = await openLinkedServer(linked.databaseName);
    const client = linked.connectRaw();
    await client.initialize();
    const { id } = await otherTab.server.store.notes.create({ title: 'a', text: 'b' });
    await client.when(() => client.notifications(LIST_CHANGED).length > 0);
    await client.request('resources/subscribe', { uri: `note:///${id}` });
    await otherTab.server.store.notes.update(id, { text: 'c' });
    await client.when(() => client.notifications(UPDATED).length > 0);
    await otherTab.server.close();
  });
});
