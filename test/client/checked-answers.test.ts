import { expect } from '@esm-bundle/chai';
import {
  bytesOf,
  ClientError,
  connectClient,
  rangeOf,
  type ContentBlock,
  type McpClient,
  type Progress,
} from '@inpage-mcp/client';
import { failureOf } from '../support/failure.js';
import { manyHoles } from '../support/holes.js';
import { connectScripted, DISCOVERED, scriptedServer } from './scripted-peer.js';

/** One value of each type, `undefined` excepted: that is an absent field. */
const VALUES = {
  null: null,
  boolean: true,
  'negative number': -1,
  NaN,
  string: 'x',
  array: [['y']],
  object: { z: 1 },
};
type Kind = keyof typeof VALUES;

/** The values that are wrong for a field, by the type that it has. */
const WRONG = {
  string: ['null', 'boolean', 'negative number', 'NaN', 'array', 'object'],
  // The string of the list is not a date, and of no closed set of words.
  date: ['null', 'boolean', 'negative number', 'NaN', 'string', 'array', 'object'],
  word: ['null', 'boolean', 'negative number', 'NaN', 'string', 'array', 'object'],
  amount: ['null', 'boolean', 'negative number', 'NaN', 'string', 'array', 'object'],
  boolean: ['null', 'negative number', 'NaN', 'string', 'array', 'object'],
  object: ['null', 'boolean', 'negative number', 'NaN', 'string', 'array'],
  array: ['null', 'boolean', 'negative number', 'NaN', 'string', 'object'],
} satisfies { [type: string]: Kind[] };
type FieldType = keyof typeof WRONG;
type Fields = { [path: string]: FieldType };

type Json = { [key: string]: unknown };

/** A copy in which the value at a path, such as `annotations.priority`, is another. */
function withValueAt(path: string, value: unknown, of: Json): Json {
  const copy = structuredClone(of);
  const keys = path.split('.');
  const last = keys.pop()!;
  let holder = copy;
  for (const key of keys) holder = holder[key] as Json;
  holder[last] = value;
  return copy;
}

/** A copy without what is at a path. */
function withoutPath(path: string, of: Json): Json {
  const copy = structuredClone(of);
  const keys = path.split('.');
  const last = keys.pop()!;
  let holder = copy;
  for (const key of keys) holder = holder[key] as Json;
  delete holder[last];
  return copy;
}

const ICONS = [{ src: 'data:,', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }];
const LISTED = { name: 'n', title: 't', description: 'd', icons: ICONS, _meta: { key: 1 } };
const ANNOTATIONS = { audience: ['user'], priority: 0.5, lastModified: '2026-11-01T00:00:00Z' };
const RESOURCE = {
  ...LISTED,
  uri: 'a:b',
  mimeType: 'text/plain',
  size: 1,
  annotations: ANNOTATIONS,
};
const LISTED_OPTIONAL: Fields = {
  title: 'string',
  description: 'string',
  icons: 'array',
  'icons.0.mimeType': 'string',
  'icons.0.sizes': 'array',
  'icons.0.theme': 'word',
  _meta: 'object',
};
const ANNOTATIONS_OPTIONAL: Fields = {
  annotations: 'object',
  'annotations.priority': 'amount',
  'annotations.lastModified': 'date',
  'annotations.audience': 'array',
};
const RESOURCE_OPTIONAL: Fields = {
  ...LISTED_OPTIONAL,
  ...ANNOTATIONS_OPTIONAL,
  mimeType: 'string',
};

/** A kind of entry: how it is asked for, what it looks like, and what may be wrong with it. */
interface Entries {
  what: string;
  /** The key of the entries in the result. */
  key: string;
  ask: (client: McpClient) => Promise<object>;
  good: Json;
  required: Fields;
  optional: Fields;
}

const blocks = (good: ContentBlock, required: Fields, optional: Fields): Entries => ({
  what: `a ${good.type} of a tool`,
  key: 'content',
  ask: (client) => client.callTool('t'),
  good: good as unknown as Json,
  required: { type: 'word', ...required },
  optional: { _meta: 'object', ...ANNOTATIONS_OPTIONAL, ...optional },
});

