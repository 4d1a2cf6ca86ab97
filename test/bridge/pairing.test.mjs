// Pairing, and the proofs of each connection, against a real hub.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { StateFile } from '../../packages/bridge/dist/state/state-file.js';
import { hmac, ORIGIN, PageSocket } from './fake-page.mjs';
import { listening, newPlace, PAGE, pairPage } from './processes.mjs';
import { until } from './until.mjs';

/** @param {{ after: (end: () => unknown) => void }} t @param {string[]} args */
async function startHub(t, ...args) {
  const place = await newPlace(t);
  const bridge = place.start(...args);
  await listening(place.port);
  return { ...place, bridge };
}

/**
 * The question that the bridge asks in its host.
 * @param {import('./processes.mjs').BridgeProcess} bridge
 */
const questionIn = (bridge) =>
  bridge.until(() => bridge.messages.find(({ method }) => method === 'elicitation/create'));

/**
 * A page asks to be paired, and the host answers the question.
 * @param {{ port: number, bridge: import('./processes.mjs').BridgeProcess }} hub
 * @param {object} answer
 */
async function pairWithAnswer({ port, bridge }, answer) {
  await bridge.initialize({ elicitation: {} });
  const socket = await PageSocket.open(port);
  const { finish } = await socket.pair();
  const agreed = finish();
  const { id } = await questionIn(bridge);
  bridge.send({ id, result: answer });
  return agreed;
}

/**
 * The HTTP status of an upgrade.
 * @param {number} port
 * @param {Record<string, string>} headers
 * @param {string} [path]
 * @returns {Promise<number | undefined>}
 */
function upgradeStatus(port, headers, path = '/page') {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, headers: { ...upgrade, ...headers } });
    sent.on('response', ({ statusCode }) => resolve(statusCode));
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

void test('a page of the configured origin is paired, and proves it afterwards', async (t) => {
  const { port, folder } = await startHub(t, ...PAGE);
  const pairing = await pairPage(port);
  const state = JSON.parse(readFileSync(join(folder, 'bridge.json'), 'utf8'));
  assert.equal(state.pairings.length, 1);
  assert.equal(state.pairings[0].id, pairing.id);
  assert.equal(statSync(join(folder, 'bridge.json')).mode & 0o777, 0o600);
  const socket = await PageSocket.open(port);
  await socket.prove(pairing);
  assert.deepEqual(await socket.next('serve', 'rest'), ['serve']);
  socket.close();
});

void test('a socket is refused by its headers before a single frame is read', async (t) => {
  const { port } = await startHub(t);
  const host = `127.0.0.1:${port}`;
  const origin = ORIGIN;
  assert.equal(await upgradeStatus(port, { host, origin }), 101);
  assert.equal(await upgradeStatus(port, { host: `localhost:${port}`, origin }), 101);
  assert.equal(await upgradeStatus(port, { host: `evil.example:${port}`, origin }), 403);
  assert.equal(await upgradeStatus(port, { host: '127.0.0.1', origin }), 403);
  assert.equal(await upgradeStatus(port, { host: `127.0.0.1.evil.example:${port}`, origin }), 403);
  assert.equal(await upgradeStatus(port, { host }), 403);
  for (const wrong of ['null', 'file://', 'chrome-extension://abc', `${ORIGIN}/`, 'HTTPS://X', ''])
    assert.equal(await upgradeStatus(port, { host, origin: wrong }), 403, wrong);
  assert.equal(await upgradeStatus(port, { host, origin }, '/page/0.25'), 101);
  assert.equal(await upgradeStatus(port, { host, origin }, '/page/2.5e-7'), 101);
  assert.equal(await upgradeStatus(port, { host, origin }, `/page/${'1'.repeat(32)}`), 101);
  assert.equal(await upgradeStatus(port, { host, origin }, `/page/${'1'.repeat(33)}`), 404);
  for (const path of ['/page/', '/page/%31', '/page/1/2', '/page/1?x', '/bridge/1', '/pages'])
    assert.equal(await upgradeStatus(port, { host, origin }, path), 404, path);
  assert.equal(await upgradeStatus(port, { host, origin }, '/page?x'), 404);
  assert.equal(await upgradeStatus(port, { host, origin }, '/bridge'), 403);
  assert.equal(await upgradeStatus(port, { host }, '/bridge'), 101);
});

