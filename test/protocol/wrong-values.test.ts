import { expect } from '@esm-bundle/chai';
import {
  definePrompt,
  defineTool,
  joinResources,
  McpServer,
  ProtocolError,
  resourceTemplate,
  type Resources,
} from '@inpage-mcp/protocol';
import { failureOf } from '../support/failure.js';
import { sdkV1, sdkV2, type AnyClient } from './any-client.js';

const run = (): string => 'done';

/** What the user of JavaScript may write, whatever the types say. */
const odd = (value: unknown): never => value as never;

/** An object that no structured clone takes, as the state of a framework is. */
const reactive = <Value extends object>(value: Value): Value => new Proxy(value, {});

const CLIENTS: [name: string, connect: (port: MessagePort) => Promise<AnyClient>][] = [
  ['v1', sdkV1],
  ['v2', async (port) => await sdkV2(port, 'auto', undefined)],
];

describe('what an author defines', () => {
  const cyclic: { [name: string]: unknown } = {};
  cyclic['not'] = cyclic;
  const cycle: { [name: string]: unknown } = {};
  cycle['of'] = cycle;

  for (const [what, definition, place] of [
    [
      'a function in its _meta',
      { _meta: { a: { b: () => 1 } } },
      'The tool t._meta.a.b is a function',
    ],
    ['a symbol', { _meta: { a: Symbol('a') } }, 'The tool t._meta.a is a symbol'],
    ['a BigInt', { _meta: { a: [1n] } }, 'The tool t._meta.a.0 is a bigint'],
    ['no number', { _meta: { a: Number.NaN } }, 'The tool t._meta.a is NaN'],
    ['a cycle', { _meta: cycle }, 'in itself'],
    ['a function in its annotations', { annotations: { title: () => 'a' } }, 't.annotations.title'],
    ['a function in its icons', { icons: [{ src: () => 'a' }] }, 't.icons.0.src is a function'],
    [
      'a function as a default',
      { input: { type: 'object', properties: { a: { default: () => 1 } } } },
      'default',
    ],
    ['a schema in itself', { input: cyclic }, 'The input of the tool t: This is not a JSON Schema'],
    [
      'a function among options',
      { input: { type: 'object', properties: { a: { enum: [() => 1] } } } },
      'enum',
    ],
  ] as const)
    it(`is refused with its place where it is ${what}`, () => {
      expect(() => defineTool(odd({ name: 't', run, ...definition }))).to.throw(TypeError, place);
    });

  for (const [what, definition, place] of [
    ['sizes in a text', { icons: [{ src: 'data:,', sizes: '48x48' }] }, 'icons.0.sizes'],
    ['a hint in words', { annotations: { readOnlyHint: 'yes' } }, 'annotations.readOnlyHint'],
    ['a theme that is none', { icons: [{ src: 'data:,', theme: 'blue' }] }, 'icons.0.theme'],
    ['a title that is none', { title: 5 }, 'title'],
  ] as const)
    it(`is refused where it is added with ${what}, which official clients refuse`, () => {
      const server = new McpServer({ name: 's', version: '1' });
      const tool = defineTool(odd({ name: 't', run, ...definition }));
      expect(() => server.addTool(tool)).to.throw(TypeError, place);
      const prompt = definePrompt(odd({ name: 't', run: () => ({ messages: [] }), ...definition }));
      if (!('annotations' in definition))
        expect(() => server.addPrompt(prompt)).to.throw(TypeError, place);
    });

  it('may be nested 100 levels deep, and not one more', () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
    defineTool({ name: 't', _meta: { a: nested(98) }, run });
    expect(() => defineTool({ name: 't', _meta: { a: nested(99) }, run })).to.throw('too deep');
  });

  it('may be the state of a framework', () => {
    const _meta = reactive({ a: reactive({ b: [reactive({ c: 1 })] }) });
    const annotations = reactive({ readOnlyHint: true });
    const { listed, isReadOnly } = defineTool({ name: 't', _meta, annotations, run });
    expect(structuredClone(listed)).to.deep.include({
      _meta: { a: { b: [{ c: 1 }] } },
      annotations,
    });
    expect(isReadOnly).to.equal(true);
  });

  it('is not nothing, and no method of the protocol', () => {
    const server = new McpServer({ name: 's', version: '1' });
    for (const nothing of [undefined, null, 5])
      for (const add of ['addTool', 'addPrompt'] as const)
        expect(() => server[add](odd(nothing))).to.throw(
          TypeError,
          'expected the result of a define function',
        );
    expect(() => new McpServer({ name: 's', version: '1' }, { tools: [odd(undefined)] })).to.throw(
      TypeError,
    );
    const method = { params: () => undefined, run: () => ({}) };
    for (const name of ['tools/list', 'ping', 'subscriptions/listen'])
      expect(() => server.addMethod(name, method)).to.throw(TypeError, 'of the protocol');
    server.addMethod('own/tools', method);
    for (const nothing of [undefined, {}])
      expect(() => server.addMethod('own/other', odd(nothing))).to.throw(TypeError, 'run');
  });

  it('is not replaced by nothing, which would remove it', () => {
    const server = new McpServer({ name: 's', version: '1' });
    const added = server.addTool(defineTool({ name: 't', run }));
    for (const nothing of [undefined, null])
      expect(() => added.update(odd(nothing))).to.throw(
        TypeError,
        'expected the result of a define function',
      );
    expect(() => server.addTool(defineTool({ name: 't', run }))).to.throw('exists already');
    const app = server.addApp({ uri: 'ui://a', html: '' });
    for (const nothing of [undefined, null])
      expect(() => app.update(odd(nothing))).to.throw(TypeError, 'The app: expected object');
  });

  it('is an app with a uri and a page', () => {
    const server = new McpServer({ name: 's', version: '1' });
    for (const [app, problem] of [
      [undefined, 'The app: expected object'],
      [{}, 'The app.uri: expected string'],
      [{ uri: 'ui://a' }, 'The app.html: expected a text or a function'],
      [{ uri: 'ui://a', html: {} }, 'The app.html: expected a text or a function'],
      [{ uri: 'https://a.example', html: '' }, 'begins with ui://'],
    ] as const)
      expect(() => server.addApp(odd(app))).to.throw(TypeError, problem);
  });

  it('is a server that official clients take', () => {
    const info = { name: 's', version: '1' };
    for (const [wrong, options, place] of [
      [{ version: 1 }, {}, 'server.version'],
      [{ title: 5 }, {}, 'server.title'],
      [{ websiteUrl: 5 }, {}, 'server.websiteUrl'],
      [{ icons: [{ src: 'data:,', sizes: '48x48' }] }, {}, 'server.icons.0.sizes'],
      [{}, { instructions: 5 }, 'options.instructions'],
      [{}, { resourceCapabilities: { subscribe: 'yes' } }, 'resourceCapabilities.subscribe'],
    ] as const)
      expect(() => new McpServer(odd({ ...info, ...wrong }), odd(options))).to.throw(
        TypeError,
        place,
      );
  });

  it('is an argument of a prompt that is required, or not', () => {
    const server = new McpServer({ name: 's', version: '1' });
    const messages = { messages: [] };
    for (const required of ['yes', 1, null]) {
      const prompt = definePrompt(
        odd({ name: 'p', arguments: { a: { required } }, run: () => messages }),
      );
      expect(() => server.addPrompt(prompt)).to.throw(TypeError, 'arguments.0.required');
    }
  });

  for (const [what, definition, place] of [
    ['without a name', {}, 'name'],
    ['with a title that is none', { name: 'n', title: 5 }, 'title'],
    ['with a function in its _meta', { name: 'n', _meta: { a: () => 1 } }, '_meta.a is a function'],
    ['that cannot be read', { name: 'n', read: undefined }, 'read'],
    ['with a list that is none', { name: 'n', list: [] }, 'list'],
    ['with a completion that is none', { name: 'n', complete: { x: 'a' } }, 'complete.x'],
  ] as const)
    it(`is no template ${what}`, () => {
      const make = () => resourceTemplate('b:{x}', odd({ read: () => [], ...definition }));
      expect(make).to.throw(TypeError, place);
    });
});

