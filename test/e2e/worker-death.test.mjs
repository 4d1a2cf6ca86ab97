// A worker that dies under a page in use: the demo goes on, and no word is lost.
import assert from 'node:assert/strict';
import { testInPrivateWindow } from './browser.mjs';
import {
  errorNotices,
  openRow,
  seedTitles,
  textField,
  waitForTitles,
  waitForView,
  waitUntilSaved,
  writeNote,
} from './demo-page.mjs';

testInPrivateWindow(
  'a worker that dies is replaced: nothing is lost, and the list goes on until the connection ends',
  async (browser) => {
    const page = await browser.openTab();
    const other = await browser.openTab();
    await writeNote(page, { title: 'Before', text: 'written before' });
    // From within, as in a crash: nobody says goodbye.
    const [worker] = page.workers();
    assert.ok(worker);
    const replaced = page.waitForEvent('worker');
    await worker.evaluate(() => self.close()).catch(() => undefined);
    await replaced;
    await page.getByText('The server has gone; connecting again …').waitFor();
    await waitForTitles(page, ['Before', ...seedTitles]);
    await textField(page).fill('written after');
    await waitUntilSaved(page);
    await waitForTitles(other, ['Before', ...seedTitles]);
    await other.bringToFront();
    await openRow(other, 'Before');
    await waitForView(other, 'written after');
    await writeNote(other, { title: 'From the other tab', text: 'received again' });
    await waitForTitles(page, ['From the other tab', 'Before', ...seedTitles]);
    assert.equal(await errorNotices(page).count(), 0);

    await other.evaluate(() =>
      /** @type {any} */ (document.querySelector('demo-app')).runtime.close(),
    );
    await errorNotices(other).getByText('The connection has ended.').waitFor();
    await other.getByRole('button', { name: 'Reload the page' }).click();
    await waitForTitles(other, ['From the other tab', 'Before', ...seedTitles]);
  },
);
