import { expect } from '@esm-bundle/chai';
import { ClientError, type ClientState, type McpClient } from '@inpage-mcp/client';
import type { JsonRpcRequest } from '@inpage-mcp/transport';
import { failureOf } from '../support/failure.js';
import { connectScripted, DISCOVERED, scriptedServer } from './scripted-peer.js';
import { connectToServers, inState, pending, scriptedServers } from './scripted-servers.js';

const DONE = { resultType: 'complete', content: [] };

/** What a request asks, without its `_meta`. */
const asked = ({ method, params }: JsonRpcRequest): object => {
  const { _meta, ...rest } = params ?? {};
  expect(_meta).to.be.an('object');
  return { method, ...rest };
};

/** The states that follow. */
function statesOf(client: McpClient): ClientState[] {
  const states: ClientState[] = [];
  client.watchState((state) => states.push(state));
  return states;
}

describe('a client that reconnects', () => {
  it('asks another server what it can do when it has lost the one', async () => {
    const all = scriptedServers((index) =>
      scriptedServer([], {
        ...DISCOVERED,
        capabilities: index === 0 ? { resources: {} } : { tools: {} },
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: `server ${index}`, version: '1' } },
      }),
    );
    const { client, first } = await connectToServers({}, all);
    expect(client.serverInfo?.name).to.equal('server 0');
    expect(client.serverCapabilities).to.deep.equal({ resources: {} });
    first.hangUp();
    await inState(client, 'reconnecting');
    // What was known last.
    expect(client.serverInfo?.name).to.equal('server 0');
    await inState(client, 'open');
    expect(client.serverInfo?.name).to.equal('server 1');
    expect(client.serverCapabilities).to.deep.equal({ tools: {} });
    await client.close();
  });

  it('goes through its states in order, and reports each once', async () => {
    const { all, client, first } = await connectToServers();
    const states = statesOf(client);
    expect(client.state).to.equal('open');
    first.hangUp();
    const second = await all.server(1);
    await inState(client, 'open');
    second.hangUp();
    await all.server(2);
    await inState(client, 'open');
    let isClosed = false;
    void client.closed.then(() => {
      isClosed = true;
    });
    await client.listTools({ timeoutMs: 5 }).catch(() => undefined);
    expect(isClosed).to.equal(false);
    await client.close();
    await client.closed;
    expect(client.state).to.equal('closed');
    expect(states).to.deep.equal(['reconnecting', 'open', 'reconnecting', 'open', 'closed']);
  });

  it('repeats reads that were under way', async () => {
    const { all, client, first } = await connectToServers();
    const ref = { type: 'ref/prompt', name: 'p' } as const;
    const answers = [
      client.listResources({ cursor: 'c' }),
      client.listResourceTemplates(),
      client.readResource('a:b'),
      client.listTools(),
      client.listPrompts(),
      client.getPrompt('p', { x: 'y' }),
      client.complete(ref, { name: 'x', value: 'y' }),
    ];
    await first.request(6);
    first.hangUp();
    const second = await all.server(1);
    await second.request(6);
    expect(second.requests.map(asked)).to.deep.equal(first.requests.map(asked));
    const results = [
      { resources: [] },
      { resourceTemplates: [] },
      { contents: [] },
      { tools: [] },
      { prompts: [] },
      { messages: [] },
      { completion: { values: [] } },
    ];
    results.forEach((result, index) => second.answer(second.requests[index]!, result));
    const [list] = await Promise.all(answers);
    expect(list).to.deep.equal({ resources: [] });
    await client.close();
  });

  it('repeats nothing twice', async () => {
    const { all, client, first } = await connectToServers();
    const outcomes = [
      failureOf(client.readResource('a:b')),
      failureOf(client.callTool('t', { idempotencyKey: 'k' })),
    ];
    await first.request(1);
    first.hangUp();
    const second = await all.server(1);
    await second.request(1);
    second.hangUp();
    for (const error of await Promise.all(outcomes))
      expect(error).to.be.instanceOf(ClientError).and.include({ code: 'connection-lost' });
    const third = await all.server(2);
    await inState(client, 'open');
    const other = client.listTools();
    third.answer(await third.request(0), { tools: [] });
    await other;
    expect(third.requests).to.have.length(1);
    await client.close();
  });

  it('repeats calls of tools only with a key', async () => {
    const { all, client, first } = await connectToServers();
    const keyed = client.callTool('t', { idempotencyKey: 'k', x: 1 });
    const others = [{}, { idempotencyKey: '' }, { idempotencyKey: 7 }, { key: 'k' }].map((args) =>
      failureOf(client.callTool('t', args)),
    );
    await first.request(4);
    // The others do not wait for another connection.
    const gate = pending();
    all.gate = () => gate.promise;
    first.hangUp();
    for (const error of await Promise.all(others)) {
      expect(error).to.be.instanceOf(ClientError).and.include({ code: 'connection-lost' });
      expect((error as Error).message).to.contain('tools/call');
    }
    expect(client.state).to.equal('reconnecting');
    gate.resolve();
    const second = await all.server(1);
    second.answer(await second.request(0), { ...DONE, structuredContent: 1 });
    expect((await keyed).structuredContent).to.equal(1);
    expect(second.requests.map(asked)).to.deep.equal([
      { method: 'tools/call', name: 't', arguments: { idempotencyKey: 'k', x: 1 } },
    ]);
    await client.close();
  });

  it('keeps what is asked while it reconnects until it is open again, writes as well', async () => {
    const { all, client, first } = await connectToServers();
    const gate = pending();
    all.gate = () => gate.promise;
    first.hangUp();
    await inState(client, 'reconnecting');
    const controller = new AbortController();
    const early = failureOf(client.callTool('a', {}, { timeoutMs: 20 }));
    const aborted = failureOf(client.callTool('b', {}, { signal: controller.signal }));
    const call = client.callTool('c');
    expect(await early).to.include({ code: 'timeout' });
    controller.abort(new Error('enough'));
    expect(await aborted).to.include({ message: 'enough' });
    gate.resolve();
    const second = await all.server(1);
    second.answer(await second.request(0), DONE);
    await call;
    // What nobody waits for any more is never sent.
    expect(second.requests.map(({ params }) => params!['name'])).to.deep.equal(['c']);
    await client.close();
  });

  it('keeps such a write for one more connection when it was never sent', async () => {
    const { all, client, first } = await connectToServers();
    const gates = [pending(), pending()];
    all.gate = (call) => gates[call - 1]!.promise;
    first.hangUp();
    await inState(client, 'reconnecting');
    const call = client.callTool('t');
    gates[0]!.reject(new Error('not yet'));
    gates[1]!.resolve();
    const second = await all.server(1);
    second.answer(await second.request(0), DONE);
    await call;
    await client.close();
  });

  it('reports the progress of what it repeats', async () => {
    const { all, client, first } = await connectToServers();
    const reports: number[] = [];
    const args = { idempotencyKey: 'k' };
    const onprogress = ({ progress }: { progress: number }): number => reports.push(progress);
    const call = client.callTool('t', args, { onprogress });
    const before = await first.request(0);
    first.reportProgress(before, { progress: 5 });
    first.hangUp();
    const second = await all.server(1);
    const after = await second.request(0);
    second.reportProgress(after, { progress: 1 });
    second.answer(after, DONE);
    await call;
    expect(reports).to.deep.equal([5, 1]);
    await client.close();
  });

  it('repeats nothing that was given up before, and cancels what is given up after', async () => {
    const { all, client, first } = await connectToServers();
    const [before, after] = [new AbortController(), new AbortController()];
    const outcomes = [
      failureOf(client.readResource('a:1', { signal: before.signal })),
      failureOf(client.readResource('a:2', { signal: after.signal })),
    ];
    await first.request(1);
    const gate = pending();
    all.gate = () => gate.promise;
    first.hangUp();
    await inState(client, 'reconnecting');
    before.abort(new Error('before'));
    gate.resolve();
    const second = await all.server(1);
    const repeated = await second.request(0);
    expect(repeated.params).to.include({ uri: 'a:2' });
    after.abort(new Error('after'));
    const [one, two] = await Promise.all(outcomes);
    expect(one).to.include({ message: 'before' });
    expect(two).to.include({ message: 'after' });
    const cancelled = await second.when((message) => 'method' in message && !('id' in message));
    expect(cancelled).to.deep.include({
      method: 'notifications/cancelled',
      params: { requestId: repeated.id },
    });
    expect(second.requests).to.have.length(1);
    await client.close();
  });

  it('can be closed by a listener that learns that it is reconnecting', async () => {
    const { all, client, first } = await connectToServers();
    const states: ClientState[] = [];
    client.watchState((state) => {
      states.push(state);
      if (state === 'reconnecting') void client.close();
    });
    const read = failureOf(client.readResource('a:b'));
    first.hangUp();
    await client.closed;
    expect(await read).to.include({ code: 'closed' });
    expect(states).to.deep.equal(['reconnecting', 'closed']);
    expect(all.signals).to.have.length(1);
  });

  it('settles everything at once when it is closed while it reconnects', async () => {
    const { all, client, first } = await connectToServers();
    const gate = pending();
    all.gate = () => gate.promise;
    const underWay = failureOf(client.readResource('a:b'));
    await first.request(0);
    first.hangUp();
    await inState(client, 'reconnecting');
    const states = statesOf(client);
    const outcomes = [
      underWay,
      failureOf(client.callTool('t')),
      failureOf(client.resources().next()),
      failureOf(client.watch('a:b', () => undefined).ready),
    ];
    expect(all.signals[1]!.aborted).to.equal(false);
    await client.close();
    for (const error of await Promise.all(outcomes))
      expect(error).to.be.instanceOf(ClientError).and.include({ code: 'closed' });
    await client.closed;
    expect(states).to.deep.equal(['closed']);
    expect(all.signals[1]!.aborted).to.equal(true);
    // A transport that comes now is closed.
    const server = all.server(1);
    gate.resolve();
    const { port } = await server;
    await new Promise<void>((resolve) =>
      port.addEventListener('message', ({ data }) => data === null && resolve()),
    );
    expect(client.state).to.equal('closed');
    expect(await failureOf(client.listTools())).to.include({ code: 'closed' });
  });

  it('does not notify the opener of a connection of its end', async () => {
    const { all, client } = await connectToServers();
    await client.close();
    expect(all.signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
  });
});