describe('what an app gives at run time', () => {
  const { warn } = console;
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
    console.warn = (text: string) => warnings.push(text);
  });
  afterEach(() => (console.warn = warn));

  const BAD: object[] = [
    { annotations: { lastModified: '2026-11-26' } },
    { annotations: { priority: 5 } },
    { annotations: { audience: 'user' } },
    { icons: [{ src: 'data:,', sizes: '48x48' }] },
    { annotations: { lastModified: '2026-02-30T10:00:00Z' } },
    { annotations: { lastModified: '+012000-01-01T00:00:00Z' } },
    { annotations: { lastModified: '2026-01-01T24:00:00Z' } },
    { annotations: { lastModified: '2026-01-01T00:00:00+0200' } },
    { title: null },
    { description: 5 },
    { mimeType: null },
    { size: '12' },
    { _meta: null },
  ];
  /** None of them can be made an entry. */
  const NONE: unknown[] = [{ uri: 'a:none' }, { uri: 5, name: 'n' }, null, 'a:text'];
  const fine = {
    uri: 'a:fine',
    name: 'fine',
    annotations: { lastModified: '2026-11-26T00:00:00Z' },
  };
  const resources: Resources = {
    templates: [
      odd({ uriTemplate: 'a:{x}', name: 'x', annotations: { priority: -1 } }),
      odd({ uriTemplate: 'b:{x}' }),
    ],
    list: () => ({
      resources: odd([
        fine,
        ...NONE,
        ...BAD.map((bad, n) => ({ uri: `a:${n}`, name: 'n', ...bad })),
      ]),
    }),
    read: (uri) => [{ uri, text: 'text' }],
    complete: () => ({ values: odd(['a', null, 5]), total: 1.5 }),
  };

  for (const [name, connect] of CLIENTS)
    it(`costs the client ${name} that fact, and not the answer`, async () => {
      const server = new McpServer({ name: 's', version: '1' }, { resources });
      server.addTool(
        defineTool({
          name: 't',
          run: () => ({
            content: odd([
              { type: 'resource_link', uri: 'a:1' },
              { type: 'text', text: 'one', annotations: { priority: 5 } },
              { type: 'other' },
            ]),
          }),
        }),
      );
      server.addPrompt(
        definePrompt({
          name: 'p',
          run: () => ({
            messages: odd([
              {
                role: 'user',
                content: { type: 'text', text: 'one', annotations: { audience: 'user' } },
              },
            ]),
          }),
        }),
      );
      const { port1, port2 } = new MessageChannel();
      server.serve(port2);
      const client = await connect(port1);
      const uris = (await client.listResources()).map(({ uri }) => uri);
      expect(uris).to.deep.equal(['a:fine', ...BAD.map((_, n) => `a:${n}`)]);
      expect(await client.listTemplates()).to.have.length(1);
      expect((await client.callTool('t')).content).to.deep.equal([{ type: 'text', text: 'one' }]);
      expect((await client.getPrompt('p')).messages).to.deep.equal([
        { role: 'user', content: { type: 'text', text: 'one' } },
      ]);
      const ref = { type: 'ref/resource', uri: 'a:{x}' };
      expect(await client.complete(ref, 'x', '')).to.deep.include({ values: ['a'], total: 2 });
      // The others are of the template that is none, of two parts of an answer, and of three annotations.
      expect(warnings).to.have.length(BAD.length + NONE.length + 6);
      expect(warnings[0]).to.contain('a:none: it.name: expected string');
      expect(warnings[NONE.length]).to.contain('a:0: annotations.lastModified');
      await client.close();
      server.close();
    });

  for (const [name, connect] of CLIENTS)
    it(`costs the client ${name} a member that no message can have, and not the answer`, async () => {
      const _meta = { a: () => 1, b: 2n, c: reactive({ d: 1 }) };
      const server = new McpServer(
        { name: 's', version: '1' },
        {
          resources: {
            list: () => ({ resources: [fine, { uri: 'a:1', name: 'n', _meta }] }),
            read: (uri) => [{ uri, text: 'text', _meta }],
          },
        },
      );
      server.addTool(
        defineTool({ name: 't', run: () => ({ content: [{ type: 'text', text: 'one', _meta }] }) }),
      );
      server.addMethod('own/function', { params: () => undefined, run: () => ({ value: run }) });
      const { port1, port2 } = new MessageChannel();
      server.serve(port2);
      const client = await connect(port1);
      expect(await client.listResources()).to.deep.equal([
        fine,
        { uri: 'a:1', name: 'n', _meta: { c: { d: 1 } } },
      ]);
      expect((await client.read('a:1'))[0]).to.have.deep.property('_meta', { c: { d: 1 } });
      const { content } = await client.callTool('t');
      expect(content).to.deep.equal([{ type: 'text', text: 'one', _meta: { c: { d: 1 } } }]);
      // As often as errors are reported.
      expect(warnings).to.include('MCP server:');
      await client.close();
      server.close();
    });

  it('costs the list of one of several resources, and not those of the others', async () => {
    const part = (list: () => unknown): Resources =>
      resourceTemplate('p:{x}', { name: 'p', read: () => [], list: odd(list) });
    const failed = part(() => {
      throw new Error('No connection.');
    });
    const page = part(() => ({ resources: [fine] }));
    const joined = joinResources(
      failed,
      { ...resources, list: () => ({ resources: [fine] }) },
      page,
    );
    expect(await joined.list(undefined, odd({}))).to.deep.equal({ resources: [fine] });
    expect(warnings).to.have.length(2);
    expect(warnings[0]).to.contain('the resources p:{x} could not be listed');
    const busy = part(() => {
      throw new ProtocolError(-32603, 'Try again later.');
    });
    expect(
      await failureOf(joinResources(busy).list(undefined, odd({})) as Promise<unknown>),
    ).to.include({ message: 'Try again later.' });
    for (const nothing of [undefined, null, {}, { list: () => [] }])
      expect(() => joinResources(page, odd(nothing))).to.throw(TypeError, 'joinResources: 1 needs');
  });
});
