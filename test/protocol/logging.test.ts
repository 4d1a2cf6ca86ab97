import {
  definePrompt,
  defineTool,
  inputRequired,
  McpServer,
  type Call,
  type McpServerOptions,
  type Tool,
} from '@inpage-mcp/protocol';
import { expect } from '@esm-bundle/chai';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { errorOf, isModern, REVISIONS, resultOf, speaking } from '../support/revisions.js';
import { LEVELS } from './twins/request.js';

const MESSAGE = 'notifications/message';
const PROGRESS = 'notifications/progress';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** A tool that does with its call what a test says. */
function tool(name: string, run: (call: Call) => unknown): Tool {
  return defineTool({
    name,
    async run(_input, call) {
      await run(call);
      return 'Done.';
    },
  });
}

const logsEachLevel = tool('logs', (call) => {
  for (const level of LEVELS) call.log(level, level);
});

function serverWith(tools: Tool[], options: McpServerOptions = {}): McpServer {
  const server = new McpServer({ name: 'log', version: '1' }, { onerror: () => {}, ...options });
  for (const one of tools) server.addTool(one);
  return server;
}

function connectTo(server: McpServer): RawClient {
  const { port1, port2 } = new MessageChannel();
  server.serve(port2);
  return new RawClient(port1);
}

async function legacyClientOf(server: McpServer): Promise<RawClient> {
  const client = connectTo(server);
  await client.initialize();
  return client;
}

/** What the messages of the log say, since the last time that this was called. */
function logged(client: RawClient): unknown[] {
  const messages = client.notifications(MESSAGE);
  client.received.length = 0;
  return messages.map(({ params }) => params!['data']);
}

/** The params of what was reported of the progress, so far. */
const reported = (client: RawClient): unknown[] =>
  client.notifications(PROGRESS).map(({ params }) => params);

const withMeta = (meta: object) => ({ _meta: { ...MODERN_META, ...meta } });

describe('the log of a legacy connection', () => {
  const server = serverWith([logsEachLevel]);
  const callTool = (client: RawClient) => client.request('tools/call', { name: 'logs' });

  it('has every message before the client sets a level', async () => {
    const client = await legacyClientOf(server);
    await callTool(client);
    expect(logged(client)).to.deep.equal(LEVELS);
  });

  it('has what matters as much as the client wants, from then on', async () => {
    const client = await legacyClientOf(server);
    for (const [index, level] of [...LEVELS.entries()].toReversed()) {
      resultOf(await client.request('logging/setLevel', { level }));
      for (let times = 0; times < 2; times += 1) {
        await callTool(client);
        expect(logged(client), level).to.deep.equal(LEVELS.slice(index));
      }
    }
  });

  it('knows nothing of the levels of others', async () => {
    const quiet = await legacyClientOf(server);
    const other = await legacyClientOf(server);
    await quiet.request('logging/setLevel', { level: 'emergency' });
    await callTool(other);
    expect(logged(other)).to.deep.equal(LEVELS);
  });

  it('keeps its level when the client sets one that there is not', async () => {
    const client = await legacyClientOf(server);
    await client.request('logging/setLevel', { level: 'alert' });
    for (const level of ['verbose', 'ALERT', '', 3, null]) {
      expect(errorOf(await client.request('logging/setLevel', { level })).code).to.equal(-32602);
    }
    await callTool(client);
    expect(logged(client)).to.deep.equal(['alert', 'emergency']);
  });

  it('does not look at the level of a request, which is of the modern era', async () => {
    const client = await legacyClientOf(server);
    await client.request('tools/call', { name: 'logs', _meta: { [LOG_LEVEL]: 'emergency' } });
    expect(logged(client)).to.deep.equal(LEVELS);
  });
});

