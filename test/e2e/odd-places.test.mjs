// The built demo where something is missing or wrong: storage, locks, the clock.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { launchFlagsWithout } from '../../scripts/browsers/chromium.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { demoUrl, testInBrowser, testInPrivateWindow, workerScript } from './browser.mjs';
import {
  editNote,
  errorNotices,
  row,
  seedTitles,
  textField,
  titleField,
  view,
  waitForTitles,
  waitForView,
  waitUntilSaved,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').FrameLocator} FrameLocator */
/** @typedef {import('./browser.mjs').Browser} Browser */

const NO_DATA = /does not let this page store data/;

const YEAR_MS = 31_557_600_000;

/** In a browser that keeps nothing for any site, or nothing for frames of other sites. */
const NO_SITE_DATA = { profile: { default_content_setting_values: { cookies: 2 } } };
const NO_THIRD_PARTY_DATA = {
  profile: { cookie_controls_mode: 1, block_third_party_cookies: true },
};
const THIRD_PARTY_DATA = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };

// A page of another site, with the demo in a frame.
const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-embedding-'));
const frame = (/** @type {string} */ attributes) =>
  `<!doctype html><title>Embedding</title><iframe ${attributes} width="1000" height="700" src="${demoUrl.href}"></iframe>`;
await writeFile(join(folder, 'frame.html'), frame(''));
await writeFile(join(folder, 'sandboxed.html'), frame('sandbox="allow-scripts"'));
const embedding = await serveFolder(folder);
after(async () => {
  await embedding.close();
  await rm(folder, { recursive: true });
});
// As in browsers that keep no partition for such a frame.
const UNPARTITIONED = launchFlagsWithout(['ThirdPartyStoragePartitioning']);
// Another site than the one of the demo.
const embeddingSite = embedding.url.replace('localhost', 'embedding.test');
const NAMES = '--host-resolver-rules=MAP embedding.test localhost, MAP insecure.test localhost';

/**
 * What the demo says instead of showing anything.
 * @param {Page | FrameLocator} place
 */
async function failureIn(place) {
  const alert = place.getByRole('alert');
  await alert.waitFor();
  return (await alert.textContent()) ?? '';
}

testInBrowser(
  'where the user blocks the data of sites, the demo says what is missing',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.goto(demoUrl.href);
    assert.match(await failureIn(page), NO_DATA);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    browser.problems.length = 0;
  },
  { preferences: NO_SITE_DATA },
);

testInPrivateWindow(
  'whatever stands in its address and in the storage of the browser, the demo starts',
  async (browser) => {
    const page = await browser.openTab();
    for (const hash of ['file:///%zz', 'clients+file:///100%', 'file:///%E0%A4%A/', '%']) {
      await page.goto(`${demoUrl.href}#${hash}`);
      await page.reload();
      await page.locator('.pill.connected').waitFor();
      await view(page).getByRole('alert').waitFor({ state: 'attached' });
      await waitForTitles(page, seedTitles);
    }
    const draft = {
      key: 'a',
      base: { id: 'x', title: 'Kept', text: '', revision: 1 },
      words: { title: 'Kept', text: 'kept' },
    };
    await page.evaluate((draft) => {
      for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{');
      for (const name of ['theme', 'model', 'desktop', 'introduced'])
        localStorage.setItem(`inpage-mcp-demo-${name}`, '{');
      const refused = { ...draft, base: { ...draft.base, revision: 'b' } };
      for (const [index, kept] of ['{', 'null', '{"id":1}', refused, draft].entries())
        localStorage.setItem(
          `mcp-draft:inpage-mcp-demo:gone:${index}`,
          typeof kept === 'string' ? kept : JSON.stringify(kept),
        );
    }, draft);
    await page.goto(demoUrl.href);
    await page.reload();
    await page.getByText('What you typed before the reload is saved.').waitFor();
    await page.waitForFunction(() => !Object.keys(localStorage).join().includes('mcp-draft'));
    await page.reload();
    await page.locator('.pill.connected').waitFor();
    assert.equal(await errorNotices(page).count(), 0);
  },
);

testInBrowser(
  'in a frame of another site that may keep nothing, the demo says what is missing',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.goto(`${embeddingSite}frame.html`);
    assert.match(await failureIn(page.frameLocator('iframe')), NO_DATA);
    forgiveFrame(browser);
  },
  { args: [NAMES, ...UNPARTITIONED], preferences: NO_THIRD_PARTY_DATA },
);

