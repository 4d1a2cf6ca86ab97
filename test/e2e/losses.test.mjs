// What happens to the user's data behind their back, or in another tab, and how they get to know of it.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import {
  button,
  deleteEverything,
  dialog,
  exportAll,
  importZip,
  openDialog,
  standingNotice,
} from './data-page.mjs';
import {
  dropFromDisk,
  editNote,
  fixturePath,
  holdTimers,
  newNoteButton,
  openRow,
  row,
  seedTitles,
  textField,
  waitForTitles,
  waitForView,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const TELEPHONE = { width: 360, height: 800 };

testInPrivateWindow(
  'data that is gone at the next start is reported, and comes back from an export',
  async (browser) => {
    const page = await browser.openTab();
    await dropFromDisk(page, [fixturePath('photo.png')]);
    await waitForTitles(page, [...seedTitles, 'photo.png']);
    await openDialog(page);
    const zip = await exportAll(page);
    // An open page would be notified of the loss, and not the next one.
    await page.goto('about:blank');
    await clearData(page, 'indexeddb');
    await page.goto(demoUrl.href);
    await waitForTitles(page, []);
    const notice = standingNotice(page);
    await notice.getByText('Before: 3 notes and 1 file; now: nothing.').waitFor();
    await checkAccessible(page, 'loss, and an empty list');
    const size = page.viewportSize();
    assert.ok(size);
    await page.setViewportSize(TELEPHONE);
    await checkAccessible(page, 'loss on a telephone', { hasOtherColours: false });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, TELEPHONE.width);
    await page.setViewportSize(size);
    await notice.getByRole('button', { name: 'Import an export' }).click();
    await notice.waitFor({ state: 'detached' });
    await importZip(page, zip);
    await dialog(page).getByText('Added: 4').waitFor();
    await waitForTitles(page, [...seedTitles, 'photo.png']);
    await page.reload();
    await waitForTitles(page, [...seedTitles, 'photo.png']);
    assert.equal(await notice.count(), 0);
  },
);

testInPrivateWindow(
  'data that is cleared while a dialog is open is reported in it, and the page goes on',
  async (browser) => {
    const page = await browser.openTab();
    await row(page, 'Welcome').waitFor();
    await openDialog(page);
    await clearData(page, 'all');
    // Of a database that was just opened, the loss is noticed when it is next used.
    await button(page, 'Protect').click();
    await standingNotice(page).getByText('Your data is gone').waitFor();
    await checkAccessible(page, 'dialog with a notice');
    await standingNotice(page).getByRole('button', { name: 'Dismiss' }).click();
    await standingNotice(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await writeNote(page, { title: 'After', text: 'still here' });
    await waitForTitles(page, ['After']);
    await page.reload();
    await waitForTitles(page, ['After']);
  },
);

/**
 * Does what the browser's own settings do, or its eviction.
 * @param {Page} page
 * @param {'indexeddb' | 'all'} storageTypes
 */
async function clearData(page, storageTypes) {
  const session = await page.context().newCDPSession(page);
  const { origin } = demoUrl;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await session.detach();
}

testInPrivateWindow(
  'a newer version in another tab asks for a reload, which loses no word',
  async (browser) => {
    const page = await browser.openTab();
    await editNote(page, 'Welcome');
    const newer = await browser.openBlankTab();
    await openAsNewer(newer);
    await page.bringToFront();
    const notice = standingNotice(page);
    await notice.getByText('A newer version of this page is open in another tab.').waitFor();
    assert.equal(await notice.getByRole('button', { name: 'Dismiss' }).count(), 0);
    await textField(page).fill('typed too late');
    await page.getByText('This browser keeps it until it is.').waitFor();
    assert.equal(await notice.count(), 1);
    // A page that is too old from its start says so.
    const late = await browser.openBlankTab();
    await late.goto(demoUrl.href);
    const heading = { name: 'A newer version of this page is in use' };
    await late.getByRole('alert').getByRole('heading', heading).waitFor();
    await late.getByRole('button', { name: 'Reload the page' }).waitFor();
    await late.close();

    await newer.evaluate(deleteDatabase);
    await page.bringToFront();
    await notice.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('What you typed before the reload is saved.').waitFor();
    await waitForTitles(page, ['Welcome']);
    await openRow(page, 'Welcome');
    await waitForView(page, 'typed too late');
    await page.reload();
    await waitForTitles(page, ['Welcome']);
  },
);

/**
 * Does what a version of the demo that is yet to come does to the database of this one.
 * @param {Page} page a blank one
 */
async function openAsNewer(page) {
  const url = new URL('newer', demoUrl).href;
  const body = '<!doctype html><title>Newer</title><link rel="icon" href="data:,">';
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(url);
  await page.evaluate(async () => {
    await new Promise((resolve, reject) => {
      const opening = indexedDB.open('inpage-mcp-demo', 1_000);
      opening.onsuccess = () => {
        opening.result.onversionchange = () => opening.result.close();
        resolve(undefined);
      };
      opening.onerror = () => reject(opening.error);
    });
  });
}

async function deleteDatabase() {
  await new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase('inpage-mcp-demo');
    deleting.onsuccess = resolve;
    deleting.onerror = () => reject(deleting.error);
  });
}

testInPrivateWindow(
  'who deletes everything gets no word of it back, and another tab asks about its own',
  async (browser) => {
    const other = await browser.openTab();
    await editNote(other, 'Welcome');
    const page = await browser.openTab();
    await editNote(page, 'Welcome');
    const letSave = await page.evaluateHandle(() => {
      const { notes } = /** @type {any} */ (document.querySelector('demo-app')).runtime;
      const { update } = notes;
      /** @type {() => void} */
      let letGo = () => undefined;
      const waiting = new Promise((resolve) => (letGo = () => resolve(undefined)));
      notes.update = (/** @type {unknown[]} */ ...write) =>
        waiting.then(() => update.apply(notes, write));
      return letGo;
    });
    await textField(page).fill('not saved yet');
    await other.bringToFront();
    const releaseTimers = await holdTimers(other);
    await textField(other).fill('not saved yet');
    await page.bringToFront();
    await openDialog(page);
    await deleteEverything(page);
    await letSave.evaluate((letGo) => letGo());
    await other.bringToFront();
    await releaseTimers();
    await other.getByText('This note was deleted while you were typing.').waitFor();
    assert.equal(await textField(other).inputValue(), 'not saved yet');
    await textField(other).fill('still not saved');
    await page.bringToFront();
    await waitForTitles(page, []);

    // A user who leaves without an answer keeps the words.
    await page.keyboard.press('Escape');
    await newNoteButton(page).click();
    await other.bringToFront();
    await openRow(other, 'New note');
    await openRow(other, 'Welcome');
    await waitForView(other, 'still not saved');
    await waitForTitles(page, ['Welcome', 'New note']);
  },
);