describe('the states of a client', () => {
  it('are reported until the signal aborts, and to all when one listener throws', async () => {
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    try {
      const { client, hangUp } = await connectScripted();
      const never = AbortSignal.abort();
      const controller = new AbortController();
      const states: string[] = [];
      client.watchState(() => {
        throw new Error('broken');
      });
      client.watchState(() => states.push('never'), { signal: never });
      client.watchState(() => states.push('ended'), { signal: controller.signal });
      client.watchState((state) => states.push(state), { signal: new AbortController().signal });
      controller.abort();
      hangUp();
      await client.closed;
      expect(states).to.deep.equal(['closed']);
    } finally {
      globalThis.reportError = reportError;
    }
    expect(reported.map(String)).to.deep.equal(['Error: broken']);
  });

  it('are open and closed where there is one transport only', async () => {
    const { client, hangUp, request } = await connectScripted();
    const states = statesOf(client);
    const outcomes = [
      failureOf(client.readResource('a:b')),
      failureOf(client.callTool('t', { idempotencyKey: 'k' })),
    ];
    await request(1);
    hangUp();
    for (const error of await Promise.all(outcomes)) expect(error).to.include({ code: 'closed' });
    expect([client.state, ...states]).to.deep.equal(['closed', 'closed']);
  });
});

