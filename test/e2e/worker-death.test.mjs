// A worker that dies under a page in use: the demo goes on, and no word is lost.
import assert from 'node:assert/strict';
import { testInPrivateWindow } from './browser.mjs';
import {
  errorNotices,
  row,
  seedTitles,
  textField,
  waitForTitles,
  waitForView,
  waitUntilSaved,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/**
 * Ends the worker from within, as a crash does: nobody says goodbye. Resolves once another runs.
 * @param {Page} page
 */
async function endWorker(page) {
  const [worker] = page.workers();
  assert.ok(worker);
  const replaced = page.waitForEvent('worker');
  await worker.evaluate(() => self.close()).catch(() => undefined);
  await replaced;
}

testInPrivateWindow(
  'a worker that dies is replaced: nothing is lost, and the list goes on',
  async (browser) => {
    const page = await browser.openTab();
    const other = await browser.openTab();
    await writeNote(page, { title: 'Before', text: 'written before' });
    await waitUntilSaved(page);
    await endWorker(page);
    await page.getByText('The server has gone; connecting again …').waitFor();
    await waitForTitles(page, ['Before', ...seedTitles]);
    await textField(page).fill('written after');
    await waitUntilSaved(page);
    await waitForTitles(other, ['Before', ...seedTitles]);
    await other.bringToFront();
    await row(other, 'Before').click();
    await waitForView(other, 'written after');
    await writeNote(other, { title: 'From the other tab', text: 'received again' });
    await waitForTitles(page, ['From the other tab', 'Before', ...seedTitles]);
    assert.equal(await errorNotices(page).count(), 0);
  },
);

testInPrivateWindow(
  'a worker that dies again and again is given up, and the page says so',
  async (browser) => {
    const page = await browser.openTab();
    await waitForTitles(page, seedTitles);
    for (let death = 1; death <= 5; death += 1) {
      await endWorker(page);
      await waitForTitles(page, seedTitles);
    }
    const [worker] = page.workers();
    await worker?.evaluate(() => self.close()).catch(() => undefined);
    await errorNotices(page).getByText('The connection has ended.').waitFor();
    assert.deepEqual(page.workers(), []);
    // For the developer of the page, who may not catch the error.
    const hint = 'console: inpage-mcp: It was replaced 5 times within 60 seconds.';
    assert.deepEqual(browser.problems, [hint]);
    browser.problems = [];
  },
);
