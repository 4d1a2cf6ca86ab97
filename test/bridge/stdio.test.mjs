// The official clients over stdio, in both eras, with a page behind the bridge.
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { serveStdioHost } from '../../packages/bridge/dist/hosts/stdio-host.js';
import { Bridge } from '../../packages/bridge/dist/joining/bridge.js';
import { StateFile } from '../../packages/bridge/dist/state/state-file.js';
import { WaitingServer } from '../../packages/bridge/dist/waiting/waiting-server.js';
import { FakePage, ORIGIN } from './fake-page.mjs';
import { initialize } from './http-messages.mjs';
import {
  connectSdk,
  newPlace,
  PAGE,
  openPage,
  pairPage,
  PROGRAM,
  startPage,
  textOf,
  toolNames,
  updatesOf,
} from './processes.mjs';
import { until, within } from './until.mjs';

for (const mode of /** @type {const} */ (['legacy', 'auto'])) {
  void test(`SDK 2 (${mode}) uses everything that the page has`, async (t) => {
    const { place, page } = await startPage(t);
    const { client } = await connectSdk(place, { mode, capabilities: { elicitation: {} } });
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { color: 'green' },
    }));
    assert.deepEqual(await toolNames(client), ['write_note', 'echo', 'slow', 'ask']);
    const { resources } = await client.listResources();
    assert.equal(resources[0]?.uri, 'note:///first');
    const { contents } = await client.readResource({ uri: 'note:///first' });
    assert.equal(/** @type {any} */ (contents[0]).text, 'The first note.');
    assert.equal(textOf(await client.callTool({ name: 'ask' })), 'You like green.');
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
    assert.equal(/** @type {any} */ (messages)[0].content.text, 'Greet Ada.');
    const ref = { type: /** @type {const} */ ('ref/prompt'), name: 'greet' };
    const { completion } = await client.complete({ ref, argument: { name: 'who', value: 'A' } });
    assert.deepEqual(completion.values, ['Ada', 'Alan']);
    /** @type {any[]} */
    const progress = [];
    // The client drops a progress that comes in one chunk with its answer: the call ends when it was seen.
    const onprogress = (/** @type {any} */ one) => {
      progress.push(one);
      page.server.endSlow();
    };
    await client.callTool({ name: 'slow' }, { onprogress });
    assert.equal(progress.length, 1);
    const updated = updatesOf(client);
    if (mode === 'legacy') await client.subscribeResource({ uri: 'note:///first' });
    else await client.listen({ resourceSubscriptions: ['note:///first'] });
    page.server.write('first', 'Changed.');
    await until('an update', () => updated.length > 0);
    assert.deepEqual(updated, ['note:///first']);
    // To find out the era, the client starts a process of its own.
    assert.ok(page.offered.every((name) => name === 'sdk host'));
  });
}

/** What each request of a host of the modern era has. */
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

void test('SDK 1 uses everything that the page has', async (t) => {
  const { place, page } = await startPage(t);
  const client = new ClientV1(
    { name: 'old host', version: '1' },
    { capabilities: { elicitation: {} } },
  );
  t.after(() => client.close());
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { color: 'red' },
  }));
  await client.connect(
    new StdioV1({
      command: process.execPath,
      args: [PROGRAM, '--port', String(place.port), '--name', 'Claude Desktop'],
      env: /** @type {Record<string, string>} */ (place.env),
      stderr: 'ignore',
    }),
  );
  assert.equal((await client.listTools()).tools.length, 4);
  assert.equal(textOf(await client.callTool({ name: 'ask' })), 'You like red.');
  /** @type {string[]} */
  const updated = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  await client.subscribeResource({ uri: 'note:///new' });
  await client.callTool({ name: 'write_note', arguments: { name: 'new', text: 'New.' } });
  await until('an update', () => updated.length > 0);
  assert.deepEqual(updated, ['note:///new']);
  assert.deepEqual(page.offered, ['Claude Desktop']);
});

