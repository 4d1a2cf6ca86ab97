import { expect } from '@esm-bundle/chai';
import {
  defineTool,
  files,
  NOTIFICATION_INTERVAL_MS,
  notes,
  type Access,
  type ResourceProvider,
} from '@inpage-mcp/server';
import { deleteDatabase } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { type RawClient } from '../support/raw-client.js';
import {
  ERA_REVISIONS,
  errorOf,
  isModern,
  resultOf,
  speaking,
  type Speak,
} from '../support/revisions.js';

/** Answers when it is asked to. */
class SlowProvider implements ResourceProvider {
  readonly name = 'slow';
  readonly templates = [{ uriTemplate: 'slow:{id}', name: 'slow' }];
  readonly signals: AbortSignal[] = [];
  #answers: (() => void)[] = [];
  #onasked: (() => void) | undefined;

  async list() {
    await this.#turn();
    return { resources: ['slow:a', 'slow:b'].map((uri) => ({ uri, name: uri })) };
  }

  async read(uri: string, { signal }: { signal: AbortSignal }) {
    if (!uri.startsWith('slow:')) return undefined;
    this.signals.push(signal);
    await this.#turn();
    return [{ uri, text: 'at last' }];
  }

  async complete() {
    await this.#turn();
    return { values: ['a', 'b'], total: 2 };
  }

  listen() {
    return () => undefined;
  }

  /** Resolves once so many wait for an answer. */
  async asked(count = 1): Promise<void> {
    while (this.#answers.length < count) {
      await new Promise<void>((resolve) => (this.#onasked = resolve));
    }
  }

  answer(): void {
    for (const answer of this.#answers) answer();
    this.#answers = [];
  }

  async #turn(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#answers.push(resolve);
      this.#onasked?.();
    });
  }
}

