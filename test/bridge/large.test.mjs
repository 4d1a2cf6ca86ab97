// What is large or takes long: answers of 10 MiB and more, and a request that takes half a minute.
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { postModern } from './http-messages.mjs';
import { connectSdk, PROGRAM, startHttp, startPage } from './processes.mjs';
import { within } from './until.mjs';

const MIB = 1024 * 1024;

void test('clients that do not read are cut off before they fill the memory, and others are served', async (t) => {
  const { url, page } = await startHttp(t);
  const uri = 'note:///big';
  page.server.write('big', 'x'.repeat(16 * MIB));
  /** @type {Response[]} */
  const unread = [];
  for (let count = 0; count < 12; count += 1)
    unread.push(await postModern(url, 'resources/read', { uri }));
  const bodies = await Promise.allSettled(unread.map((response) => response.text()));
  const isWhole = ({ length = 0 }) => length > 16 * MIB;
  assert.ok(bodies.every((body) => body.status === 'rejected' || isWhole(body.value)));
  const read = bodies.filter(({ status }) => status === 'fulfilled').length;
  // Beyond the limit, something of each waits in the system.
  assert.ok(read > 0 && read < 9, `${read} of 12`);
  const { result } = await (await postModern(url, 'resources/read', { uri })).json();
  assert.equal(result.contents[0].text.length, 16 * MIB);
});

void test('a request whose body does not come within 30 seconds is closed', async (t) => {
  const { url, httpPort } = await startHttp(t);
  const start = performance.now();
  const socket = connect(httpPort, '127.0.0.1').resume();
  const { pathname, search, host } = new URL(url);
  const headers = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100`;
  socket.write(`POST ${pathname}${search} HTTP/1.1\r\n${headers}\r\n\r\n{`);
  await within('the connection is closed', once(socket, 'close'), 60_000);
  assert.ok(performance.now() - start > 25_000);
});

void test('an answer that is longer than clients of the official SDK read becomes an error, and all goes on', async (t) => {
  const { place, page } = await startPage(t);
  const host = place.start();
  await host.initialize();
  const read = { uri: 'note:///big' };
  page.server.write('big', 'x');
  const { length } = JSON.stringify(await host.request(1, 'resources/read', read));
  // What a client has of the next message counts, too: as much as is read from a pipe at once.
  const most = 10 * 1024 * 1024 - 64 * 1024;
  const fitting = most - '\n'.length - length + 1;
  page.server.write('big', 'x'.repeat(fitting + 1));
  const { error } = await host.request(2, 'resources/read', read);
  assert.equal(error.code, -32603);
  assert.match(error.message, /at most 10420224 .* in ranges \(io\.github\.inpage-mcp\/range /);
  assert.deepEqual(error.data, {
    reason: 'too-long',
    method: 'resources/read',
    uri: read.uri,
    size: most + 1,
    limit: most,
  });
  // A long URI would make the error long, too.
  for (const repeats of [true, false]) {
    const name = 'b'.repeat((repeats ? 2000 : 2001) - 'note:///'.length);
    const uri = `note:///${name}`;
    page.server.write(name, 'x'.repeat(most));
    const failure = (await host.request(repeats ? 3 : 4, 'resources/read', { uri })).error;
    assert.deepEqual([failure.data.reason, failure.data.uri === uri], ['too-long', repeats]);
    assert.equal('uri' in failure.data, repeats);
  }
  const old = new ClientV1({ name: 'old host', version: '1' });
  t.after(() => old.close());
  const env = /** @type {Record<string, string>} */ (place.env);
  const args = [PROGRAM, '--port', String(place.port)];
  await old.connect(new StdioV1({ command: process.execPath, args, env, stderr: 'ignore' }));
  const { client } = await connectSdk(place);
  for (const one of [client, old])
    await assert.rejects(one.readResource(read), (/** @type {any} */ failure) => {
      assert.equal(failure.data.reason, 'too-long');
      return true;
    });
  page.server.write('big', 'x'.repeat(fitting));
  for (const one of [client, old]) {
    const { contents } = await one.readResource(read);
    assert.equal(/** @type {any} */ (contents[0]).text.length, fitting);
  }
});

void test('a question or a notification of a page that is too long for a host ends nothing', async (t) => {
  const { place, page } = await startPage(t);
  const host = place.start();
  await host.initialize({ elicitation: {} });
  await page.until(() => page.sessions.size === 1);
  const [session] = page.sessions.keys();
  const params = { data: 'x'.repeat(10 * 1024 * 1024) };
  /** @type {any} */
  let answer;
  page.onanswer = (message) => (answer = message);
  page.socket?.send('m', session, { jsonrpc: '2.0', method: 'notifications/message', params });
  page.socket?.send('m', session, {
    jsonrpc: '2.0',
    id: 'question',
    method: 'elicitation/create',
    params,
  });
  await page.until(() => answer);
  assert.deepEqual([answer.id, answer.error.code], ['question', -32603]);
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
});
