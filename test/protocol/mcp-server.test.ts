import {
  defineMethod,
  defineTool,
  definePrompt,
  FairShare,
  McpServer,
  PAGE_LIMITS,
  ProtocolError,
  ResourceNotFoundError,
  ToolError,
  UrlElicitationRequiredError,
  type Call,
} from '@inpage-mcp/protocol';
import { expect } from '@esm-bundle/chai';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';

const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody.',
  input: {
    type: 'object',
    properties: { name: { type: 'string' }, loud: { type: 'boolean', default: false } },
    required: ['name'],
    additionalProperties: false,
  },
  run: ({ name, loud }) => (loud ? `HELLO, ${name}!` : `Hello, ${name}.`),
});

const trip = defineTool({
  name: 'trip',
  output: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  async run(_input, call) {
    const requestedSchema = { type: 'object' as const, properties: { city: { type: 'string' } } };
    const { action, content } = await call.elicit('city', {
      message: 'Where to?',
      requestedSchema,
    });
    const sure = await call.elicit('sure', {
      message: `To ${content?.['city'] as string}?`,
      requestedSchema: { type: 'object', properties: {} },
    });
    if (action !== 'accept' || sure.action !== 'accept') throw new ToolError('Nowhere.');
    return { structuredContent: { city: content?.['city'] as string } };
  },
});

const ask = definePrompt({
  name: 'ask',
  arguments: {
    about: {
      required: true,
      complete: (typed) => ['apples', 'pears'].filter((one) => one.startsWith(typed)),
    },
    tone: {},
  },
  run: ({ about, tone = 'plain' }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `${about} ${tone}` } }],
  }),
});