const MORE = { annotations: ANNOTATIONS, _meta: { key: 1 } } as object;
const ENTRIES: Entries[] = [
  {
    what: 'a resource',
    key: 'resources',
    ask: (client) => client.listResources(),
    good: RESOURCE,
    required: { uri: 'string', name: 'string' },
    optional: { ...RESOURCE_OPTIONAL, size: 'amount' },
  },
  {
    what: 'a template',
    key: 'resourceTemplates',
    ask: (client) => client.listResourceTemplates(),
    good: { ...LISTED, uriTemplate: 'a:{b}', mimeType: 'a/b', annotations: ANNOTATIONS },
    required: { uriTemplate: 'string', name: 'string' },
    optional: RESOURCE_OPTIONAL,
  },
  {
    what: 'a content that is text',
    key: 'contents',
    ask: (client) => client.readResource('a:b'),
    good: { uri: 'a:b', mimeType: 'text/plain', text: 'text', _meta: { key: 1 } },
    required: { uri: 'string', text: 'string' },
    optional: { mimeType: 'string', _meta: 'object' },
  },
  {
    what: 'a content of bytes',
    key: 'contents',
    ask: (client) => client.readResource('a:b'),
    good: { uri: 'a:b', mimeType: 'a/b', blob: 'AAAA', _meta: { key: 1 } },
    required: { uri: 'string', blob: 'string' },
    optional: { mimeType: 'string', _meta: 'object' },
  },
  {
    what: 'a tool',
    key: 'tools',
    ask: (client) => client.listTools(),
    good: {
      ...LISTED,
      inputSchema: { type: 'object', properties: { a: {} }, required: ['a'] },
      outputSchema: { type: 'object' },
      annotations: {
        title: 't',
        readOnlyHint: true,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: true,
      },
    },
    required: { name: 'string', inputSchema: 'object', 'inputSchema.type': 'word' },
    optional: {
      ...LISTED_OPTIONAL,
      'inputSchema.properties': 'object',
      'inputSchema.required': 'array',
      outputSchema: 'object',
      annotations: 'object',
      'annotations.title': 'string',
      'annotations.readOnlyHint': 'boolean',
      'annotations.destructiveHint': 'boolean',
      'annotations.idempotentHint': 'boolean',
      'annotations.openWorldHint': 'boolean',
    },
  },
  blocks({ type: 'text', text: 'x', ...MORE }, { text: 'string' }, {}),
  blocks(
    { type: 'image', data: 'AA==', mimeType: 'a/b', ...MORE },
    { data: 'string', mimeType: 'string' },
    {},
  ),
  blocks(
    { type: 'audio', data: 'AA==', mimeType: 'a/b', ...MORE },
    { data: 'string', mimeType: 'string' },
    {},
  ),
  blocks(
    { type: 'resource_link', ...(RESOURCE as object), uri: 'a:b', name: 'n' },
    { uri: 'string', name: 'string' },
    { ...RESOURCE_OPTIONAL, size: 'amount' },
  ),
  blocks(
    { type: 'resource', resource: { uri: 'a:b', mimeType: 'a/b', text: 'x' }, ...MORE },
    { resource: 'object', 'resource.uri': 'string', 'resource.text': 'string' },
    { 'resource.mimeType': 'string' },
  ),
  {
    what: 'a prompt',
    key: 'prompts',
    ask: (client) => client.listPrompts(),
    good: {
      ...LISTED,
      arguments: [{ name: 'a', title: 't', description: 'd', required: true }],
    },
    required: { name: 'string' },
    optional: {
      ...LISTED_OPTIONAL,
      arguments: 'array',
      'arguments.0.title': 'string',
      'arguments.0.description': 'string',
      'arguments.0.required': 'boolean',
    },
  },
  {
    what: 'a message of a prompt',
    key: 'messages',
    ask: (client) => client.getPrompt('p'),
    good: { role: 'user', content: { type: 'text', text: 'x' } },
    required: { role: 'word', content: 'object', 'content.text': 'string' },
    optional: {},
  },
];

/** Every wrong value of every field, with the path and the name of the value. */
function* wrongValues(fields: Fields): Iterable<[path: string, kind: Kind]> {
  for (const [path, type] of Object.entries(fields)) {
    for (const kind of WRONG[type]) yield [path, kind];
  }
}

/** Asks a server for the entries that it is to answer with. */
async function ask(client: McpClient, { ask: request, key }: Entries): Promise<Json> {
  const result = (await request(client)) as Json;
  return { entries: result[key], unusable: result['unusable'] };
}

