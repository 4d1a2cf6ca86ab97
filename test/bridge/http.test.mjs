// Streamable HTTP of the bridge, in both eras, with the official clients and by hand.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { ACCEPT, eventsOf, initialize, post, postModern } from './http-messages.mjs';
import { memory, startHttp, textOf, updatesOf } from './processes.mjs';
import { until, within } from './until.mjs';

const META = 'io.modelcontextprotocol';
const MIB = 1024 * 1024;

/** The status of a request with headers that `fetch` does not send. @param {string} url @param {Record<string, string>} headers @returns {Promise<number | undefined>} */
const statusOf = (url, headers) =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers: { ...ACCEPT, ...headers } });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', ...initialize }));
  });

/** Begins a session. @param {string} url @param {object} [capabilities] @returns the headers of its requests */
async function begin(url, capabilities = {}) {
  const params = { ...initialize.params, capabilities };
  const { headers } = await post(url, { ...initialize, params });
  const id = headers.get('mcp-session-id') ?? '';
  const own = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  await post(url, { method: 'notifications/initialized' }, own);
  return own;
}

for (const mode of /** @type {const} */ (['legacy', 'auto'])) {
  void test(`SDK 2 (${mode}) uses everything over HTTP`, async (t) => {
    const { page, url } = await startHttp(t);
    const client = new Client(
      { name: 'http host', version: '1' },
      {
        capabilities: { elicitation: {} },
        ...(mode === 'auto' && { versionNegotiation: { mode } }),
      },
    );
    t.after(() => client.close());
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { color: 'blue' },
    }));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    assert.equal(
      client.getNegotiatedProtocolVersion(),
      mode === 'auto' ? '2026-07-28' : '2025-11-25',
    );
    assert.equal((await client.listTools()).tools.length, 4);
    const { contents } = await client.readResource({ uri: 'note:///first' });
    assert.equal(/** @type {any} */ (contents)[0].text, 'The first note.');
    assert.equal(textOf(await client.callTool({ name: 'ask' })), 'You like blue.');
    /** @type {any[]} */
    const progress = [];
    // The client drops a progress that comes in one chunk with its answer: the call ends when it was seen.
    const onprogress = (/** @type {any} */ one) => {
      progress.push(one);
      page.server.endSlow();
    };
    assert.equal(textOf(await client.callTool({ name: 'slow' }, { onprogress })), 'done');
    assert.equal(progress.length, 1);
    const updated = updatesOf(client);
    if (mode === 'legacy') await client.subscribeResource({ uri: 'note:///first' });
    else await client.listen({ resourceSubscriptions: ['note:///first'] });
    page.server.write('first', 'Changed.');
    await until('an update', () => updated.length > 0);
    const texts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.callTool({ name: 'echo', arguments: { text: String(index) } }),
      ),
    );
    assert.deepEqual(
      texts.map(textOf),
      Array.from({ length: 20 }, (_, index) => String(index)),
    );
  });
}

void test('SDK 1 uses everything over HTTP, and ends its session', async (t) => {
  const { page, url } = await startHttp(t);
  const client = new ClientV1({ name: 'old http host', version: '1' });
  const transport = new HttpV1(new URL(url));
  await client.connect(/** @type {any} */ (transport));
  assert.equal((await client.listTools()).tools.length, 4);
  await page.until(() => page.sessions.size === 1);
  await transport.terminateSession();
  await page.until(() => page.sessions.size === 0);
  await client.close();
});

void test('only requests with the token, a local host and no foreign origin are answered', async (t) => {
  const { url, httpPort } = await startHttp(t);
  const bare = `http://127.0.0.1:${httpPort}/mcp`;
  const token = new URL(url).searchParams.get('token') ?? '';
  assert.match(token, /^[\w-]{24}$/);
  const host = `127.0.0.1:${httpPort}`;
  assert.equal(await statusOf(url, {}), 200);
  assert.equal(await statusOf(bare, { authorization: `Bearer ${token}` }), 200);
  assert.equal(await statusOf(bare, {}), 403);
  assert.equal(await statusOf(`${bare}?token=${token}x`, {}), 403);
  assert.equal(await statusOf(bare, { authorization: 'Bearer ' }), 403);
  assert.equal(await statusOf(url, { host: `localhost:${httpPort}` }), 200);
  assert.equal(await statusOf(url, { host: 'evil.example' }), 403);
  assert.equal(await statusOf(url, { host: `evil.example:${httpPort}` }), 403);
  assert.equal(await statusOf(url, { host, origin: 'https://evil.example' }), 403);
  assert.equal(await statusOf(url, { host, origin: 'null' }), 403);
  assert.equal(await statusOf(url, { host, origin: 'http://localhost:6274' }), 200);
  assert.equal(await statusOf(url.replace('/mcp', '/other'), {}), 404);
});