describe('an access that becomes another', () => {
  let linked: LinkedServer;
  let slow: SlowProvider;
  let id: string;

  beforeEach(async () => {
    slow = new SlowProvider();
    linked = await openLinkedServer(undefined, {
      providers: [notes(), files(), slow],
      configure(server) {
        const wait = defineTool({
          name: 'wait',
          annotations: { readOnlyHint: true },
          async run(_input, { signal }) {
            await slow.read('slow:tool', { signal });
            return 'waited';
          },
        });
        server.addTool(wait);
      },
    });
    const { store } = linked.server;
    ({ id } = await store.notes.create({ title: 'note', text: 'text' }));
    await store.files.write('open/a.txt', new Blob(['a']));
    await store.files.write('secret/b.txt', new Blob(['b']));
  });

  afterEach(async () => {
    slow.answer();
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  /** The number of a connection is that of its opening. */
  const setAccess = (access: Access, connection = 1): void =>
    linked.server.setAccess(connection, access);

  async function listen(client: RawClient, notifications: object): Promise<number> {
    const before = client.notifications('notifications/subscriptions/acknowledged').length;
    void client.modern('subscriptions/listen', { notifications });
    const [ack] = await client.when(() => {
      const all = client.notifications('notifications/subscriptions/acknowledged');
      return all.length > before && all.slice(-1);
    });
    const meta = ack!.params?.['_meta'] as { [key: string]: number };
    return meta['io.modelcontextprotocol/subscriptionId']!;
  }

  const updatedUris = (client: RawClient): unknown[] =>
    client.notifications('notifications/resources/updated').map(({ params }) => params?.['uri']);

  for (const revision of ERA_REVISIONS) {
    it(`holds for what is asked next, in ${revision}`, async () => {
      const speak: Speak = await speaking(linked.connectRaw(), revision);
      resultOf(await speak('resources/read', { uri: `note:///${id}` }));
      setAccess({ read: ['file:///open/'], tools: ['search_notes'], prompts: 'none' });
      errorOf(await speak('resources/read', { uri: `note:///${id}` }));
      slow.answer();
      const listing = speak('resources/list');
      await slow.asked();
      slow.answer();
      const uris = (resultOf(await listing)['resources'] as { uri: string }[]).map(
        ({ uri }) => uri,
      );
      expect(uris).to.eql(['file:///open/', 'file:///open/a.txt']);
      expect(resultOf(await speak('tools/list'))['tools']).to.have.length(1);
      expect(resultOf(await speak('prompts/list'))['prompts']).to.have.length(0);
      setAccess({});
      resultOf(await speak('resources/read', { uri: `note:///${id}` }));
      expect(resultOf(await speak('tools/list'))['tools']).to.have.length(12);
    });

    it(`is announced to who listens to the lists, in ${revision}`, async () => {
      const client = linked.connectRaw();
      const speak = await speaking(client, revision);
      const lists = ['resources', 'tools', 'prompts'];
      if (isModern(revision)) {
        await listen(client, Object.fromEntries(lists.map((one) => [`${one}ListChanged`, true])));
      } else await speak('tools/list');
      setAccess({ write: 'deny' });
      for (const list of lists) {
        await client.when(() => client.notifications(`notifications/${list}/list_changed`)[0]);
      }
    });
  }

  for (const revision of ERA_REVISIONS) {
    it(`offers a tool while it can write something, and announces both, in ${revision}`, async () => {
      const client = linked.connectRaw();
      const speak = await speaking(client, revision);
      if (isModern(revision)) await listen(client, { toolsListChanged: true });
      const isOffered = async (): Promise<boolean> => {
        const { tools } = resultOf(await speak('tools/list'));
        return (tools as { name: string }[]).some(({ name }) => name === 'create_note');
      };
      expect(await isOffered()).to.equal(true);
      const announced = () => client.notifications('notifications/tools/list_changed').length;
      for (const [access, offered] of [
        [{ read: [`note:///${id}`] }, false],
        [{ read: ['note:///'] }, true],
      ] as const) {
        const before = announced();
        setAccess(access);
        await client.when(() => announced() > before);
        expect(await isOffered()).to.equal(offered);
      }
    });
  }

  it('ends the streams with something outside, and no others', async () => {
    const client = linked.connectRaw();
    const inside = await listen(client, { resourceSubscriptions: ['file:///open/a.txt'] });
    const mixed = await listen(client, {
      resourceSubscriptions: ['file:///open/a.txt', 'file:///secret/b.txt'],
    });
    setAccess({ read: ['file:///open/'] });
    const ended = resultOf(await client.answerTo(mixed));
    expect(ended['_meta']).to.have.property('io.modelcontextprotocol/subscriptionId', mixed);
    await linked.server.store.files.write('secret/b.txt', new Blob(['new']));
    await linked.server.store.files.write('open/a.txt', new Blob(['new']));
    await client.when(() => updatedUris(client).length > 0);
    const notifications = client.notifications('notifications/resources/updated');
    expect(notifications.map(({ params }) => params?.['_meta'])).to.eql([
      {
        'io.modelcontextprotocol/subscriptionId': inside,
        'io.github.inpage-mcp/changed-by': { own: true },
      },
    ]);
  });

  it('ends legacy subscriptions to what is outside', async () => {
    const client = linked.connectRaw();
    await client.initialize();
    for (const uri of ['file:///open/a.txt', 'file:///secret/b.txt']) {
      resultOf(await client.request('resources/subscribe', { uri }));
    }
    setAccess({ read: ['file:///open/'] });
    await linked.server.store.files.write('secret/b.txt', new Blob(['new']));
    await linked.server.store.files.write('open/a.txt', new Blob(['new']));
    await client.when(() => updatedUris(client).length > 0);
    expect(updatedUris(client)).to.eql(['file:///open/a.txt']);
    setAccess({});
    await linked.server.store.files.write('secret/b.txt', new Blob(['again']));
    await linked.server.store.files.write('open/a.txt', new Blob(['again']));
    await client.when(() => updatedUris(client).length > 1);
    expect(updatedUris(client)).not.to.include('file:///secret/b.txt');
  });

  it('keeps a search that goes on from notifying of what it no longer finds', async () => {
    const { store } = linked.server;
    const secret = await store.notes.create({ title: 'secret', text: 'text' });
    const client = linked.connectRaw();
    const uri = 'note:///search?q=text';
    await listen(client, { resourceSubscriptions: [uri] });
    setAccess({ read: ['note:///search?', `note:///${id}`] });
    await store.notes.update(secret.id, { text: 'other text' });
    // A notification because of it would be here before this answer.
    await client.modern('server/discover');
    expect(updatedUris(client)).to.eql([]);
    await store.notes.update(id, { text: 'another text' });
    await client.when(() => updatedUris(client).length > 0);
    const found = resultOf(await client.modern('resources/read', { uri }));
    expect(JSON.stringify(found)).to.contain('another text').and.not.contain(secret.id);
  });

  describe('within the interval after a notification', () => {
    const timers = useFakeTimers();

    it('keeps an update back that waits for its end', async () => {
      const client = linked.connectRaw();
      await client.initialize();
      const [open, secret] = ['file:///open/a.txt', 'file:///secret/b.txt'];
      for (const uri of [open, secret]) await client.request('resources/subscribe', { uri });
      await linked.server.store.files.write('open/a.txt', new Blob(['1']));
      await linked.server.store.files.write('secret/b.txt', new Blob(['1']));
      setAccess({ read: ['file:///open/'] });
      timers.pass(NOTIFICATION_INTERVAL_MS);
      await client.when(() => updatedUris(client).length > 0);
      await linked.server.store.files.write('open/a.txt', new Blob(['2']));
      timers.pass(NOTIFICATION_INTERVAL_MS);
      await client.when(() => updatedUris(client).length > 1);
      expect(updatedUris(client)).to.eql([open, open]);
    });
  });

  describe('while something is under way', () => {
    for (const revision of ERA_REVISIONS) {
      it(`fails a read outside like one of nothing, and lets others be, in ${revision}`, async () => {
        const client = linked.connectRaw();
        const speak = await speaking(client, revision);
        const outside = speak('resources/read', { uri: 'slow:secret' });
        const inside = speak('resources/read', { uri: 'slow:open' });
        await slow.asked(2);
        setAccess({ read: ['slow:open'] });
        const denied = errorOf(await outside);
        const missing = errorOf(await speak('resources/read', { uri: 'slow:secret' }));
        expect(denied).to.eql(missing);
        expect(slow.signals.map(({ aborted }) => aborted)).to.eql([true, false]);
        slow.answer();
        expect(resultOf(await inside)['contents']).to.eql([{ uri: 'slow:open', text: 'at last' }]);
        const answers = client.received.filter((one) => one !== null && 'error' in one);
        expect(answers).to.have.length(2);
      });

      it(`fails tools, prompts and completions, in ${revision}`, async () => {
        const speak = await speaking(linked.connectRaw(), revision);
        const ref = { type: 'ref/resource', uri: 'slow:{id}' };
        const call = speak('tools/call', { name: 'wait', arguments: {} });
        const completion = speak('completion/complete', {
          ref,
          argument: { name: 'id', value: '' },
        });
        await slow.asked(2);
        setAccess({ write: 'deny' });
        for (const answer of await Promise.all([call, completion])) {
          expect(errorOf(answer)).to.include({ code: -32603 });
          expect(errorOf(answer).message).to.contain('access');
        }
        expect(slow.signals[0]!.aborted).to.equal(true);
      });
    }

    it('fails a search, which may have found what is outside', async () => {
      const { store } = linked.server;
      await store.notes.createAll(
        Array.from({ length: 300 }, () => ({ title: 'secret', text: 'text' })),
      );
      const client = linked.connectRaw();
      await client.modern('server/discover');
      const found = client.modern('resources/read', { uri: 'note:///search?q=text' });
      const seen = client.modern('resources/read', { uri: `note:///${id}` });
      // The search has begun, and takes several steps.
      await seen;
      setAccess({ read: ['note:///search?', `note:///${id}`] });
      const error = errorOf(await found);
      expect(error.message).to.contain('access');
    });

    it('leaves out of a list what is outside by the time it is given out', async () => {
      const client = linked.connectRaw();
      const listing = client.modern('resources/list');
      await slow.asked();
      setAccess({ read: ['slow:b'] });
      slow.answer();
      const { resources } = resultOf(await listing);
      expect((resources as { uri: string }[]).map(({ uri }) => uri)).to.eql(['slow:b']);
    });

    it('fails nothing when everything is permitted', async () => {
      const client = linked.connectRaw({ write: 'deny' });
      const call = client.modern('tools/call', { name: 'wait', arguments: {} });
      await slow.asked();
      setAccess({});
      slow.answer();
      resultOf(await call);
    });
  });

  it('concerns no other connection', async () => {
    const [first, second] = [linked.connectRaw(), linked.connectRaw()];
    setAccess({ read: [] }, 1);
    errorOf(await first.modern('resources/read', { uri: `note:///${id}` }));
    resultOf(await second.modern('resources/read', { uri: `note:///${id}` }));
    setAccess({ read: [] }, 2);
    errorOf(await second.modern('resources/read', { uri: `note:///${id}` }));
  });

  it('can be set before the first message', async () => {
    const client = linked.connectRaw();
    setAccess({ read: [] });
    errorOf(await client.modern('resources/read', { uri: `note:///${id}` }));
  });

  it('stays as it was when it cannot be meant', async () => {
    const client = linked.connectRaw({ read: [] });
    const set = async (): Promise<void> => setAccess({ read: ['nothing'] });
    expect(await failureOf(set())).to.have.property('code', 'invalid-argument');
    errorOf(await client.modern('resources/read', { uri: `note:///${id}` }));
  });

  it('is left alone on a connection that has ended', async () => {
    const client = linked.connectRaw();
    await client.modern('server/discover');
    await linked.server.closeConnection(1);
    await client.when(() => client.received.at(-1) === null);
    setAccess({ read: [] });
    setAccess({ read: [] }, 99);
    await linked.server.closeConnection(1);
    expect(linked.server.connectionCount).to.equal(0);
  });
});
