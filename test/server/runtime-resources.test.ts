import {
  files,
  InpageServer,
  MAX_ACTIVITY,
  MAX_INLINE_BYTES,
  MAX_PROVIDED,
  MAX_URI_LENGTH,
  notes,
  runtimeResources,
  type ServedPortOptions,
} from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { openStore, type ListedChange, type StoreError } from '@inpage-mcp/store';
import { answerOf, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';
import { ToolCaller } from '../support/tool-caller.js';

const STORAGE = 'inpage:///storage';
const ACTIVITY = 'inpage:///activity';
const UPDATED = 'notifications/resources/updated';

interface Entry {
  time: string;
  connection: number;
  method: string;
  uri?: string;
  name?: string;
  outcome: string;
  code?: number;
  durationMs: number;
}

describe('resources of the runtime', () => {
  let client: RawClient;

  const linked = useLinkedServer({
    providers: [notes(), files(), runtimeResources()],
  });
  beforeEach(() => {
    client = linked.connectRaw();
  });

  const contentsOf = async (uri: string): Promise<{ text: string; mimeType: string }> => {
    const { contents } = resultOf(await client.modern('resources/read', { uri }));
    return (contents as [{ text: string; mimeType: string }])[0];
  };
  const json = async <Value>(uri: string): Promise<Value> =>
    JSON.parse((await contentsOf(uri)).text) as Value;
  const activity = async (): Promise<Entry[]> =>
    (await json<{ entries: Entry[] }>(ACTIVITY)).entries;
  const listen = async (...uris: string[]): Promise<void> => {
    const filter = { resourceSubscriptions: uris };
    client.post('subscriptions/listen', { notifications: filter, _meta: MODERN_META });
    await client.when(
      () => client.notifications('notifications/subscriptions/acknowledged').length > 0,
    );
  };
  const updatesOf = (uri: string): number =>
    client.notifications(UPDATED).filter(({ params }) => params?.['uri'] === uri).length;

  describe('changes of clients', () => {
    const changes = async () => (await json<{ changes: object[] }>(ACTIVITY)).changes;
    const guest = (options: ServedPortOptions): ToolCaller => {
      const { port1, port2 } = new MessageChannel();
      linked.server.servePort(port2, { heldBy: 'guest', ...options });
      return new ToolCaller(new RawClient(port1), 'modern');
    };
    const note = { title: 'Shopping', text: 'Bread' };

    for (const [who, options, by] of [
      [
        'a frame, by its origin',
        { holder: 'https://assistant.example' },
        'https://assistant.example',
      ],
      ['a frame, by its name', { holder: 'https://a.example', name: 'Assistant' }, 'Assistant'],
      ['a frame that hides its origin', { holder: 'null' }, undefined],
      ['a port', {}, undefined],
      ['a named client of the page', { heldBy: 'page', name: 'Assistant' }, 'Assistant'],
    ] as const) {
      it(`are kept of ${who}, once for a call that is sent twice`, async () => {
        const tools = guest(options);
        const { id } = await tools.data<{ id: string }>('create_note', note);
        for (let count = 0; count < 2; count += 1)
          await tools.call('append_to_note', { id, text: 'Milk', idempotencyKey: 'a' });
        const all = await changes();
        expect(all).to.have.length(2);
        const { number, time } = all[0] as { number: number; time: string };
        expect(Date.parse(time)).to.be.closeTo(Date.now(), 60_000);
        expect(all[0]).to.deep.equal({
          number,
          time,
          connection: 2,
          ...(by !== undefined && { by }),
          type: 'updated',
          uri: `note:///${id}`,
          title: 'Shopping',
          revert: 'possible',
        });
      });
    }

    it('are shown to no guest', async () => {
      const other = guest({});
      await other.call('create_note', note);
      const answer = await other.request('resources/read', { uri: ACTIVITY });
      const [contents] = resultOf(answer)['contents'] as [{ text: string }];
      expect(JSON.parse(contents.text)).to.have.all.keys('entries');
    });

    it('are none while the user is asked, after a no, and where a write fails', async () => {
      const answers = [true, false];
      let seen = -1;
      linked.server.confirm = async () => {
        seen = (await linked.server.store.history.list()).length;
        return answers.pop()!;
      };
      const tools = guest({ access: { write: 'ask' } });
      await tools.failure('create_note', note);
      expect(seen).to.equal(0);
      expect(await changes()).to.deep.equal([]);
      await tools.failure('delete_note', { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
      expect(await changes()).to.deep.equal([]);
      await tools.call('create_note', note);
      expect(await changes()).to.have.length(1);
    });

    const put = async (store: string, value: unknown, key?: IDBValidKey): Promise<void> => {
      const database = await answerOf(indexedDB.open(linked.databaseName));
      await answerOf(database.transaction(store, 'readwrite').objectStore(store).put(value, key));
      database.close();
    };

    it('do not stop at records that another script has spoilt', async () => {
      const tools = guest({ name: 'Assistant' });
      const { id } = await tools.data<{ id: string }>('create_note', note);
      await tools.call('append_to_note', { id, text: 'Milk' });
      const [good] = await changes();
      const { history } = linked.server.store;
      const [{ number, isRevertible: _is, ...whole }] = (await history.list()) as [ListedChange];
      const spoilt = [
        null,
        'text',
        { ...whole, at: 1e300 },
        { ...whole, kind: 'file', key: '\ud800' },
        { ...whole, bytes: '99999999999' },
        { ...whole, name: 5 },
      ];
      for (const [index, record] of spoilt.entries())
        await put('history', record, number + 50 + index);
      await put('history', whole, 2 ** 53);
      expect((await changes())[1]).to.deep.equal(good);
      await tools.call('append_to_note', { id, text: 'Tea' });
      expect(await changes()).to.have.length(3);
      for (const contents of [null, {}, { before: {}, after: {} }, { lines: { start: 0 } }]) {
        await put('history-contents', contents, number);
        expect(((await failureOf(history.revert(number))) as StoreError).code).to.equal(
          'not-found',
        );
      }
      // However many there are.
      const database = await answerOf(indexedDB.open(linked.databaseName));
      const store = database.transaction('history', 'readwrite').objectStore('history');
      for (let more = 1; more < 5_000; more += 1) store.put(whole, more);
      await answerOf(store.count());
      database.close();
      await tools.call('append_to_note', { id, text: 'Rice' });
      expect(await changes()).to.have.length(200);
    });

    it('of nameless connections are no less safe from others', async () => {
      const [one, other] = [guest({}), guest({})];
      const { id } = await one.data<{ id: string }>('create_note', note);
      for (let count = 0; count < 200; count += 1)
        await other.call('append_to_note', { id, text: '.' });
      expect((await changes()).at(-1)).to.deep.include({ type: 'created', connection: 2 });
    });

    it('of a frame without an origin count together, however often it connects', async () => {
      const { id } = await guest({}).data<{ id: string }>('create_note', note);
      for (let count = 0; count < 200; count += 1)
        await guest({ holder: 'null' }).call('append_to_note', { id, text: '.' });
      expect((await changes()).at(-1)).to.deep.include({ type: 'created', connection: 2 });
    });

    it('and requests of hostile names leave a log that can be read', async () => {
      const tools = guest({ name: '\u0001'.repeat(200) });
      const title = '\u0001'.repeat(1_000);
      for (let count = 0; count < 200; count += 1)
        await tools.call('create_note', { title, text: '' });
      const { text } = await contentsOf(ACTIVITY);
      // Of 1,000 requests and 200 changes; <mcp-activity> reads two million.
      expect(5 * text.length).to.be.below(2_000_000);
    });

    it('are announced when one is undone, and when another tab has written', async () => {
      const tools = guest({});
      await tools.call('create_note', note);
      await listen(ACTIVITY);
      const before = updatesOf(ACTIVITY);
      await linked.server.store.history.revert(
        (await linked.server.store.history.list())[0]!.number,
      );
      await client.when(() => updatesOf(ACTIVITY) > before);
      const undone = updatesOf(ACTIVITY);
      const tab = await openStore(linked.databaseName);
      await tab.notes.create(note);
      await client.when(() => updatesOf(ACTIVITY) > undone);
      tab.close();
    });

    it('do not read what a write need not read, if it is damaged', async () => {
      const { id } = await linked.server.store.notes.create(note);
      const { prototype } = IDBObjectStore;
      const { get } = prototype;
      prototype.get = function refuse(this: IDBObjectStore, key: IDBValidKey | IDBKeyRange) {
        if (this.name === 'note-texts') throw new DOMException('Damaged', 'NotReadableError');
        return get.call(this, key);
      };
      try {
        await guest({}).call('delete_note', { id });
      } finally {
        prototype.get = get;
      }
      expect(await linked.server.store.notes.count()).to.equal(0);
      expect(await changes()).to.deep.equal([]);
    });

    it('do not keep anything from being deleted where they find no room', async () => {
      const { id } = await linked.server.store.notes.create(note);
      const { prototype } = IDBObjectStore;
      const { put: original } = prototype;
      prototype.put = function refuse(this: IDBObjectStore, ...args: [unknown, IDBValidKey?]) {
        if (this.name !== 'history') return original.apply(this, args);
        throw new DOMException('There is no room.', 'QuotaExceededError');
      };
      try {
        const tools = guest({});
        await tools.call('delete_note', { id });
        expect(await tools.failure('create_note', note)).to.contain('room');
      } finally {
        prototype.put = original;
      }
      expect(await linked.server.store.notes.count()).to.equal(0);
      expect(await changes()).to.deep.equal([]);
    });
  });

  describe('storage', () => {
    it('counts what is stored and says how much room there is', async () => {
      await linked.server.store.notes.create({ title: 'a', text: 'b' });
      await linked.server.store.files.write('a', new Blob(['b']));
      await linked.server.store.files.write('c', new Blob(['b']));
      const report = await json<{ [key: string]: unknown }>(STORAGE);
      expect(report).to.deep.include({ notes: 1, files: 2, persisted: false });
      expect(report['usedBytes']).to.be.a('number');
      expect(report['quotaBytes']).to.be.greaterThan(report['usedBytes'] as number);
    });

    it('is updated as data changes', async () => {
      await listen(STORAGE);
      await linked.server.store.notes.create({ title: 'a', text: 'b' });
      await client.when(() => updatesOf(STORAGE) === 1);
      await linked.server.store.files.write('a', new Blob(['b']));
      await client.when(() => updatesOf(STORAGE) === 2);
    });
  });

  describe('activity', () => {
    it('says who asked for what, when, how it ended and how long it took', async () => {
      const other = linked.connectRaw();
      await other.initialize();
      await other.request('resources/read', { uri: 'note:///none' });
      await client.modern('tools/call', { name: 'delete_note', arguments: { id: 'none' } });
      await client.modern('prompts/get', { name: 'none' });
      const entries = await activity();
      const shown = entries.map(({ time: _time, durationMs: _duration, ...rest }) => rest);
      expect(shown).to.deep.equal([
        { connection: 1, method: 'prompts/get', name: 'none', outcome: 'refused', code: -32602 },
        { connection: 1, method: 'tools/call', name: 'delete_note', outcome: 'failed' },
        {
          connection: 2,
          method: 'resources/read',
          uri: 'note:///none',
          outcome: 'refused',
          code: -32002,
        },
        { connection: 2, method: 'initialize', outcome: 'ok' },
      ]);
      for (const { time, durationMs } of entries) {
        expect(Math.abs(Date.now() - Date.parse(time))).to.be.lessThan(60_000);
        expect(durationMs).to.be.within(0, 60_000);
      }
    });

    it('has an entry for a subscription once it is acknowledged', async () => {
      await listen(STORAGE);
      expect((await activity())[0]).to.include({ method: 'subscriptions/listen', outcome: 'ok' });
    });

    it('has an entry for what a client cancelled or left open', async () => {
      linked.server.provided.add({ uri: 'app:slow', name: 'slow' }, () => new Promise(() => {}));
      const slow = { uri: 'app:slow', _meta: MODERN_META };
      client.notify('notifications/cancelled', {
        requestId: client.post('resources/read', slow),
      });
      const other = linked.connectRaw();
      await other.modern('resources/list');
      other.post('resources/read', slow);
      other.port.postMessage(null);
      let cancelled: Entry[] = [];
      while (cancelled.length < 2) {
        cancelled = (await activity()).filter(({ outcome }) => outcome === 'cancelled');
      }
      expect(cancelled.map(({ connection, uri }) => ({ connection, uri }))).to.deep.equal([
        { connection: 2, uri: 'app:slow' },
        { connection: 1, uri: 'app:slow' },
      ]);
    });

    it('keeps the newest entries and no more of a name than one can read', async () => {
      await client.modern('prompts/get', { name: 'oldest' });
      await client.modern('prompts/get', { name: 'x'.repeat(100_000) });
      for (let index = 0; index < MAX_ACTIVITY - 2; index += 1) await client.modern('tools/none');
      const full = await activity();
      expect(full).to.have.length(MAX_ACTIVITY);
      expect(full.at(-1)).to.include({ name: 'oldest' });
      expect(full.at(-2)!.name).to.have.length(201);
      const next = await activity();
      expect(next).to.have.length(MAX_ACTIVITY);
      expect(next.at(-1)!.name).to.have.length(201);
    });

    it('is updated when data is touched, but not by those who list again or read it', async () => {
      await listen(ACTIVITY, STORAGE);
      await activity();
      const other = linked.connectRaw();
      await other.modern('resources/list');
      await other.modern('tools/list');
      const touching: [string, object][] = [
        ['resources/read', { uri: STORAGE }],
        ['tools/call', { name: 'search_notes', arguments: { query: 'a' } }],
        ['prompts/get', { name: 'none' }],
      ];
      for (const [index, [method, params]] of touching.entries()) {
        await other.modern(method, { ...params });
        await client.when(() => updatesOf(ACTIVITY) === index + 1);
      }
      await activity();
      await other.modern('resources/list');
      // The notification of this comes after all that the two above would have caused.
      await linked.server.store.notes.create({ title: 'a', text: '' });
      await client.when(() => updatesOf(STORAGE) === 1);
      expect(updatesOf(ACTIVITY)).to.equal(touching.length);
    });
  });

  describe('of the page', () => {
    it('are listed, read and watched like any other', async () => {
      const { provided } = linked.server;
      let state = 'one';
      await listen('app://x/state?a=b#c');
      provided.add(
        {
          uri: 'app://x/state?a=b#c',
          name: 'state',
          title: 'State',
          description: 'What is selected',
          mimeType: 'text/x-state',
          annotations: { audience: ['assistant'], priority: 1 },
        },
        () => state,
      );
      const CHANGED = 'notifications/resources/list_changed';
      const { resources } = resultOf(await client.modern('resources/list')) as {
        resources: { uri: string }[];
      };
      expect(resources.map(({ uri }) => uri)).to.deep.equal([
        'app://x/state?a=b#c',
        STORAGE,
        ACTIVITY,
      ]);
      expect(resources[0]).to.deep.equal({
        uri: 'app://x/state?a=b#c',
        name: 'state',
        title: 'State',
        description: 'What is selected',
        mimeType: 'text/x-state',
        annotations: { audience: ['assistant'], priority: 1 },
      });
      expect(await contentsOf('app://x/state?a=b#c')).to.include({
        text: 'one',
        mimeType: 'text/x-state',
      });
      expect(updatesOf('app://x/state?a=b#c')).to.equal(1);
      state = 'two';
      provided.changed('app://x/state?a=b#c');
      await client.when(() => updatesOf('app://x/state?a=b#c') === 2);
      expect(await contentsOf('app://x/state?a=b#c')).to.include({ text: 'two' });
      provided.remove('app://x/state?a=b#c');
      provided.remove('app://x/state?a=b#c');
      provided.changed('app://x/state?a=b#c');
      const gone = await client.modern('resources/read', { uri: 'app://x/state?a=b#c' });
      expect(errorOf(gone)).to.include({ code: -32602, message: 'Resource not found' });
      expect(client.notifications(CHANGED)).to.deep.equal([]);
    });

    it('may be text, bytes or a Blob', async () => {
      const { provided } = linked.server;
      const bytes = Uint8Array.of(0, 255);
      const contents: [string, () => never, object][] = [
        ['app:text', () => 'ä' as never, { mimeType: 'text/plain', text: 'ä' }],
        ['app:bytes', () => bytes as never, { mimeType: 'application/octet-stream', blob: 'AP8=' }],
        [
          'app:buffer',
          () => bytes.buffer as never,
          { mimeType: 'application/octet-stream', blob: 'AP8=' },
        ],
        [
          'app:blob',
          () => Promise.resolve(new Blob([bytes], { type: 'image/png' })) as never,
          { mimeType: 'image/png', blob: 'AP8=' },
        ],
      ];
      for (const [uri, read, expected] of contents) {
        provided.add({ uri, name: 'x' }, read);
        expect(await contentsOf(uri)).to.deep.equal({ uri, ...expected });
      }
    });

    it('reveal nothing of why they could not be read', async () => {
      const { provided } = linked.server;
      const wrong: [string, () => never][] = [
        [
          'app:throws',
          () => {
            throw new Error('secret');
          },
        ],
        ['app:object', () => ({ secret: true }) as never],
      ];
      for (const [uri, read] of wrong) {
        provided.add({ uri, name: 'x' }, read);
        const error = errorOf(await client.modern('resources/read', { uri }));
        expect(error).to.deep.equal({ code: -32603, message: 'Internal error' });
      }
      const big = 'x'.repeat(MAX_INLINE_BYTES + 1);
      provided.add({ uri: 'app:big', name: 'x' }, () => big);
      const error = errorOf(await client.modern('resources/read', { uri: 'app:big' }));
      expect(error).to.include({ code: -32603 }).and.nested.include({ 'data.size': big.length });
    });

    it('have uris that are uris, not taken, and none of the server’s own', async () => {
      const { provided } = linked.server;
      const add = (uri: string): void => provided.add({ uri, name: 'x' }, () => '');
      const good = [
        'urn:isbn:0451450523',
        'https://[2001:db8::7]:8080/a%20b;c?d=e&f#g',
        'X-1.2+3:a',
        `app:${'a'.repeat(MAX_URI_LENGTH - 4)}`,
      ];
      for (const uri of good) {
        add(uri);
        expect(() => add(uri), uri).to.throw(/already/);
        await contentsOf(uri);
      }
      const bad = [
        '',
        'app',
        'app:',
        '/a/b',
        '1a:b',
        'app:a b',
        'app:ä',
        'app:%zz',
        'app:a\0',
        'note:///x',
        'disk:///project/x',
        'FILE:///x',
        'inpage:///new',
        `app:${'a'.repeat(MAX_URI_LENGTH - 3)}`,
      ];
      for (const uri of bad)
        expect(() => add(uri), uri)
          .to.throw()
          .with.property('code');
      const wrong: object[] = [
        { name: '' },
        { name: 5 },
        { title: 5 },
        { mimeType: {} },
        { annotations: { priority: 1.1 } },
        { annotations: { audience: ['everyone'] } },
      ];
      for (const fields of wrong) {
        const description = { uri: 'app:n', name: 'n', ...fields } as never;
        expect(() => provided.add(description, () => ''), JSON.stringify(fields)).to.throw(/name/);
      }
    });

    it('are at most so many', () => {
      const { provided } = linked.server;
      for (let index = 0; index < MAX_PROVIDED; index += 1) {
        provided.add({ uri: `app:${index}`, name: 'x' }, () => '');
      }
      expect(() => provided.add({ uri: 'app:x', name: 'x' }, () => '')).to.throw(/1000/);
    });

    it('are paged, and keep their place when others go', async () => {
      const { provided } = linked.server;
      for (let index = 0; index < 300; index += 1) {
        provided.add({ uri: `app:${index}`, name: 'x' }, () => '');
      }
      const first = resultOf(await client.modern('resources/list'));
      const cursor = first['nextCursor'];
      const second = resultOf(await client.modern('resources/list', { cursor }));
      expect(first['resources']).to.have.length(200);
      expect(second['resources']).to.have.length(102);
      expect(second).not.to.have.property('nextCursor');
      provided.remove('app:199');
      provided.remove('app:0');
      provided.add({ uri: 'app:0', name: 'again' }, () => '');
      const again = resultOf(await client.modern('resources/list', { cursor }));
      const uris = (again['resources'] as { uri: string }[]).map(({ uri }) => uri);
      expect(uris[0]).to.equal('app:200');
      expect(uris.slice(-3)).to.deep.equal(['app:0', STORAGE, ACTIVITY]);
    });
  });

  it('are served only where their provider is', async () => {
    const plain = await InpageServer.open(freshDatabaseName(), { providers: [notes()] });
    const { port1, port2 } = new MessageChannel();
    plain.servePort(port2);
    const { RawClient: Raw } = await import('../support/raw-client.js');
    const answer = await new Raw(port1).modern('resources/read', { uri: STORAGE });
    expect(errorOf(answer).message).to.equal('Resource not found');
    const provide = (): void => plain.provided.add({ uri: 'app:a', name: 'a' }, () => '');
    expect(provide)
      .to.throw(/runtimeResources/)
      .with.property('code', 'invalid-argument');
    await plain.close();
  });
});
