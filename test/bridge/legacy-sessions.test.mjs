// The end of sessions over HTTP, by a clock that the test holds. In a file, and so a process, of its own: `fetch`
// would clear its timers with the mocked function, which does not know them, and throw when they fire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LegacySessions } from '../../packages/bridge/dist/hosts/legacy-sessions.js';
import { WaitingServer } from '../../packages/bridge/dist/waiting/waiting-server.js';
import { ACCEPT, initialize } from './http-messages.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

/** What cleans up after a session runs by timers, a little later. @param {import('node:test').TestContext} t */
async function cleanUp(t) {
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.runAll();
  }
}

/** Sessions that a page serves: it answers everything except calls of tools. */
function serve() {
  /** @type {import('../../packages/bridge/dist/wire/router.js').EntryHandlers | undefined} */
  let page;
  const sessions = new LegacySessions({
    waiting: new WaitingServer({ version: '0', answer: () => {} }),
    router: {
      enter(_facts, handlers) {
        page = handlers;
        queueMicrotask(() => handlers.onopened());
        return {
          send(/** @type {any} */ { id, method }) {
            if (id === undefined || method === 'tools/call') return;
            queueMicrotask(() => handlers.onmessage({ jsonrpc: '2.0', id, result: {} }));
          },
          close: () => {},
        };
      },
    },
  });
  /** @param {string} method @param {any} message @param {string} [session] @param {AbortSignal} [signal] */
  const send = (method, message, session, signal) => {
    const headers = { ...ACCEPT, ...(session && { 'mcp-session-id': session }) };
    const body = message && { jsonrpc: '2.0', ...message };
    const init = { method, headers, signal: signal ?? null, body: body && JSON.stringify(body) };
    const left = signal ?? new AbortController().signal;
    return sessions.fetch(new Request('http://127.0.0.1/mcp', init), body, left);
  };
  const begin = async () => {
    const response = await send('POST', initialize);
    await response.text();
    return response.headers.get('mcp-session-id') ?? '';
  };
  return { sessions, send, begin, page: () => page };
}

void test('a session without a stream ends ten minutes after its last request', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { sessions, send, begin } = serve();
  t.after(() => sessions.close());
  const ping = async (/** @type {string} */ id) =>
    (await send('POST', { id: 1, method: 'ping' }, id)).status;
  const id = await begin();
  t.mock.timers.tick(10 * 60_000 - 1);
  assert.equal(await ping(id), 200);
  // As long as there is a stream, it may be silent.
  const client = new AbortController();
  assert.equal((await send('GET', undefined, id, client.signal)).status, 200);
  t.mock.timers.tick(60 * 60_000);
  assert.equal(await ping(id), 200);
  // The request of the stream is collected, and its own signal with it.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  client.abort();
  t.mock.timers.tick(10 * 60_000 - 1);
  assert.equal(sessions.all.length, 1);
  t.mock.timers.tick(1);
  assert.equal(await ping(id), 404);
  assert.equal(sessions.all.length, 0);
  await cleanUp(t);
});

void test('a session does not end while a request is open, and what is refused begins none', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [started, cleared] = ['setTimeout', 'clearTimeout'].map((name) =>
    t.mock.method(globalThis, /** @type {'setTimeout'} */ (name)),
  );
  const { sessions, send, begin, page } = serve();
  t.after(() => sessions.close());
  const pass = (/** @type {number} */ minutes) => t.mock.timers.tick(minutes * 60_000);
  const call = (/** @type {string} */ id) =>
    send('POST', { id: 2, method: 'tools/call', params: { name: 'slow' } }, id);
  const answered = await begin();
  const response = await call(answered);
  pass(60);
  assert.equal(sessions.all.length, 1);
  page()?.onmessage({ jsonrpc: '2.0', id: 2, result: { content: [] } });
  assert.match(await response.text(), /"content":\[\]/);
  pass(9);
  assert.equal(sessions.all.length, 1);
  pass(1);
  assert.equal(sessions.all.length, 0);
  const cancelled = await begin();
  await call(cancelled);
  const params = { requestId: 2 };
  assert.equal(
    (await send('POST', { method: 'notifications/cancelled', params }, cancelled)).status,
    202,
  );
  pass(10);
  assert.equal(sessions.all.length, 0);
  const before = started.mock.callCount();
  assert.equal((await send('POST', { id: 1, method: 'ping' })).status, 400);
  assert.equal(sessions.all.length, 0);
  const stopped = new Set(cleared.mock.calls.map((one) => one.arguments[0]));
  const waiting = started.mock.calls.slice(before).filter((one) => !stopped.has(one.result));
  assert.equal(waiting.length, 0);
  await cleanUp(t);
});