void test('a wrong proof closes the socket', async (t) => {
  const { port } = await startHub(t, ...PAGE);
  const { id } = await pairPage(port);
  const socket = await PageSocket.open(port);
  socket.send('hello', { version: 1, nonce: randomBytes(32).toString('base64url'), pairing: id });
  await socket.next('challenge');
  socket.send('proof', randomBytes(32).toString('base64url'));
  assert.equal(await socket.closed(), 4401);
  assert.deepEqual(socket.takeFrames(), []);
});

void test('a proof that was recorded, or made for another port or origin, is worth nothing', async (t) => {
  const { port } = await startHub(t, ...PAGE);
  const { id, key } = await pairPage(port);
  const nonce = randomBytes(32);
  /** @param {(nB: Buffer) => Buffer} prove @returns {Promise<{ code: number, proof: Buffer }>} */
  const attempt = async (prove) => {
    const socket = await PageSocket.open(port);
    socket.send('hello', { version: 1, nonce: nonce.toString('base64url'), pairing: id });
    const [, challenge] = await socket.next('challenge');
    const proof = prove(Buffer.from(challenge.nonce, 'base64url'));
    socket.send('proof', proof.toString('base64url'));
    const [kind] = await socket.next('welcome').catch(() => ['closed']);
    socket.close();
    return { code: kind === 'welcome' ? 0 : await socket.closed(), proof };
  };
  /** @param {string} side @param {string} origin @param {number} number */
  const proofOf = (side, origin, number) => (/** @type {Buffer} */ nB) =>
    hmac(key, side, id, origin, String(number), nonce, nB);
  const recorded = await attempt(proofOf('page', ORIGIN, port));
  assert.equal(recorded.code, 0);
  for (const wrong of [
    () => recorded.proof,
    proofOf('page', ORIGIN, port + 1),
    proofOf('page', 'https://evil.example', port),
    proofOf('bridge', ORIGIN, port),
  ])
    assert.equal((await attempt(wrong)).code, 4401);
});

void test('the pairing of another origin is as unknown as one that does not exist', async (t) => {
  const { port } = await startHub(t, ...PAGE);
  const pairing = await pairPage(port);
  for (const [origin, id] of [
    ['https://evil.example', pairing.id],
    [ORIGIN, 'AAAAAAAAAAAAAAAA'],
  ]) {
    const socket = await PageSocket.open(port, { origin });
    socket.send('hello', { version: 1, nonce: randomBytes(32).toString('base64url'), pairing: id });
    assert.deepEqual(await socket.next(), ['unknown']);
    socket.close();
  }
});

void test('a page of another origin than the configured one is not paired', async (t) => {
  const { port } = await startHub(t, ...PAGE);
  const socket = await PageSocket.open(port, { origin: 'https://evil.example' });
  socket.send('pair', { version: 1 });
  assert.deepEqual(await socket.next(), ['refuse']);
  assert.equal(await socket.closed(), 4403);
});

void test('a page cannot pair itself: without a person on the bridge’s side nothing is agreed', async (t) => {
  const { port, bridge, folder } = await startHub(t);
  await bridge.initialize({ elicitation: {} });
  const socket = await PageSocket.open(port, { origin: 'https://evil.example' });
  const { finish, host } = await socket.pair();
  assert.equal(host, 'test host');
  const agreed = finish();
  const question = await questionIn(bridge);
  assert.match(question.params.message, /https:\/\/evil.example .*type the code/);
  bridge.send({ id: question.id, result: { action: 'decline' } });
  await assert.rejects(agreed, /refuse/);
  assert.equal(await socket.closed(), 4403);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'bridge.json'), 'utf8')).pairings, []);
});