describe('a server of the protocol alone', () => {
  const server = new McpServer(
    { name: 'alone', version: '1' },
    {
      tools: [greet, trip],
      prompts: [ask],
      resources: {
        list: () => ({ resources: [{ uri: 'a:b', name: 'b' }] }),
        read(uri) {
          if (uri !== 'a:b') throw new ResourceNotFoundError(uri);
          return [{ uri, text: 'B' }];
        },
      },
    },
  );

  const connect = (): RawClient => {
    const { port1, port2 } = new MessageChannel();
    server.serve(port2);
    return new RawClient(port1);
  };

  it('lists and calls a tool in the modern era', async () => {
    const client = connect();
    const { tools } = resultOf(await client.modern('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).to.deep.equal(['greet', 'trip']);
    const called = resultOf(
      await client.modern('tools/call', { name: 'greet', arguments: { name: 'Ann' } }),
    );
    expect(called['content']).to.deep.equal([{ type: 'text', text: 'Hello, Ann.' }]);
    const wrong = resultOf(await client.modern('tools/call', { name: 'greet', arguments: {} }));
    expect(wrong).to.include({ isError: true });
    expect(JSON.stringify(wrong['content'])).to.contain('name');
  });

  it('asks twice in the modern era, and carries the first answer along', async () => {
    const client = connect();
    const meta = {
      ...MODERN_META,
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const call = async (more: object) =>
      resultOf(await client.request('tools/call', { name: 'trip', _meta: meta, ...more }));
    const first = await call({});
    expect(first['inputRequests']).to.have.property('city');
    const city = { city: { action: 'accept', content: { city: 'Rome' } } };
    const second = await call({ requestState: first['requestState'], inputResponses: city });
    expect(second).to.have.nested.property('inputRequests.sure.params.message', 'To Rome?');
    const sure = { sure: { action: 'accept', content: {} } };
    const third = await call({ requestState: second['requestState'], inputResponses: sure });
    expect(third['structuredContent']).to.deep.equal({ city: 'Rome' });
  });

  it('asks during the call in the legacy era', async () => {
    const client = connect();
    await client.initialize('2025-11-25', { elicitation: {} });
    const id = client.post('tools/call', { name: 'trip' });
    for (const [round, content] of [{ city: 'Rome' }, {}].entries()) {
      const asked = await client.when(() => client.notifications('elicitation/create')[round]);
      const { id: askedId } = asked as unknown as { id: number };
      const result = { action: 'accept', content };
      client.port.postMessage({ jsonrpc: '2.0', id: askedId, result });
    }
    const result = resultOf(await client.answerTo(id));
    expect(result['structuredContent']).to.deep.equal({ city: 'Rome' });
  });

  const garbage = [
    { action: 'accept', content: { city: 5 } },
    { action: 'accept', content: 'Rome' },
    { action: 'perhaps' },
    { model: 'm', content: { type: 'text', text: 'Rome' } },
    {},
  ];

  it('asks again where the answer does not fit, in the modern era', async () => {
    const client = connect();
    const meta = {
      ...MODERN_META,
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const call = async (more: object) =>
      resultOf(await client.request('tools/call', { name: 'trip', _meta: meta, ...more }));
    const { requestState } = await call({});
    for (const city of garbage) {
      const again = await call({ requestState, inputResponses: { city } });
      expect(again, JSON.stringify(city)).to.have.nested.property('inputRequests.city');
    }
  });

  it('fails for the model where the answer does not fit, or is an error, in the legacy era', async () => {
    const client = connect();
    await client.initialize('2025-11-25', { elicitation: {} });
    const error = { code: -1, message: 'Nobody is here.' };
    const answers = [...garbage.map((result) => ({ result })), { error }];
    for (const [round, answer] of answers.entries()) {
      const id = client.post('tools/call', { name: 'trip' });
      const asked = await client.when(() => client.notifications('elicitation/create')[round]);
      const { id: askedId } = asked as unknown as { id: number };
      client.port.postMessage({ jsonrpc: '2.0', id: askedId, ...answer });
      const result = resultOf(await client.answerTo(id));
      expect(result, JSON.stringify(answer)).to.include({ isError: true });
      expect(JSON.stringify(result['content'])).to.match(/is not valid|Nobody is here/);
    }
  });

  it('fails for the model where a client of the legacy era cannot be asked', async () => {
    const client = connect();
    await client.initialize();
    const result = resultOf(await client.request('tools/call', { name: 'trip' }));
    expect(result).to.include({ isError: true });
    expect(JSON.stringify(result['content'])).to.contain('elicitation/create');
  });

  it('refuses to ask a client that cannot be asked', async () => {
    const error = errorOf(await connect().modern('tools/call', { name: 'trip' }));
    expect(error.code).to.equal(-32021);
    expect(error.data).to.deep.equal({ requiredCapabilities: { elicitation: { form: {} } } });
  });

  it('has prompts, completes their arguments and reads resources', async () => {
    const client = connect();
    const got = resultOf(
      await client.modern('prompts/get', { name: 'ask', arguments: { about: 'pears' } }),
    );
    expect(got).to.have.deep.nested.property('messages[0].content.text', 'pears plain');
    expect(errorOf(await client.modern('prompts/get', { name: 'ask' })).code).to.equal(-32602);
    const completed = resultOf(
      await client.modern('completion/complete', {
        ref: { type: 'ref/prompt', name: 'ask' },
        argument: { name: 'about', value: 'p' },
      }),
    );
    expect(completed['completion']).to.deep.equal({ values: ['pears'], total: 1, hasMore: false });
    const read = resultOf(await client.modern('resources/read', { uri: 'a:b' }));
    expect(read).to.include({ ttlMs: 0, cacheScope: 'private' });
    expect(errorOf(await client.modern('resources/read', { uri: 'a:c' })).code).to.equal(-32602);
  });
});

describe('what an app gets wrong', () => {
  const failing = (): never => {
    throw new Error('secret');
  };

  const served = (options: object, serve: object = {}): RawClient => {
    const { port1, port2 } = new MessageChannel();
    new McpServer({ name: 'odd', version: '1' }, options).serve(port2, serve);
    return new RawClient(port1);
  };

  it('is reported, and keeps no request from its answer, where its observer throws', async () => {
    const reported: unknown[] = [];
    const never = defineTool({ name: 'never', run: () => new Promise<string>(() => {}) });
    const client = served(
      { tools: [greet, never], onerror: (error: unknown) => reported.push(error) },
      { observer: { began: failing, ended: failing }, limits: { timeoutMs: 50 } },
    );
    for (let round = 0; round < 2; round += 1) {
      const late = client.modern('tools/call', { name: 'never' });
      const call = { name: 'greet', arguments: { name: 'Ann' } };
      expect(resultOf(await client.modern('tools/call', call))).to.have.property('content');
      expect(resultOf(await late)).to.include({ isError: true });
    }
    expect(reported[0]).to.be.instanceOf(Error);
  });

  it('is an internal error where it cannot say what a client may read of one', async () => {
    const tool = defineTool({ name: 'fails', run: failing });
    const options = { describeError: failing, onerror: () => undefined };
    const client = served({ tools: [tool], ...options });
    const result = resultOf(await client.modern('tools/call', { name: 'fails' }));
    expect(result['content']).to.deep.equal([{ type: 'text', text: 'Internal error' }]);
  });

  it('is an internal error where it cannot say whether a call scans everything', async () => {
    const reported: unknown[] = [];
    const tool = defineTool({ name: 'odd', isHeavy: failing, run: () => 'never' });
    const client = served({ tools: [tool], onerror: (error: unknown) => reported.push(error) });
    expect(errorOf(await client.modern('tools/call', { name: 'odd' })).code).to.equal(-32603);
    expect(String(reported[0])).to.equal('Error: secret');
    resultOf(await client.modern('tools/list'));
  });

  it('keeps no place of a call whose connection the app has ended before', async () => {
    const isHeavy = (): boolean => {
      connection.close();
      return false;
    };
    const tool = defineTool({ name: 'odd', isHeavy, run: () => 'never' });
    const server = new McpServer({ name: 'odd', version: '1' }, { tools: [tool] });
    const limits = { ...PAGE_LIMITS, requestsInFlight: 1, requestsQueued: 0 };
    const share = new FairShare({ limits, isGuest: false, turns: server.turns });
    const [first, second] = [new MessageChannel(), new MessageChannel()];
    const connection = server.serve(first.port1, { share });
    server.serve(second.port1, { share });
    const ended = new RawClient(first.port2);
    ended.post('tools/call', { name: 'odd', _meta: MODERN_META });
    await ended.when(() => ended.received.includes(null));
    resultOf(await new RawClient(second.port2).modern('tools/list'));
  });

  it('is not begun where the call has ended while its arguments were checked', async () => {
    let check!: (checked: { value: unknown }) => void;
    let runs = 0;
    const slow = defineTool({
      name: 'slow',
      input: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: () => new Promise<{ value: unknown }>((resolve) => (check = resolve)),
          jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
        },
      },
      run: () => String((runs += 1)),
    });
    const client = served({ tools: [slow] });
    const id = client.post('tools/call', { name: 'slow', _meta: MODERN_META });
    await client.modern('tools/list');
    client.notify('notifications/cancelled', { requestId: id });
    await client.modern('tools/list');
    check({ value: {} });
    await client.modern('tools/list');
    expect(runs).to.equal(0);
  });
});

describe('a client of an older revision', () => {
  const form = { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } };
  const url = { mode: 'url' as const, message: 'Log in.', url: 'https://example.com/' };
  const sampled = {
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }],
    maxTokens: 1,
  };

  /** What may be asked, and the first revision that has it. */
  const QUESTIONS: { [name: string]: [since: string, ask: (call: Call) => Promise<unknown>] } = {
    form: ['2025-06-18', (call) => call.elicit('a', form)],
    url: ['2025-11-25', (call) => call.elicit('a', url)],
    sampling: ['2024-11-05', (call) => call.sample('a', sampled)],
    tools: ['2025-11-25', (call) => call.sample('a', { ...sampled, tools: [] })],
    address: [
      '2025-11-25',
      () => Promise.reject(new UrlElicitationRequiredError([{ ...url, elicitationId: '1' }])),
    ],
  };
  const tools = Object.entries(QUESTIONS).map(([name, [, ask]]) =>
    defineTool({ name, run: (_input, call) => ask(call).then(() => 'asked') }),
  );
  const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {} } };

  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    it(`is asked only what its revision has (${revision})`, async () => {
      const { port1, port2 } = new MessageChannel();
      new McpServer({ name: 'asks', version: '1' }, { tools }).serve(port2);
      const client = new RawClient(port1);
      await client.initialize(revision, ALL);
      const asked: string[] = [];
      port1.addEventListener(
        'message',
        ({ data }: MessageEvent<{ id: number; method?: string }>) => {
          if (data?.method === undefined) return;
          asked.push(data.method);
          const result = { action: 'accept', content: { type: 'text', text: 'a' }, model: 'm' };
          port1.postMessage({ jsonrpc: '2.0', id: data.id, result: { ...result, role: 'user' } });
        },
      );
      for (const [name, [since]] of Object.entries(QUESTIONS)) {
        const before = asked.length;
        const answer = await client.request('tools/call', { name });
        expect(asked.length - before, name).to.equal(
          revision >= since && name !== 'address' ? 1 : 0,
        );
        if (name === 'address') {
          const isKnown = revision >= since;
          expect(errorOf(answer).code).to.equal(isKnown ? -32042 : -32603);
        } else if (revision < since) expect(resultOf(answer)).to.include({ isError: true });
      }
    });
  }

  it('of 2025-06-18 can be asked by forms, whatever its capability contains', async () => {
    const { port1, port2 } = new MessageChannel();
    new McpServer({ name: 'asks', version: '1' }, { tools }).serve(port2);
    const client = new RawClient(port1);
    await client.initialize('2025-06-18', { elicitation: { url: {} } });
    client.post('tools/call', { name: 'form' });
    await client.when(() => client.notifications('elicitation/create').length === 1);
  });

  it('gets the choices of a form in the words of its revision, and no field of several', async () => {
    const choices = [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ];
    const fields = {
      one: { type: 'string', title: 'Colour', oneOf: choices },
      several: { type: 'array', items: { anyOf: choices } },
    };
    const asking = Object.entries(fields).map(([name, field]) =>
      defineTool({
        name,
        run: async (_input, call) => {
          const requestedSchema = { type: 'object' as const, properties: { [name]: field } };
          return JSON.stringify(
            (await call.elicit('a', { message: 'Which?', requestedSchema })).content,
          );
        },
      }),
    );
    for (const revision of ['2025-11-25', '2025-06-18']) {
      const { port1, port2 } = new MessageChannel();
      new McpServer({ name: 'asks', version: '1' }, { tools: asking }).serve(port2);
      const client = new RawClient(port1);
      await client.initialize(revision, { elicitation: {} });
      const asked: { [name: string]: object }[] = [];
      port1.addEventListener('message', ({ data }: MessageEvent) => {
        if (data?.method !== 'elicitation/create') return;
        asked.push(data.params.requestedSchema.properties);
        const content =
          'one' in data.params.requestedSchema.properties ? { one: 'g' } : { several: ['g'] };
        port1.postMessage({ jsonrpc: '2.0', id: data.id, result: { action: 'accept', content } });
      });
      const isNew = revision === '2025-11-25';
      const textOf = async (name: string) =>
        JSON.stringify(resultOf(await client.request('tools/call', { name }))['content']);
      expect(await textOf('one')).to.contain(String.raw`{\"one\":\"g\"}`);
      const older = {
        type: 'string',
        title: 'Colour',
        enum: ['r', 'g'],
        enumNames: ['Red', 'Green'],
      };
      expect(asked).to.deep.equal([{ one: isNew ? fields.one : older }]);
      const answer = await textOf('several');
      if (isNew) expect(answer).to.contain(String.raw`{\"several\":[\"g\"]}`);
      else expect(answer).to.contain('can have several values');
      expect(asked).to.have.length(isNew ? 2 : 1);
    }
  });

  it('gets several contents of a question to its model one by one, and none that it cannot know', async () => {
    const text = { type: 'text', text: 'Hi' };
    const audio = { type: 'audio', data: 'YQ==', mimeType: 'audio/wav' };
    const used = { type: 'tool_use', id: '1', name: 'a', input: {} };
    const contents = { text, several: [text, text], audio: [text, audio], used: [used] };
    const asking = Object.entries(contents).map(([name, content]) =>
      defineTool({
        name,
        run: (_input, call) =>
          call
            .sample('a', { maxTokens: 1, messages: [{ role: 'user', content }] })
            .then(() => 'asked'),
      }),
    );
    for (const [revision, refused] of [
      ['2025-11-25', []],
      ['2025-06-18', ['used']],
      ['2024-11-05', ['audio', 'used']],
    ] as [string, string[]][]) {
      const { port1, port2 } = new MessageChannel();
      new McpServer({ name: 'asks', version: '1' }, { tools: asking }).serve(port2);
      const client = new RawClient(port1);
      await client.initialize(revision, { sampling: {} });
      let asked: unknown[] = [];
      port1.addEventListener('message', ({ data }: MessageEvent) => {
        if (data?.method !== 'sampling/createMessage') return;
        asked = data.params.messages;
        const result = { role: 'assistant', content: text, model: 'm' };
        port1.postMessage({ jsonrpc: '2.0', id: data.id, result });
      });
      for (const [name, content] of Object.entries(contents)) {
        asked = [];
        const answer = resultOf(await client.request('tools/call', { name }));
        const isRefused = refused.includes(name);
        expect(answer['isError'] === true, `${name}, ${revision}`).to.equal(isRefused);
        if (isRefused) expect(JSON.stringify(answer)).to.contain('its revision has none');
        const blocks = revision === '2025-11-25' ? [content] : [content].flat();
        const expected = blocks.map((block) => ({ role: 'user', content: block }));
        expect(asked, `${name}, ${revision}`).to.deep.equal(isRefused ? [] : expected);
      }
    }
  });

  it('is not notified of a list that it was not offered', async () => {
    const { port1, port2 } = new MessageChannel();
    const server = new McpServer({ name: 'grows', version: '1' }, { prompts: [ask] });
    server.serve(port2);
    const client = new RawClient(port1);
    const { capabilities } = resultOf(await client.initialize());
    expect(capabilities).to.have.property('prompts').and.not.to.have.property('tools');
    server.addTool(greet);
    server.addPrompt(definePrompt({ name: 'more', run: () => ({ messages: [] }) }));
    await client.when(() => client.notifications('notifications/prompts/list_changed').length > 0);
    expect(client.notifications('notifications/tools/list_changed')).to.be.empty;
  });
});