describe('an answer of a server', () => {
  for (const entries of ENTRIES) {
    const { what, key, good, required, optional } = entries;
    const answering = async (...answers: unknown[][]) =>
      await connectScripted(
        {},
        answers.map((all) => ({ [key]: all })),
      );

    it(`with ${what} that is right comes as it is`, async () => {
      const { client } = await answering([good, { ...good, ofTheFuture: [1] }]);
      expect(await ask(client, entries)).to.deep.equal({
        entries: [good, { ...good, ofTheFuture: [1] }],
        unusable: undefined,
      });
      await client.close();
    });

    it(`with ${what} in which a required field is wrong comes without it, and counts it`, async () => {
      const cases = [...wrongValues(required)];
      const bad = cases.map(([path, kind]) => withValueAt(path, VALUES[kind], good));
      const missing = Object.keys(required).map((path) => withoutPath(path, good));
      const never = [...bad, ...missing, null, 'entry', 7, [good]];
      const { client } = await answering(...never.map((one) => [one, good]));
      for (const one of never) {
        const answer = await ask(client, entries);
        expect(answer, JSON.stringify(one)).to.deep.equal({ entries: [good], unusable: 1 });
      }
      await client.close();
    });

    it(`with ${what} in which an optional field is wrong comes without the field`, async () => {
      const cases = [...wrongValues(optional)];
      const { client } = await answering(
        ...cases.map(([path, kind]) => [withValueAt(path, VALUES[kind], good)]),
      );
      for (const [path, kind] of cases) {
        const answer = await ask(client, entries);
        const expected = { entries: [withoutPath(path, good)], unusable: undefined };
        expect(answer, `${path}: ${kind}`).to.deep.equal(expected);
      }
      await client.close();
    });

    it(`without the list of ${what} is rejected`, async () => {
      const answers = [{}, ...WRONG.array.map((kind) => ({ [key]: VALUES[kind] }))];
      const { client } = await connectScripted({}, answers);
      for (const answer of answers) {
        const error = await failureOf(ask(client, entries));
        expect(error, JSON.stringify(answer)).to.be.instanceOf(ClientError);
        expect(error).to.include({ code: 'invalid-result' });
      }
      await client.close();
    });
  }

  it('loses only the wrong ones among icons, roles and arguments', async () => {
    const icons = [null, { mimeType: 'a/b' }, { src: 7 }, ...ICONS];
    const audience = ['user', 'everybody', null, 'assistant'];
    const resource = { ...RESOURCE, icons, annotations: { audience } };
    const prompt = { name: 'p', arguments: [null, {}, { name: 7 }, { name: 'a' }] };
    const { client } = await connectScripted({}, [
      { resources: [resource] },
      { prompts: [prompt] },
    ]);
    const { resources } = await client.listResources();
    expect(resources[0]!.icons).to.deep.equal(ICONS);
    expect(resources[0]!.annotations).to.deep.equal({ audience: ['user', 'assistant'] });
    const { prompts } = await client.listPrompts();
    expect(prompts[0]!.arguments).to.deep.equal([{ name: 'a' }]);
    await client.close();
  });

  it('is a last page when its cursor is absent or null, and counts one of another type', async () => {
    const cursors = [undefined, null, 7, ['a'], { a: 1 }];
    const answers = cursors.map((nextCursor) => ({ resources: [RESOURCE], nextCursor }));
    const { client } = await connectScripted({}, answers);
    const counts = [];
    for (const _ of cursors) {
      const page = await client.listResources();
      expect(page.nextCursor).to.equal(undefined);
      expect(page.resources).to.have.length(1);
      counts.push(page.unusable);
    }
    expect(counts).to.deep.equal([undefined, undefined, 1, 1, 1]);
    await client.close();
  });

  it('says how long it holds, and for whom, only in the words of the specification', async () => {
    const said = { resources: [], ttlMs: 5, cacheScope: 'public' };
    const wrong = { resources: [], ttlMs: '5', cacheScope: 'everybody' };
    const { client } = await connectScripted({}, [said, wrong]);
    expect(await client.listResources()).to.include({ ttlMs: 5, cacheScope: 'public' });
    expect(await client.listResources()).to.deep.equal({ resources: [] });
    await client.close();
  });

  it('cannot count for itself what is unusable', async () => {
    const { client } = await connectScripted({}, [{ resources: [], unusable: 'many' }]);
    expect((await client.listResources()).unusable).to.equal(undefined);
    await client.close();
  });

  it('has 10,000 entries at most, and counts the others', async () => {
    const resources = Array.from({ length: 10_001 }, (_, key) => ({ uri: `a:${key}`, name: 'n' }));
    const content = Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'x' }));
    const answers = [{ resources: resources.slice(1) }, { resources }, { content }];
    const { client } = await connectScripted({}, answers);
    expect(await client.listResources()).to.deep.equal({ resources: resources.slice(1) });
    const { resources: first, unusable } = await client.listResources();
    expect([first.length, first.at(-1), unusable]).to.deep.equal([10_000, resources[9_999], 1]);
    const { content: parts, unusable: others } = await client.callTool('many');
    expect([parts.length, others]).to.deep.equal([10_000, 190_000]);
    await client.close();
  });

  it('of billions of holes takes no time', async () => {
    const holes = manyHoles();
    holes[5] = RESOURCE;
    const { client } = await connectScripted({}, [{ resources: holes }]);
    expect((await client.listResources()).resources).to.deep.equal([RESOURCE]);
    await client.close();
  });

  it('is rejected when nothing of a resource or of a prompt is usable', async () => {
    const wrong = [null, { uri: 'a:b' }];
    const { client } = await connectScripted({}, [
      { contents: wrong },
      { messages: wrong },
      { content: wrong, structuredContent: { done: true } },
      { contents: [] },
    ]);
    expect(await failureOf(client.readResource('a:b'))).to.include({ code: 'invalid-result' });
    expect(await failureOf(client.getPrompt('p'))).to.include({ code: 'invalid-result' });
    // The tool has done what it does.
    const result = await client.callTool('t');
    expect(result).to.deep.include({ content: [], structuredContent: { done: true }, unusable: 2 });
    expect((await client.readResource('a:b')).contents).to.deep.equal([]);
    await client.close();
  });

  it('of text and bytes at once is text', async () => {
    const contents = [{ uri: 'a:b', text: 'x', blob: '' }];
    const { client } = await connectScripted({}, [{ contents }]);
    expect((await client.readResource('a:b')).contents).to.deep.equal([{ uri: 'a:b', text: 'x' }]);
    await client.close();
  });

  it('reports that a tool failed only with true', async () => {
    const answers = ['yes', 1, {}, null].map((isError) => ({ content: [], isError }));
    const { client } = await connectScripted({}, [...answers, { content: [], isError: true }]);
    for (const _ of answers) expect((await client.callTool('t')).isError).to.equal(undefined);
    expect((await client.callTool('t')).isError).to.equal(true);
    await client.close();
  });

  it('to a completion has the values that are texts', async () => {
    const completions = [
      { values: ['a', 7, null, 'b'], total: 'two', hasMore: 'no' },
      { values: ['a'], total: 2, hasMore: true },
    ];
    const wrong = [null, 'a', [], { values: 'a' }, { values: null }, undefined];
    const { client } = await connectScripted(
      {},
      [...completions, ...wrong].map((completion) => ({ completion })),
    );
    const ref = { type: 'ref/prompt', name: 'p' } as const;
    const complete = () => client.complete(ref, { name: 'a', value: '' });
    expect(await complete()).to.deep.equal({ values: ['a', 'b'], unusable: 2 });
    expect(await complete()).to.deep.equal({ values: ['a'], total: 2, hasMore: true });
    for (const _ of wrong)
      expect(await failureOf(complete())).to.include({ code: 'invalid-result' });
    await client.close();
  });

  it('of bytes that are not base64 is rejected where it is decoded', async () => {
    const { client } = await connectScripted({}, [{ contents: [{ uri: 'a:b', blob: '%%%' }] }]);
    const { contents } = await client.readResource('a:b');
    expect(() => bytesOf(contents[0]!))
      .to.throw(ClientError, 'a:b')
      .with.property('code', 'invalid-result');
    await client.close();
  });

  it('names a range only if it is one', async () => {
    const key = 'io.github.inpage-mcp/range';
    const good = { offset: 0, length: 1, size: 2 };
    const wrong = [null, 'all', [], {}, { ...good, size: '2' }, { ...good, offset: -1 }];
    const contents = [good, ...wrong].map((range) => ({
      uri: 'a:b',
      text: '',
      _meta: { [key]: range },
    }));
    const { client } = await connectScripted({}, [{ contents }]);
    const result = await client.readResource('a:b');
    expect(result.contents.map(rangeOf)).to.deep.equal([good, ...wrong.map(() => undefined)]);
    await client.close();
  });
});