void test('without the token only if the user has asked for it', async (t) => {
  const { url } = await startHttp(t, { args: ['--open-http'] });
  assert.ok(!url.includes('token'));
  assert.equal(await statusOf(url, {}), 200);
});

void test('a session that was not used for longest ends when there are more than 24', async (t) => {
  const { url, place, page } = await startHttp(t);
  /** @type {string[]} */
  const ids = [];
  for (let count = 0; count < 25; count += 1) {
    const { headers } = await post(url, initialize);
    ids.push(headers.get('mcp-session-id') ?? '');
  }
  const statuses = await Promise.all(
    ids.map(
      async (id) => (await post(url, { id: 1, method: 'ping' }, { 'mcp-session-id': id })).status,
    ),
  );
  assert.deepEqual(statuses, [404, ...Array.from({ length: 24 }, () => 200)]);
  await page.until(() => page.sessions.size === 24);
  // The page, which serves 32, has room for others.
  const host = place.start();
  await host.initialize();
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
});

void test('a session begins with initialize and ends with DELETE', async (t) => {
  const { url } = await startHttp(t);
  assert.equal((await post(url, { id: 1, method: 'tools/list' })).status, 400);
  const begun = await post(url, initialize);
  const id = begun.headers.get('mcp-session-id') ?? '';
  assert.match(id, /^[\x21-\x7e]+$/);
  const headers = { 'mcp-session-id': id };
  assert.equal((await post(url, { method: 'notifications/initialized' }, headers)).status, 202);
  assert.equal((await post(url, { id: 1, method: 'tools/list' }, headers)).status, 200);
  assert.equal(
    (await post(url, { id: 1, method: 'tools/list' }, { 'mcp-session-id': 'x' })).status,
    404,
  );
  assert.equal((await fetch(url, { method: 'DELETE', headers })).status, 200);
  assert.equal((await post(url, { id: 2, method: 'tools/list' }, headers)).status, 404);
});

void test('progress and questions come on the stream of their request, changes on that of the session', async (t) => {
  const { url, page } = await startHttp(t);
  const headers = await begin(url, { elicitation: {} });
  // Before there is an event.
  const stream = fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
  const changes = eventsOf(await within('the stream of a session', stream));
  /** @param {string} name */
  const call = async (name) => {
    const params = { name, arguments: { ms: 50 }, _meta: { progressToken: name } };
    return eventsOf(await post(url, { id: name, method: 'tools/call', params }, headers));
  };
  /** The next message of a stream. @param {ReturnType<typeof eventsOf>} events */
  const next = async (events) => {
    for (;;) {
      const { value } = await within('an event', events.next());
      if (value?.message) return value.message;
    }
  };
  const [slow, ask] = [await call('slow'), await call('ask')];
  const question = await next(ask);
  assert.equal(question.method, 'elicitation/create');
  assert.equal((await next(slow)).method, 'notifications/progress');
  assert.equal((await next(slow)).id, 'slow');
  const answer = { id: question.id, result: { action: 'accept', content: { color: 'grey' } } };
  assert.equal((await post(url, answer, headers)).status, 202);
  assert.equal(textOf((await next(ask)).result), 'You like grey.');
  page.server.write('new', 'A new note.');
  assert.equal((await next(changes)).method, 'notifications/resources/list_changed');
});

