import { expect } from '@esm-bundle/chai';
import { McpError, type CallToolResult, type McpClient, type Progress } from '@inpage-mcp/client';
import { failureOf } from '../support/failure.js';
import { useLinkedClient } from '../support/linked-server.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { connectScripted } from './scripted-peer.js';

describe('tools, through the client', () => {
  const setup = useLinkedClient();

  /** A client that may send messages of any size. */
  const connectWithoutLimit = (): Promise<McpClient> => {
    setup.linked.server.setLimits({ page: { messageBytes: Infinity } });
    return setup.linked.connect();
  };

  it('are listed with their schemas, icons and hints', async () => {
    const { tools } = await setup.client.listTools();
    const created = tools.find(({ name }) => name === 'create_note')!;
    expect(created.title).to.equal('Create a note');
    expect(created.inputSchema.required).to.deep.equal(['title', 'text']);
    expect(created.outputSchema).to.be.an('object');
    expect(created.annotations).to.include({ readOnlyHint: false });
    expect(created.icons?.[0]?.src).to.match(/^data:image\/png/);
    expect(setup.client.serverCapabilities.tools).to.be.an('object');
  });

  it('answer with data for programs and a link to what they made', async () => {
    const args = { title: 'Shopping', text: 'Milk' };
    const result = await setup.client.callTool('create_note', args);
    const [note] = (await setup.linked.server.store.notes.list()).notes;
    expect(result.isError).not.to.equal(true);
    expect(result.structuredContent).to.include({ title: 'Shopping', uri: `note:///${note!.id}` });
    const link = result.content.at(-1)!;
    expect(link).to.include({ type: 'resource_link', uri: `note:///${note!.id}` });
  });

  it('resolve when they fail, and say why', async () => {
    const result = await setup.client.callTool('delete_note', { id: 'none' });
    expect(result.isError).to.equal(true);
    expect(result.content[0]).to.have.property('text').that.contains('There is no note');
  });

  it('can be called without arguments', async () => {
    const result = await setup.client.callTool('list_resources');
    expect(result.structuredContent).to.be.an('object');
  });

  it('reject when there is no such tool', async () => {
    const error = await failureOf(setup.client.callTool('make_tea'));
    expect(error).to.be.instanceOf(McpError).and.include({ code: -32602 });
  });

  it('report how far they are, to a caller that asks', async () => {
    const reports: Progress[] = [];
    const size = 4_500_000;
    const client = await connectWithoutLimit();
    await client.callTool(
      'save_file',
      { path: 'zeros', base64: 'A'.repeat((size / 3) * 4) },
      { onprogress: (progress) => reports.push(progress) },
    );
    expect(reports.map(({ total }) => total)).to.deep.equal([size, size]);
    const [first, last] = reports.map(({ progress }) => progress);
    expect(first).to.be.lessThan(size);
    expect(last).to.equal(size);
    await client.close();
  });

  it('stop when their signal aborts, and write nothing', async () => {
    const controller = new AbortController();
    const client = await connectWithoutLimit();
    const call = client.callTool(
      'save_file',
      { path: 'zeros', base64: 'A'.repeat(8 * 1024 * 1024) },
      { signal: controller.signal, onprogress: () => controller.abort(new Error('enough')) },
    );
    expect(await failureOf(call)).to.include({ message: 'enough' });
    await client.listTools();
    expect(await setup.linked.server.store.files.count()).to.equal(0);
    await client.close();
  });
});

