import { expect } from '@esm-bundle/chai';
import {
  ClientError,
  connectClient,
  type CallOptions,
  type Elicit,
  type ElicitRequest,
  type ElicitResult,
  type McpClient,
} from '@inpage-mcp/client';
import { MessagePortTransport, type JsonRpcRequest } from '@inpage-mcp/transport';
import { failureOf } from '../support/failure.js';
import { useLinkedServer } from '../support/linked-server.js';
import { asking, bare, DONE, ONE_QUESTION, question, slowUser } from './questions.js';
import { connectScripted } from './scripted-peer.js';

describe('a client whose user can be asked', () => {
  const NOTE = { title: 'Shopping', text: 'Milk' };
  const linked = useLinkedServer();
  let clients: McpClient[];

  beforeEach(() => {
    clients = [];
    linked.server.confirm = () => {
      throw new Error('not to be asked');
    };
  });

  afterEach(async () => {
    for (const client of clients) await client.close();
  });

  const connect = async (elicit?: Elicit): Promise<McpClient> => {
    const transport = new MessagePortTransport(linked.openPort({ write: 'ask' }));
    const client = await connectClient(transport, { elicit });
    clients.push(client);
    return client;
  };

  const count = (): Promise<number> => linked.server.store.notes.count();

  /** Everything that was sent before has been dealt with, as has what it led to. */
  const settled = async (): Promise<void> => {
    const other = await linked.connect();
    clients.push(other);
    await other.listResources();
  };

  it('asks before a tool writes, and the tool writes after a yes', async () => {
    const requests: ElicitRequest[] = [];
    const client = await connect((request) => {
      requests.push(request);
      return { action: 'accept', content: {} };
    });
    const result = await client.callTool('create_note', NOTE);
    expect(result.structuredContent).to.include({ title: 'Shopping' });
    expect(await count()).to.equal(1);
    expect(requests).to.deep.equal([
      {
        message: 'Create the note "Shopping"?',
        requestedSchema: { type: 'object', properties: {} },
      },
    ]);
  });

  for (const action of ['decline', 'cancel'] as const) {
    it(`has nothing written after "${action}"`, async () => {
      const client = await connect(async () => ({ action }));
      const result = await client.callTool('create_note', NOTE);
      expect(result.isError).to.equal(true);
      expect(await count()).to.equal(0);
    });
  }

  it('has nothing written when its dialog breaks', async () => {
    const broken: Elicit[] = [
      () => {
        throw new Error('no dialog');
      },
      () => Promise.reject(new Error('no dialog')),
      () => undefined as unknown as ElicitResult,
      () => ({ action: 'yes' }) as unknown as ElicitResult,
    ];
    for (const elicit of broken) {
      const client = await connect(elicit);
      expect((await client.callTool('create_note', NOTE)).isError).to.equal(true);
    }
    expect(await count()).to.equal(0);
  });

  it('asks nobody about what only reads', async () => {
    const client = await connect(() => {
      throw new Error('not to be asked');
    });
    expect((await client.callTool('search_notes', { query: 'a' })).isError).not.to.equal(true);
  });

  it('keeps the questions of two calls apart', async () => {
    const client = await connect(({ message }) => ({
      action: message.includes('"yes"') ? 'accept' : 'decline',
    }));
    const titles = ['no', 'yes', 'no', 'yes'];
    const results = await Promise.all(
      titles.map((title) => client.callTool('create_note', { title, text: '' })),
    );
    expect(results.map(({ isError }) => isError === true)).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
    expect(await count()).to.equal(2);
  });

  it('leaves the question to the page when it cannot ask', async () => {
    const asked: string[] = [];
    linked.server.confirm = ({ message }) => asked.push(message) > 0;
    const client = await connect();
    await client.callTool('create_note', NOTE);
    expect(asked).to.deep.equal(['Create the note "Shopping"?']);
    expect(await count()).to.equal(1);
  });

  it('rejects the call when it closes while the user is being asked', async () => {
    const { elicit, asked, answer } = slowUser();
    const client = await connect(elicit);
    const call = failureOf(client.callTool('create_note', NOTE));
    const { signal } = await asked;
    await client.close();
    expect(await call)
      .to.be.instanceOf(ClientError)
      .and.include({ code: 'closed' });
    expect(signal.aborted).to.equal(true);
    answer({ action: 'accept' });
    await settled();
    expect(await count()).to.equal(0);
  });

  it('rejects the call when the server closes while the user is being asked', async () => {
    const { elicit, asked } = slowUser();
    const client = await connect(elicit);
    const call = failureOf(client.callTool('create_note', NOTE));
    const { signal } = await asked;
    await linked.server.close();
    expect(await call).to.include({ code: 'closed' });
    expect(signal.aborted).to.equal(true);
  });

  it('rejects the call when it is aborted while the user is being asked', async () => {
    const { elicit, asked, answer } = slowUser();
    const client = await connect(elicit);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const call = failureOf(client.callTool('create_note', NOTE, options));
    const { signal } = await asked;
    controller.abort(new Error('enough'));
    expect(await call).to.include({ message: 'enough' });
    expect(signal.reason).to.include({ message: 'enough' });
    answer({ action: 'accept' });
    await settled();
    expect(await count()).to.equal(0);
    // The connection goes on.
    expect((await client.listResources()).resources).to.deep.equal([]);
  });
});

