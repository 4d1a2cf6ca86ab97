// Desktop apps in the demo, by a bridge that is not ours: paired, let in, asked, revoked, forgotten.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach } from 'node:test';
import { servedPolicy } from '../../demo/content-security-policy.mjs';
import { FakeHub } from '../support/fake-hub.mjs';
import { consent, decide } from './assistant-page.mjs';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import { openRow, row, waitForView, writeNote } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

// The hub has a port of the system's, and the browser is told to find it there. For the page it is the one that
// the policy of the demo names, and so it is in the proofs.
const hub = new FakeHub();
await hub.listen();
const address = /ws:\/\/(127\.0\.0\.1:(\d+))/.exec(servedPolicy);
const args = [`--host-resolver-rules=MAP ${address?.[1]} 127.0.0.1:${hub.port}`];
hub.port = Number(address?.[2]);
beforeEach(() => {
  hub.reset();
});
after(() => hub.stop());

/** @type {typeof testInPrivateWindow} */
const testWithHub = (name, body) => testInPrivateWindow(name, body, { args });

/** @param {Page} page */
const card = (page) => page.getByRole('region', { name: 'Desktop' });

/** @param {Page} page */
async function connect(page) {
  await card(page).getByRole('button', { name: 'Connect a desktop app' }).click();
  await consent(page).getByText('Claude Desktop').waitFor();
}

/** @param {Page} page */
async function pair(page) {
  await connect(page);
  await consent(page).getByText(hub.code).waitFor();
  await decide(page, 'It is the same code');
  await card(page).getByText('Connected. No app has been let in.').waitFor();
}

/**
 * A request of an app, and its answer.
 * @param {number} session
 * @param {string} method
 * @param {object} [params]
 */
async function ask(session, method, params = {}) {
  const id = randomUUID();
  hub.send('m', session, { jsonrpc: '2.0', id, method, params: { ...params, _meta: META } });
  const [, number, answer] = await hub.next('m', id);
  assert.equal(number, session);
  return answer;
}

testWithHub('a desktop app is paired, let in, revoked and forgotten', async (browser) => {
  const page = await browser.openTab();
  await writeNote(page, { title: 'Diary', text: 'secret' });
  await card(page).getByText('npx @inpage-mcp/bridge').waitFor();
  assert.equal(hub.connections, 0);
  await connect(page);
  await consent(page).getByText(hub.code).waitFor();
  await checkAccessible(page, 'the code');
  await decide(page, 'It is the same code');
  await card(page).getByText('Connected. No app has been let in.').waitFor();

  hub.send('open', 1, { name: 'Claude Desktop', version: '1.2' });
  await consent(page).getByText('Claude Desktop 1.2').waitFor();
  assert.equal(await consent(page).getByLabel('Diary').isChecked(), false);
  assert.equal(await consent(page).getByLabel('Shopping list').isChecked(), true);
  await decide(page, 'Let it in');
  await hub.next('opened');
  await card(page).getByText('Reads 3 notes; asks before each change.').waitFor();
  await checkAccessible(page, 'an app is in');

  const { result } = await ask(1, 'resources/list');
  const titles = result.resources.map((/** @type {{ title: string }} */ { title }) => title);
  assert.deepEqual(titles.toSorted(), ['Ideas for your own app', 'Shopping list', 'Welcome']);
  const shopping = result.resources.find(
    (/** @type {{ title: string }} */ { title }) => title === 'Shopping list',
  );
  await ask(1, 'resources/read', { uri: shopping.uri });
  const { error } = await ask(1, 'resources/read', { uri: 'note:///nothing' });
  assert.ok(error);

  const added = { name: 'append_to_note', arguments: { id: shopping.uri, text: 'bananas' } };
  const changing = ask(1, 'tools/call', added);
  await consent(page).getByText('Claude Desktop').waitFor();
  await decide(page, 'Add it');
  const changed = await changing;
  assert.ok(!changed.result?.isError, JSON.stringify(changed));
  await openRow(page, 'Shopping list');
  await waitForView(page, 'bananas');
  await page.getByRole('tab', { name: 'Activity' }).click();
  await page.locator('mcp-activity').getByRole('heading', { name: 'Claude Desktop' }).waitFor();

  // A page that was paired connects by itself, and remembers who may: no question, on any connection.
  await page.goto(demoUrl.href);
  await page.reload();
  await hub.next('proof');
  for (const session of [2, 3]) {
    hub.send('open', session, { name: 'Claude Desktop', version: '1.2' });
    await hub.next('opened');
  }
  await card(page).getByText('2 connections').waitFor();
  await card(page).getByText('Reads 3 notes; asks before each change.').waitFor();
  await card(page).getByRole('button', { name: 'End access of Claude Desktop' }).click();
  assert.deepEqual(await hub.next('revoked'), ['revoked', 2]);
  assert.deepEqual(await hub.next('revoked'), ['revoked', 3]);
  await card(page).getByText('Connected. No app has been let in.').waitFor();

  await card(page).getByRole('button', { name: 'Forget this pairing' }).click();
  await hub.next('forget');
  await card(page).getByRole('button', { name: 'Connect a desktop app' }).waitFor();
  assert.equal(hub.pairings, 0);
  await page.reload();
  await row(page, 'Welcome').waitFor();
  await card(page).getByText('npx @inpage-mcp/bridge').waitFor();
  assert.equal(hub.connections, 2);
});

