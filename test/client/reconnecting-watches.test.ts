import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import type { ScriptedServer } from './scripted-peer.js';
import { connectToServers, inState, nextTask, pending } from './scripted-servers.js';

/** Sends a client a notification on a stream of its. */
function notify(server: ScriptedServer, id: unknown, method: string, params: object): void {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  server.port.postMessage({ jsonrpc: '2.0', method, params: { ...params, _meta } });
}

/** Agrees to the stream of this number, or to a part of it. Resolves with its id. */
async function acknowledge(
  server: ScriptedServer,
  index = 0,
  part?: object,
): Promise<{ id: unknown; wanted: unknown }> {
  const { id, method, params } = await server.request(index);
  expect(method).to.equal('subscriptions/listen');
  const wanted = params!['notifications'];
  notify(server, id, 'notifications/subscriptions/acknowledged', { notifications: part ?? wanted });
  return { id, wanted };
}

/** Everything that was posted to the client before has been handled. */
async function handled(server: ScriptedServer): Promise<void> {
  const id = crypto.randomUUID();
  const answered = server.when((message) => 'id' in message && message.id === id);
  server.port.postMessage({ jsonrpc: '2.0', id, method: 'ping' });
  await answered;
}

describe('watches, when the connection is lost', () => {
  it('go on with one stream, and each listener is called once when that is there', async () => {
    const { all, client, first } = await connectToServers();
    const calls: string[] = [];
    const watches = [
      client.watch('a:1', () => calls.push('one')),
      client.watch('a:1', () => calls.push('same')),
      client.watch('a:2', () => calls.push('two')),
      client.watchList(() => calls.push('list')),
    ];
    await acknowledge(first);
    await Promise.all(watches.map(({ ready }) => ready));
    first.hangUp();
    const second = await all.server(1);
    await second.request(0);
    await inState(client, 'open');
    expect(calls).to.deep.equal([]);
    const { id, wanted } = await acknowledge(second);
    expect(wanted).to.deep.equal({
      resourceSubscriptions: ['a:1', 'a:2'],
      resourcesListChanged: true,
    });
    await handled(second);
    expect(calls).to.deep.equal(['one', 'same', 'two', 'list']);
    notify(second, id, 'notifications/resources/updated', { uri: 'a:1' });
    await handled(second);
    expect(calls.slice(4)).to.deep.equal(['one', 'same']);
    expect(second.requests).to.have.length(1);
    await client.close();
  });

  it('that were not ready yet become it on the next', async () => {
    const { all, client, first } = await connectToServers();
    let calls = 0;
    const watch = client.watch('a:1', () => {
      calls += 1;
    });
    await first.request(0);
    first.hangUp();
    const second = await all.server(1);
    await acknowledge(second);
    await watch.ready;
    await handled(second);
    // What was read before may have changed before anybody listened.
    expect(calls).to.equal(1);
    await client.close();
  });

  it('are not lost with a stream that was to replace theirs', async () => {
    const { all, client, first } = await connectToServers();
    const calls: string[] = [];
    await Promise.all([client.watch('a:1', () => calls.push('one')).ready, acknowledge(first)]);
    const other = client.watch('a:2', () => calls.push('two'));
    await first.request(1);
    first.hangUp();
    const second = await all.server(1);
    const { wanted } = await acknowledge(second);
    await other.ready;
    await handled(second);
    expect(wanted).to.deep.equal({ resourceSubscriptions: ['a:1', 'a:2'] });
    expect(calls).to.deep.equal(['one', 'two']);
    expect(second.requests).to.have.length(1);
    await client.close();
  });

  it('are called once, however many connections were lost in between', async () => {
    const { all, client, first } = await connectToServers();
    let calls = 0;
    const watch = client.watch('a:1', () => {
      calls += 1;
    });
    await acknowledge(first);
    await watch.ready;
    for (let index = 1; index < 3; index += 1) {
      (await all.server(index - 1)).hangUp();
      await (await all.server(index)).request(0);
    }
    const third = await all.server(2);
    await acknowledge(third);
    await handled(third);
    expect(calls).to.equal(1);
    await client.close();
  });

  it('that begin while it reconnects are not called, and those that end are not asked for', async () => {
    const { all, client, first } = await connectToServers();
    const calls: string[] = [];
    const controller = new AbortController();
    const watches = [
      client.watch('a:1', () => calls.push('stopped')),
      client.watch('a:2', () => calls.push('aborted'), { signal: controller.signal }),
      client.watch('a:3', () => calls.push('kept')),
    ];
    await acknowledge(first);
    await Promise.all(watches.map(({ ready }) => ready));
    const gate = pending();
    all.gate = () => gate.promise;
    first.hangUp();
    await inState(client, 'reconnecting');
    await nextTask();
    watches[0]!.stop();
    controller.abort();
    const begun = client.watch('a:4', () => calls.push('begun'));
    gate.resolve();
    const second = await all.server(1);
    const { wanted } = await acknowledge(second);
    await begun.ready;
    await handled(second);
    expect(wanted).to.deep.equal({ resourceSubscriptions: ['a:3', 'a:4'] });
    expect(calls).to.deep.equal(['kept']);
    await client.close();
  });

  it('ask for nothing when there are none any more', async () => {
    const { all, client, first } = await connectToServers();
    const watch = client.watch('a:1', () => undefined);
    await acknowledge(first);
    await watch.ready;
    first.hangUp();
    await inState(client, 'reconnecting');
    await nextTask();
    watch.stop();
    const second = await all.server(1);
    await inState(client, 'open');
    await handled(second);
    expect(second.requests).to.deep.equal([]);
    await client.close();
  });

  it('end with a last call where the next server does not notify of their topic', async () => {
    const { all, client, first } = await connectToServers();
    const calls: string[] = [];
    const watches = [
      client.watch('a:1', () => calls.push('one')),
      client.watch('a:2', () => calls.push('two')),
    ];
    await acknowledge(first);
    await Promise.all(watches.map(({ ready }) => ready));
    first.hangUp();
    const second = await all.server(1);
    await acknowledge(second, 0, { resourceSubscriptions: ['a:2'] });
    // Without the topic that it does not know.
    const { id, wanted } = await acknowledge(second, 1);
    expect(wanted).to.deep.equal({ resourceSubscriptions: ['a:2'] });
    await handled(second);
    expect(calls.toSorted()).to.deep.equal(['one', 'two']);
    notify(second, id, 'notifications/resources/updated', { uri: 'a:1' });
    notify(second, id, 'notifications/resources/updated', { uri: 'a:2' });
    await handled(second);
    expect(calls.slice(2)).to.deep.equal(['two']);
    await client.close();
  });

  it('end with a last call where the next server does not listen at all', async () => {
    const { all, client, first } = await connectToServers();
    let calls = 0;
    const watch = client.watch('a:1', () => {
      calls += 1;
    });
    await acknowledge(first);
    await watch.ready;
    first.hangUp();
    const second = await all.server(1);
    const { id } = await second.request(0);
    second.port.postMessage({ jsonrpc: '2.0', id, error: { code: -32603, message: 'full' } });
    await handled(second);
    expect(calls).to.equal(1);
    await client.close();
  });

  it('end without a call when there is no next one', async () => {
    const { all, client, first } = await connectToServers();
    let calls = 0;
    const listener = (): void => {
      calls += 1;
    };
    const ready = client.watch('a:1', listener);
    await acknowledge(first);
    await ready.ready;
    const waiting = client.watch('a:2', listener);
    await first.request(1);
    all.gate = () => Promise.reject(Object.assign(new Error('no use'), { code: 'closed' }));
    first.hangUp();
    expect(await failureOf(waiting.ready)).to.include({ code: 'closed' });
    await client.closed;
    expect(await failureOf(client.watch('a:3', listener).ready)).to.include({ code: 'closed' });
    expect(calls).to.equal(0);
  });

  it('receive nothing from the stream of another connection with the same id', async () => {
    const { all, client, first } = await connectToServers();
    let calls = 0;
    const watch = client.watch('a:1', () => {
      calls += 1;
    });
    const { id } = await acknowledge(first);
    await watch.ready;
    first.hangUp();
    const second = await all.server(1);
    expect((await second.request(0)).id).to.equal(id);
    // Not agreed to yet.
    notify(second, id, 'notifications/resources/updated', { uri: 'a:1' });
    await handled(second);
    expect(calls).to.equal(0);
    await acknowledge(second);
    await handled(second);
    expect(calls).to.equal(1);
    await client.close();
  });
});

describe('the time of a watch, when the connection is lost', () => {
  const timers = useFakeTimers();

  it('does not pass while there is no connection', async () => {
    const { all, client, first } = await connectToServers();
    const gate = pending();
    all.gate = () => gate.promise;
    first.hangUp();
    await inState(client, 'reconnecting');
    const watch = client.watch('a:1', () => undefined);
    timers.pass(29_000);
    gate.resolve();
    const second = await all.server(1);
    await second.request(0);
    timers.pass(29_000);
    await acknowledge(second);
    await watch.ready;
    await client.close();
    expect(timers.running).to.equal(0);
  });
});
