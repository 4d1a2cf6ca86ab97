import { expect } from '@esm-bundle/chai';
import { files, notes, runtimeResources } from '@inpage-mcp/server';
import { type LinkedServer, useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';
import { expectStrictly, RESULT_SCHEMAS } from '../support/specified-messages.js';
import {
  errorOf,
  isModern,
  resultOf,
  REVISIONS,
  speaking,
  type Revision,
  type Speak,
} from '../support/revisions.js';

type Params = { [key: string]: unknown };

const TEMPLATE_COMPLETION = {
  ref: { type: 'ref/resource', uri: 'note:///{id}' },
  argument: { name: 'id', value: '' },
};
const PROMPT_COMPLETION = {
  ref: { type: 'ref/prompt', name: 'summarize_note' },
  argument: { name: 'note', value: '' },
};

/** The methods of every revision, with params for a note and an image that exist. */
const METHODS: [method: string, params: (uri: string) => Params][] = [
  ['resources/list', () => ({})],
  ['resources/templates/list', () => ({})],
  ['resources/read', (uri) => ({ uri })],
  ['resources/read', () => ({ uri: 'file:///a/cat.png' })],
  ['resources/read', () => ({ uri: 'file:///a/' })],
  ['resources/read', () => ({ uri: 'note:///search?q=one' })],
  ['resources/read', () => ({ uri: 'inpage:///storage' })],
  ['resources/read', () => ({ uri: 'inpage:///activity' })],
  ['tools/list', () => ({})],
  ['tools/call', () => call('create_note', { title: 'a', text: 'b' })],
  ['tools/call', () => call('search_notes', { query: 'one' })],
  ['tools/call', () => call('list_resources', {})],
  ['tools/call', (uri) => call('read_resource', { uri })],
  ['tools/call', () => call('delete_note', { id: 'none' })],
  ['tools/call', () => call('delete_note', { wrong: true })],
  ['prompts/list', () => ({})],
  ['prompts/get', (uri) => call('summarize_note', { note: uri })],
  ['prompts/get', () => call('describe_image', { path: 'a/cat.png' })],
  ['completion/complete', () => TEMPLATE_COMPLETION],
  ['completion/complete', () => PROMPT_COMPLETION],
];

/** What only the revisions with a handshake have. */
const LEGACY_METHODS: typeof METHODS = [
  ['ping', () => ({})],
  ['resources/subscribe', (uri) => ({ uri })],
  ['resources/unsubscribe', (uri) => ({ uri })],
  ['logging/setLevel', () => ({ level: 'debug' })],
];

const call = (name: string, args: Params): Params => ({ name, arguments: args });

for (const revision of REVISIONS) {
  describe(`revision ${revision}`, () => {
    let client: RawClient;
    let speak: Speak;
    let uri: string;

    const linked = useLinkedServer({
      providers: [notes(), files(), runtimeResources()],
    });
    beforeEach(async () => {
      client = linked.connectRaw();
      speak = await speaking(client, revision);
      const { store } = linked.server;
      const annotations = { audience: ['user' as const], priority: 0.5 };
      uri = `note:///${(await store.notes.create({ title: 'N', text: 'one', ...annotations })).id}`;
      await store.files.write('a/cat.png', new Blob([new Uint8Array(9)]), annotations);
    });

    it('answers every method as its schema has it', async () => {
      for (const [method, params] of [...METHODS, ...(isModern(revision) ? [] : LEGACY_METHODS)]) {
        const answer = await speak(method, params(uri));
        expectStrictly(RESULT_SCHEMAS[method]!, resultOf(answer));
      }
    });

    if (isModern(revision)) {
      modernOnly(
        () => client,
        () => linked,
        () => uri,
      );
    } else {
      legacyOnly(
        revision,
        () => client,
        () => linked,
        () => uri,
      );
    }

    it('knows the codes of what is not there', async () => {
      const missing = isModern(revision) ? -32602 : -32002;
      const cases: [string, Params, number][] = [
        ['resources/read', { uri: 'note:///nothing' }, missing],
        ['resources/list', { cursor: 'nonsense' }, -32602],
        ['resources/templates/list', { cursor: 'nonsense' }, -32602],
        ['tools/list', { cursor: 'nonsense' }, -32602],
        ['prompts/list', { cursor: 'nonsense' }, -32602],
        ['tools/call', { name: 'no_such_tool', arguments: {} }, -32602],
        ['prompts/get', { name: 'no_such_prompt' }, -32602],
        ['prompts/get', { name: 'summarize_note' }, -32602],
        ['no/such/method', {}, -32601],
        ['sampling/createMessage', {}, -32601],
      ];
      for (const [method, params, code] of cases) {
        expect(errorOf(await speak(method, params)).code, method).to.equal(code);
      }
    });

    it('sends no kind of content that the revision does not know', async () => {
      const result = resultOf(
        await speak('tools/call', call('create_note', { title: 'L', text: '' })),
      );
      const types = (result['content'] as { type: string }[]).map(({ type }) => type);
      const link = revision < '2025-06-18' ? 'text' : 'resource_link';
      expect(types).to.deep.equal(['text', link]);
    });
  });
}

function modernOnly(client: () => RawClient, linked: () => LinkedServer, uri: () => string): void {
  it('answers server/discover', async () => {
    const result = resultOf(await client().modern('server/discover'));
    expectStrictly(RESULT_SCHEMAS['server/discover']!, result);
    expect(result['supportedVersions']).to.deep.equal(['2026-07-28']);
    expect(result['capabilities']).to.deep.equal({
      completions: {},
      extensions: { 'io.github.inpage-mcp/blob': {} },
      logging: {},
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true },
    });
  });

  it('has none of the methods that the revision dropped', async () => {
    for (const method of [
      'ping',
      'resources/subscribe',
      'resources/unsubscribe',
      'logging/setLevel',
    ]) {
      await client().modern('resources/list');
      const answer = await client().modern(method, { uri: uri(), level: 'info' });
      expect(errorOf(answer).code, method).to.equal(-32601);
    }
  });

  it('says how long each result holds, for whom, and by whom it was made', async () => {
    for (const [method, params] of METHODS) {
      const result = resultOf(await client().modern(method, params(uri())));
      expect(result['resultType'], method).to.equal('complete');
      const meta = result['_meta'] as { [key: string]: { name: string } };
      // By name and version; its icons are in server/discover.
      expect(meta['io.modelcontextprotocol/serverInfo']).to.have.property('name', 'inpage-mcp');
      expect(meta['io.modelcontextprotocol/serverInfo']).not.to.have.property('icons');
      if (!/^(resources|tools\/list|prompts\/list)/.test(method)) continue;
      expect(result, method).to.include({ ttlMs: 0, cacheScope: 'private' });
    }
  });

  it('refuses another revision on every request, also on a port in use', async () => {
    const other = { ...MODERN_META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    for (const method of [
      'resources/list',
      'server/discover',
      'tools/call',
      'subscriptions/listen',
    ]) {
      const error = errorOf(await client().request(method, { _meta: other }));
      expect(error.code, method).to.equal(-32022);
      expect(error.data).to.deep.equal({ supported: ['2026-07-28'], requested: '2027-01-01' });
      await client().modern('resources/list');
    }
  });

  it('checks the _meta of every request', async () => {
    await client().modern('resources/list');
    const { 'io.modelcontextprotocol/clientCapabilities': _dropped, ...rest } = MODERN_META;
    const wrong: unknown[] = [
      undefined,
      {},
      rest,
      { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': 'all' },
      { ...MODERN_META, 'io.modelcontextprotocol/protocolVersion': 5 },
    ];
    for (const _meta of wrong) {
      for (const method of ['resources/list', 'subscriptions/listen']) {
        const params = { notifications: {}, ...(_meta === undefined ? {} : { _meta }) };
        const { code } = errorOf(await client().request(method, params));
        expect(code, `${method} ${JSON.stringify(_meta)}`).to.equal(-32602);
      }
    }
  });

  it('listens several times at once, acknowledges each first, and ends each with a result', async () => {
    const raw = client();
    const other = `note:///${(await linked().server.store.notes.create({ title: 'O', text: '' })).id}`;
    const listen = (notifications: object): number =>
      raw.post('subscriptions/listen', { notifications, _meta: MODERN_META });
    const ids = [
      listen({ resourceSubscriptions: [uri()] }),
      listen({ resourceSubscriptions: [other, uri()] }),
      listen({ resourcesListChanged: true, toolsListChanged: true, promptsListChanged: true }),
    ];
    const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
    await raw.when(() => raw.notifications(ACKNOWLEDGED).length === ids.length);
    await linked().server.store.notes.update(uri().slice('note:///'.length), { title: 'new' });
    const UPDATED = 'notifications/resources/updated';
    await raw.when(() => raw.notifications(UPDATED).length === 2);
    await raw.when(() => raw.notifications('notifications/resources/list_changed').length === 1);
    const subscriptionIds = raw
      .notifications(UPDATED)
      .map(({ params }) => (params as never as { _meta: object })._meta);
    expect(subscriptionIds).to.deep.equal(
      [ids[0], ids[1]].map((id) => ({
        'io.modelcontextprotocol/subscriptionId': id,
        'io.github.inpage-mcp/changed-by': { own: true },
      })),
    );
    await linked().server.close();
    for (const id of ids) {
      const result = resultOf(await raw.answerTo(id));
      expectStrictly(RESULT_SCHEMAS['subscriptions/listen']!, result);
    }
    await raw.when(() => raw.received.at(-1) === null);
  });
}

function legacyOnly(
  revision: Revision,
  client: () => RawClient,
  linked: () => LinkedServer,
  uri: () => string,
): void {
  it('answers initialize', async () => {
    const raw = linked().connectRaw();
    const result = resultOf(await raw.initialize(revision));
    expectStrictly(RESULT_SCHEMAS['initialize']!, result);
    expect(result['protocolVersion']).to.equal(revision);
  });

  it('has none of the methods of later revisions', async () => {
    for (const method of ['server/discover', 'subscriptions/listen']) {
      const answer = await client().request(method, { notifications: {} });
      expect(errorOf(answer).code, method).to.equal(-32601);
    }
  });

  it('sends notifications as the revision has them', async () => {
    const raw = client();
    await raw.request('resources/subscribe', { uri: uri() });
    await linked().server.store.notes.update(uri().slice('note:///'.length), { title: 'new' });
    for (const method of [
      'notifications/resources/updated',
      'notifications/resources/list_changed',
    ]) {
      await raw.when(() => raw.notifications(method).length > 0);
    }
  });
}