void test('a client that has lost a stream gets what it has missed', async (t) => {
  const { url, page } = await startHttp(t);
  const headers = await begin(url);
  const abort = new AbortController();
  const call = { id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } };
  const response = await post(url, call, headers, abort.signal);
  const { value: first } = await within('a beginning', eventsOf(response).next());
  assert.equal(first?.message, undefined);
  abort.abort();
  await until('an end of the call', () => page.server.endSlow() > 0);
  // The page has answered the call before it answers this.
  await (await post(url, { id: 2, method: 'tools/list' }, headers)).text();
  const resumed = await fetch(url, {
    headers: { ...headers, accept: 'text/event-stream', 'last-event-id': first?.id ?? '' },
  });
  const { value: event } = await within('what was missed', eventsOf(resumed).next());
  assert.equal(textOf(event?.message.result), 'done');
});

void test('requests of the modern era stand alone, and their headers repeat the body', async (t) => {
  const { url, page } = await startHttp(t);
  const answered = await postModern(url, 'tools/call', {
    name: 'echo',
    arguments: { text: 'hello' },
  });
  assert.equal(answered.status, 200);
  assert.equal(answered.headers.get('content-type'), 'application/json');
  assert.equal(answered.headers.get('mcp-session-id'), null);
  assert.equal(textOf((await answered.json()).result), 'hello');
  const call = { name: 'echo', arguments: {} };
  const unknown = { _meta: { [`${META}/protocolVersion`]: '2099-01-01' } };
  for (const [method, params, headers, expected] of /** @type {const} */ ([
    ['tools/call', call, { 'mcp-name': 'other' }, [400, -32020]],
    ['tools/call', call, { 'mcp-method': 'tools/list' }, [400, -32020]],
    ['tools/call', call, { 'mcp-protocol-version': '2025-11-25' }, [400, -32020]],
    ['no/method', {}, {}, [404, -32601]],
    ['tools/list', unknown, { 'mcp-protocol-version': '2099-01-01' }, [400, -32022]],
  ])) {
    const response = await postModern(url, method, params, headers);
    assert.deepEqual([response.status, (await response.json()).error.code], expected);
  }
  // One after the other they use one session at the page.
  assert.equal(page.sessions.size, 1);
});

void test('more requests at once than the page serves sessions are all answered by the page', async (t) => {
  const { url, page } = await startHttp(t);
  page.access = () => (page.sessions.size >= 32 ? 'busy' : 'opened');
  const lists = Array.from({ length: 250 }, async () => {
    const { result } = await (await postModern(url, 'tools/list')).json();
    return result?.tools.length;
  });
  const writes = Array.from({ length: 40 }, async (_, index) => {
    const params = { name: 'write_note', arguments: { name: `note ${index}`, text: 'x' } };
    return (
      (await (await postModern(url, 'tools/call', params)).json()).result?.isError ?? 'written'
    );
  });
  assert.deepEqual(new Set(await Promise.all(lists)), new Set([4]));
  assert.deepEqual(new Set(await Promise.all(writes)), new Set(['written']));
  assert.equal(page.server.notes.size, 41);
  assert.equal(page.sessions.size, 1);
});

void test('while a page serves others only, a request without a session fails, and waits first', async (t) => {
  const { url, page } = await startHttp(t, { deadlines: { pageOpeningMs: 1_000 } });
  page.access = () => 'busy';
  const start = performance.now();
  const { error } = await (await postModern(url, 'tools/list')).json();
  assert.deepEqual(error.data, { reason: 'busy', method: 'tools/list' });
  assert.match(error.message, /is open, but it does not serve this program/);
  assert.ok(performance.now() - start > 900);
  page.access = () => 'opened';
  await page.until(() => page.sessions.size === 1);
  assert.equal((await (await postModern(url, 'tools/list')).json()).result.tools.length, 4);
});

void test('requests of clients with the same name are told apart', async (t) => {
  const { url } = await startHttp(t);
  /** @param {string} text */
  const call = async (text) => {
    const params = {
      name: 'slow',
      arguments: { ms: 300 },
      _meta: { progressToken: 'same', note: text },
    };
    const messages = [];
    for await (const { message } of eventsOf(await postModern(url, 'tools/call', params)))
      messages.push(message);
    return messages;
  };
  for (const messages of await Promise.all(['a', 'b', 'c'].map(call))) {
    assert.equal(messages.length, 2);
    assert.equal(messages[0].params.progressToken, 'same');
    assert.equal(messages[1].id, 1);
    assert.equal(textOf(messages[1].result), 'done');
  }
});