describe('what an app adds', () => {
  const open = (server: McpServer, options: object = {}): RawClient => {
    const { port1, port2 } = new MessageChannel();
    server.serve(port2, options);
    return new RawClient(port1);
  };
  const said = (text: string) => defineTool({ name: text.toLowerCase(), run: () => text });

  it('can be updated, also under another name, and removed', async () => {
    const server = new McpServer({ name: 'changes', version: '1' });
    const added = server.addTool(said('One'));
    server.addTool(said('Other'));
    const client = open(server);
    const names = async (): Promise<string[]> => {
      const { tools } = resultOf(await client.modern('tools/list'));
      return (tools as { name: string }[]).map(({ name }) => name).toSorted();
    };
    added.update(defineTool({ name: 'one', description: 'New.', run: () => 'New.' }));
    const result = resultOf(await client.modern('tools/call', { name: 'one' }));
    expect(result['content']).to.deep.equal([{ type: 'text', text: 'New.' }]);
    added.update(said('Two'));
    expect(await names()).to.deep.equal(['other', 'two']);
    expect(() => added.update(said('Other'))).to.throw(TypeError, 'exists already');
    expect(await names()).to.deep.equal(['other', 'two']);
    added();
    added();
    expect(await names()).to.deep.equal(['other']);
    expect(() => added.update(said('Two'))).to.throw(TypeError, 'was removed');
  });

  it('may log outside of a call, to clients of the legacy era that want the level', async () => {
    const server = new McpServer({ name: 'logs', version: '1' }, { tools: [greet] });
    const [all, some, modern] = [open(server), open(server), open(server)];
    await all.initialize();
    await some.initialize();
    await some.request('logging/setLevel', { level: 'error' });
    await modern.modern('tools/list');
    server.log('info', 'quiet');
    server.log('error', { loud: true }, 'app');
    const logged = (client: RawClient) =>
      client.notifications('notifications/message').map(({ params }) => params);
    await all.request('ping');
    await some.request('ping');
    await modern.modern('tools/list');
    const loud = { level: 'error', data: { loud: true }, logger: 'app' };
    expect(logged(all)).to.deep.equal([{ level: 'info', data: 'quiet' }, loud]);
    expect(logged(some)).to.deep.equal([loud]);
    expect(logged(modern)).to.deep.equal([]);
  });

  it('may listen to the notifications of a client', async () => {
    const heard: unknown[] = [];
    const reported: unknown[] = [];
    const server = new McpServer(
      { name: 'listens', version: '1' },
      { onerror: (error) => reported.push(error) },
    );
    const onnotification = (method: string, params: object): void => {
      heard.push([method, params]);
      throw new Error('mine');
    };
    const client = open(server, { onnotification });
    await client.initialize();
    client.notify('notifications/cancelled', { requestId: 99 });
    client.notify('notifications/roots/list_changed');
    await client.request('ping');
    expect(heard).to.deep.equal([
      ['notifications/initialized', {}],
      ['notifications/roots/list_changed', {}],
    ]);
    expect(String(reported[0])).to.equal('Error: mine');
  });

  it('may be a method whose params have a schema', async () => {
    const server = new McpServer({ name: 'methods', version: '1' }, { tools: [greet] });
    const double = defineMethod({
      params: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      run: ({ n }) => ({ doubled: 2 * n }),
    });
    const remove = server.addMethod('app/double', double);
    const client = open(server);
    expect(resultOf(await client.modern('app/double', { n: 2 }))).to.include({ doubled: 4 });
    const { code, message } = errorOf(await client.modern('app/double', { n: 'a' }));
    expect([code, message]).to.deep.equal([-32602, 'Invalid params: n: must be an integer']);
    remove();
    expect(errorOf(await open(server).modern('app/double', { n: 2 })).code).to.equal(-32601);
  });

  it('may be a method, whose result is an object', async () => {
    const server = new McpServer({ name: 'methods', version: '1' }, { tools: [greet] });
    const odd: { [kind: string]: unknown } = { string: 'a', array: [], undefined, null: null };
    for (const [kind, given] of Object.entries(odd)) {
      const remove = server.addMethod('app/odd', { run: () => given as never });
      const { code, message } = errorOf(await open(server).modern('app/odd'));
      expect(code).to.equal(-32603);
      expect(message).to.contain(`expected object, received ${kind}`);
      remove();
    }
  });
});