describe('questions on the wire', () => {
  const accept: Elicit = () => ({ action: 'accept', content: { name: 'Ada', times: 2 } });

  it('are offered only by a client with elicit', async () => {
    for (const [elicit, capabilities] of [
      [undefined, {}],
      [accept, { elicitation: { form: {} } }],
    ] as const) {
      const { client, received, requests } = await connectScripted({ elicit }, [DONE]);
      await client.callTool('a');
      for (const { params } of [received[0] as JsonRpcRequest, requests[0]!]) {
        const meta = params!['_meta'] as { [key: string]: unknown };
        const declared = meta['io.modelcontextprotocol/clientCapabilities'];
        expect(declared).to.deep.equal(capabilities);
      }
      await client.close();
    }
  });

  it('are answered with the same request, sent again under another id', async () => {
    const results = [
      asking({ q: question('Sure?') }, 'opaque ☃'),
      asking({ again: question('Really?') }),
      DONE,
    ];
    const { client, requests } = await connectScripted({ elicit: accept }, results);
    await client.callTool('a', { x: 1 });
    const answer = { action: 'accept', content: { name: 'Ada', times: 2 } };
    const original = { name: 'a', arguments: { x: 1 } };
    expect(requests.map(({ params }) => bare(params))).to.deep.equal([
      original,
      { ...original, inputResponses: { q: answer }, requestState: 'opaque ☃' },
      { ...original, inputResponses: { again: answer } },
    ]);
    expect(new Set(requests.map(({ id }) => id)).size).to.equal(3);
    expect(requests.every(({ method }) => method === 'tools/call')).to.equal(true);
    await client.close();
  });

  it('may come from prompts and resources as well', async () => {
    const results = [ONE_QUESTION, { messages: [] }, ONE_QUESTION, { contents: [] }];
    const { client, requests } = await connectScripted({ elicit: accept }, results);
    await client.getPrompt('a', { x: 'y' });
    await client.readResource('a:b');
    const inputResponses = { q: { action: 'accept', content: { name: 'Ada', times: 2 } } };
    expect(bare(requests[1]!.params)).to.deep.equal({
      name: 'a',
      arguments: { x: 'y' },
      inputResponses,
    });
    expect(bare(requests[3]!.params)).to.deep.equal({ uri: 'a:b', inputResponses });
    await client.close();
  });

  it('are put one after the other, and answered together', async () => {
    const asked: string[] = [];
    let open = 0;
    const elicit: Elicit = async ({ message }) => {
      open += 1;
      expect(open).to.equal(1);
      asked.push(message);
      await new Promise(requestAnimationFrame);
      open -= 1;
      return { action: message === 'Two?' ? 'accept' : 'decline', content: { ignored: true } };
    };
    const questions = { b: question('One?'), a: question('Two?'), c: question('Three?') };
    const { client, requests } = await connectScripted({ elicit }, [asking(questions), DONE]);
    await client.callTool('a');
    expect(asked).to.deep.equal(['One?', 'Two?', 'Three?']);
    expect(requests[1]!.params!['inputResponses']).to.deep.equal({
      b: { action: 'decline' },
      a: { action: 'accept', content: { ignored: true } },
      c: { action: 'decline' },
    });
    await client.close();
  });

  it('may have any key', async () => {
    const inputRequests = JSON.parse(`{"__proto__": ${JSON.stringify(question('Sure?'))}}`);
    const elicit: Elicit = () => ({ action: 'decline' });
    const { client, requests } = await connectScripted({ elicit }, [asking(inputRequests), DONE]);
    await client.callTool('a');
    const responses = requests[1]!.params!['inputResponses'] as object;
    expect(Object.getOwnPropertyNames(responses)).to.deep.equal(['__proto__']);
    await client.close();
  });

  it('end after ten rounds', async () => {
    let asked = 0;
    const elicit: Elicit = () => {
      asked += 1;
      return { action: 'accept' };
    };
    const results = Array.from({ length: 20 }, () => ONE_QUESTION);
    const { client, requests } = await connectScripted({ elicit }, results);
    expect(await failureOf(client.callTool('a'))).to.include({ code: 'unsupported' });
    expect([asked, requests.length]).to.deep.equal([10, 11]);
    await client.close();
  });

  it('are not put when this client cannot put all of them', async () => {
    const elicit: Elicit = () => {
      throw new Error('not to be asked');
    };
    const requestedSchema = { type: 'object', properties: {} };
    const url = { mode: 'url', message: 'Log in', url: 'https://example.com', requestedSchema };
    for (const bad of [
      { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
      { method: 'roots/list' },
      { method: 'elicitation/create', params: url },
      { method: 'elicitation/create', params: { message: 'Sure?' } },
      { method: 'elicitation/create', params: null },
      { method: 'elicitation/create' },
      'elicitation/create',
      null,
    ]) {
      const result = asking({ good: question('Sure?'), bad });
      const { client, requests } = await connectScripted({ elicit }, [result, DONE]);
      const error = await failureOf(client.callTool('a'));
      expect(error, JSON.stringify(bad)).to.include({ code: 'unsupported' });
      expect(requests).to.have.length(1);
      await client.close();
    }
  });

  it('are unsupported by a client without elicit', async () => {
    const { client, requests } = await connectScripted({}, [ONE_QUESTION, DONE]);
    expect(await failureOf(client.callTool('a'))).to.include({ code: 'unsupported' });
    expect(requests).to.have.length(1);
    await client.close();
  });

  it('have to ask something', async () => {
    for (const inputRequests of [undefined, null, {}]) {
      const result = { resultType: 'input_required', inputRequests, requestState: 7 };
      const { client } = await connectScripted({ elicit: accept }, [result]);
      expect(await failureOf(client.callTool('a'))).to.include({ code: 'invalid-result' });
      await client.close();
    }
  });

  it('reject the call when an answer cannot be sent', async () => {
    const content = { value: () => undefined } as unknown as { value: string };
    const elicit: Elicit = () => ({ action: 'accept', content });
    const { client } = await connectScripted({ elicit }, [ONE_QUESTION]);
    expect(await failureOf(client.callTool('a'))).to.include({ code: 'not-cloneable' });
    await client.close();
  });

  it('are not reached by a call whose signal has aborted before', async () => {
    const { client, requests } = await connectScripted({ elicit: accept }, [ONE_QUESTION]);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await failureOf(client.callTool('a', {}, { signal }))).to.include({ message: 'enough' });
    await client.close();
    expect(requests).to.have.length(0);
  });

  it('do not keep a call that is given up in the round after them', async () => {
    const controller = new AbortController();
    const { client, request, when } = await connectScripted({ elicit: accept }, [ONE_QUESTION]);
    const call = failureOf(client.callTool('a', {}, { signal: controller.signal }));
    const { id } = await request(1);
    controller.abort(new Error('enough'));
    expect(await call).to.include({ message: 'enough' });
    const cancelled = await when((message) => 'method' in message && !('id' in message));
    expect(cancelled).to.deep.include({
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
    const closing = failureOf(client.callTool('a'));
    await request(2);
    await client.close();
    expect(await closing).to.include({ code: 'closed' });
  });

  it('report the progress of every round', async () => {
    const reports: number[] = [];
    const { client, request, reportProgress, answer } = await connectScripted({ elicit: accept });
    const onprogress: CallOptions['onprogress'] = ({ progress }) => reports.push(progress);
    const call = client.callTool('a', {}, { onprogress });
    const first = await request(0);
    reportProgress(first, { progress: 5 });
    answer(first, ONE_QUESTION);
    const second = await request(1);
    reportProgress(first, { progress: 6 });
    reportProgress(second, { progress: 1 });
    answer(second, DONE);
    await call;
    expect(reports).to.deep.equal([5, 1]);
    await client.close();
  });
});
