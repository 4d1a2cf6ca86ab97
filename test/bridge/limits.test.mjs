// Peers that send too much, too little or nonsense, and files that others can read.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { PageSocket } from './fake-page.mjs';
import { listening, memory, newPlace, PAGE, pairPage, startPage } from './processes.mjs';
import { until, within } from './until.mjs';

const MIB = 1024 * 1024;

/** A page that serves a host. @param {{ after: (end: () => unknown) => void }} t */
async function startHost(t) {
  const { bridge: host, ...started } = await startPage(t, { reconnects: false });
  await host.initialize();
  await started.page.until(() => started.page.sessions.size === 1);
  return { host, ...started };
}

void test('a page that sends 1 GB is cut off when it has announced it', async (t) => {
  const { page, host } = await startHost(t);
  const { socket } = /** @type {PageSocket} */ (page.socket);
  const raw = /** @type {import('node:net').Socket} */ (/** @type {any} */ (socket)._socket);
  raw.on('error', () => {});
  // A frame of text with a mask of zeros, and a length of 1 GiB.
  const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]);
  raw.write(header);
  const chunk = Buffer.alloc(MIB, 0x20);
  let sent = 0;
  while (page.socket?.closeCode === undefined && sent < 1024) {
    await new Promise((resolve) => setImmediate(resolve));
    if (raw.destroyed) break;
    if (raw.writableLength < 8 * MIB) {
      raw.write(chunk);
      sent += 1;
    }
  }
  assert.ok(sent < 200, `${sent} MiB were sent`);
  const { error } = await host.request(1, 'tools/list');
  if (error) assert.equal(error.data.reason, 'page-gone');
  assert.equal((await host.request(2, 'tools/list')).result.tools.length, 1);
  if (process.platform === 'linux')
    assert.ok(memory(host, 'VmHWM') < 300, String(memory(host, 'VmHWM')));
});

void test('a frame of 60 MiB passes, one of 70 MiB closes the socket with 1009', async (t) => {
  const { page } = await startHost(t);
  const socket = /** @type {PageSocket} */ (page.socket);
  socket.send('x', 'x'.repeat(60 * MIB));
  // The frames of a socket are read in turn: what answers the next one has read the large one.
  socket.socket.ping();
  await within('a pong', Promise.race([once(socket.socket, 'pong'), socket.ended()]));
  assert.equal(socket.closeCode, undefined);
  socket.send('x', 'x'.repeat(70 * MIB));
  assert.equal(await socket.closed(), 1009);
  // Else it would wait half a minute for the rest to be sent.
  socket.socket.terminate();
});

void test('a frame of a page that is malformed, or not the next one, closes its socket', async (t) => {
  const place = await newPlace(t);
  place.start(...PAGE);
  const pairing = await pairPage(place.port);
  for (const text of [
    '',
    '{',
    '3',
    '[]',
    '[3]',
    '[3,7]',
    '{"0":3,"1":"visible"}',
    '[3,"m","1",{}]',
    '[3,"opened",1.5]',
    Buffer.from('[3,"visible"]'),
    // A number that is missing, repeated, ahead, or no number.
    '["visible"]',
    '[2,"visible"]',
    '[4,"visible"]',
    '["3","visible"]',
  ]) {
    const socket = await PageSocket.open(place.port);
    await socket.prove(pairing);
    assert.equal(socket.nextNumber, 3);
    socket.sendText(text);
    assert.equal(await socket.closed(), 4400, String(text));
  }
  const socket = await PageSocket.open(place.port);
  await socket.prove(pairing);
  socket.sendText('[3,"pong",1]');
  await socket.next('serve', 'rest');
  socket.close();
});

void test('kinds and sessions that do not exist are ignored, and what is no message closes the socket', async (t) => {
  const { page, host } = await startHost(t);
  const [session] = page.sessions.keys();
  page.socket?.send('later', { anything: true });
  for (const kind of ['opened', 'refused', 'm', 'close', 'revoked'])
    page.socket?.send(kind, 999, {});
  page.socket?.send('opened', session);
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
  page.socket?.send('m', session, { no: 'message' });
  assert.equal(await page.socket?.closed(), 4400);
});

void test('an answer that nobody waits for, or comes a second time, does not reach the host', async (t) => {
  const { page, host } = await startHost(t);
  const [session] = page.sessions.keys();
  await host.request(1, 'tools/list');
  const result = { tools: [] };
  for (const id of [1, 2, 'init', 'inpage-bridge-replay-1'])
    page.socket?.send('m', session, { jsonrpc: '2.0', id, result });
  await host.request(3, 'tools/list');
  assert.deepEqual(
    host.messages.filter(({ id }) => id !== undefined).map(({ id }) => id),
    ['init', 1, 3],
  );
});

