import { expect } from '@esm-bundle/chai';
import { type CallToolResult, type Progress } from '@inpage-mcp/client';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { connectScripted } from './scripted-peer.js';

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
});
