// The end of sessions over HTTP, by a clock that the test holds. In a file, and so a process, of its own: `fetch`
// would clear its timers with the mocked function, which does not know them, and throw when they fire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LegacySessions } from '../../packages/bridge/dist/hosts/legacy-sessions.js';
import { WaitingServer } from '../../packages/bridge/dist/waiting/waiting-server.js';
import { ACCEPT, initialize } from './http-messages.mjs';

void test('a session without a stream ends ten minutes after its last request', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = new WaitingServer({ version: '0', answer: () => {} });
  const sessions = new LegacySessions({
    waiting,
    router: {
      enter(_facts, { onunserved }) {
        onunserved('absent');
        return { send: () => {}, close: () => {} };
      },
    },
  });
  t.after(() => sessions.close());
  /** @param {string} method @param {any} message @param {string} [session] @param {AbortSignal} [signal] */
  const send = (method, message, session, signal) => {
    const headers = { ...ACCEPT, ...(session && { 'mcp-session-id': session }) };
    const body = message && { jsonrpc: '2.0', ...message };
    const init = { method, headers, signal: signal ?? null, body: body && JSON.stringify(body) };
    return sessions.fetch(new Request('http://127.0.0.1/mcp', init), body);
  };
  const ping = async (/** @type {string} */ id) =>
    (await send('POST', { id: 1, method: 'ping' }, id)).status;
  const id = (await send('POST', initialize)).headers.get('mcp-session-id') ?? '';
  t.mock.timers.tick(10 * 60_000 - 1);
  assert.equal(await ping(id), 200);
  // As long as there is a stream, it may be silent.
  const client = new AbortController();
  assert.equal((await send('GET', undefined, id, client.signal)).status, 200);
  t.mock.timers.tick(60 * 60_000);
  assert.equal(await ping(id), 200);
  client.abort();
  t.mock.timers.tick(10 * 60_000 - 1);
  assert.equal(sessions.all.length, 1);
  t.mock.timers.tick(1);
  assert.equal(await ping(id), 404);
  assert.equal(sessions.all.length, 0);
  // What ends with a session is cleaned up a little later, by timers, too.
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.runAll();
  }
});