void test('a host that starts first is answered at once, and sees the page when it opens', async (t) => {
  const place = await newPlace(t);
  const { client } = await within('a client', connectSdk(place, { args: PAGE }));
  assert.deepEqual(await within('tools', toolNames(client)), ['open_page']);
  const capabilities = client.getServerCapabilities();
  assert.deepEqual(capabilities, {
    completions: {},
    logging: {},
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    tools: { listChanged: true },
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  });
  assert.match(
    textOf(await client.callTool({ name: 'open_page' })),
    /Open https:\/\/notes\.example\/notes /,
  );
  const status = await client.readResource({ uri: 'inpage-bridge:///status' });
  assert.equal(JSON.parse(/** @type {any} */ (status.contents[0]).text).connected, false);
  /** @type {string[]} */
  const changed = [];
  for (const list of /** @type {const} */ (['tools', 'prompts', 'resources']))
    client.setNotificationHandler(
      `notifications/${list}/list_changed`,
      () => void changed.push(list),
    );
  await client.subscribeResource({ uri: 'note:///first' });
  const updated = updatesOf(client);
  const page = await openPage(place);
  await until('what a page changes', () => changed.length === 3 && updated.length === 1);
  assert.equal((await client.listTools()).tools.length, 4);
  // The subscription was made anew at the page.
  page.server.write('first', 'Changed.');
  await until('an update', () => updated.length === 2);
});

void test('when the page goes, what was in flight fails, and the bridge answers itself again', async (t) => {
  const { place, page } = await startPage(t, { reconnects: false });
  const { client } = await connectSdk(place);
  const slow = client.callTool({ name: 'slow' });
  await page.until(() => page.sessions.size === 1);
  await client.callTool({ name: 'echo' });
  page.kill();
  await assert.rejects(slow, (/** @type {any} */ error) => {
    assert.equal(error.code, -32000);
    assert.deepEqual(error.data, { reason: 'page-gone', method: 'tools/call' });
    return true;
  });
  assert.deepEqual(await toolNames(client), ['open_page']);
});

void test('a program that asks once gets the tools of a page that is still open', async (t) => {
  const place = await newPlace(t);
  const marker = join(place.folder, `page-${place.port}`);
  const first = place.start(...PAGE);
  const pairing = await pairPage(place.port);
  const page = await new FakePage(place.port, { pairing, reconnects: false }).connect();
  // The bridge writes it after it has answered the page.
  await until('the marker', () => existsSync(marker));
  first.child.stdin.end();
  await first.until(() => first.exitCode !== undefined);
  page.stop();
  const second = place.start();
  await second.initialize();
  const listed = second.request(1, 'tools/list');
  await second.request(2, 'ping');
  // A visible page looks for a bridge every two seconds: it comes after the handshake.
  const again = await new FakePage(place.port, { pairing, reconnects: false }).connect();
  assert.equal((await listed).result.tools.length, 4);
  again.kill();
  await until('the end of the marker', () => !existsSync(marker));
  // The page was closed while no bridge ran: the program waits once.
  writeFileSync(marker, '');
  assert.equal((await second.request(3, 'tools/list')).result.tools.length, 1);
  assert.ok(!existsSync(marker));
});

void test('what only a page has is out of reach without one, not gone; and what is only there without one is answered', async (t) => {
  for (const mode of /** @type {const} */ (['legacy', 'auto'])) {
    const deadlines = { pageReturnMs: 500 };
    const { place, page } = await startPage(t, { reconnects: false, deadlines });
    const { client } = await connectSdk(place, { mode });
    // A host that has not listed anew; the page may not serve it yet.
    await until('the words of a connected page', async () =>
      /is connected\. .* list them/.test(textOf(await client.callTool({ name: 'open_page' }))),
    );
    const { contents } = await client.readResource({ uri: 'inpage-bridge:///status' });
    const { connected, page: origin } = JSON.parse(/** @type {any} */ (contents[0]).text);
    assert.deepEqual([connected, origin], [true, ORIGIN]);
    page.kill();
    const requests = [
      () => client.callTool({ name: 'write_note', arguments: { name: 'a', text: 'b' } }),
      () => client.readResource({ uri: 'note:///first' }),
      () => client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } }),
    ];
    // What is asked before the host has noticed fails, and what comes next is held for the page.
    const isOne = () => toolNames(client).then(({ length }) => length === 1);
    await until('the tools of the bridge', () => isOne().catch(() => false));
    for (const request of requests)
      await assert.rejects(request(), (/** @type {any} */ error) => {
        assert.equal(error.code, -32000);
        assert.equal(error.data.reason, 'no-page');
        assert.match(error.message, /No page is connected\. Open /);
        return true;
      });
  }
});