void test('a person who accepts the code in a host pairs the page', async (t) => {
  const { port, bridge } = await startHub(t);
  await bridge.initialize({ elicitation: {} });
  const socket = await PageSocket.open(port);
  const { finish, code } = await socket.pair();
  const question = await questionIn(bridge);
  // They look at the page: here is no code that could be copied.
  assert.ok(!JSON.stringify(question.params).includes(code.slice(0, 3)));
  assert.deepEqual(question.params.requestedSchema.required, ['code']);
  bridge.send({ id: question.id, result: { action: 'accept', content: { code } } });
  const pairing = await finish();
  assert.deepEqual(await socket.next('serve', 'rest'), ['serve']);
  assert.ok(bridge.stderr.includes(code));
  socket.close();
  const again = await PageSocket.open(port);
  await again.prove(pairing);
  again.close();
});

/**
 * A program that listens at another port, and passes on what a page and the bridge say to each other.
 * @param {{ after: (end: () => unknown) => void }} t
 * @param {number} port
 */
async function relayTo(t, port) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.after(() => server.close());
  await once(server, 'listening');
  server.on('connection', (page, { headers: { origin = '' } }) => {
    const bridge = new WebSocket(`ws://127.0.0.1:${port}/page`, { headers: { origin } });
    const opened = once(bridge, 'open');
    page.on('message', (data) => void opened.then(() => bridge.send(data, { binary: false })));
    page.on('close', () => bridge.close());
    bridge.on('message', (data) => page.send(data, { binary: false }));
    bridge.on('close', (code) => page.close(code));
  });
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

void test('a program that relays from another port is not paired, also if both codes are accepted', async (t) => {
  const { port, bridge, folder } = await startHub(t);
  await bridge.initialize({ elicitation: {} });
  const socket = await PageSocket.open(await relayTo(t, port));
  const { code, finish } = await socket.pair();
  const [, shown] = await bridge.until(() => /the code (\d{3} \d{3})/.exec(bridge.stderr));
  assert.notEqual(shown, code);
  const { id } = await questionIn(bridge);
  bridge.send({ id, result: { action: 'accept', content: { code: shown } } });
  await assert.rejects(finish(), /closed \(4403\)/);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'bridge.json'), 'utf8')).pairings, []);
});

void test('a button that is pressed, or a code that is another one, refuses the page', async (t) => {
  for (const content of [undefined, {}, { code: '' }, { code: '000000000' }]) {
    const pairing = pairWithAnswer(await startHub(t), { action: 'accept', content });
    await assert.rejects(pairing, /refuse/);
  }
});

void test('a second browser of a paired origin needs a person again', async (t) => {
  const hub = await startHub(t, ...PAGE);
  await pairPage(hub.port);
  await assert.rejects(pairWithAnswer(hub, { action: 'decline' }), /refuse/);
});

void test('somebody who refuses the code prevails, also for the configured page', async (t) => {
  const { port, bridge } = await startHub(t, ...PAGE);
  await bridge.initialize({ elicitation: {} });
  const socket = await PageSocket.open(port);
  const { finish } = await socket.pair();
  const question = await questionIn(bridge);
  bridge.send({ id: question.id, result: { action: 'decline' } });
  // The answer has arrived when this one has.
  await bridge.request(1, 'ping');
  await assert.rejects(finish(), /refuse/);
});

void test('a second pairing at the same time gets `busy`', async (t) => {
  const { port } = await startHub(t, ...PAGE);
  const first = await PageSocket.open(port);
  const { finish } = await first.pair();
  const second = await PageSocket.open(port);
  second.send('pair', { version: 1 });
  assert.deepEqual(await second.next(), ['busy', {}]);
  assert.equal(await second.closed(), 4403);
  await finish();
  first.close();
});

