import { definePrompt, defineTool, type Feature, type ResourceProvider } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase } from '../support/database.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { MODERN_META } from '../support/raw-client.js';
import { errorOf, isModern, resultOf, speaking, type Speak } from '../support/revisions.js';
import { eventually } from '../support/within.js';

const TIMEOUT_MS = 30_000;
const TEXT = 'This took longer than 30 s.';

// timed: by the timers of the test.
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => {});

const timers = useFakeTimers({ stopClock: true });
let linked: LinkedServer;
/** Those of the calls that have begun. */
let signals: AbortSignal[];

/** Lets this time pass once so many calls have begun; returns what `answer` resolves with. */
async function passing<Answer>(ms: number, answer: Promise<Answer>, begun = 1): Promise<Answer> {
  await eventually(() => signals.length === begun);
  timers.pass(ms);
  return await answer;
}

const slow: ResourceProvider = {
  name: 'slow',
  templates: [],
  list: async () => ({ resources: [] }),
  async read(uri, { signal }) {
    signals.push(signal);
    if (uri === 'slow:never') await never;
    if (uri !== 'slow:some') return undefined;
    await pause(TIMEOUT_MS - 1);
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
    async run(_input, { signal }) {
      signals.push(signal);
      await pause(TIMEOUT_MS - 1);
      return 'some';
    },
  }),
  defineTool({
    name: 'gives up',
    async run(_input, { signal }) {
      signals.push(signal);
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
  const run = async (_input: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
    signals.push(signal);
    return await never;
  };
  server.addPrompt(definePrompt({ name: 'never', run }));
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
      const calling = call('never');
      await passing(TIMEOUT_MS - 1, Promise.resolve());
      expect(signals[0]!.aborted).to.equal(false);
      const { content, isError } = await passing(1, calling);
      expect(isError).to.equal(true);
      expect(content).to.deep.equal([{ type: 'text', text: TEXT }]);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    });

    it('answers in its own words, whatever it makes of the signal', async () => {
      const { content } = await passing(TIMEOUT_MS, call('gives up'));
      expect(content).to.deep.equal([{ type: 'text', text: TEXT }]);
    });

    it('is a read or a prompt that fails', async () => {
      const requests = [
        ['resources/read', { uri: 'slow:never' }],
        ['prompts/get', { name: 'never' }],
      ] as const;
      for (const [index, [method, params]] of requests.entries()) {
        const answer = await passing(TIMEOUT_MS, speak(method, params), index + 1);
        expect(errorOf(answer)).to.deep.equal({
          code: -32603,
          message: TEXT,
          data: { limit: 'timeoutMs', maximum: TIMEOUT_MS },
        });
      }
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, true]);
    });

    it('is not what is done before', async () => {
      const { content } = await passing(TIMEOUT_MS - 1, call('some'));
      expect(content[0]?.text).to.equal('some');
      const reading = speak('resources/read', { uri: 'slow:some' });
      resultOf(await passing(TIMEOUT_MS - 1, reading, 2));
      timers.pass(TIMEOUT_MS);
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, false]);
    });

    if (isModern(revision)) return;

    it('is not a question to the client, however old the way to ask it', async () => {
      const client = linked.connectRaw({ write: 'ask' });
      await client.initialize(revision, { elicitation: { form: {} } });
      for (const [round, name] of ['asks the client', 'asks'].entries()) {
        const id = client.post('tools/call', { name, arguments: {} });
        const asked = await client.when(() => client.notifications('elicitation/create')[round]);
        timers.pass(2 * TIMEOUT_MS);
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
    linked.server.confirm = () => {
      timers.pass(2 * TIMEOUT_MS);
      return Promise.resolve(true);
    };
    expect(await ask('asks')).to.have.deep.nested.property('content[0].text', 'agreed');
  });

  it('gives what comes after it no more time than there was', async () => {
    linked.server.confirm = () => {
      timers.pass(2 * TIMEOUT_MS);
      return Promise.resolve(true);
    };
    const asking = ask('asks and hangs');
    await passing(TIMEOUT_MS - 1, Promise.resolve());
    expect(signals[0]!.aborted).to.equal(false);
    expect(await passing(1, asking)).to.have.deep.nested.property('content[0].text', TEXT);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
  });
});

describe('a call without an end', () => {
  beforeEach(() => linked.server.setLimits({ page: { timeoutMs: Infinity } }));

  it('goes on for as long as it likes where there is no limit', async () => {
    const client = linked.connectRaw();
    client.post('tools/call', { name: 'never', _meta: MODERN_META });
    client.post('resources/read', { uri: 'slow:never', _meta: MODERN_META });
    await passing(2 ** 31, client.modern('tools/list'), 2);
    expect(client.received).to.have.length(1);
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, false]);
  });

  it('is aborted when its client cancels it, or goes', async () => {
    const client = linked.connectRaw();
    const id = client.post('tools/call', { name: 'never', _meta: MODERN_META });
    void client.modern('tools/call', { name: 'never' });
    await eventually(() => signals.length === 2);
    client.notify('notifications/cancelled', { requestId: id });
    await eventually(() => signals[0]!.aborted);
    expect(signals[1]?.aborted).to.equal(false);
    client.port.postMessage(null);
    await eventually(() => signals[1]!.aborted);
    expect(client.received).to.deep.equal([]);
  });
});