void test('programs that call themselves alike have their own sessions if anything tells them apart', async (t) => {
  const { url, page } = await startHttp(t);
  const info = { name: 'by hand', version: '1', title: 'By hand' };
  for (const [address, params, headers] of /** @type {const} */ ([
    [url, {}, {}],
    [url, {}, { 'user-agent': 'another program' }],
    [url, {}, { origin: 'http://localhost:6274' }],
    [url, { _meta: { [`${META}/clientInfo`]: info } }, {}],
    [`${url}&program=2`, {}, {}],
  ]))
    for (let times = 0; times < 2; times += 1) {
      const response = await postModern(address, 'tools/list', params, headers);
      assert.equal((await response.json()).result.tools.length, 4);
    }
  assert.equal(page.sessions.size, 5);
});

void test('programs that share a session get only their own log messages, of their own level', async (t) => {
  const { url, page } = await startHttp(t);
  const calls = () => page.received.filter((method) => method === 'tools/call').length;
  const pending = [];
  for (const [index, level] of ['info', 'info', 'error'].entries()) {
    const _meta = { [`${META}/logLevel`]: level };
    const params = { name: 'slow', arguments: { text: `of call ${index}` }, _meta };
    pending.push(postModern(url, 'tools/call', params));
    await page.until(() => calls() > index);
  }
  assert.equal(page.sessions.size, 1);
  let ended = 0;
  await until('an end of the calls', () => (ended += page.server.endSlow()) === 3);
  const heard = pending.map(async (response) => {
    const answered = await response;
    if (!answered.headers.get('content-type')?.includes('event-stream'))
      return [(await answered.json()).id];
    const said = [];
    for await (const { message } of eventsOf(answered))
      said.push(message.id ?? [message.params.data, ...Object.values(message.params._meta)]);
    return said;
  });
  assert.deepEqual(await Promise.all(heard), [[['of call 0', 1], 1], [['of call 1', 1], 1], [1]]);
});

/** Opens a stream of a program; resolves with its first message. @param {string} url @param {string} name @param {AbortSignal} [signal] */
async function listen(url, name, signal) {
  const _meta = { [`${META}/clientInfo`]: { name, version: '1' } };
  const params = { notifications: { toolsListChanged: true }, _meta };
  const response = await postModern(url, 'subscriptions/listen', params, {}, signal);
  if (!response.headers.get('content-type')?.includes('event-stream')) return response.json();
  const { value } = await within('a beginning of a stream', eventsOf(response).next());
  return value?.message;
}

void test('six programs may have streams, and a further one is told; others go on', async (t) => {
  const { url, page } = await startHttp(t);
  const ending = new AbortController();
  for (let number = 1; number <= 6; number += 1) {
    const first = await listen(url, `program ${number}`, number === 1 ? ending.signal : undefined);
    assert.equal(first.method, 'notifications/subscriptions/acknowledged');
  }
  const { error } = await listen(url, 'program 7');
  assert.deepEqual(error.data, { reason: 'busy', method: 'subscriptions/listen' });
  assert.match(error.message, /^6 programs have streams .* Close one of them/);
  // One that has a stream may open another.
  assert.ok((await listen(url, 'program 2')).method);
  /** @param {string} name @param {string} method @param {object} [more] */
  const request = (name, method, more) => {
    const _meta = { [`${META}/clientInfo`]: { name, version: '1' } };
    return postModern(url, method, { ...more, _meta });
  };
  for (const name of ['program 7', 'program 8', 'program 9'])
    assert.equal((await (await request(name, 'tools/list')).json()).result.tools.length, 4);
  await page.until(() => page.sessions.size === 8);
  const slow = ['program 7', 'program 8'].map((name) =>
    request(name, 'tools/call', { name: 'slow', arguments: {} }),
  );
  await page.until(() => page.received.filter((method) => method === 'tools/call').length === 2);
  const refused = await (await request('program 9', 'tools/list')).json();
  assert.deepEqual(refused.error.data, { reason: 'busy', method: 'tools/list' });
  assert.match(refused.error.message, /^8 programs have unanswered requests .* Try again/);
  let ended = 0;
  await until('an end of the calls', () => (ended += page.server.endSlow()) === 2);
  await Promise.all(slow);
  ending.abort();
  await until('room for a stream', async () => (await listen(url, 'program 7')).method);
});