describe('the code of an error', () => {
  it('is one that JSON-RPC and MCP leave to apps, or one of theirs', () => {
    for (const code of [0, 1, -1, -31_999, -32_000, -32_019, -32_602, -32_042, -32_769]) {
      expect(new ProtocolError(code, 'a').code).to.equal(code);
    }
    for (const code of [1.5, NaN, Infinity, '1', -32_020, -32_099, -32_100, -32_768]) {
      expect(() => new ProtocolError(code as number, 'a')).to.throw(RangeError, String(code));
    }
  });
});

describe('what an app defines', () => {
  it('is refused at once, with the tool and the place, where a schema is wrong', () => {
    const run = () => 'never';
    const input = { properties: { a: { required: 'b' } } } as never;
    expect(() => defineTool({ name: 'odd', input, run })).to.throw(
      TypeError,
      'The input of the tool odd: This is not a JSON Schema: properties.a.required: must be',
    );
    const output = { pattern: '(' };
    expect(() => defineTool({ name: 'odd', output, run: run as never })).to.throw(
      TypeError,
      'The output of the tool odd: This is not a JSON Schema: pattern: is not a regular expression',
    );
  });

  it('is refused where it is added, unless it was made by defineTool or definePrompt', () => {
    const server = new McpServer({ name: 'odd', version: '1' });
    const plain = { name: 'plain', description: 'Plain.', run: () => 'never' } as never;
    const message = 'use what defineTool or definePrompt returns';
    expect(() => server.addTool(plain)).to.throw(TypeError, `plain in tools: ${message}`);
    expect(() => server.addPrompt(plain)).to.throw(TypeError, `plain in prompts: ${message}`);
    const options = { tools: [defineTool({ run: () => 'never' } as never)] };
    expect(() => new McpServer({ name: 'odd', version: '1' }, options)).to.throw(TypeError);
    expect(() => server.addTool(defineTool({ name: 'idle' } as never))).to.throw(TypeError);
  });

  it('is refused where it is added, if a member of its entry has the wrong type', () => {
    const server = new McpServer({ name: 'odd', version: '1' });
    const run = (): never => ({}) as never;
    const refuses = (add: () => unknown, says: string): void => {
      expect(add).to.throw(TypeError, says);
    };
    for (const [member, value] of Object.entries({
      title: 5,
      description: null,
      icons: [{ src: 5 }],
      annotations: 'none',
      _meta: [],
    })) {
      const odd = { name: 'odd', [member]: value, run } as never;
      refuses(() => server.addTool(defineTool(odd)), `In tools: odd.${member}`);
    }
    const argument = { about: { title: 5 } } as never;
    refuses(
      () => server.addPrompt(definePrompt({ name: 'odd', arguments: argument, run })),
      'In prompts: odd.arguments.0.title: expected string, received number',
    );
    refuses(
      () => server.addTool(greet).update(defineTool({ name: 'greet', title: 5, run } as never)),
      'In tools: greet.title',
    );
  });

  it('is reported before a user is asked, where the schema of a form is wrong', async () => {
    const reported: unknown[] = [];
    const requestedSchema = { type: 'object', properties: { a: { pattern: 5 } } } as never;
    const tool = defineTool({
      name: 'asks',
      run: (_input, call) => call.elicit('a', { message: 'A?', requestedSchema }).then(String),
    });
    const { port1, port2 } = new MessageChannel();
    const onerror = (error: unknown) => reported.push(String(error));
    new McpServer({ name: 'odd', version: '1' }, { tools: [tool], onerror }).serve(port2);
    const client = new RawClient(port1);
    const meta = {
      ...MODERN_META,
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const answer = await client.request('tools/call', { name: 'asks', _meta: meta });
    expect(errorOf(answer).code).to.equal(-32603);
    expect(reported).to.have.length(1);
    expect(reported[0]).to.contain('properties.a.pattern: must be a string');
  });
});

describe('what an app gives', () => {
  const block = (content: unknown) => ({ content: [content] });

  /** What an app may give by mistake, by the method that gives it, and what the server says. */
  const CASES: [method: string, given: unknown, says: string][] = [
    ['tools/call', block({ type: 'text', text: 5 }), 'content.0.text: expected string'],
    ['tools/call', block({ type: 'odd' }), 'content.0.type: expected one of "text"'],
    ['tools/call', block({ type: 'resource', resource: {} }), 'content.0.resource.uri: expected'],
    ['tools/call', { content: 'text' }, 'content: expected array'],
    ['tools/call', { content: [], isError: 'yes' }, 'isError: expected boolean'],
    ['tools/call', { content: [], _meta: 5 }, '_meta: expected object'],
    ['prompts/get', undefined, 'expected object'],
    ['prompts/get', { messages: [{ role: 'system', content: {} }] }, 'messages.0.role: expected'],
    ['prompts/get', { messages: [{ role: 'user', content: 'a' }] }, 'messages.0.content: expected'],
    ['resources/read', undefined, 'contents: expected array'],
    ['resources/read', [{ text: 'a' }], 'contents.0.uri: expected string'],
    ['resources/read', [{ uri: 'a:b', text: 5 }], 'contents.0.text: expected string'],
    ['resources/read', [{ uri: 'a:b' }], 'contents.0: expected text or blob'],
    [
      'resources/read',
      [{ uri: 'a:b', text: 'a', blob: 'YQ==' }],
      'contents.0: expected text or blob',
    ],
    ['resources/read', [{ uri: 'a:b', blob: 'a/b-c_d=' }], 'contents.0.blob: expected base64'],
    ['resources/read', [{ uri: 'a:b', blob: 'YQ=' }], 'contents.0.blob: expected base64'],
    [
      'tools/call',
      block({ type: 'image', mimeType: 'a/b', data: 'é' }),
      'content.0.data: expected',
    ],
    ['resources/list', undefined, 'expected object'],
    ['resources/list', {}, 'resources: expected array'],
    ['resources/list', { resources: [], nextCursor: 5 }, 'nextCursor: expected string'],
    ['completion/complete', 'abc', 'completion: expected object'],
    ['completion/complete', { values: 5, total: 1 }, 'completion.values: expected array'],
    ['completion/complete', { values: ['a'], total: 'one' }, 'completion.total: expected number'],
  ];

  const PARAMS: { [method: string]: { [name: string]: unknown } } = {
    'tools/call': { name: 'gives' },
    'prompts/get': { name: 'gives' },
    'resources/read': { uri: 'a:b' },
    'completion/complete': {
      ref: { type: 'ref/prompt', name: 'gives' },
      argument: { name: 'about', value: '' },
    },
  };

  it('is checked before it is sent', async () => {
    let given: unknown;
    const give = () => given as never;
    const server = new McpServer(
      { name: 'odd', version: '1' },
      {
        tools: [defineTool({ name: 'gives', run: give })],
        prompts: [
          definePrompt({ name: 'gives', arguments: { about: { complete: give } }, run: give }),
        ],
        resources: {
          get templates(): never {
            return give();
          },
          list: give,
          read: give,
        },
      },
    );
    const { port1, port2 } = new MessageChannel();
    server.serve(port2);
    const client = new RawClient(port1);
    for (const [method, value, says] of CASES) {
      given = value;
      const { code, message } = errorOf(await client.modern(method, PARAMS[method]));
      expect(code, message).to.equal(-32603);
      expect(message).to.contain(`Invalid result of ${method}: `).and.to.contain(says);
    }
    given = undefined;
    const nothing = await client.modern('completion/complete', PARAMS['completion/complete']);
    expect(resultOf(nothing)).to.have.deep.nested.property('completion.values', []);
  });
});