describe('prompts, through the client', () => {
  const setup = useLinkedClient();

  const create = (title: string) =>
    setup.linked.server.store.notes.create({ title, text: `About ${title}` });

  it('are listed with their arguments', async () => {
    const { prompts } = await setup.client.listPrompts();
    const summarize = prompts.find(({ name }) => name === 'summarize_note')!;
    expect(summarize.arguments?.map(({ name, required }) => [name, required])).to.deep.equal([
      ['note', true],
    ]);
  });

  it('are made for their arguments', async () => {
    const { id } = await create('Shopping');
    const { messages } = await setup.client.getPrompt('summarize_note', { note: 'Shopping' });
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'user']);
    const { content } = messages[1]!;
    expect(content).to.have.nested.property('resource.uri', `note:///${id}`);
  });

  it('reject without what they need', async () => {
    expect(await failureOf(setup.client.getPrompt('summarize_note'))).to.be.instanceOf(McpError);
  });

  it('complete their arguments, from what is typed and what is chosen', async () => {
    await create('Shopping');
    await create('Shipping');
    await create('Tea');
    const ref = { type: 'ref/prompt', name: 'compare_notes' } as const;
    const first = await setup.client.complete(ref, { name: 'first', value: 'sh' });
    expect(first.values).to.have.members(['Shopping', 'Shipping']);
    expect(first).to.include({ total: 2, hasMore: false });
    const context = { first: 'Shipping' };
    const argument = { name: 'second', value: 'sh' };
    const second = await setup.client.complete(ref, argument, { context });
    expect(second.values).to.deep.equal(['Shopping']);
  });

  it('leave it to resource templates to complete theirs', async () => {
    await setup.linked.server.store.files.write('docs/a.txt', new Blob([]));
    const ref = { type: 'ref/resource', uri: 'file:///{+path}' } as const;
    const { values } = await setup.client.complete(ref, { name: 'path', value: 'docs/' });
    expect(values).to.deep.equal(['docs/a.txt']);
  });

  it('complete nothing for an unknown prompt, nor after the signal', async () => {
    const ref = { type: 'ref/prompt', name: 'none' } as const;
    const argument = { name: 'a', value: '' };
    expect(await failureOf(setup.client.complete(ref, argument))).to.be.instanceOf(McpError);
    const signal = AbortSignal.abort(new Error('enough'));
    const late = setup.client.complete(ref, argument, { signal });
    expect(await failureOf(late)).to.include({ message: 'enough' });
  });
});

describe('calls to a peer of bad manners', () => {
  it('reject answers without what was asked for', async () => {
    const ref = { type: 'ref/prompt', name: 'a' } as const;
    const argument = { name: 'a', value: '' };
    const results = [{}, {}, { content: 'text' }, { messages: {} }, {}, { completion: null }];
    const { client } = await connectScripted({}, results);
    for (const call of [
      client.listTools(),
      client.listPrompts(),
      client.callTool('a'),
      client.getPrompt('a'),
      client.complete(ref, argument),
      client.complete(ref, argument),
    ]) {
      expect(await failureOf(call)).to.include({ code: 'invalid-result' });
    }
    await client.close();
  });
});