void test('a program may have a hundred streams, and makes other requests beside them', async (t) => {
  const { url } = await startHttp(t);
  const beginnings = await Promise.all(Array.from({ length: 100 }, () => listen(url, 'by hand')));
  assert.ok(beginnings.every(({ method }) => method));
  const { error } = await listen(url, 'by hand');
  assert.match(error.message, /^This program has 100 streams .* Close one of them first/);
  assert.equal((await (await postModern(url, 'tools/list')).json()).result.tools.length, 4);
});

void test('a request that is refused by its headers is refused before its body is read', async (t) => {
  const { bridge, url, httpPort } = await startHttp(t);
  const bare = `http://127.0.0.1:${httpPort}/mcp`;
  const host = 'evil.example';
  const length = String(17 * MIB);
  for (const [address, headers, status] of /** @type {const} */ ([
    [bare, {}, 403],
    [url, { host }, 403],
    [url, { origin: 'https://evil.example' }, 403],
    [url, { 'content-type': 'text/plain' }, 415],
    [url, { 'content-length': length }, 413],
  ])) {
    const sent = httpRequest(address, {
      method: 'POST',
      headers: { ...ACCEPT, 'content-length': '100', ...headers },
    });
    // Nothing of the body was sent.
    sent.flushHeaders();
    const [response] = await within('a refusal', once(sent, 'response'));
    assert.equal(response.statusCode, status);
    sent.destroy();
  }
  const asking = httpRequest(bare, { method: 'POST', headers: { expect: '100-continue' } });
  asking.on('continue', () => assert.fail('It may not continue.'));
  asking.flushHeaders();
  const [refused] = await within('a refusal', once(asking, 'response'));
  assert.equal(refused.statusCode, 403);
  asking.destroy();
  const body = Buffer.alloc(15 * MIB, 0x20);
  const before = memory(bridge, 'VmHWM');
  // The bridge may close the connection before a slow client has sent all.
  const refusals = await Promise.allSettled(
    Array.from({ length: 20 }, () => fetch(bare, { method: 'POST', headers: ACCEPT, body })),
  );
  for (const one of refusals) if (one.status === 'fulfilled') assert.equal(one.value.status, 403);
  if (process.platform === 'linux') {
    const most = memory(bridge, 'VmHWM');
    assert.ok(most - before < 100, `${before} MiB, then ${most} MiB`);
  }
  assert.equal((await postModern(url, 'tools/list')).status, 200);
});

void test('bodies of clients with the token are read in turn', async (t) => {
  const { bridge, url } = await startHttp(t);
  const params = { name: 'echo', arguments: { text: 'x'.repeat(15 * MIB) } };
  // An answer that is as long would be read in turn, too: this one is an error, before the page has it.
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const sent = httpRequest(url, {
        method: 'POST',
        headers: { ...ACCEPT, 'content-length': body.length },
      });
      // Before a long body, which a busy client may need more time for than the headers may take.
      sent.flushHeaders();
      sent.on('error', () => {});
      sent.end(body);
      const [response] = await within('a response', once(sent, 'response'));
      response.resume();
      return response.statusCode;
    }),
  );
  assert.deepEqual(new Set(statuses), new Set([400]));
  if (process.platform === 'linux')
    assert.ok(memory(bridge, 'VmHWM') < 400, `${memory(bridge, 'VmHWM')} MiB`);
});

