// How the built demo starts: the first time, when that takes long, and when it cannot.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow, workerScript } from './browser.mjs';
import { seedTitles, waitForTitles } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

testInPrivateWindow(
  'the first run writes the three notes once, in however many tabs it happens',
  async (browser) => {
    const tabs = await Promise.all([browser.openBlankTab(), browser.openBlankTab()]);
    for (const tab of tabs) await tab.addInitScript(slowDownWorkers, SLOW_CALL_MS);
    await Promise.all(tabs.map((tab) => tab.goto(demoUrl.href)));
    for (const tab of tabs) {
      await tab.bringToFront();
      await waitForTitles(tab, seedTitles);
    }
  },
);

/** Far more than lies between the starts of tabs that are opened at once. */
const SLOW_CALL_MS = 200;

/**
 * Makes each call of a page to its worker take its time: what tabs do in steps interleaves.
 * @param {number} delayMs
 */
function slowDownWorkers(delayMs) {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (
    /** @type {unknown} */ message,
    /** @type {any} */ transfer,
  ) {
    // timed: the pace of slow calls.
    setTimeout(() => postMessage.call(this, message, transfer), delayMs);
  };
}

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
    await checkAccessible(page, 'loading');
    letGo();
    await page.locator('.pill.connected').waitFor();
    await waitForTitles(page, seedTitles);
    await page.getByText('Loading the server of this page').waitFor({ state: 'detached' });
    const asked = browser.requests.filter((url) => workerScript.test(url));
    assert.equal(asked.length, 1);
    // The developer is warned after ten seconds, which the check above may take on a busy machine.
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
    await page.locator('.pill.connected').waitFor();
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

testInPrivateWindow(
  'a page whose worker is missing says why, and works once it is there',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.route(workerScript, (route) => route.fulfill({ status: 404 }));
    await page.goto(demoUrl.href);
    const failure = page.getByRole('alert');
    await failure.getByText('The server of this page is not running').waitFor();
    await failure.getByText('its script could not be loaded').waitFor();
    await page.getByText('not connected').waitFor();
    await checkAccessible(page, 'failure');
    // The missing script itself is all that went wrong.
    const others = browser.problems.filter((problem) => !/worker-|404/.test(problem));
    assert.deepEqual(others, []);
    browser.problems.length = 0;
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await waitForTitles(page, seedTitles);
  },
);
