import {
  definePrompt,
  defineTool,
  InpageServer,
  LIST_PAGE_SIZE,
  NOTIFICATION_INTERVAL_MS,
  type Connection,
  type McpServer,
  type ServerOptions,
} from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { MODERN_META } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';
import { eventually } from '../support/within.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { arrived } from '../support/arrived.js';

describe('capabilities', () => {
  const timers = useFakeTimers();
  let linked: LinkedServer;
  const open = async (options: Partial<ServerOptions>): Promise<void> => {
    linked = await openLinkedServer(freshDatabaseName(), options);
  };

  afterEach(async () => {
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  const advertised = async (): Promise<unknown[]> => {
    const [modern, legacy] = [linked.connectRaw(), linked.connectRaw()];
    const results = [
      resultOf(await modern.modern('server/discover')),
      resultOf(await legacy.initialize()),
    ];
    return results.map(({ capabilities }) => (capabilities as { resources: object }).resources);
  };

  for (const subscribe of [true, false]) {
    for (const listChanged of [true, false]) {
      describe(`with subscribe ${subscribe} and listChanged ${listChanged}`, () => {
        beforeEach(() => open({ capabilities: { subscribe, listChanged } }));

        it('are advertised as they are', async () => {
          const [modern, legacy] = await advertised();
          expect(modern).to.deep.equal({ subscribe, listChanged });
          expect(legacy).to.deep.equal({ subscribe, listChanged });
        });

        it('hold for legacy clients', async () => {
          const client = linked.connectRaw();
          await client.initialize();
          const { store } = linked.server;
          const { id } = await store.notes.create({ title: 'a', text: '' });
          const uri = `note:///${id}`;
          for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
            const answer = await client.request(method, { uri });
            if (subscribe) expect(answer).to.have.property('result');
            else expect(errorOf(answer).code).to.equal(-32601);
          }
          await client.request('resources/subscribe', { uri });
          await store.notes.update(id, { title: 'b' });
          const have = (kind: string) => client.notifications(`notifications/resources/${kind}`);
          await eventually(() => {
            timers.pass(NOTIFICATION_INTERVAL_MS);
            const isUpdated = !subscribe || have('updated').length > 0;
            return isUpdated && (!listChanged || have('list_changed').length > 0);
          });
          timers.pass(NOTIFICATION_INTERVAL_MS);
          await arrived();
          expect(have('updated').length > 0).to.equal(subscribe);
          expect(have('list_changed').length > 0).to.equal(listChanged);
        });

        it('hold for modern clients', async () => {
          const client = linked.connectRaw();
          const wanted = { resourcesListChanged: true, resourceSubscriptions: ['note:///a'] };
          client.post('subscriptions/listen', { notifications: wanted, _meta: MODERN_META });
          const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
          await client.when(() => client.notifications(ACKNOWLEDGED).length > 0);
          expect(client.notifications(ACKNOWLEDGED)[0]!.params?.['notifications']).to.deep.equal({
            ...(listChanged && { resourcesListChanged: true }),
            ...(subscribe && { resourceSubscriptions: ['note:///a'] }),
          });
        });
      });
    }
  }

  it('name no tools or prompts where there are none, and their methods are none', async () => {
    await open({ features: [] });
    const client = linked.connectRaw();
    const { capabilities } = resultOf(await client.modern('server/discover'));
    expect(capabilities).not.to.have.any.keys('tools', 'prompts');
    for (const method of ['tools/list', 'tools/call', 'prompts/list', 'prompts/get']) {
      expect(errorOf(await client.modern(method, { name: 'x' })).code).to.equal(-32601);
    }
    const completion = await client.modern('completion/complete', {
      ref: { type: 'ref/prompt', name: 'x' },
      argument: { name: 'a', value: '' },
    });
    expect(errorOf(completion).code).to.equal(-32602);
  });

  it('page lists of tools and prompts', async () => {
    const count = LIST_PAGE_SIZE + 1;
    let removeLast = (): void => undefined;
    await open({
      features: [],
      configure: (server) => {
        for (let index = 0; index < count; index += 1) {
          server.addTool(tool(`n${index}`));
          const remove = server.addPrompt(prompt(`n${index}`));
          if (index === LIST_PAGE_SIZE - 1) removeLast = remove;
        }
      },
    });
    const client = linked.connectRaw();
    for (const kind of ['tools', 'prompts']) {
      const first = resultOf(await client.modern(`${kind}/list`));
      expect(first[kind]).to.have.length(LIST_PAGE_SIZE);
      const cursor = first['nextCursor'];
      const second = resultOf(await client.modern(`${kind}/list`, { cursor }));
      expect((second[kind] as { name: string }[]).map(({ name }) => name)).to.deep.equal([
        `n${count - 1}`,
      ]);
      expect(second).not.to.have.property('nextCursor');
      const other = kind === 'tools' ? 'prompts' : 'tools';
      expect(errorOf(await client.modern(`${other}/list`, { cursor })).code).to.equal(-32602);
      if (kind === 'tools') continue;
      removeLast();
      expect(errorOf(await client.modern('prompts/list', { cursor })).code).to.equal(-32602);
    }
  });

  it('are agreed on with a client of an unknown legacy revision', async () => {
    await open({});
    for (const version of ['1999-12-31', '2024-10-07', '2026-07-28']) {
      const result = resultOf(await linked.connectRaw().initialize(version));
      expect(result['protocolVersion'], version).to.equal('2025-11-25');
    }
  });

  it('come with the app’s own name, instructions and icons', async () => {
    const serverInfo = { name: 'mine', version: '3', title: 'Mine' };
    await open({ serverInfo, instructions: 'Be kind.' });
    const result = resultOf(await linked.connectRaw().initialize());
    expect(result).to.deep.include({ serverInfo, instructions: 'Be kind.' });
  });

  it('are those of one server, however many connections it has', async () => {
    const configured: McpServer<Connection>[] = [];
    await open({ configure: (server) => configured.push(server) });
    await linked.connectRaw().modern('resources/list');
    await linked.connectRaw().modern('resources/list');
    expect(configured).to.have.length(1);
    configured[0]!.addTool(tool('own'));
    for (const client of [linked.connectRaw(), linked.connectRaw()]) {
      resultOf(await client.modern('tools/call', { name: 'own' }));
    }
    expect(linked.server).to.be.instanceOf(InpageServer);
  });
});

const tool = (name: string) => defineTool({ name, run: () => '' });
const prompt = (name: string) => definePrompt({ name, run: () => ({ messages: [] }) });