testWithHub('who says “Cancel” or “Not now” lets nobody in', async (browser) => {
  const page = await browser.openTab();
  await connect(page);
  await decide(page, 'Cancel');
  await hub.next('refuse');
  await card(page).getByRole('alert').getByText('You have refused the pairing.').waitFor();
  await pair(page);
  hub.send('open', 1, { name: 'VS Code' });
  await consent(page).waitFor();
  await decide(page, 'Not now');
  assert.deepEqual(await hub.next('refused'), ['refused', 1, 'refused']);
  await card(page).getByRole('button', { name: 'Ask refused apps again' }).click();
  await hub.next('offer');
});

testWithHub(
  'what is remembered of an app, and is no answer of its user, is asked again',
  async (browser) => {
    const page = await browser.openTab();
    await pair(page);
    const grant = { everything: false, notes: [], ask: true };
    const odd = [
      { ...grant, notes: [7] },
      { ...grant, everything: 'all' },
      { ...grant, ask: 1 },
      null,
    ];
    await page.evaluate(
      (grants) => localStorage.setItem('inpage-mcp-demo-desktop', JSON.stringify(grants)),
      Object.fromEntries([grant, ...odd].map((one, index) => [`App ${index}`, one])),
    );
    hub.send('open', 1, { name: 'App 0' });
    await hub.next('opened');
    for (const index of odd.keys()) {
      hub.send('open', index + 2, { name: `App ${index + 1}` });
      await consent(page)
        .getByText(`App ${index + 1}`)
        .waitFor();
      await decide(page, 'Not now');
      assert.deepEqual(await hub.next('refused'), ['refused', index + 2, 'refused']);
    }
  },
);

testWithHub('an app loses the access that another tab has withdrawn', async (browser) => {
  const page = await browser.openTab();
  await pair(page);
  const remember = (/** @type {Page} */ tab, /** @type {object} */ grants) =>
    tab.evaluate(
      (text) => localStorage.setItem('inpage-mcp-demo-desktop', text),
      JSON.stringify(grants),
    );
  await remember(page, { 'App 0': { everything: false, notes: [], ask: true } });
  hub.send('open', 1, { name: 'App 0' });
  await hub.next('opened');
  // As when it closes a folder that the app may read.
  await remember(await browser.openTab(), {});
  assert.deepEqual(await hub.next('revoked'), ['revoked', 1]);
  await card(page).getByText('Connected. No app has been let in.').waitFor();
});

// The last one: its port may be somebody else's afterwards.
testWithHub('where no bridge runs, the card says what to do', async (browser) => {
  await hub.stop();
  const page = await browser.openTab();
  await card(page).getByRole('button', { name: 'Connect a desktop app' }).click();
  await card(page).getByRole('alert').getByText('No bridge answers on this computer.').waitFor();
  await card(page).getByRole('alert').getByText('Start the desktop app').waitFor();
  // The browser says so itself, and nothing else is wrong.
  const expected = new RegExp(`WebSocket connection to '${address?.[0]}/page/\\S+' failed`);
  assert.ok(browser.problems.every((problem) => expected.test(problem)));
  assert.ok(browser.problems.length > 0);
  // The user has forbidden it: then no program that is started helps.
  const devtools = await page.context().newCDPSession(page);
  const permission = { name: 'loopback-network' };
  const { origin } = new URL(page.url());
  const { targetInfo } = await devtools.send('Target.getTargetInfo');
  const { browserContextId = '' } = targetInfo;
  const denied = { permission, setting: /** @type {const} */ ('denied'), origin };
  await devtools.send('Browser.setPermission', { ...denied, browserContextId });
  await card(page).getByRole('button', { name: 'Connect a desktop app' }).click();
  await card(page).getByRole('alert').getByText('that was blocked').waitFor();
  browser.problems = [];
});
