// The bridge with pages in a real Chromium: real servers, real notes, and everything ended in turn.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PageBrowser, pairInBrowser, servePage } from './browser/browser-page.mjs';
import { connectSdk, listening, newPlace, textOf, toolNames, updatesOf } from './processes.mjs';
import { until } from './until.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('@modelcontextprotocol/client').Client} Client */

/** @type {Awaited<ReturnType<typeof servePage>>} */
let served;
before(async () => {
  served = await servePage();
});
after(() => served.close());

/** The names of the tools; none while a page goes. @param {Client} client */
const toolsOf = (client) => toolNames(client).catch(() => /** @type {string[]} */ ([]));

/** Resolves when a page serves the client. @param {Client} client */
const isServed = (client) =>
  until('tool of a page', async () => (await toolsOf(client)).includes('create_note'));

/** @param {Client} client @param {string} title */
async function createNote(client, title, idempotencyKey = crypto.randomUUID()) {
  const args = { title, text: `The text of ${title}.`, idempotencyKey };
  const result = await client.callTool({ name: 'create_note', arguments: args });
  assert.ok(!result.isError, textOf(result));
}

/** The titles of all notes, as the page itself has them. @param {Page} page */
const titlesIn = (page) =>
  page.evaluate(async () => {
    const { runtime } = /** @type {any} */ (globalThis);
    /** @type {string[]} */
    const titles = [];
    /** @type {string | undefined} */
    let after;
    do {
      const { notes, next } = await runtime.notes.list({ after, limit: 100 });
      titles.push(...notes.map((/** @type {{ title: string }} */ { title }) => title));
      after = next;
    } while (after !== undefined);
    return titles;
  });

/**
 * A bridge with one host, and a browser with a tab that is paired.
 * @param {{ after: (end: () => unknown) => void }} t
 * @param {string[]} [read] what desktop apps may read. Default: all
 */
async function startAll(t, read) {
  const place = await newPlace(t);
  const { client, transport } = await connectSdk(place, { args: ['--page', served.url] });
  await listening(place.port);
  const browser = new PageBrowser(served.url, place.port, read);
  place.atEnd(() => browser.end());
  await browser.start();
  const page = await browser.openTab();
  await pairInBrowser(page, async () => {
    const status = textOf(await client.callTool({ name: 'open_page' }));
    return /code (\d{3} \d{3})/.exec(status)?.[1];
  });
  await isServed(client);
  return { place, client, transport, browser, page };
}

void test('a desktop program reads, writes and watches the notes of a page in Chromium', async (t) => {
  const { client, page } = await startAll(t);
  await createNote(client, 'From the desktop');
  assert.deepEqual(await titlesIn(page), ['From the desktop']);
  const { resources } = await client.listResources();
  const uri = resources.find(({ title }) => title === 'From the desktop')?.uri ?? '';
  const { contents } = await client.readResource({ uri });
  assert.equal(/** @type {any} */ (contents[0]).text, 'The text of From the desktop.');

  const updated = updatesOf(client);
  await client.subscribeResource({ uri });
  await page.evaluate(
    (id) => /** @type {any} */ (globalThis).runtime.notes.update(id, { text: 'Changed here.' }),
    uri.slice('note:///'.length),
  );
  await until('notification', () => updated.includes(uri));

  const { prompts } = await client.listPrompts();
  assert.ok(prompts.length > 0);
  const ref = /** @type {const} */ ({ type: 'ref/resource', uri: 'note:///{id}' });
  const { completion } = await client.complete({ ref, argument: { name: 'id', value: '' } });
  assert.deepEqual(completion.values, [uri.slice('note:///'.length)]);

  await page.evaluate(() => {
    const { desktop } = /** @type {any} */ (globalThis);
    desktop.revoke(desktop.hosts[0].id);
  });
  await until('end of the access', async () => (await toolsOf(client)).join() === 'open_page');
  await assert.rejects(client.readResource({ uri }));
});

void test('a desktop program reads and watches the folder that it is let into', async (t) => {
  const docs = 'disk:///Project/docs/';
  const { client, page } = await startAll(t, ['note:///', docs]);
  /** Writes a file of the folder. @param {string} text */
  const write = (text) =>
    page.evaluate(async (content) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('Project', { create: true });
      await folder.getFileHandle('secret.txt', { create: true });
      const inside = await folder.getDirectoryHandle('docs', { create: true });
      const file = await inside.getFileHandle('plan.md', { create: true });
      const writable = await file.createWritable();
      await writable.write(content);
      await writable.close();
    }, text);
  await write('# One');
  /** @param {object} options */
  const mount = (options) =>
    page.evaluate(async (given) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('Project');
      await /** @type {any} */ (globalThis).runtime.mountFolder(folder, given);
    }, options);
  await mount({});
  const listed = async () => (await client.listResources()).resources.map(({ uri }) => uri);
  assert.deepEqual(await listed(), []);
  await mount({ guests: true });
  assert.deepEqual(await listed(), [docs, `${docs}plan.md`]);
  const uri = `${docs}plan.md`;
  const read = async () => {
    const { contents } = await client.readResource({ uri });
    return /** @type {any} */ (contents[0]).text;
  };
  assert.equal(await read(), '# One');
  await assert.rejects(client.readResource({ uri: 'disk:///Project/secret.txt' }));
  /** @type {string[]} */
  const updated = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
  });
  await client.subscribeResource({ uri });
  await write('# Two');
  await until('a notification', () => updated.includes(uri));
  assert.equal(await read(), '# Two');
});