void test('a code can be guessed three times in ten minutes, then nothing of its origin is paired', async (t) => {
  const { port } = await startHub(t, ...PAGE);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const socket = await PageSocket.open(port);
    await socket.pair();
    socket.send('agree', randomBytes(32).toString('base64url'));
    assert.equal(await socket.closed(), 4403);
  }
  const socket = await PageSocket.open(port);
  socket.send('pair', { version: 1 });
  const [kind, { seconds }] = await socket.next();
  assert.equal(kind, 'busy');
  assert.ok(seconds > 590 && seconds <= 600, String(seconds));
  assert.equal(await socket.closed(), 4403);
});

void test('a foreign page that is refused, or waits, does not lock the pairing for others', async (t) => {
  const { port, bridge } = await startHub(t);
  const origin = 'https://evil.example';
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const socket = await PageSocket.open(port, { origin });
    const { refuse } = await socket.pair();
    refuse();
    assert.equal(await socket.closed(), 4403);
  }
  const locked = await PageSocket.open(port, { origin });
  locked.send('pair', { version: 1 });
  assert.equal((await locked.next())[0], 'busy');
  const waiting = await PageSocket.open(port, { origin: 'https://other.example' });
  const { code: otherCode } = await waiting.pair();
  const own = await PageSocket.open(port);
  const { code } = await own.pair();
  await bridge.initialize();
  /** What is shown to the user. */
  const shown = async () => {
    const uri = 'inpage-bridge:///status';
    const { result } = await bridge.request(randomUUID(), 'resources/read', { uri });
    return JSON.parse(result.contents[0].text).pairing.code;
  };
  assert.equal(await shown(), code);
  own.close();
  await own.closed();
  await until('the code of the other page', async () => (await shown()) === otherCode);
  waiting.close();
});

void test('a page that sends a point that is not on the curve is refused', async (t) => {
  const { port } = await startHub(t, ...PAGE);
  const socket = await PageSocket.open(port);
  socket.send('pair', { version: 1 });
  await socket.next('commit');
  const key = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url');
  socket.send('key', { key, nonce: randomBytes(32).toString('base64url') });
  assert.equal(await socket.closed(), 4400);
});

void test('a page that forgets its pairing is unknown afterwards', async (t) => {
  const { port, folder } = await startHub(t, ...PAGE);
  const pairing = await pairPage(port);
  const socket = await PageSocket.open(port);
  await socket.prove(pairing);
  socket.send('forget');
  assert.equal(await socket.closed(), 4401);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'bridge.json'), 'utf8')).pairings, []);
  const again = await PageSocket.open(port);
  await assert.rejects(again.prove(pairing), /does not know/);
  again.close();
});