void test('a page that comes back in time is all that a host notices', async (t) => {
  const { place, page } = await startPage(t, { deadlines: { pageReturnMs: 30_000 } });
  for (const mode of /** @type {const} */ (['legacy', 'auto'])) {
    const { client } = await connectSdk(place, { mode });
    const received = updatesOf(client);
    client.setNotificationHandler(
      'notifications/tools/list_changed',
      () => void received.push('tools'),
    );
    if (mode === 'legacy') await client.subscribeResource({ uri: 'note:///first' });
    else await client.listen({ resourceSubscriptions: ['note:///first'], toolsListChanged: true });
    page.socket?.socket.terminate();
    // What is sent before the hub has noticed fails; what is sent after that waits for the page.
    const { tools } = await client.listTools().catch(() => client.listTools());
    assert.equal(tools.length, 4);
    await until('both changes', () => received.length === 2);
    assert.deepEqual(received.toSorted(), ['note:///first', 'tools']);
    page.server.write('first', 'Again.');
    await until('an update', () => received.length === 3);
    assert.equal(received[2], 'note:///first');
    await client.close();
  }
});

void test('a stream of the modern era is acknowledged once, however often the page changes', async (t) => {
  const { place, page } = await startPage(t, { deadlines: { pageReturnMs: 30_000 } });
  const host = place.start();
  const notifications = { resourceSubscriptions: ['note:///first'], toolsListChanged: true };
  host.send({ id: 'stream', method: 'subscriptions/listen', params: { notifications, _meta } });
  const received = (/** @type {string} */ name) =>
    host.messages.filter(({ method }) => method === `notifications/${name}`);
  await host.until(() => received('subscriptions/acknowledged').length === 1);
  for (let times = 1; times <= 3; times += 1) {
    page.socket?.socket.terminate();
    await host.until(() => received('resources/updated').length === times);
  }
  await host.request(1, 'tools/list', { _meta });
  page.server.write('first', 'Changed.');
  await host.until(() => received('resources/updated').length === 4);
  assert.equal(received('subscriptions/acknowledged').length, 1);
  for (const { params } of received('tools/list_changed'))
    assert.equal(params._meta['io.modelcontextprotocol/subscriptionId'], 'stream');
  host.send({ method: 'notifications/cancelled', params: { requestId: 'stream' } });
  await host.request(2, 'tools/list', { _meta });
  const count = received('resources/updated').length;
  page.socket?.socket.terminate();
  await page.until(() => page.sessions.size === 0);
  await page.until(() => page.sessions.size === 1);
  await host.request(3, 'tools/list', { _meta });
  assert.equal(received('resources/updated').length, count);
  assert.equal(received('subscriptions/acknowledged').length, 1);
});

void test('streams that the host has cancelled do not count as open requests', async (t) => {
  const { place, page } = await startPage(t);
  const host = place.start();
  await host.request(0, 'tools/list', { _meta });
  await page.until(() => page.sessions.size === 1);
  for (let stream = 0; stream < 201; stream += 1) {
    const params = { notifications: { toolsListChanged: true }, _meta };
    host.send({ id: 'stream', method: 'subscriptions/listen', params });
    host.send({ method: 'notifications/cancelled', params: { requestId: 'stream' } });
  }
  const { result } = await host.request(1, 'tools/list', { _meta });
  assert.ok(result.tools.length > 0);
  assert.deepEqual(
    host.messages.filter(({ id, error }) => id === 'stream' && error),
    [],
  );
});