void test('methods and addresses that do not exist get a status, and no error of the server', async (t) => {
  const { url, httpPort } = await startHttp(t);
  const host = `127.0.0.1:${httpPort}`;
  const { search } = new URL(url);
  /** The status line of a request by hand. @param {string} line @param {string} [own] */
  const statusOfLine = async (line, own = host) => {
    const socket = connect(httpPort, '127.0.0.1');
    socket.write(`${line} HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) text += chunk;
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  };
  for (const [line, status] of /** @type {const} */ ([
    // No `Accept`.
    [`GET http://${host}/mcp${search}`, 406],
    [`GET http://evil.example/mcp${search}`, 403],
    [`GET //evil.example/mcp${search}`, 403],
    ['OPTIONS *', 404],
    [`OPTIONS /mcp${search}`, 405],
    [`TRACE /mcp${search}`, 405],
    [`PUT /mcp${search}`, 405],
    [`HEAD /mcp${search}`, 405],
    ['GET /%zz', 404],
    ['GET http://[', 404],
  ]))
    assert.equal(await statusOfLine(line), status, line);
});

void test('a connection that sends no request, or only a part of its headers, is closed', async (t) => {
  const { httpPort } = await startHttp(t);
  const start = performance.now();
  const closed = Promise.all(
    ['', 'POST /mcp HTTP/1.1\r\nHost: '].map(async (part) => {
      const socket = connect(httpPort, '127.0.0.1').resume();
      if (part) socket.write(part);
      await once(socket, 'close');
    }),
  );
  await within('both are closed', closed);
  assert.ok(performance.now() - start > 5_000);
});

void test('an answer that is nested too deep becomes an error', async (t) => {
  const { url, page } = await startHttp(t);
  const headers = await begin(url);
  const slow = { name: 'slow', arguments: {} };
  const pending = post(url, { id: 1, method: 'tools/call', params: slow }, headers);
  await page.until(() => page.received.includes('tools/call'));
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const [session] = page.sessions.keys();
  page.socket?.sendText(
    `[${page.socket.nextNumber},"m",${session},{"jsonrpc":"2.0","id":1,"result":{"deep":${deep}}}]`,
  );
  for await (const { message } of eventsOf(await pending))
    if (message?.id === 1) return assert.equal(message.error.code, -32603);
  assert.fail('There was no answer.');
});

void test('a client that leaves cancels its request', async (t) => {
  const { url, page } = await startHttp(t);
  const abort = new AbortController();
  const params = { name: 'slow', arguments: {} };
  const pending = postModern(url, 'tools/call', params, {}, abort.signal);
  await page.until(() => page.sessions.size === 1);
  await page.until(() => page.received.includes('tools/call'));
  abort.abort();
  await assert.rejects(pending);
  await page.until(() => page.received.includes('notifications/cancelled'));
});

void test('a body that is too long or no JSON is refused', async (t) => {
  const { url } = await startHttp(t);
  const long = await fetch(url, {
    method: 'POST',
    headers: ACCEPT,
    body: 'x'.repeat(17 * 1024 * 1024),
  });
  assert.equal(long.status, 413);
  // Without a length in its headers. The connection can be used again.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ports = [];
  for (const length of [17 * MIB, 1]) {
    const sent = httpRequest(url, { method: 'POST', headers: ACCEPT, agent });
    sent.on('socket', (socket) => socket.once('connect', () => ports.push(socket.localPort)));
    const answered = within('a refusal', once(sent, 'response'));
    sent.write('x'.repeat(length));
    sent.end();
    const [response] = await answered;
    assert.equal(response.statusCode, length === 1 ? 400 : 413);
    response.resume();
    await once(response, 'close');
  }
  assert.equal(ports.length, 1);
  assert.equal((await fetch(url, { method: 'POST', headers: ACCEPT, body: '{' })).status, 400);
  assert.equal((await fetch(url, { method: 'POST', headers: ACCEPT, body: '7' })).status, 400);
  assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 415);
  assert.equal((await fetch(url, { method: 'PUT' })).status, 405);
});

void test('sessions over HTTP go on when the page comes back', async (t) => {
  const { url, page } = await startHttp(t);
  const client = new Client({ name: 'http host', version: '1' });
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.subscribeResource({ uri: 'note:///first' });
  const updated = updatesOf(client);
  page.socket?.socket.terminate();
  const { tools } = await client.listTools().catch(() => client.listTools());
  assert.equal(tools.length, 4);
  await until('an update of the page that is back', () => updated.length === 1);
  page.server.write('first', 'Again.');
  await until('an update of a change', () => updated.length === 2);
});