describe('the log of a modern request', () => {
  const server = serverWith([logsEachLevel]);
  const callTool = (client: RawClient, meta: object = {}) =>
    client.request('tools/call', { name: 'logs', ...withMeta(meta) });

  it('has nothing unless the request names a level', async () => {
    const client = connectTo(server);
    await callTool(client);
    expect(logged(client)).to.deep.equal([]);
  });

  it('has what matters as much as the request wants, and the next knows nothing of it', async () => {
    const client = connectTo(server);
    for (const [index, level] of LEVELS.entries()) {
      await callTool(client, { [LOG_LEVEL]: level });
      expect(logged(client), level).to.deep.equal(LEVELS.slice(index));
      await callTool(client);
      expect(logged(client)).to.deep.equal([]);
    }
  });

  it('has what each of several requests wants that are worked on at once', async () => {
    const started: (() => void)[] = [];
    const waits = tool('waits', async (call) => {
      await new Promise<void>((resolve) => started.push(resolve));
      for (const level of LEVELS) call.log(level, [call.id, level]);
    });
    const client = connectTo(serverWith([waits]));
    const ids = ['warning', 'emergency', undefined].map((level) =>
      client.post('tools/call', {
        name: 'waits',
        ...withMeta(level ? { [LOG_LEVEL]: level } : {}),
      }),
    );
    await client.modern('server/discover');
    for (const start of started) start();
    await Promise.all(ids.map((id) => client.answerTo(id)));
    const own = (id: unknown): unknown[] =>
      client.notifications(MESSAGE).flatMap(({ params }) => {
        const [of, level] = params!['data'] as [unknown, string];
        return of === id ? [level] : [];
      });
    expect(ids.map(own)).to.deep.equal([LEVELS.slice(3), ['emergency'], []]);
  });

  it('is refused with a level that there is not, before anything runs', async () => {
    let runs = 0;
    const client = connectTo(serverWith([tool('logs', () => (runs += 1))]));
    for (const level of ['verbose', 'ALERT', '', 3, null]) {
      expect(errorOf(await callTool(client, { [LOG_LEVEL]: level })).code).to.equal(-32602);
    }
    expect(runs).to.equal(0);
  });

  it('has no level of the connection', async () => {
    const client = connectTo(server);
    expect(errorOf(await client.modern('logging/setLevel', { level: 'info' })).code).to.equal(
      -32601,
    );
  });
});