describe('a question to the user, when the connection is lost', () => {
  const question = {
    method: 'elicitation/create',
    params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
  };
  const ASKING = {
    resultType: 'input_required',
    inputRequests: { q: question },
    requestState: 'opaque',
  };
  const answered = (args: object): object => ({
    method: 'tools/call',
    name: 't',
    arguments: args,
    inputResponses: { q: { action: 'accept' } },
    requestState: 'opaque',
  });

  it('stays, and its answer goes to the new one, for writes without a key as well', async () => {
    const answer = pending();
    const all = scriptedServers((index) => scriptedServer(index === 0 ? [ASKING] : [DONE]));
    const put = pending();
    const { client, first } = await connectToServers(
      {
        elicit: async () => {
          put.resolve();
          await answer.promise;
          return { action: 'accept' };
        },
      },
      all,
    );
    const call = client.callTool('t');
    await put.promise;
    first.hangUp();
    const second = await all.server(1);
    await inState(client, 'open');
    expect(second.requests).to.have.length(0);
    answer.resolve();
    expect((await call).content).to.deep.equal([]);
    expect(second.requests.map(asked)).to.deep.equal([answered({})]);
    await client.close();
  });

  it('is not put again: the answer is sent again with a key, and without one never', async () => {
    let questions = 0;
    const all = scriptedServers((index) => scriptedServer(index === 0 ? [ASKING, ASKING] : [DONE]));
    const { client, first } = await connectToServers(
      {
        elicit: () => {
          questions += 1;
          return { action: 'accept' };
        },
      },
      all,
    );
    const keyed = client.callTool('t', { idempotencyKey: 'k' });
    const plain = failureOf(client.callTool('t'));
    await first.request(3);
    first.hangUp();
    expect(await plain).to.include({ code: 'connection-lost' });
    await keyed;
    const second = await all.server(1);
    expect(second.requests.map(asked)).to.deep.equal([answered({ idempotencyKey: 'k' })]);
    expect(questions).to.equal(2);
    await client.close();
  });
});
