// A start that takes long: the demo says what it waits for, and starts in the end.
import assert from 'node:assert/strict';
import { axe, checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow, workerScript } from './browser.mjs';
import { row, seedTitles, waitForTitles, waitForView, wireLine } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const connected = (page) => page.locator('.pill.connected').waitFor();

testInPrivateWindow(
  'a worker whose script takes long is waited for, and asked for once',
  async (browser) => {
    const page = await browser.openBlankTab();
    /** @type {() => void} */
    let letGo = () => undefined;
    const isLetGo = new Promise((resolve) => (letGo = () => resolve(undefined)));
    await page.route(workerScript, async (route) => {
      await isLetGo;
      await route.continue();
    });
    await page.goto(demoUrl.href);
    await page.getByText('Loading the server of this page').waitFor();
    await page.evaluate(axe);
    await checkAccessible(page, 'loading');
    letGo();
    await connected(page);
    await waitForTitles(page, seedTitles);
    await page.getByText('Loading the server of this page').waitFor({ state: 'detached' });
    const asked = browser.requests.filter((url) => workerScript.test(url));
    assert.equal(asked.length, 1);
    // The developer is warned after ten seconds, which the check above may take on a busy machine.
    browser.problems = browser.problems.filter((text) => !text.includes('is still loading'));
  },
);

testInPrivateWindow(
  'on a slow link it says that it loads, and works in the end',
  async (browser) => {
    const page = await browser.openBlankTab();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 300,
      downloadThroughput: 200_000,
      uploadThroughput: 200_000,
    });
    await page.goto(demoUrl.href, { waitUntil: 'commit' });
    await page.getByText('Loading … If nothing else appears here').waitFor();
    await connected(page);
    await waitForTitles(page, seedTitles);
    await row(page, 'Shopping list').click();
    await waitForView(page, 'oat milk');
    // A part that is loaded later says so until it is there.
    await page.getByRole('tab', { name: 'Wire' }).click();
    await page.getByText('Loading …', { exact: true }).waitFor();
    await wireLine(page, 'resources/read').first().waitFor();
    browser.problems = browser.problems.filter((text) => !text.includes('is still loading'));
  },
);

testInPrivateWindow(
  'a tab that holds the data for an older version is named, and waited for',
  async (browser) => {
    // On the origin of the demo, and not the demo.
    const old = await browser.openBlankTab();
    const body = '<!doctype html><title>Old</title><link rel="icon" href="data:,">';
    await old.route('**/old', (route) => route.fulfill({ contentType: 'text/html', body }));
    await old.goto(new URL('old', demoUrl).href);
    await old.evaluate(holdOldDatabase);
    const page = await browser.openBlankTab();
    await page.goto(demoUrl.href);
    await page.getByText('Another tab holds your data').waitFor();
    await old.close();
    await connected(page);
  },
);

/** A tab of the first version, which does not let go. */
async function holdOldDatabase() {
  await new Promise((resolve) => {
    const request = indexedDB.open('inpage-mcp-demo', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('notes', { keyPath: 'id' });
      for (const store of ['note-texts', 'files', 'file-bytes']) {
        request.result.createObjectStore(store);
      }
    };
    request.onsuccess = resolve;
  });
}