testInBrowser(
  'in a frame of another site that may keep data of its own, the demo works, and in a sandbox it says that it does not',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.goto(`${embeddingSite}frame.html`);
    const demo = page.frameLocator('iframe');
    await demo.getByRole('button', { name: 'New note' }).click();
    await demo.locator('mcp-note-editor').getByLabel('Title').fill('In a frame');
    await demo
      .locator('mcp-note-editor [part=state]')
      .filter({ hasText: /^\s*Saved/ })
      .waitFor();

    // In a sandboxed frame there is no worker to be had.
    await page.goto(`${embeddingSite}sandboxed.html`);
    // A host may give its scripts to no other origin, and that of the frame is none.
    await demo.getByText('could not be loaded, as without a connection').waitFor();
    await page.route(`${demoUrl.href}**`, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'access-control-allow-origin': '*' };
      await route.fulfill({ response, headers });
    });
    await page.reload();
    assert.match(await failureIn(demo), /could not be created/);
    forgiveFrame(browser);
  },
  { args: [NAMES], preferences: THIRD_PARTY_DATA },
);

/**
 * The page around the frame is of another site, and the browser says what it keeps from the frame.
 * @param {Browser} browser
 */
function forgiveFrame(browser) {
  browser.requests.length = 0;
  browser.problems.length = 0;
}

const insecureUrl = new URL(demoUrl.href.replace('localhost', 'insecure.test'));

testInBrowser(
  'over http, without locks and random ids, the demo works, and says what it cannot do',
  async (browser) => {
    const page = await browser.openTab();
    assert.equal(await page.evaluate(() => isSecureContext), false);
    await waitForTitles(page, seedTitles);
    await writeNote(page, { title: 'Insecure', text: 'and kept' });
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await waitForView(page, 'and kept');
    await editNote(page, 'Shopping list');
    await page.getByRole('button', { name: 'Your data' }).click();
    await page.getByRole('button', { name: 'Protect', exact: true }).click();
    await page.getByText('The browser may delete it').first().waitFor();
    await page.reload();
    await waitForTitles(page, ['Insecure', ...seedTitles]);
  },
  { home: insecureUrl, args: [NAMES] },
);

/**
 * Sets the clock of a page and of its worker.
 * @param {Page} page
 * @param {number} offsetMs
 */
async function setClock(page, offsetMs) {
  await page.addInitScript(shiftClock, offsetMs);
  await page.route(workerScript, async (route) => {
    const response = await route.fetch();
    const body = `(${String(shiftClock)})(${offsetMs});${await response.text()}`;
    await route.fulfill({ response, body });
  });
}

/** @param {number} offsetMs */
function shiftClock(offsetMs) {
  const { Date } = globalThis;
  globalThis.Date = /** @type {DateConstructor} */ (
    class extends Date {
      constructor(/** @type {any[]} */ ...parts) {
        // @ts-expect-error There are several ways to make one.
        super(...(parts.length === 0 ? [Date.now() + offsetMs] : parts));
      }
      /** @override */
      static now() {
        return Date.now() + offsetMs;
      }
    }
  );
}

for (const [when, offsetMs] of /** @type {const} */ ([
  ['60 years back, before 1970', -60 * YEAR_MS],
  ['in the year 10889', (10_889.9 - 2026) * YEAR_MS],
])) {
  testInPrivateWindow(
    `with a clock ${when}, notes are written and listed as new`,
    async (browser) => {
      const page = await browser.openBlankTab();
      await setClock(page, offsetMs);
      await page.goto(demoUrl.href);
      await waitForTitles(page, seedTitles);
      await writeNote(page, { title: 'Odd times', text: 'text' });
      await waitForTitles(page, ['Odd times', ...seedTitles]);
      assert.match((await row(page, 'Odd times').textContent()) ?? '', /\bnow\b/);
      await page.close();

      // And with the right clock again.
      const later = await browser.openTab();
      await editNote(later, 'Odd times');
      await titleField(later).fill('Right times');
      await textField(later).fill('changed text');
      await waitUntilSaved(later);
      await later.getByRole('button', { name: 'Read', exact: true }).click();
      await view(later).getByText('changed text').waitFor();
      await writeNote(later, { title: 'New', text: '' });
      const text = (await row(later, 'New').textContent()) ?? '';
      assert.match(text, /\bnow\b/);
    },
  );
}