for (const revision of REVISIONS) {
  describe(`log messages and progress in ${revision}`, () => {
    const meta = { progressToken: 'token', ...(isModern(revision) && { [LOG_LEVEL]: 'debug' }) };

    async function connect(...tools: Tool[]) {
      const client = connectTo(serverWith(tools));
      const speak = await speaking(client, revision);
      return { client, speak };
    }

    /** Params with a progress token, and such that everything is logged. */
    const listening = (params: object, more: object = {}) => {
      const own = { ...meta, ...more };
      return { ...params, ...(isModern(revision) ? withMeta(own) : { _meta: own }) };
    };

    it('carry what they are given, and no more', async () => {
      const { client } = await connect(
        tool('says', (call) => {
          call.log('info', { some: ['data', null, 1.5] }, 'a logger');
          call.log('error', '');
          call.log('alert', null);
          call.progress(0.5, 2, 'Half of the half.');
          call.progress(1, 2);
          call.progress(1.5, undefined, 'Nobody knows.');
          call.progress(2);
        }),
      );
      const id = client.post('tools/call', listening({ name: 'says' }));
      await client.answerTo(id);
      // A port does not show which request a message is about.
      const own = isModern(revision) && { _meta: { 'io.github.inpage-mcp/request': id } };
      expect(client.notifications(MESSAGE).map(({ params }) => params)).to.deep.equal([
        { level: 'info', data: { some: ['data', null, 1.5] }, logger: 'a logger', ...own },
        { level: 'error', data: '', ...own },
        { level: 'alert', data: null, ...own },
      ]);
      expect(reported(client)).to.deep.equal([
        { progressToken: 'token', progress: 0.5, total: 2, message: 'Half of the half.' },
        { progressToken: 'token', progress: 1, total: 2 },
        { progressToken: 'token', progress: 1.5, message: 'Nobody knows.' },
        { progressToken: 'token', progress: 2 },
      ]);
    });

    it('come before the answer, in their order', async () => {
      const { client } = await connect(
        tool('says', async (call) => {
          call.log('info', 'first');
          call.progress(0);
          await Promise.resolve();
          call.log('info', 'second');
          call.progress(1);
        }),
      );
      client.received.length = 0;
      await client.request('tools/call', listening({ name: 'says' }));
      const kinds = client.received.map((one) => (one && 'method' in one ? one.method : 'answer'));
      expect(kinds).to.deep.equal([MESSAGE, PROGRESS, MESSAGE, PROGRESS, 'answer']);
    });

    it('report progress that increases, from the first value, which may be 0 or below', async () => {
      const { client } = await connect(
        tool('from_zero', (call) => {
          for (const value of [0, 0, 1, 1, 0.5, -3, 1.25, 1.25, 7]) call.progress(value);
        }),
        tool('from_below', (call) => {
          for (const value of [-2, -1, -1.5, 0]) call.progress(value);
        }),
      );
      const values = async (name: string): Promise<unknown[]> => {
        client.received.length = 0;
        await client.request('tools/call', listening({ name }));
        return reported(client).map((params) => (params as { progress: number }).progress);
      };
      expect(await values('from_zero')).to.deep.equal([0, 1, 1.25, 7]);
      expect(await values('from_below')).to.deep.equal([-2, -1, 0]);
    });

    it('report no progress that is no number of JSON', async () => {
      const { client } = await connect(
        tool('odd', (call) => {
          for (const value of [Number.NaN, 1, Number.NaN, 0.5, Infinity, 2]) call.progress(value);
        }),
      );
      await client.request('tools/call', listening({ name: 'odd' }));
      expect(reported(client)).to.deep.equal([
        { progressToken: 'token', progress: 1 },
        { progressToken: 'token', progress: 2 },
      ]);
    });

    it('report no progress without a token, and repeat one of either type as it is', async () => {
      const { client, speak } = await connect(tool('reports', (call) => call.progress(1)));
      await speak('tools/call', { name: 'reports' });
      expect(reported(client)).to.deep.equal([]);
      for (const progressToken of ['text', '', 0, -7, 2 ** 53 - 1]) {
        client.received.length = 0;
        await client.request('tools/call', listening({ name: 'reports' }, { progressToken }));
        expect(reported(client)).to.deep.equal([{ progressToken, progress: 1 }]);
      }
    });

    it('report the progress of each of several calls', async () => {
      const { client } = await connect(
        tool('reports', async (call) => {
          call.progress(0);
          await new Promise((resolve) => setTimeout(resolve));
          call.progress(1);
        }),
      );
      const tokens = ['a', 'b', 3];
      const ids = tokens.map((progressToken) =>
        client.post('tools/call', listening({ name: 'reports' }, { progressToken })),
      );
      await Promise.all(ids.map((id) => client.answerTo(id)));
      for (const progressToken of tokens) {
        const own = reported(client).filter(
          (params) => (params as { progressToken: unknown }).progressToken === progressToken,
        );
        expect(own).to.deep.equal([
          { progressToken, progress: 0 },
          { progressToken, progress: 1 },
        ]);
      }
    });

    /** What a call goes on to say when its test lets it. */
    let goOn: () => void;
    const goesOn = (name: string, end: (call: Call) => unknown): Tool =>
      tool(name, (call) => {
        goOn = () => {
          call.log('emergency', 'too late');
          call.progress(9);
        };
        return end(call);
      });

    const aborted = (call: Call): Promise<void> =>
      new Promise((resolve) =>
        call.signal.addEventListener('abort', () => {
          goOn();
          resolve();
        }),
      );

    async function expectSilenceAfter(client: RawClient): Promise<void> {
      goOn();
      await client.request('no/such/method', listening({}));
      expect(reported(client)).to.deep.equal([]);
      expect(logged(client)).to.deep.equal([]);
    }

    it('end with the result of a call, and with its failure', async () => {
      const { client } = await connect(
        goesOn('succeeds', () => undefined),
        goesOn('fails', () => {
          throw new Error('It broke.');
        }),
      );
      for (const name of ['succeeds', 'fails']) {
        await client.request('tools/call', listening({ name }));
        await expectSilenceAfter(client);
      }
    });

    it('end when the call is cancelled, also while it still runs', async () => {
      const { client } = await connect(goesOn('waits', aborted));
      const requestId = client.post('tools/call', listening({ name: 'waits' }));
      await client.request('no/such/method', listening({}));
      client.notify('notifications/cancelled', { requestId });
      await client.request('no/such/method', listening({}));
      await expectSilenceAfter(client);
    });

    it('end when the time of a call is over', async () => {
      const { port1, port2 } = new MessageChannel();
      serverWith([goesOn('waits', aborted)]).serve(port2, { limits: { timeoutMs: 1 } });
      const client = new RawClient(port1);
      await speaking(client, revision);
      const answer = resultOf(await client.request('tools/call', listening({ name: 'waits' })));
      expect(answer).to.include({ isError: true });
      await expectSilenceAfter(client);
    });

    it('come from prompts, resources and completions, too', async () => {
      const say = (call: Call): void => {
        call.log('info', call.method);
        call.progress(1, 1, call.method);
      };
      const prompt = definePrompt({
        name: 'says',
        arguments: {
          argument: {
            complete(_typed, _chosen, call) {
              say(call);
              return [];
            },
          },
        },
        run(_values, call) {
          say(call);
          return { messages: [] };
        },
      });
      const resources = {
        list: (_cursor: unknown, call: Call) => (say(call), { resources: [] }),
        read: (uri: string, call: Call) => (say(call), [{ uri, text: '' }]),
      };
      const client = connectTo(serverWith([], { prompts: [prompt], resources }));
      await speaking(client, revision);
      const ref = { type: 'ref/prompt', name: 'says' };
      const REQUESTS: [method: string, params: object][] = [
        ['prompts/get', { name: 'says' }],
        ['completion/complete', { ref, argument: { name: 'argument', value: '' } }],
        ['resources/list', {}],
        ['resources/read', { uri: 'a:b' }],
      ];
      for (const [method, params] of REQUESTS) {
        client.received.length = 0;
        resultOf(await client.request(method, listening(params)));
        expect(reported(client)).to.deep.equal([
          { progressToken: 'token', progress: 1, total: 1, message: method },
        ]);
        expect(logged(client)).to.deep.equal([method]);
      }
    });

    it('that cannot be sent are reported to the app, and the call goes on', async () => {
      const errors: unknown[] = [];
      const says = tool('says', (call) => {
        call.log('info', () => 'a function');
        call.log('info', 'a text');
      });
      const client = connectTo(serverWith([says], { onerror: (error) => errors.push(error) }));
      await speaking(client, revision);
      resultOf(await client.request('tools/call', listening({ name: 'says' })));
      expect(logged(client)).to.deep.equal(['a text']);
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include({ name: 'DataCloneError' });
    });
  });
}