void test('a page cannot ask for the answer of a session that is not its own', async (t) => {
  const { place, page, host, pairing } = await startHost(t);
  const other = await PageSocket.open(place.port);
  await other.prove(pairing);
  const [session] = page.sessions.keys();
  const params = { level: 'info', data: 'forged' };
  other.send('m', session, { jsonrpc: '2.0', method: 'notifications/message', params });
  other.send('revoked', session);
  other.send('ping');
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
  assert.equal(
    host.messages.some(({ method }) => method === 'notifications/message'),
    false,
  );
  other.close();
});

void test('a host that floods gets errors above 200 requests, and others go on', async (t) => {
  const { place, host, page } = await startHost(t);
  const other = place.start();
  await other.initialize();
  await page.until(() => page.sessions.size === 2);
  for (let id = 1; id <= 1_000; id += 1)
    host.send({ id, method: 'tools/call', params: { name: 'slow', arguments: {} } });
  assert.equal((await other.request(1, 'tools/list')).result.tools.length, 4);
  const last = await host.answer(1_000);
  assert.deepEqual(last.error.data, { reason: 'busy', method: 'tools/call' });
  // Each time those that have begun.
  await until('all answers', () => {
    page.server.endSlow();
    return host.messages.filter(({ id }) => typeof id === 'number').length === 1_000;
  });
  assert.equal(new Set(host.messages.map(({ id }) => id)).size, host.messages.length);
});

void test('a message of a host that is too long ends its process, not the others', async (t) => {
  const { place, page } = await startHost(t);
  const host = place.start();
  await host.initialize();
  await page.until(() => page.sessions.size === 2);
  host.send({
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'x'.repeat(17 * MIB) } },
  });
  await host.until(() => host.exitCode !== undefined);
  await page.until(() => page.sessions.size === 1);
});

void test('a request that is nested too deep is answered, and a second one with the same id refused', async (t) => {
  const { host } = await startHost(t);
  const depth = 100_000;
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  host.child.stdin.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":${deep}}}}\n`,
  );
  assert.equal((await host.answer(1)).error.code, -32600);
  assert.equal((await host.request(2, 'tools/list')).result.tools.length, 4);
  host.send({ id: 3, method: 'tools/call', params: { name: 'slow', arguments: { ms: 300 } } });
  host.send({ id: 3, method: 'tools/call', params: { name: 'echo', arguments: {} } });
  assert.equal((await host.answer(3)).error.code, -32600);
});