void test('a page of another origin is not paired, and reads nothing', async (t) => {
  const { place, browser } = await startAll(t);
  const url = new URL('other.html', served.url.replace('localhost', '127.0.0.1'));
  if (url.origin === new URL(served.url).origin) url.hostname = 'localhost';
  const stranger = await browser.openTab(url.href);
  const received = await stranger.evaluate(
    (port) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/page`);
        /** @type {string[]} */
        const kinds = [];
        socket.addEventListener('open', () => {
          socket.send(JSON.stringify([1, 'pair', { version: 1 }]));
          socket.send(JSON.stringify([2, 'm', 1, { jsonrpc: '2.0', id: 1, method: 'tools/list' }]));
        });
        socket.addEventListener('message', ({ data }) => kinds.push(JSON.parse(data)[1]));
        socket.addEventListener('close', () => resolve(kinds));
      }),
    place.port,
  );
  assert.deepEqual(received, ['refuse']);
});

void test('another tab takes over, and after the browser the next one', async (t) => {
  const { client, browser, page } = await startAll(t);
  await createNote(client, 'First');
  const second = await browser.openTab();
  await second.waitForFunction(() => /** @type {any} */ (globalThis).desktop.state === 'waiting');
  await page.close();
  await isServed(client);
  await createNote(client, 'Second');
  assert.deepEqual(await titlesIn(second), ['Second', 'First']);

  await browser.close();
  await until('end', async () => (await toolsOf(client)).join() === 'open_page');
  await browser.start();
  // It is paired: nobody is asked again.
  const third = await browser.openTab();
  await isServed(client);
  await createNote(client, 'Third');
  assert.deepEqual(await titlesIn(third), ['Third', 'Second', 'First']);
});

void test('what was acknowledged is there once, whatever is killed under load', async (t) => {
  const { place, client, transport, browser, page } = await startAll(t);
  const hosts = await Promise.all(
    Array.from({ length: 9 }, async (_, number) => {
      const args = ['--page', served.url, '--name', `host ${number}`];
      return (await connectSdk(place, { args })).client;
    }),
  );
  /** @type {Page[]} */
  const tabs = [page, await browser.openTab(), await browser.openTab()];
  for (const host of [client, ...hosts]) await isServed(host);
  const load = { isOver: false };
  /** @type {string[]} */
  const acknowledged = [];
  let failures = 0;
  /** Writes notes, each until it is acknowledged. @param {Client} host @param {number} number */
  const write = async (host, number) => {
    for (let count = 0; !load.isOver; count += 1) {
      const title = `${number}/${count}`;
      const key = crypto.randomUUID();
      const attempt = () => createNote(host, title, key).then(() => true);
      await until(`answer for ${title}`, () => attempt().catch(() => (failures++, false)));
      acknowledged.push(title);
    }
  };
  const writing = hosts.map(write);
  /** @type {string[]} */
  const recoveries = [];
  for (const [what, end] of Object.entries({
    'a tab': () => tabs.shift()?.close(),
    // The first process holds the port.
    'the hub': () => process.kill(transport.pid ?? 0, 'SIGKILL'),
    'another tab': () => tabs.shift()?.close(),
    'the browser': async () => {
      await browser.close();
      await browser.start();
      tabs.splice(0, 1, await browser.openTab());
    },
  })) {
    const before = acknowledged.length;
    await until('load', () => acknowledged.length > before + hosts.length);
    await end();
    const [startMs, count] = [performance.now(), acknowledged.length];
    await until('recovery', () => acknowledged.length > count + hosts.length);
    recoveries.push(`${what}: ${Math.round(performance.now() - startMs)} ms`);
  }
  load.isOver = true;
  await Promise.all(writing);
  const [last = page] = tabs;
  assert.deepEqual((await titlesIn(last)).toSorted(), acknowledged.toSorted());
  t.diagnostic(
    `${acknowledged.length} notes, ${failures} errors; back after ${recoveries.join(', ')}`,
  );
});