describe('what a server says of itself', () => {
  const connectTo = async (discovered: object): Promise<McpClient> =>
    await connectClient(scriptedServer([], { ...DISCOVERED, ...discovered }).transport);
  const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

  it('is left out where it is wrong', async () => {
    const info = { name: 'n', version: '1' };
    const client = await connectTo({
      capabilities: { resources: { subscribe: 'yes', listChanged: true }, tools: 7, prompts: null },
      _meta: { [SERVER_INFO]: { ...info, title: 7, websiteUrl: {}, icons: [null, ...ICONS] } },
    });
    expect(client.serverCapabilities).to.deep.equal({ resources: { listChanged: true } });
    expect(client.serverInfo).to.deep.equal({ ...info, icons: ICONS });
    await client.close();
    for (const wrong of [null, 'n', { name: 'n' }, { name: 7, version: '1' }]) {
      const other = await connectTo({ _meta: { [SERVER_INFO]: wrong }, capabilities: 'all' });
      expect(other.serverInfo).to.equal(undefined);
      expect(other.serverCapabilities).to.deep.equal({});
      await other.close();
    }
  });
});

describe('a notification of a server', () => {
  it('of progress comes without what is wrong', async () => {
    const server = await connectScripted();
    const received: Progress[] = [];
    const call = server.client.callTool('t', {}, { onprogress: (one) => received.push(one) });
    const request = await server.request(0);
    for (const progress of [null, '1', NaN, undefined])
      server.reportProgress(request, { progress });
    server.reportProgress(request, { progress: 1, total: 'all', message: {} });
    server.reportProgress(request, { progress: 2, total: 3, message: 'm' });
    server.answer(request, { content: [] });
    await call;
    expect(received).to.deep.equal([{ progress: 1 }, { progress: 2, total: 3, message: 'm' }]);
    await server.client.close();
  });

  it('that acknowledges nothing that can be understood ends the watch', async () => {
    const wrong = [null, 7, 'a:b', [], ['a:b'], { resourceSubscriptions: 7 }];
    for (const notifications of [...wrong, { resourceSubscriptions: 'a:b' }]) {
      const server = await connectScripted();
      const watch = server.client.watch('a:b', () => undefined);
      const { id } = await server.request(0);
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const method = 'notifications/subscriptions/acknowledged';
      server.port.postMessage({ jsonrpc: '2.0', method, params: { notifications, _meta } });
      expect(await failureOf(watch.ready)).to.include({ code: 'unsupported' });
      await server.client.close();
    }
  });

  it('of a change that names nothing does no harm', async () => {
    const server = await connectScripted();
    let calls = 0;
    const watch = server.client.watch('a:b', () => (calls += 1));
    const { id } = await server.request(0);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    const post = (name: string, params: object): void => {
      const method = `notifications/${name}`;
      server.port.postMessage({ jsonrpc: '2.0', method, params });
    };
    const notifications = { resourceSubscriptions: ['a:b'] };
    post('subscriptions/acknowledged', { notifications, _meta });
    await watch.ready;
    for (const uri of [null, 7, ['a:b'], { uri: 'a:b' }]) post('resources/updated', { uri, _meta });
    for (const wrong of [null, 7, [], 'a']) post('resources/updated', { uri: 'a:b', _meta: wrong });
    post('resources/updated', { uri: 'a:b', _meta });
    // An answer comes after all of them.
    const list = server.client.listTools();
    server.answer(await server.request(1), { tools: [] });
    await list;
    expect(calls).to.equal(1);
    await server.client.close();
  });
});

describe('a question of a server', () => {
  it('that is no form is not put to the user', async () => {
    const wrongSchemas = [
      null,
      'form',
      [],
      {},
      { type: 'object' },
      { type: 'array', properties: {} },
      { type: 'object', properties: [] },
      { type: 'object', properties: { a: null } },
    ];
    const answers = wrongSchemas.map((requestedSchema) => ({
      resultType: 'input_required',
      inputRequests: {
        a: { method: 'elicitation/create', params: { message: 'm', requestedSchema } },
      },
    }));
    const elicit = () => expect.fail('asked') as never;
    const { client } = await connectScripted({ elicit }, answers);
    for (const _ of answers)
      expect(await failureOf(client.callTool('t'))).to.include({ code: 'unsupported' });
    await client.close();
  });
});