void test('a request that grows on its way is refused, before the page closes its socket', async (t) => {
  const { place, page, host } = await startHost(t);
  const other = place.start();
  await other.initialize();
  await page.until(() => page.sessions.size === 2);
  // 1e20 is written with 21 digits again.
  const numbers = `[${'1e20,'.repeat(MIB)}0]`;
  for (const bridge of [host, other]) {
    bridge.child.stdin.write(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"numbers":${numbers}}}}\n`,
    );
    assert.equal((await bridge.answer(1)).error.code, -32600);
    assert.equal((await bridge.request(9, 'tools/list')).result.tools.length, 4);
  }
  assert.equal(page.received.includes('tools/call'), false);
});

void test('a page whose answer is nested too deep does not end the bridge', async (t) => {
  const { place, page, host } = await startHost(t);
  const other = place.start();
  await other.initialize();
  await page.until(() => page.sessions.size === 2);
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const answer = (/** @type {number} */ session) =>
    page.socket?.sendText(
      `[${page.socket.nextNumber},"m",${session},{"jsonrpc":"2.0","id":1,"result":{"deep":${deep}}}]`,
    );
  for (const [index, bridge] of [host, other].entries()) {
    bridge.send({
      id: 1,
      method: 'tools/call',
      params: { name: 'slow', arguments: { ms: 60_000 } },
    });
    await page.until(() => page.received.includes('tools/call'));
    page.received = [];
    answer([...page.sessions.keys()][index] ?? 0);
    assert.ok((await bridge.answer(1)).error);
  }
  assert.equal((await host.request(2, 'tools/list')).result.tools.length, 1);
});

void test('a page that refuses for lack of room is asked again, and not all the time', async (t) => {
  const { page, bridge: host } = await startPage(t, { access: () => 'busy' });
  const start = performance.now();
  await host.initialize();
  await page.until(() => page.offered.length === 3);
  assert.ok(performance.now() - start > 900);
  page.access = () => 'opened';
  await page.until(() => page.sessions.size === 1);
  assert.ok(page.offered.length === 4, String(page.offered.length));
});

void test('a host that never reads is given up before it fills the memory', async (t) => {
  const { place, page } = await startPage(t);
  page.server.write('big', 'x'.repeat(MIB));
  const host = place.start();
  await host.initialize();
  await page.until(() => page.sessions.size === 1);
  host.child.stdout.pause();
  const reads = () => page.received.filter((method) => method === 'resources/read').length;
  for (let id = 1; host.exitCode === undefined; id += 1) {
    host.send({ id, method: 'resources/read', params: { uri: 'note:///big' } });
    // A few at a time: the bridge refuses more than 200.
    await until('the page has read it', () => reads() > id - 5 || host.exitCode !== undefined);
  }
  await page.until(() => page.sessions.size === 0);
});

void test('a page that does not read makes its hosts wait, and is closed after ten seconds', async (t) => {
  const { page, host } = await startHost(t);
  page.socket?.socket.pause();
  const text = 'x'.repeat(MIB);
  for (let id = 1; id <= 40; id += 1)
    host.send({ id, method: 'tools/call', params: { name: 'echo', arguments: { text } } });
  // The bridge reads no more: what was written waits in the pipe and in this process, until the page is given up.
  let unreadBytes = 0;
  await until('an end of the page', () => {
    if (host.messages.some(({ id }) => id === 1)) return true;
    unreadBytes = host.child.stdin.writableLength;
  });
  assert.ok(unreadBytes > 5 * MIB, String(unreadBytes));
  const first = await host.answer(1);
  assert.equal(first.error.data.reason, 'page-gone');
  // The host is read again, although the page has never read what was on its way.
  assert.equal((await host.request('after', 'tools/list')).result.tools.length, 1);
  // A page that reads nothing learns of the end of its socket only when it sends.
  const closed = page.socket?.closed();
  const sending = setInterval(() => page.socket?.send('visible'), 500);
  t.after(() => clearInterval(sending));
  assert.equal(await closed, 1006);
});

void test('a state file that others can read is refused, and so is a damaged one', async (t) => {
  const place = await newPlace(t);
  const file = join(place.folder, 'bridge.json');
  const first = place.start();
  await listening(place.port);
  first.child.kill();
  chmodSync(file, 0o644);
  const second = place.start();
  await second.until(() => second.exitCode !== undefined);
  assert.equal(second.exitCode, 1);
  assert.match(second.stderr, /bridge\.json can be read by other users/);
  chmodSync(file, 0o600);
  writeFileSync(file, '{"secret":"short"}');
  const third = place.start();
  await third.until(() => third.exitCode !== undefined);
  assert.match(third.stderr, /bridge\.json is damaged/);
  place.env.INPAGE_MCP_STATE = file;
  const noFolder = place.start();
  await noFolder.until(() => noFolder.exitCode !== undefined);
  assert.match(noFolder.stderr, /The state file cannot be used\. /);
  place.env.INPAGE_MCP_STATE = place.folder;
  chmodSync(place.folder, 0o755);
  const fourth = place.start();
  await fourth.until(() => fourth.exitCode !== undefined);
  assert.match(fourth.stderr, /can be read by other users/);
});

void test('a program that connects and says nothing is disconnected, and a socket of a page is not', async (t) => {
  const { place, page, host } = await startHost(t);
  const silent = connect(place.port, '127.0.0.1').resume();
  const start = performance.now();
  await within('the connection is closed', once(silent, 'close'));
  assert.ok(performance.now() - start > 5_000);
  assert.equal(page.sessions.size, 1);
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
});

void test('a hub whose state file was damaged lets nobody in, and goes on', async (t) => {
  const { place, host, pairing } = await startHost(t);
  const file = join(place.folder, 'bridge.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, '{');
  await assert.rejects(PageSocket.open(place.port, { origin: 'https://other.example' }), /503/);
  const known = await PageSocket.open(place.port);
  await assert.rejects(known.prove(pairing), /4403/);
  await host.until(() => /is damaged/.test(host.stderr));
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
  writeFileSync(file, text);
  const socket = await PageSocket.open(place.port);
  await socket.prove(pairing);
  socket.close();
});

void test('a folder that does not exist is created for its user alone', async (t) => {
  const place = await newPlace(t);
  const folder = join(place.folder, 'new', 'inpage-mcp');
  mkdirSync(join(place.folder, 'new'));
  place.env.INPAGE_MCP_STATE = folder;
  place.start();
  await listening(place.port);
  const { statSync } = await import('node:fs');
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});
