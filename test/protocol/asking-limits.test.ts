import { expect } from '@esm-bundle/chai';
import {
  createRequestStateCodec,
  defineTool,
  inputRequired,
  McpServer,
  type McpServerOptions,
} from '@inpage-mcp/protocol';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { resultOf } from '../support/revisions.js';

type Question = { id: number; method: string };

const question = inputRequired.elicit({
  message: 'Once more?',
  requestedSchema: { type: 'object', properties: {} },
});

/** A tool that asks the client for so many rounds, and counts how often it ran. */
function asking(rounds: number) {
  let runs = 0;
  const tool = defineTool({
    name: 'asking',
    run() {
      runs += 1;
      return runs > rounds ? 'Done.' : inputRequired({ inputRequests: { more: question } });
    },
  });
  return { tool, runs: () => runs };
}

/** A client of the legacy era, which answers each question at once unless it is silent. */
async function legacyClient(
  { tool }: ReturnType<typeof asking>,
  options: McpServerOptions['inputRequired'],
  isSilent = false,
): Promise<RawClient> {
  const { port1, port2 } = new MessageChannel();
  const server = new McpServer(
    { name: 'asking', version: '1' },
    { tools: [tool], ...(options && { inputRequired: options }) },
  );
  server.serve(port2);
  const client = new RawClient(port1);
  port1.addEventListener('message', ({ data }: MessageEvent<Question>) => {
    if (isSilent || data.method !== 'elicitation/create') return;
    const result = { action: 'accept', content: {} };
    port1.postMessage({ jsonrpc: '2.0', id: data.id, result });
  });
  await client.initialize('2025-11-25', { elicitation: { form: {} } });
  return client;
}

const call = async (client: RawClient) =>
  resultOf(await client.request('tools/call', { name: 'asking' }));
const text = (content: string) => [{ type: 'text', text: content }];

describe('how often a call may ask a client of the legacy era', () => {
  for (const [name, maxRounds, options] of [
    ['8 times without a limit of its own', 8, undefined],
    ['as often as the server allows', 2, { maxRounds: 2 }],
  ] as const) {
    it(`is ${name}`, async () => {
      const atLimit = asking(maxRounds);
      const result = await call(await legacyClient(atLimit, options));
      expect(result['content']).to.deep.equal(text('Done.'));
      expect(atLimit.runs()).to.equal(maxRounds + 1);
    });

    it(`is ${name}, and not once more`, async () => {
      const past = asking(maxRounds + 1);
      const result = await call(await legacyClient(past, options));
      expect(result['isError']).to.equal(true);
      expect(result['content']).to.deep.equal(
        text(`It still needs input after ${maxRounds} rounds.`),
      );
    });
  }

  it('ends with an error where the client never answers', async () => {
    const once = asking(1);
    const result = await call(await legacyClient(once, { roundTimeoutMs: 50 }, true));
    expect(result['isError']).to.equal(true);
    expect(once.runs()).to.equal(1);
  });
});

describe('a state that a codec signs', () => {
  const key = new Uint8Array(32).fill(1);

  const call = { method: 'tools/call', params: { name: 'a', arguments: { n: 1, m: 2 } } };

  const failureOf = async (promise: Promise<unknown>): Promise<string> =>
    await promise.then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('needs a key of 32 bytes', () => {
    expect(() => createRequestStateCodec({ key })).not.to.throw();
    expect(() => createRequestStateCodec({ key: key.slice(1) })).to.throw(RangeError);
  });

  it('is good for the time that was set, and not after it', async () => {
    const lasting = createRequestStateCodec<string>({ key, ttlSeconds: 60 });
    expect(await lasting.verify(await lasting.mint('a', call), call)).to.equal('a');
    const over = createRequestStateCodec<string>({ key, ttlSeconds: -1 });
    expect(await failureOf(over.verify(await over.mint('a', call), call))).to.equal(
      'The state is too old.',
    );
  });

  it('is good for its key alone, and as it was made', async () => {
    const codec = createRequestStateCodec<string>({ key });
    const other = createRequestStateCodec<string>({ key: new Uint8Array(32).fill(2) });
    const state = await codec.mint('a', call);
    for (const [verifier, changed] of [
      [other, state],
      [codec, state.replace('"a"', '"b"')],
      [codec, state.slice(1)],
      [codec, ''],
    ] as const) {
      expect(await failureOf(verifier.verify(changed, call))).to.match(/not made with this key/);
    }
  });

  it('is good for its request alone, in any of its rounds', async () => {
    const codec = createRequestStateCodec<string>({ key });
    const state = await codec.mint('a', call);
    const { method, params } = call;
    const round = { requestState: state, inputResponses: {}, _meta: { progressToken: 1 } };
    const same = { ...params, arguments: { m: 2, n: 1 }, ...round };
    expect(await codec.verify(state, { method, params: same })).to.equal('a');
    for (const other of [
      { method: 'prompts/get', params },
      { method, params: { ...params, name: 'b' } },
      { method, params: { ...params, arguments: { n: 1, m: 3 } } },
      { method, params: {} },
    ]) {
      expect(await failureOf(codec.verify(state, other))).to.match(/not made .* for this request/);
    }
  });
});

describe('the questions and answers that a state carries', () => {
  const asks = (name: string) =>
    defineTool({
      name,
      async run(_input, call) {
        const requestedSchema = { type: 'object' as const, properties: {} };
        const { action } = await call.elicit('sure', { message: 'Sure?', requestedSchema });
        return action;
      },
    });

  it('are those of one tool and its arguments', async () => {
    const { port1, port2 } = new MessageChannel();
    const tools = [asks('first'), asks('second')];
    new McpServer({ name: 'asking', version: '1' }, { tools }).serve(port2);
    const client = new RawClient(port1);
    const ask = (params: object) =>
      client.request('tools/call', {
        ...params,
        _meta: {
          ...MODERN_META,
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        },
      });
    const first = { name: 'first', arguments: { id: 1 } };
    const { requestState } = resultOf(await ask(first));
    const round = { requestState, inputResponses: { sure: { action: 'accept', content: {} } } };
    expect(resultOf(await ask({ ...first, ...round }))['content']).to.deep.equal(text('accept'));
    for (const other of [{ name: 'second' }, { name: 'first', arguments: { id: 2 } }]) {
      const again = resultOf(await ask({ arguments: { id: 1 }, ...other, ...round }));
      expect(again).to.include({ resultType: 'input_required' });
    }
  });
});
