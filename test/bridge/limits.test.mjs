// Peers that send too much, too little or nonsense, and files that others can read.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakePage, ORIGIN, PageSocket } from './fake-page.mjs';
import { notesServer } from './notes-server.mjs';
import { listening, memory, newPlace, pairPage } from './processes.mjs';

const PAGE = ['--page', `${ORIGIN}/notes`];
const MIB = 1024 * 1024;

/** The code of the bridge where no page is connected, or it has left. */
const PAGE_GONE = -32000;

/** A process with a host, and a page that serves. @param {{ after: (end: () => unknown) => void }} t */
async function startPage(t) {
  const place = await newPlace(t);
  const host = place.start(...PAGE);
  const pairing = await pairPage(place.port);
  const page = await new FakePage(place.port, { pairing, reconnects: false }).connect();
  place.atEnd(() => page.stop());
  await host.initialize();
  await page.until(() => page.sessions.size === 1);
  return { place, host, page, pairing };
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

void test('a page that sends 1 GB is cut off when it has announced it', async (t) => {
  const { page, host } = await startPage(t);
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

// Of no kind, and without a call of the host beside it: on a slow computer, a page that sends so much answers
// no ping in time. The tests of stdio have answers that are too long.
void test('a frame of 60 MiB passes, one of 70 MiB closes the socket with 1009', async (t) => {
  const { page } = await startPage(t);
  const socket = /** @type {PageSocket} */ (page.socket);
  socket.send('x', 'x'.repeat(60 * MIB));
  // The frames of a socket are read in turn: what answers the next one has read the large one.
  socket.socket.ping();
  await Promise.race([once(socket.socket, 'pong'), socket.closed()]);
  assert.equal(socket.closeCode, undefined);
  socket.send('x', 'x'.repeat(70 * MIB));
  assert.equal(await socket.closed(), 1009);
  // Else it would wait half a minute for the rest to be sent.
  socket.socket.terminate();
});

void test('a frame of a page that is malformed closes its socket', async (t) => {
  const place = await newPlace(t);
  place.start(...PAGE);
  const pairing = await pairPage(place.port);
  for (const text of ['', '{', '7', '[]', '[7]', '{"0":"m"}', '["m","1",{}]', '["opened",1.5]']) {
    const socket = await PageSocket.open(place.port);
    await socket.prove(pairing);
    socket.socket.send(text);
    assert.equal(await socket.closed(), 4400, text);
  }
  const socket = await PageSocket.open(place.port);
  await socket.prove(pairing);
  socket.socket.send(Buffer.from('["visible"]'));
  assert.equal(await socket.closed(), 4400);
});

void test('kinds and sessions that do not exist are ignored, and what is no message closes the socket', async (t) => {
  const { page, host } = await startPage(t);
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
  const { page, host } = await startPage(t);
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
  const { place, page, host, pairing } = await startPage(t);
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
  const { place, host, page } = await startPage(t);
  const other = place.start();
  await other.initialize();
  await page.until(() => page.sessions.size === 2);
  for (let id = 1; id <= 1_000; id += 1)
    host.send({ id, method: 'tools/call', params: { name: 'slow', arguments: { ms: 1_000 } } });
  const start = performance.now();
  assert.equal((await other.request(1, 'tools/list')).result.tools.length, 4);
  // Far sooner than after the others: on a busy machine it takes its time, too.
  assert.ok(performance.now() - start < 20_000);
  const last = await host.answer(1_000);
  assert.deepEqual(last.error.data, { reason: 'busy', method: 'tools/call' });
  await host.until(() => host.messages.filter(({ id }) => typeof id === 'number').length === 1_000);
  assert.equal(new Set(host.messages.map(({ id }) => id)).size, host.messages.length);
});

void test('a message of a host that is too long ends its process, not the others', async (t) => {
  const { place, page } = await startPage(t);
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
  const { host } = await startPage(t);
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
  const { place, page, host } = await startPage(t);
  const other = place.start();
  await other.initialize();
  await page.until(() => page.sessions.size === 2);
  // 1e20 is written with 21 digits again.
  const numbers = `[${'1e20,'.repeat(MIB)}0]`;
  for (const bridge of [host, other]) {
    // On a busy computer the page may be taken for frozen: then nobody has looked at the request.
    let code = PAGE_GONE;
    for (let id = 1; code === PAGE_GONE && id <= 5; id += 1) {
      if (id > 1) await pause(2_000);
      bridge.child.stdin.write(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"numbers":${numbers}}}}\n`,
      );
      ({ code } = (await bridge.answer(id)).error);
    }
    assert.equal(code, -32600);
    assert.equal((await bridge.request(9, 'tools/list')).result.tools.length, 4);
  }
  assert.equal(page.received.includes('tools/call'), false);
});

void test('a page whose answer is nested too deep does not end the bridge', async (t) => {
  const { place, page, host } = await startPage(t);
  const other = place.start();
  await other.initialize();
  await page.until(() => page.sessions.size === 2);
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const answer = (/** @type {number} */ session) =>
    page.socket?.socket.send(`["m",${session},{"jsonrpc":"2.0","id":1,"result":{"deep":${deep}}}]`);
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
  const place = await newPlace(t);
  const host = place.start(...PAGE);
  const pairing = await pairPage(place.port);
  const page = await new FakePage(place.port, { pairing, access: () => 'busy' }).connect();
  place.atEnd(() => page.stop());
  const start = performance.now();
  await host.initialize();
  await page.until(() => page.offered.length === 3);
  assert.ok(performance.now() - start > 900);
  page.access = () => 'opened';
  await page.until(() => page.sessions.size === 1);
  assert.ok(page.offered.length === 4, String(page.offered.length));
});

void test('a host that never reads is given up before it fills the memory', async (t) => {
  const place = await newPlace(t);
  place.start(...PAGE);
  const pairing = await pairPage(place.port);
  const notes = new Map([['big', 'x'.repeat(MIB)]]);
  const page = await new FakePage(place.port, {
    pairing,
    server: notesServer({ notes }),
  }).connect();
  place.atEnd(() => page.stop());
  const host = place.start();
  await host.initialize();
  await page.until(() => page.sessions.size === 1);
  host.child.stdout.pause();
  // A few at a time: a page that is busy with all of them at once is taken for frozen.
  for (let id = 1; host.exitCode === undefined; id += 1) {
    host.send({ id, method: 'resources/read', params: { uri: 'note:///big' } });
    if (id % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await host.until(() => host.exitCode !== undefined);
  await page.until(() => page.sessions.size === 0);
});

void test('a page that does not read makes its hosts wait, then serves no more, and is closed after ten seconds', async (t) => {
  const { page, host } = await startPage(t);
  page.socket?.socket.pause();
  const text = 'x'.repeat(MIB);
  for (let id = 1; id <= 40; id += 1)
    host.send({ id, method: 'tools/call', params: { name: 'echo', arguments: { text } } });
  // The bridge reads no more: what was written waits in the pipe and in this process. Until then, the
  // page counts as alive, however slow this computer is.
  const { stdin } = host.child;
  for (let before = NaN; stdin.writableLength !== before;) {
    before = stdin.writableLength;
    for (let beat = 0; beat < 3; beat += 1) {
      page.socket?.send('pong', 1);
      await pause(500);
    }
  }
  assert.ok(stdin.writableLength > 5 * MIB, String(stdin.writableLength));
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
  const { place, page, host } = await startPage(t);
  const silent = connect(place.port, '127.0.0.1').resume();
  const start = performance.now();
  await once(silent, 'close');
  const elapsed = performance.now() - start;
  assert.ok(elapsed > 5_000 && elapsed < 30_000, String(elapsed));
  assert.equal(page.sessions.size, 1);
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
});

void test('a hub whose state file was damaged lets nobody in, and goes on', async (t) => {
  const { place, host, pairing } = await startPage(t);
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