describe('the progress of a call', () => {
  const timers = useFakeTimers();
  const DONE: CallToolResult = { content: [] };

  /** Progress that can be waited for, one by one. */
  function progressQueue(): {
    onprogress: (progress: Progress) => void;
    next: () => Promise<Progress>;
  } {
    const reports: Progress[] = [];
    const waiters: ((progress: Progress) => void)[] = [];
    return {
      onprogress(progress) {
        const waiter = waiters.shift();
        if (waiter) waiter(progress);
        else reports.push(progress);
      },
      next: () =>
        new Promise((resolve) => (reports[0] ? resolve(reports.shift()!) : waiters.push(resolve))),
    };
  }

  it('is asked for only when somebody listens', async () => {
    const { client, requests } = await connectScripted({}, [DONE, DONE, { contents: [] }]);
    await client.callTool('a');
    await client.callTool('a', {}, { onprogress: () => undefined });
    await client.readResource('a:b', { onprogress: () => undefined });
    const tokens = requests.map(
      ({ params }) => (params!['_meta'] as { progressToken?: unknown }).progressToken,
    );
    expect(tokens).to.deep.equal([undefined, requests[1]!.id, requests[2]!.id]);
    await client.close();
  });

  it('starts the time of a call anew', async () => {
    const { client, request, reportProgress, answer } = await connectScripted();
    const { onprogress, next } = progressQueue();
    const call = client.callTool('a', {}, { onprogress, timeoutMs: 100 });
    const asked = await request(0);
    for (let progress = 1; progress <= 5; progress += 1) {
      timers.pass(99);
      reportProgress(asked, { progress, total: 5, message: 'Working' });
      expect(await next()).to.deep.equal({ progress, total: 5, message: 'Working' });
    }
    timers.pass(99);
    answer(asked, DONE);
    expect((await call).content).to.deep.equal([]);
    expect(timers.running).to.equal(0);
    await client.close();
  });

  it('does not keep a call alive when it stops', async () => {
    const { client, request, reportProgress } = await connectScripted();
    const { onprogress, next } = progressQueue();
    const call = failureOf(client.callTool('a', {}, { onprogress, timeoutMs: 100 }));
    reportProgress(await request(0), { progress: 1 });
    await next();
    timers.pass(100);
    expect(await call).to.include({ code: 'timeout' });
    await client.close();
  });

  it('does not keep a call alive for more than its total time', async () => {
    const { client, request, reportProgress, when } = await connectScripted();
    const { onprogress, next } = progressQueue();
    const options = { onprogress, timeoutMs: 100, totalTimeoutMs: 250 };
    const call = failureOf(client.callTool('a', {}, options));
    const asked = await request(0);
    for (let progress = 1; progress <= 4; progress += 1) {
      timers.pass(60);
      reportProgress(asked, { progress });
      await next();
    }
    timers.pass(10);
    expect(await call).to.include({ code: 'timeout' });
    expect(((await call) as Error).message).to.contain('250 ms');
    await when((message) => 'method' in message && message.method === 'notifications/cancelled');
    expect(timers.running).to.equal(0);
    await client.close();
  });

  it('does not keep a call alive for more than ten minutes when nothing else is said', async () => {
    const { client, request, reportProgress } = await connectScripted();
    const { onprogress, next } = progressQueue();
    const call = failureOf(client.callTool('a', {}, { onprogress }));
    const asked = await request(0);
    for (let progress = 1; progress <= 20; progress += 1) {
      timers.pass(29_500);
      reportProgress(asked, { progress });
      await next();
    }
    timers.pass(10_000);
    expect(await call).to.include({ code: 'timeout' });
    await client.close();
  });

  it('is ignored when it is of no call, of another call, late, or no number', async () => {
    const { client, request, port, reportProgress, answer } = await connectScripted();
    const reports: Progress[] = [];
    const call = client.callTool('a', {}, { onprogress: (progress) => reports.push(progress) });
    const quiet = client.callTool('b');
    const [asked, askedQuietly] = [await request(0), await request(1)];
    const notify = (params: object) =>
      port.postMessage({ jsonrpc: '2.0', method: 'notifications/progress', params });
    notify({ progressToken: 'stranger', progress: 1 });
    notify({ progressToken: askedQuietly.id, progress: 1 });
    notify({ progress: 1 });
    reportProgress(asked, { progress: '1' });
    reportProgress(asked, { progress: 2 });
    answer(asked, DONE);
    reportProgress(asked, { progress: 3 });
    answer(askedQuietly, DONE);
    await Promise.all([call, quiet]);
    expect(reports).to.deep.equal([{ progress: 2 }]);
    await client.close();
  });

  it('may be received by a listener that throws, which ends nothing', async () => {
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    const { client, request, reportProgress, answer } = await connectScripted();
    const onprogress = (): void => {
      throw new Error('broken');
    };
    try {
      const call = client.callTool('a', {}, { onprogress });
      const asked = await request(0);
      reportProgress(asked, { progress: 1 });
      answer(asked, DONE);
      await call;
    } finally {
      globalThis.reportError = reportError;
    }
    expect(reported.map(String)).to.deep.equal(['Error: broken']);
    await client.close();
  });
});