describe('the progress of a call that asks its client', () => {
  const asks = defineTool({
    name: 'asks',
    run(_input, call) {
      call.progress(0);
      call.progress(1);
      if (!call.inputResponses) {
        return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      }
      call.progress(2);
      return 'Done.';
    },
  });

  it('goes on increasing when it runs again in the legacy era: it is one request', async () => {
    const client = connectTo(serverWith([asks]));
    await client.initialize('2025-11-25', { roots: {} });
    const id = client.post('tools/call', { name: 'asks', _meta: { progressToken: 't' } });
    const asked = await client.when(() => client.notifications('roots/list')[0]);
    const { id: askedId } = asked as unknown as { id: number };
    client.port.postMessage({ jsonrpc: '2.0', id: askedId, result: { roots: [] } });
    await client.answerTo(id);
    const values = reported(client).map((params) => (params as { progress: number }).progress);
    expect(values).to.deep.equal([0, 1, 2]);
  });

  it('begins again with each request of the modern era', async () => {
    const client = connectTo(serverWith([asks]));
    const meta = withMeta({
      progressToken: 't',
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    });
    await client.request('tools/call', { name: 'asks', ...meta });
    const inputResponses = { roots: { roots: [] } };
    await client.request('tools/call', { name: 'asks', inputResponses, ...meta });
    const values = reported(client).map((params) => (params as { progress: number }).progress);
    expect(values).to.deep.equal([0, 1, 0, 1, 2]);
  });
});
