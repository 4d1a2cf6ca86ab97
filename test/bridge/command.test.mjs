// The other things that the command does: opening the page, waiting for it, pairing in a terminal, forgetting.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakePage, ORIGIN, PageSocket } from './fake-page.mjs';
import { connectSdk, listening, newPlace, pairPage, PROGRAM, textOf } from './processes.mjs';
import { until } from './until.mjs';

void test('open_page opens the address only if the user has allowed it', async (t) => {
  const place = await newPlace(t);
  const opened = join(place.folder, 'opened');
  const browser = join(place.folder, 'browser.sh');
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  chmodSync(browser, 0o755);
  Object.assign(place.env, { INPAGE_MCP_BROWSER: browser });
  const url = `${ORIGIN}/notes?a=b&c="d e"`;
  const opening = await connectSdk(place, { args: ['--page', `${url}&first`] });
  assert.match(
    textOf(await opening.client.callTool({ name: 'open_page' })),
    /^No page is connected\. Open /,
  );
  await opening.client.close();
  const allowed = await connectSdk(place, { args: ['--open', url] });
  assert.match(
    textOf(await allowed.client.callTool({ name: 'open_page' })),
    /was opened in the browser/,
  );
  await until('an address', () => existsSync(opened) && readFileSync(opened, 'utf8').length > 0);
  // Nor was the first one opened, which was called before.
  assert.equal(readFileSync(opened, 'utf8'), `${url}\n`);
});

void test('with --wait a host waits for a page that comes later', async (t) => {
  const place = await newPlace(t);
  place.start('--page', ORIGIN);
  const pairing = await pairPage(place.port);
  const host = place.start('--wait', '30');
  const answer = host.initialize();
  // One that does not wait is answered long before.
  await place.start().initialize();
  assert.deepEqual(host.messages, []);
  const page = await new FakePage(place.port, { pairing }).connect();
  place.atEnd(() => page.stop());
  assert.equal((await answer).result.serverInfo.name, 'notes');
  assert.equal((await host.request(1, 'tools/list')).result.tools.length, 4);
});

void test('while a code is compared, the tool and the resource show it', async (t) => {
  const place = await newPlace(t);
  const { client } = await connectSdk(place);
  await listening(place.port);
  const socket = await PageSocket.open(place.port);
  const { code, refuse } = await socket.pair();
  assert.ok(textOf(await client.callTool({ name: 'open_page' })).includes(code));
  const { contents } = await client.readResource({ uri: 'inpage-bridge:///status' });
  const status = JSON.parse(/** @type {any} */ (contents)[0].text);
  assert.deepEqual(status.pairing, { code, origin: ORIGIN, needsAnswer: true });
  assert.match(status.message, /in a terminal: node ".*main\.js" --pair$/);
  refuse();
  assert.equal(await socket.closed(), 4403);
  const shown = async () => textOf(await client.callTool({ name: 'open_page' })).includes(code);
  await until('an end of the code', async () => !(await shown()));
});

void test('a host of the modern era is asked about a pairing when it calls the tool', async (t) => {
  const place = await newPlace(t);
  const { client } = await connectSdk(place, { mode: 'auto', capabilities: { elicitation: {} } });
  await listening(place.port);
  /** @type {string[]} */
  const questions = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params.message);
    if (questions.length === 1) return { action: 'cancel' };
    return { action: 'accept', content: { code: code.replace(' ', '') } };
  });
  const socket = await PageSocket.open(place.port);
  const { code, finish } = await socket.pair();
  const agreed = finish();
  for (const times of [1, 2]) {
    await client.callTool({ name: 'open_page' });
    assert.equal(questions.length, times);
    assert.ok(questions.at(-1)?.includes(`https://notes.example wants`));
  }
  assert.equal((await agreed).key.length, 32);
  socket.close();
});

const hasScript = spawnSync('script', ['--version']).status === 0;

void test(
  'a person in a terminal accepts the code, in a process that is not the hub',
  // script(1) makes the terminal that the question needs. Windows has no such program.
  { skip: !hasScript && 'there is no script(1)' },
  async (t) => {
    const place = await newPlace(t);
    const host = place.start();
    await host.initialize();
    await listening(place.port);
    const command = `${process.execPath} ${PROGRAM} --port ${place.port} --pair`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: place.env,
      stdio: 'pipe',
    });
    t.after(() => child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (text) => (shown += text));
    await until('the terminal', () => shown.includes('Waiting for a page'));
    for (const [reply, isPaired] of /** @type {const} */ ([
      ['n\r', false],
      ['y\r', true],
    ])) {
      shown = '';
      const socket = await PageSocket.open(place.port);
      const { code, finish } = await socket.pair();
      await until('a question', () => shown.includes('[y/N]'));
      assert.ok(shown.includes(code));
      const agreed = finish();
      child.stdin.write(reply);
      if (isPaired) assert.equal((await agreed).key.length, 32);
      else await assert.rejects(agreed, /refuse/);
      socket.close();
    }
  },
);

void test('--forget deletes the pairings of one origin, and ends their connections', async (t) => {
  const place = await newPlace(t);
  place.start('--page', ORIGIN, '--name', 'x');
  const pairing = await pairPage(place.port);
  const run = (/** @type {string} */ origin) => {
    const child = place.start('--forget', origin);
    return child.until(() => child.exitCode !== undefined).then(() => child.stderr);
  };
  const page = await new FakePage(place.port, { pairing, reconnects: false }).connect();
  assert.match(await run('https://other.example'), /: 0\.\n$/);
  assert.equal(page.socket?.closeCode, undefined);
  assert.match(await run(ORIGIN), /: 1\.\n$/);
  // At once, not when it connects the next time.
  assert.equal(await page.socket?.closed(), 4401);
  const socket = await PageSocket.open(place.port);
  await assert.rejects(socket.prove(pairing), /does not know/);
  socket.close();
});