void test('the questions of a page that has gone are cancelled, and late answers are dropped', async (t) => {
  const { place, page } = await startPage(t);
  const host = place.start();
  await host.initialize({ elicitation: {} });
  host.send({ id: 1, method: 'tools/call', params: { name: 'ask', arguments: {} } });
  const first = await host.until(() =>
    host.messages.find(({ method }) => method === 'elicitation/create'),
  );
  page.socket?.socket.terminate();
  const gone = await host.answer(1);
  assert.equal(gone.error.data.reason, 'page-gone');
  const cancelled = host.messages.find(({ method }) => method === 'notifications/cancelled');
  assert.equal(cancelled.params.requestId, first.id);
  host.send({ id: 2, method: 'tools/call', params: { name: 'ask', arguments: {} } });
  const second = await host.until(() =>
    host.messages.find(({ method, id }) => method === 'elicitation/create' && id !== first.id),
  );
  // The answer to the question of the page that has gone must not answer that of the page that is there.
  host.send({ id: first.id, result: { action: 'accept', content: { color: 'wrong' } } });
  host.send({ id: second.id, result: { action: 'accept', content: { color: 'right' } } });
  assert.equal((await host.answer(2)).result.content[0].text, 'You like right.');
});

void test('a page that refuses a host leaves it to the bridge, until it offers again', async (t) => {
  const { place, page } = await startPage(t, { access: () => 'refused' });
  const { client } = await connectSdk(place);
  assert.deepEqual(await toolNames(client), ['open_page']);
  await page.until(() => page.offered.length === 1);
  const text = textOf(await client.callTool({ name: 'open_page' }));
  assert.match(text, /it may ask for your permission/);
  let isChanged = false;
  client.setNotificationHandler('notifications/tools/list_changed', () => void (isChanged = true));
  page.access = () => 'opened';
  page.socket?.send('offer');
  await until('other tools', () => isChanged);
  assert.equal((await client.listTools()).tools.length, 4);
});

void test('a session that the page has revoked ends at once, and is not offered again', async (t) => {
  const { place, page } = await startPage(t);
  const { client } = await connectSdk(place);
  const slow = client.callTool({ name: 'slow' });
  await page.until(() => page.sessions.size === 1);
  await client.callTool({ name: 'echo' });
  const [session] = page.sessions.keys();
  page.say('revoked', /** @type {number} */ (session));
  await assert.rejects(slow, /The page has disconnected/);
  assert.deepEqual(await toolNames(client), ['open_page']);
  assert.equal(page.offered.length, 1);
});

void test('a page that never answers an offer does not keep a host waiting', async (t) => {
  const { place } = await startPage(t, {
    access: () => undefined,
    deadlines: { pageReturnMs: 200, pageOpeningMs: 800 },
  });
  const { client } = await within('a client', connectSdk(place));
  assert.deepEqual(await within('tools', toolNames(client)), ['open_page']);
});

void test('each line that is not a message is answered, except an answer', async (t) => {
  const place = await newPlace(t);
  const host = place.start();
  await host.initialize();
  const request = { jsonrpc: '2.0', method: 'ping' };
  for (const [line, code, id] of /** @type {const} */ ([
    ['no json', -32700, null],
    ['{"jsonrpc":"2.0","id":1,', -32700, null],
    ['{"jsonrpc":"2.0"}', -32600, null],
    ['7', -32600, null],
    ['null', -32600, null],
    ['[]', -32600, null],
    [JSON.stringify([{ ...request, id: 1 }]), -32600, null],
    [JSON.stringify({ ...request, id: null }), -32600, null],
    [JSON.stringify({ ...request, id: {} }), -32600, null],
    [JSON.stringify({ ...request, id: 1.5 }), -32600, null],
    [JSON.stringify({ ...request, id: 'a', params: [1] }), -32600, 'a'],
    [JSON.stringify({ ...request, id: 2, jsonrpc: '1.0' }), -32600, 2],
    // An error in answer to an answer could be answered with an error again.
    ['{"jsonrpc":"2.0","id":{},"result":7}', undefined, null],
    [' \r', undefined, null],
  ])) {
    host.messages = [];
    host.child.stdin.write(`${line}\n`);
    await host.request('next', 'ping');
    const received = host.messages.map((message) => [message.error?.code, message.id]);
    assert.deepEqual(received, [...(code ? [[code, id]] : []), [undefined, 'next']], line);
  }
  host.child.stdin.write('{"jsonrpc":"2.0","id":3,"method":"ping"}\r\n');
  assert.deepEqual((await host.answer(3)).result, {});
});

