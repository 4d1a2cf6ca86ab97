import { definePrompt, defineTool, type Feature, type ResourceProvider } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase } from '../support/database.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { MODERN_META } from '../support/raw-client.js';
import { errorOf, isModern, resultOf, speaking, type Speak } from '../support/revisions.js';

/** Shorter than what waits for it, and longer than what does not. */
const TIMEOUT_MS = 150;
const TEXT = 'This took longer than 0.15 s.';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => {});

let linked: LinkedServer;
let signals: AbortSignal[];

const slow: ResourceProvider = {
  name: 'slow',
  templates: [],
  list: async () => ({ resources: [] }),
  async read(uri, { signal }) {
    signals.push(signal);
    if (uri === 'slow:never') await never;
    if (uri !== 'slow:some') return undefined;
    await pause(TIMEOUT_MS / 3);
    return [{ uri, mimeType: 'text/plain', text: 'some' }];
  },
  listen: () => () => undefined,
};

/** Tools and prompts that take their time. */
const tools = [
  defineTool({
    name: 'never',
    async run(_input, { signal }) {
      signals.push(signal);
      return await never;
    },
  }),
  defineTool({
    name: 'some',
    async run() {
      await pause(TIMEOUT_MS / 3);
      return 'some';
    },
  }),
  defineTool({
    name: 'gives up',
    async run(_input, { signal }) {
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('secret')));
      });
      return { content: [] };
    },
  }),
  defineTool({
    name: 'asks the client',
    async run(_input, call) {
      const requestedSchema = { type: 'object' as const, properties: {} };
      const { action } = await call.elicit('well', { message: 'Well?', requestedSchema });
      return action;
    },
  }),
  defineTool({
    name: 'asks and hangs',
    question: () => 'Well?',
    async run(_input, { signal }) {
      signals.push(signal);
      return await never;
    },
  }),
  defineTool({ name: 'asks', question: () => 'Well?', run: () => 'agreed' }),
];

const features: Feature = (server) => {
  for (const tool of tools) server.addTool(tool);
  server.addPrompt(definePrompt({ name: 'never', run: async () => await never }));
};

beforeEach(async () => {
  signals = [];
  linked = await openLinkedServer(undefined, { providers: [slow], features: [features] });
  linked.server.setLimits({ page: { timeoutMs: TIMEOUT_MS } });
});

afterEach(async () => {
  await linked.server.close();
  await deleteDatabase(linked.databaseName);
});

for (const revision of ['2026-07-28', '2025-11-25'] as const) {
  describe(`what takes too long, in ${revision}`, () => {
    let speak: Speak;

    beforeEach(async () => {
      speak = await speaking(linked.connectRaw(), revision);
    });

    const call = async (name: string) =>
      resultOf(await speak('tools/call', { name, arguments: {} })) as {
        content: { text: string }[];
        isError?: boolean;
      };

    it('is a tool that fails, and whose signal aborts', async () => {
      const start = performance.now();
      const { content, isError } = await call('never');
      expect(performance.now() - start).to.be.at.least(TIMEOUT_MS - 1);
      expect(isError).to.equal(true);
      expect(content).to.deep.equal([{ type: 'text', text: TEXT }]);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    });

    it('answers in its own words, whatever it makes of the signal', async () => {
      expect((await call('gives up')).content).to.deep.equal([{ type: 'text', text: TEXT }]);
    });

    it('is a read or a prompt that fails', async () => {
      for (const [method, params] of [
        ['resources/read', { uri: 'slow:never' }],
        ['prompts/get', { name: 'never' }],
      ] as const) {
        expect(errorOf(await speak(method, params))).to.deep.equal({
          code: -32603,
          message: TEXT,
          data: { limit: 'timeoutMs', maximum: TIMEOUT_MS },
        });
      }
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    });

    it('is not what is done before', async () => {
      expect((await call('some')).content[0]?.text).to.equal('some');
      resultOf(await speak('resources/read', { uri: 'slow:some' }));
      await pause(TIMEOUT_MS);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
    });

    if (isModern(revision)) return;

    it('is not a question to the client, however old the way to ask it', async () => {
      const client = linked.connectRaw({ write: 'ask' });
      await client.initialize(revision, { elicitation: { form: {} } });
      for (const [round, name] of ['asks the client', 'asks'].entries()) {
        const id = client.post('tools/call', { name, arguments: {} });
        const asked = await client.when(() => client.notifications('elicitation/create')[round]);
        await pause(TIMEOUT_MS * 1.5);
        const answer = { jsonrpc: '2.0', id: (asked as { id?: number }).id };
        client.port.postMessage({ ...answer, result: { action: 'decline' } });
        const result = resultOf(await client.answerTo(id));
        expect(result).to.have.deep.nested.property('content[0].text').that.contains('decline');
      }
    });
  });
}

describe('a question to the page', () => {
  const ask = async (name: string) =>
    resultOf(await linked.connectRaw({ write: 'ask' }).modern('tools/call', { name }));

  it('takes its time', async () => {
    linked.server.confirm = async () => {
      await pause(TIMEOUT_MS * 1.5);
      return true;
    };
    expect(await ask('asks')).to.have.deep.nested.property('content[0].text', 'agreed');
  });

  it('gives what comes after it no more time than there was', async () => {
    linked.server.confirm = async () => {
      await pause(TIMEOUT_MS * 1.5);
      return true;
    };
    const start = performance.now();
    expect(await ask('asks and hangs')).to.have.deep.nested.property('content[0].text', TEXT);
    expect(performance.now() - start).to.be.within(TIMEOUT_MS * 2, TIMEOUT_MS * 6);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
  });
});

describe('a call without an end', () => {
  beforeEach(() => linked.server.setLimits({ page: { timeoutMs: Infinity } }));

  it('goes on for as long as it likes where there is no limit', async () => {
    const client = linked.connectRaw();
    const answers = [
      client.modern('tools/call', { name: 'never' }),
      client.modern('resources/read', { uri: 'slow:never' }),
    ];
    const first = await Promise.race([...answers, pause(50)]);
    expect(first).to.equal(undefined);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, false]);
  });

  it('is aborted when its client cancels it, or goes', async () => {
    const other = linked.connectRaw();
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await other.modern('tools/list');
    };
    const client = linked.connectRaw();
    const id = client.post('tools/call', { name: 'never', _meta: MODERN_META });
    void client.modern('tools/call', { name: 'never' });
    await until(() => signals.length === 2);
    client.notify('notifications/cancelled', { requestId: id });
    await until(() => signals[0]!.aborted);
    expect(signals[1]?.aborted).to.equal(false);
    client.port.postMessage(null);
    await until(() => signals[1]!.aborted);
    expect(client.received).to.deep.equal([]);
  });
});
