import { expect } from '@esm-bundle/chai';
import { InpageServer, type ResourceProvider } from '@inpage-mcp/server';
import { openStore } from '@inpage-mcp/store';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { openLinkedServer } from '../support/linked-server.js';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { eventually } from '../support/within.js';

describe('connections', () => {
  it('free everything they held when they close, a thousand times', async () => {
    const databaseName = freshDatabaseName();
    const listeners = new Set<unknown>();
    const provider: ResourceProvider = {
      name: 'counted',
      templates: [],
      list: async () => ({ resources: [] }),
      read: async () => undefined,
      listen(listener) {
        const entry = { listener };
        listeners.add(entry);
        return () => listeners.delete(entry);
      },
    };
    const server = new InpageServer(await openStore(databaseName), { providers: [provider] });
    let highest = 0;
    for (let count = 0; count < 1_000; count += 1) {
      const { port1, port2 } = new MessageChannel();
      server.servePort(port2);
      const client = new RawClient(port1);
      if (count % 2 === 0) await client.initialize();
      else {
        client.post('subscriptions/listen', {
          notifications: { resourcesListChanged: true },
          _meta: MODERN_META,
        });
        await client.when(() => client.received.length > 0);
      }
      highest = Math.max(highest, server.connectionCount);
      expect(listeners.size).to.equal(server.connectionCount);
      port1.postMessage(null);
      port1.close();
    }
    await eventually(() => server.connectionCount === 0);
    expect(listeners.size).to.equal(0);
    expect(highest).to.be.within(1, 10);
    await server.close();
    await deleteDatabase(databaseName);
  });

  it('never see the answers of another, although their ids are the same', async () => {
    const linked = await openLinkedServer();
    const { notes } = linked.server.store;
    const created = await Promise.all(
      ['one', 'two'].map((text) => notes.create({ title: text, text })),
    );
    const clients = created.map(() => linked.connectRaw());
    const rounds = Array.from({ length: 50 }, (_, round) => round);
    const texts = await Promise.all(
      clients.map((client, index) =>
        Promise.all(
          rounds.map(async () => {
            const uri = `note:///${created[index]!.id}`;
            const answer = await client.modern('resources/read', { uri });
            return (answer as never as { result: { contents: [{ text: string }] } }).result
              .contents[0].text;
          }),
        ),
      ),
    );
    expect(texts[0]).to.deep.equal(rounds.map(() => 'one'));
    expect(texts[1]).to.deep.equal(rounds.map(() => 'two'));
    for (const client of clients) expect(client.received).to.have.length(rounds.length);
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  it('receive the version of the package', async () => {
    const linked = await openLinkedServer();
    const answer = await linked.connectRaw().initialize();
    const { version } = (await (await fetch('/packages/server/package.json')).json()) as {
      version: string;
    };
    expect(answer).to.have.nested.property('result.serverInfo.version', version);
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  it('are answered and freed although the listener for errors throws each time', async () => {
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    const linked = await openLinkedServer(undefined, {
      onerror: () => {
        throw new Error('of the listener');
      },
    });
    try {
      const client = linked.connectRaw();
      client.port.postMessage({ id: 'a', method: 'no message' });
      expect(await client.answerTo('a')).to.have.nested.property('error.code', -32600);
      client.port.postMessage({ id: 'b', method: 'no message' });
      await client.answerTo('b');
      client.port.postMessage(null);
      await eventually(() => linked.server.connectionCount === 0);
      // The first at once, the second when the connection ends.
      expect(reported.map(String)).to.deep.equal(Array(2).fill('Error: of the listener'));
    } finally {
      globalThis.reportError = reportError;
      await linked.server.close();
      await deleteDatabase(linked.databaseName);
    }
  });

  it('end with null when the server closes', async () => {
    const linked = await openLinkedServer();
    const client = linked.connectRaw();
    await client.modern('resources/list');
    await linked.server.close();
    await client.when(() => client.received.at(-1) === null);
    expect(linked.server.connectionCount).to.equal(0);
    await deleteDatabase(linked.databaseName);
  });
});