void test('a page that forgets its pairing is disconnected, even if the state file is damaged', async (t) => {
  const { port, folder, bridge } = await startHub(t, ...PAGE);
  const pairing = await pairPage(port);
  const [one, other] = [await PageSocket.open(port), await PageSocket.open(port)];
  await one.prove(pairing);
  await other.prove(pairing);
  const file = join(folder, 'bridge.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, '{');
  one.send('forget');
  assert.equal(await one.closed(), 4401);
  // It may prove its pairing again, and keeps its key until then.
  assert.equal(await other.closed(), 1001);
  await bridge.until(() => /is damaged/.test(bridge.stderr));
  writeFileSync(file, text);
  const again = await PageSocket.open(port);
  await again.prove(pairing);
  again.close();
});

void test('a pairing that is deleted while its page proves it does not count', async (t) => {
  const { port, folder } = await startHub(t, ...PAGE);
  const { id, key } = await pairPage(port);
  const socket = await PageSocket.open(port);
  const nonce = randomBytes(32);
  socket.send('hello', { version: 1, nonce: nonce.toString('base64url'), pairing: id });
  const [, challenge] = await socket.next('challenge');
  new StateFile(folder).remove(() => true);
  const other = Buffer.from(challenge.nonce, 'base64url');
  const proof = hmac(key, 'page', id, ORIGIN, String(port), nonce, other);
  socket.send('proof', proof.toString('base64url'));
  assert.equal(await socket.closed(), 4401);
});

void test('seventeen pages that prove their pairings at once are sixteen pages', async (t) => {
  const origins = [1, 2, 3, 4, 5].map((number) => `https://notes.example:${number}`);
  const { port, start } = await startHub(t);
  for (const origin of origins) await start('--page', `${origin}/`).initialize();
  const sockets = [];
  for (const origin of origins) {
    const pairing = await pairPage(port, origin);
    const opened = [1, 2, 3, 4].map(() => PageSocket.open(port, { origin }));
    for (const socket of await Promise.all(opened)) sockets.push({ socket, pairing });
  }
  const proven = await Promise.allSettled(
    sockets.slice(0, 17).map(({ socket, pairing }) => socket.prove(pairing)),
  );
  const refused = proven.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1);
  assert.match(String(/** @type {any} */ (refused[0]).reason), /4429/);
  for (const { socket } of sockets) socket.close();
});

void test('a host that shows web pages but no forms is not asked to pair a page', async (t) => {
  const place = await startHub(t);
  const host = place.start();
  await place.bridge.initialize({ elicitation: { url: {} } });
  await host.initialize({ elicitation: { form: {}, url: {} } });
  const socket = await PageSocket.open(place.port);
  const { code, finish } = await socket.pair();
  const agreed = finish();
  const { id } = await questionIn(host);
  assert.deepEqual(
    place.bridge.messages.filter(({ method }) => method === 'elicitation/create'),
    [],
  );
  host.send({ id, result: { action: 'accept', content: { code } } });
  await agreed;
  socket.close();
});

void test('strangers get four sockets, ten seconds and 32 KiB', async (t) => {
  const { port } = await startHub(t);
  const sockets = await Promise.all([1, 2, 3, 4].map(() => PageSocket.open(port)));
  await assert.rejects(PageSocket.open(port), /503/);
  sockets[0]?.send('hello', 'x'.repeat(1024 * 1024));
  assert.equal(await sockets[0]?.closed(), 1006);
  sockets[1]?.sendText('no frame');
  assert.equal(await sockets[1]?.closed(), 4400);
  sockets[2]?.sendText('{"kind":"hello"}');
  assert.equal(await sockets[2]?.closed(), 4400);
  const start = performance.now();
  assert.equal(await sockets[3]?.closed(), 4408);
  assert.ok(performance.now() - start > 8_000);
  const free = await PageSocket.open(port);
  free.close();
});

void test('strangers do not keep the user’s own page away, nor other processes', async (t) => {
  const { port, start } = await startHub(t, ...PAGE);
  const pairing = await pairPage(port);
  const open = (/** @type {number} */ number) =>
    PageSocket.open(port, { origin: `https://evil.example:${number}` });
  await Promise.all([1, 1, 1, 1].map(open));
  await assert.rejects(open(1), /503/);
  // A page of one origin does not keep one of another origin away; many origins do.
  await Promise.all([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4].map(open));
  await assert.rejects(open(5), /503/);
  const socket = await PageSocket.open(port);
  await socket.prove(pairing);
  const host = start();
  await host.initialize();
  const { result } = await host.request(1, 'resources/read', { uri: 'inpage-bridge:///status' });
  assert.equal(JSON.parse(result.contents[0].text).page, ORIGIN);
  socket.close();
});

void test('a handshake that is not valid takes no place of a stranger', async (t) => {
  const { port } = await startHub(t);
  const host = `127.0.0.1:${port}`;
  const groups = /** @type {const} */ ([
    [{ host, origin: ORIGIN }, '/page'],
    [{ host }, '/bridge'],
  ]);
  for (const [headers, path] of groups) {
    const wrong = { ...headers, 'sec-websocket-version': '12' };
    for (const _ of [1, 2, 3, 4]) assert.equal(await upgradeStatus(port, wrong, path), 400);
    // The hub may notice a little later that the sockets have closed.
    await until('a free place', async () => (await upgradeStatus(port, headers, path)) === 101);
  }
});
