// Several bridge processes and several tabs: who holds the port, who serves, and who takes over.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakePage, PageSocket } from './fake-page.mjs';
import { notesServer } from './notes-server.mjs';
import { listening, newPlace, PAGE, openPage, pairPage, startPage } from './processes.mjs';
import { until } from './until.mjs';

/** @param {string} name @param {string} text */
const writing = (name, text = '') => ({ name: 'write_note', arguments: { name, text } });

/**
 * @param {import('./processes.mjs').BridgeProcess} host
 * @param {number | string} id
 */
const toolCount = async (host, id) => (await host.request(id, 'tools/list')).result.tools.length;

/** A process with everything that its host has seen, by id. @param {import('./processes.mjs').BridgeProcess} host */
function answersById(host) {
  /** @type {Map<unknown, number>} */
  const counts = new Map();
  for (const { id, method } of host.messages)
    if (method === undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

void test('of processes that start at the same moment one holds the port, and all reach the page', async (t) => {
  const place = await newPlace(t);
  const hosts = [1, 2, 3, 4, 5].map(() => place.start(...PAGE));
  await Promise.all(hosts.map((host) => host.initialize()));
  await openPage(place);
  const isChange = ({ method = '' }) => method.includes('tools/list_changed');
  for (const host of hosts) await host.until(() => host.messages.some(isChange));
  assert.deepEqual(await Promise.all(hosts.map((host) => toolCount(host, 1))), [4, 4, 4, 4, 4]);
  for (const { stderr } of hosts) assert.doesNotMatch(stderr, /another program/);
});

void test('ten hosts and three tabs: when the tab that serves is killed, another serves', async (t) => {
  const place = await newPlace(t);
  place.start(...PAGE);
  const pairing = await pairPage(place.port);
  const notes = new Map();
  const tabs = [1, 2, 3].map(
    () => new FakePage(place.port, { pairing, server: notesServer({ notes }) }),
  );
  for (const tab of tabs) {
    await tab.connect();
    place.atEnd(() => tab.stop());
  }
  assert.deepEqual(
    tabs.map(({ role }) => role),
    ['serve', 'rest', 'rest'],
  );
  const hosts = Array.from({ length: 10 }, () => place.start());
  await Promise.all(hosts.map((host) => host.initialize()));
  await tabs[0]?.until(() => tabs[0]?.sessions.size === 10);
  tabs[1]?.socket?.send('visible');
  await Promise.all(
    hosts.map((host, index) => host.request(1, 'tools/call', writing(`before-${index}`))),
  );
  tabs[0]?.kill();
  await tabs[1]?.until(() => tabs[1]?.sessions.size === 10);
  assert.equal(tabs[2]?.role, 'rest');
  const answers = await Promise.all(
    hosts.map(async (host, index) => {
      const answer = await host.request(2, 'tools/call', writing(`after-${index}`));
      // It may have been on its way before the process knew that the page has gone.
      return answer.result ? answer : host.request(3, 'tools/call', writing(`after-${index}`));
    }),
  );
  for (const { result } of answers) assert.equal(result.content[0].text, 'written');
  assert.equal(notes.size, 20);
});

void test('a tab that is frozen is replaced, and rests when it wakes up', async (t) => {
  const place = await newPlace(t, { pageAnswerMs: 3_000 });
  const host = place.start(...PAGE);
  const pairing = await pairPage(place.port);
  const tabs = [1, 2].map(() => new FakePage(place.port, { pairing }));
  for (const tab of tabs) {
    await tab.connect();
    place.atEnd(() => tab.stop());
  }
  const [frozen, other] = tabs;
  if (!frozen || !other) return;
  await host.initialize();
  await frozen.until(() => frozen.sessions.size === 1);
  frozen.isFrozen = true;
  host.send({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } });
  assert.equal((await host.answer(1)).error.data.reason, 'page-gone');
  await other.until(() => other.sessions.size === 1);
  assert.equal(await toolCount(host, 2), 4);
  frozen.thaw();
  await frozen.until(() => frozen.role === 'rest');
  assert.equal(frozen.sessions.size, 0);
  frozen.socket?.send('visible');
  assert.equal(await toolCount(host, 3), 4);
  assert.equal(other.role, 'serve');
});

void test('when the hub is killed under load, another process takes over, and no acknowledged note is lost', async (t) => {
  const { place, bridge: hub, page } = await startPage(t);
  const hosts = [1, 2, 3, 4].map(() => place.start(...PAGE));
  await Promise.all(hosts.map((host) => host.initialize()));
  await page.until(() => page.sessions.size === 4);
  const load = { isOn: true, isKilled: false };
  /** The notes that were acknowledged. @type {string[]} */
  const acknowledged = [];
  /** The hosts with a note that they have sent after the kill. @type {Set<number>} */
  const areBack = new Set();
  const writers = hosts.map(async (host, index) => {
    for (let id = 1; load.isOn; id += 1) {
      const name = `${index}-${id}`;
      const { isKilled } = load;
      const { result, error } = await host.request(id, 'tools/call', writing(name));
      if (error) assert.equal(error.data.reason, 'page-gone', JSON.stringify(error));
      if (!result) continue;
      acknowledged.push(name);
      if (isKilled) areBack.add(index);
    }
  });
  await hosts[0]?.until(() => acknowledged.length > 200);
  hub.child.kill('SIGKILL');
  load.isKilled = true;
  await hosts[0]?.until(() => areBack.size === hosts.length);
  load.isOn = false;
  await Promise.all(writers);
  for (const host of hosts)
    for (const [id, count] of answersById(host)) assert.equal(count, 1, `answer ${String(id)}`);
  for (const name of acknowledged) assert.ok(page.server.notes.has(name), name);
});

void test('one process after the other is killed, and no answer comes twice', async (t) => {
  const place = await newPlace(t);
  const processes = [1, 2, 3, 4].map(() => place.start(...PAGE));
  const page = await openPage(place);
  await Promise.all(processes.map((host) => host.initialize()));
  await page.until(() => page.sessions.size === 4);
  const survivor = processes[3];
  if (!survivor) return;
  let id = 0;
  for (const victim of processes.slice(0, 3)) {
    victim.child.kill('SIGKILL');
    // Whether it was the hub or not: the page serves the survivor, at once or again.
    await until('a note that is written', async () => {
      id += 1;
      const { result } = await survivor.request(id, 'tools/call', writing(String(id)));
      return result?.content[0].text === 'written';
    });
    assert.ok(page.server.notes.has(String(id)));
  }
  await page.until(() => page.sessions.size === 1);
  for (const [answered, count] of answersById(survivor)) assert.equal(count, 1, String(answered));
});

void test('when a host is killed, its session ends at the page', async (t) => {
  const { place, page } = await startPage(t);
  const [killed, ended] = [place.start(), place.start()];
  await Promise.all([killed.initialize(), ended.initialize()]);
  await page.until(() => page.sessions.size === 2);
  killed.child.kill('SIGKILL');
  ended.child.stdin.end();
  await page.until(() => page.sessions.size === 0);
});

void test('a hub that is frozen is left, and named, until it wakes up', async (t) => {
  const { place, bridge: hub, page } = await startPage(t, { deadlines: { hubAnswerMs: 5_000 } });
  const host = place.start(...PAGE);
  await host.initialize();
  await page.until(() => page.sessions.size === 1);
  hub.child.kill('SIGSTOP');
  // Sent at once: soon the host leaves the hub, and then its requests fail for another reason.
  const lost = host.request(1, 'tools/call', { name: 'echo', arguments: {} });
  // One that starts now is answered, too.
  const other = place.start(...PAGE);
  await other.initialize();
  const { error } = await lost;
  assert.equal(error.data.reason, 'page-gone');
  await host.until(() => /does not answer/.test(host.stderr));
  const status = await host.request(2, 'tools/call', { name: 'open_page', arguments: {} });
  assert.match(status.result.content[0].text, /does not answer/);
  await other.until(() => /does not answer/.test(other.stderr));
  hub.child.kill('SIGCONT');
  await page.until(() => page.sessions.size === 2);
  // The page has opened the sessions a moment before the hosts are notified of it.
  let id = 3;
  for (const back of [host, other])
    await until('the tools of the page', async () => (await toolCount(back, (id += 1))) === 4);
});

void test('a port that another program has is named, and the host is answered all the same', async (t) => {
  const place = await newPlace(t);
  const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  t.after(() => server.close());
  await new Promise((resolve) => server.listen(place.port, '127.0.0.1', () => resolve(undefined)));
  const host = place.start();
  await host.initialize();
  assert.equal(await toolCount(host, 1), 1);
  await host.until(() => /is used by another program/.test(host.stderr));
  // Nobody reads the stderr of a host.
  const status = await host.request(2, 'tools/call', { name: 'open_page', arguments: {} });
  assert.match(status.result.content[0].text, /is used by another program/);
});

void test('a hub of another user is not joined, nor does a hub let another user in', async (t) => {
  const place = await newPlace(t);
  place.start(...PAGE);
  await listening(place.port);
  const folder = join(place.folder, 'other');
  mkdirSync(folder, { mode: 0o700 });
  place.env.INPAGE_MCP_STATE = folder;
  const other = place.start();
  await other.until(() => /by another user/.test(other.stderr));
  const socket = await PageSocket.open(place.port, { origin: '', path: '/bridge' });
  socket.send('hello', { version: 1, nonce: randomBytes(32).toString('base64url') });
  await socket.next('challenge');
  socket.send('enter', 1, { name: 'Mallory' });
  assert.equal(await socket.closed(), 4401);
});