void test('20,000 answers at once wait for one writer', async (t) => {
  const place = await newPlace(t);
  const stdin = new PassThrough();
  // A host that reads only when the test does.
  const stdout = new PassThrough();
  const waiting = new WaitingServer({ version: '0', answer: () => {} });
  const bridge = new Bridge({
    port: place.port,
    state: new StateFile(place.folder),
    expectedOrigins: [],
    onstatus: () => {},
  });
  t.after(() => bridge.close());
  serveStdioHost({ router: bridge, waiting, onclose: () => {}, stdin, stdout });
  const ping = (/** @type {number} */ id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
  stdin.write(Array.from({ length: 20_000 }, (_, id) => ping(id)).join(''));
  const ids = new Set();
  let most = 0;
  let rest = '';
  while (ids.size < 20_000) {
    most = Math.max(most, stdout.listenerCount('drain'));
    await within('an answer', once(stdout, 'readable'));
    const lines = (rest + String(stdout.read() ?? '')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) ids.add(JSON.parse(line).id);
  }
  assert.ok(most <= 1, String(most));
});

void test('a host that closes stdin gets the answers to what it has sent before', async (t) => {
  const { place, page } = await startPage(t, { deadlines: { lastAnswersMs: 3_600_000 } });
  const host = place.start();
  host.send(initialize);
  host.send({ method: 'notifications/initialized' });
  host.send({ id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } });
  host.send({ id: 2, method: 'tools/call', params: { name: 'slow', arguments: {} } });
  host.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  // The last line has no end.
  host.child.stdin.end('{"jsonrpc":"2.0","id":3,"method":"tools/list"}');
  assert.equal((await host.answer(initialize.id)).result.serverInfo.name, 'notes');
  assert.equal((await host.answer(3)).result.tools.length, 4);
  assert.equal(host.exitCode, undefined);
  await until('an end of the call', () => page.server.endSlow() > 0);
  assert.equal(textOf((await host.answer(1)).result), 'done');
  await host.until(() => host.exitCode === 0);
});

void test('a host that closes stdin is answered without a page, too', async (t) => {
  const place = await newPlace(t, { lastAnswersMs: 3_600_000 });
  const host = place.start();
  host.send(initialize);
  host.child.stdin.end();
  const { result } = await host.answer(initialize.id);
  assert.equal(result.serverInfo.name, 'inpage-mcp-bridge');
  await host.until(() => host.exitCode === 0);
});

void test('neither a stream nor a call that never ends keeps a process whose host has closed stdin', async (t) => {
  const { place, page } = await startPage(t, { deadlines: { lastAnswersMs: 3_600_000 } });
  const notifications = { toolsListChanged: true };
  const listening = place.start();
  listening.send({ id: 1, method: 'subscriptions/listen', params: { notifications, _meta } });
  await listening.until(() => listening.messages.length > 0);
  listening.child.stdin.end();
  await listening.until(() => listening.exitCode === 0);
  place.env.TEST_DEADLINES = JSON.stringify({ lastAnswersMs: 1 });
  const calling = place.start();
  calling.send({ id: 1, method: 'tools/call', params: { name: 'slow', arguments: {}, _meta } });
  await page.until(() => page.received.includes('tools/call'));
  calling.child.stdin.end();
  await calling.until(() => calling.exitCode === 0);
  assert.deepEqual(calling.messages, []);
});

void test('stdout has nothing but messages, and the process ends with its host', async (t) => {
  const place = await newPlace(t);
  const host = place.start();
  await host.initialize();
  assert.equal((await host.request(1, 'ping')).id, 1);
  host.child.stdin.end();
  await host.until(() => host.exitCode !== undefined);
  assert.equal(host.exitCode, 0);
});
