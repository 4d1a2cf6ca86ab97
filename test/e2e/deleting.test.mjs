// Deleting asks nothing, and can be undone: one thing, many, a folder.
import assert from 'node:assert/strict';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import {
  chosenUri,
  deleteChosen,
  dropFiles,
  editNote,
  row,
  seedTitles,
  textField,
  view,
  waitForFocusOn,
  waitForTitles,
  waitForView,
  waitUntilSaved,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const undo = (page) => page.getByRole('button', { name: 'Undo' });

/**
 * Turns the clock of the page on.
 * @param {Page} page
 * @param {number} ms
 */
const passTime = (page, ms) => page.clock.fastForward(ms);

testInPrivateWindow(
  'a note is gone at once, everywhere, and back under its address',
  async (browser) => {
    const other = await browser.openTab();
    const page = await browser.openTab();
    await row(page, 'Shopping list').click();
    await waitForView(page, 'oat milk');
    const uri = await chosenUri(page);
    await deleteChosen(page);
    await page.getByText('Deleted “Shopping list”.').waitFor();
    const others = ['Welcome', 'Ideas for your own app'];
    await waitForTitles(page, others);
    await waitForTitles(other, others);
    await page.getByText('Choose a resource to read it.').waitFor();

    await undo(page).click();
    await page.getByText('Brought back “Shopping list”.').waitFor();
    await waitForTitles(page, seedTitles);
    await waitForTitles(other, seedTitles);
    await waitForView(page, 'oat milk');
    assert.equal(await chosenUri(page), uri);
    await waitForFocusOn(page, 'Resources');
  },
);

testInPrivateWindow('what another tab has just written comes back as well', async (browser) => {
  const other = await browser.openTab();
  await editNote(other, 'Shopping list');
  const page = await browser.openTab();
  await row(page, 'Shopping list').click();
  await textField(other).fill('the newest words');
  await waitUntilSaved(other);
  await deleteChosen(page);
  await undo(page).click();
  await row(page, 'Shopping list').click();
  await waitForView(page, 'the newest words');
});

testInPrivateWindow(
  'it can be undone for ten seconds, longer while one looks at it',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.clock.install();
    await page.goto(demoUrl.href);
    await row(page, 'Welcome').click();
    await deleteChosen(page);
    await undo(page).waitFor();
    // The clock goes on by itself as well, and the machine may be slow.
    await passTime(page, 3_000);
    await undo(page).hover();
    await passTime(page, 60_000);
    await undo(page).waitFor();
    await page.mouse.move(0, 0);
    await passTime(page, 3_000);
    await undo(page).waitFor();
    await passTime(page, 10_000);
    await undo(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Z');
    await page.waitForTimeout(300);
    await waitForTitles(page, ['Shopping list', 'Ideas for your own app']);
  },
);

testInPrivateWindow('several deletions are undone together', async (browser) => {
  const page = await browser.openTab();
  for (const title of ['Welcome', 'Shopping list']) {
    await row(page, title).click();
    await deleteChosen(page);
  }
  await page.getByText('Deleted 2 notes.').waitFor();
  await undo(page).click();
  await waitForTitles(page, seedTitles);
});

testInPrivateWindow('what is opened while something is deleted stays open', async (browser) => {
  const page = await browser.openTab();
  await row(page, 'Welcome').click();
  const remove = await page.getByRole('button', { name: 'Delete' }).elementHandle();
  const other = await row(page, 'Shopping list').elementHandle();
  // In one task: nothing can be deleted in between.
  await page.evaluate(
    (both) => {
      for (const one of both) /** @type {HTMLElement} */ (one).click();
    },
    [remove, other],
  );
  await page.getByText('Deleted “Welcome”.').waitFor();
  await waitForView(page, 'oat milk');
});

testInPrivateWindow('several are selected by mouse and by keys, and deleted', async (browser) => {
  const page = await browser.openTab();
  await dropFiles(page, [
    { name: 'a.txt', text: 'a' },
    { name: 'b.txt', text: 'b' },
    { name: 'c.txt', text: 'c' },
  ]);
  await row(page, 'a.txt').click();
  await waitForView(page, 'a');
  await row(page, 'c.txt').click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  assert.equal(await page.evaluate(() => String(getSelection())), '', 'no words are selected');
  await page
    .getByRole('group', { name: 'Selection' })
    .getByRole('button', { name: 'Clear' })
    .click();
  await page.getByText('3 selected').waitFor({ state: 'detached' });

  await row(page, 'Ideas for your own app').click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Delete');
  await page.getByText('Deleted 1 note and 2 files.').waitFor();
  await waitForTitles(page, ['Welcome', 'Shopping list', 'c.txt']);
  await page.keyboard.press('Control+Z');
  await waitForTitles(page, [...seedTitles, 'a.txt', 'b.txt', 'c.txt']);

  // What the page provides about itself stays.
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await waitForTitles(page, []);
  await page.getByText('Deleted 3 notes and 3 files.').waitFor();
  await page.keyboard.press('Control+Z');
  await waitForTitles(page, [...seedTitles, 'a.txt', 'b.txt', 'c.txt']);
});

testInPrivateWindow(
  'a folder goes with all that is in it, and comes back byte by byte',
  async (browser) => {
    const page = await browser.openTab();
    const length = 20 * 2 ** 20;
    const digest = await page.evaluate(async (bytes) => {
      const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
      const large = new Uint8Array(bytes);
      for (let at = 0; at < bytes; at += 4_096) large[at] = at / 4_096;
      await runtime.files.write('box/deep/large.bin', new Blob([large]));
      for (let count = 0; count < 60; count += 1) {
        await runtime.files.write(`box/${count}.txt`, new Blob([`words ${count}`]));
      }
      await runtime.files.write('boxes.txt', new Blob(['stays']));
      const hash = await crypto.subtle.digest('SHA-256', large);
      return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join(
        '',
      );
    }, length);
    await row(page, 'box/').click();
    await deleteChosen(page);
    await page.getByText('Deleted “box/”.').waitFor();
    await waitForTitles(page, [...seedTitles, 'boxes.txt']);
    // A file that was written there since the deletion is not overwritten.
    await page.evaluate(async () => {
      const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
      await runtime.files.write('box/7.txt', new Blob(['another']));
    });
    await undo(page).click();
    await page.getByText('Brought back “box/”.').waitFor();
    const found = await page.evaluate(async () => {
      const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
      /** @param {string} path */
      const read = async (path) => (await runtime.files.read(path)).blob;
      const { files } = await runtime.files.list({ folder: 'box', limit: 100 });
      const large = await (await read('box/deep/large.bin')).arrayBuffer();
      const hash = await crypto.subtle.digest('SHA-256', large);
      return {
        count: files.length,
        other: await (await read('box/7.txt')).text(),
        beside: await (await read('box/7 (2).txt')).text(),
        last: await (await read('box/59.txt')).text(),
        digest: Array.from(new Uint8Array(hash), (b) => b.toString(16).padStart(2, '0')).join(''),
      };
    });
    assert.deepEqual(found, {
      count: 62,
      other: 'another',
      beside: 'words 7',
      last: 'words 59',
      digest,
    });
  },
);

testInPrivateWindow('what could not be brought back can be tried again', async (browser) => {
  const page = await browser.openTab();
  await row(page, 'Shopping list').click();
  await deleteChosen(page);
  await page.evaluate(() => {
    const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
    const { restore } = runtime.notes;
    runtime.notes.restore = () => {
      runtime.notes.restore = restore;
      return Promise.reject(new Error('The disk is full.'));
    };
  });
  await undo(page).click();
  await page.getByText('One thing is not back yet: The disk is full.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Brought back “Shopping list”.').waitFor();
  await waitForTitles(page, seedTitles);
});

testInPrivateWindow('the sample notes can be restored, those that are gone', async (browser) => {
  const page = await browser.openTab();
  await row(page, 'Welcome').click();
  await deleteChosen(page);
  await waitForTitles(page, ['Shopping list', 'Ideas for your own app']);
  await page.getByRole('button', { name: 'Your data' }).click();
  const samples = page.getByRole('region', { name: 'Sample notes' });
  await samples.getByRole('button', { name: 'Restore' }).click();
  await samples.getByText('Restored 1.').waitFor();
  await samples.getByRole('button', { name: 'Restore' }).click();
  await samples.getByText('They are all there.').waitFor();
  await page.keyboard.press('Escape');
  await waitForTitles(page, seedTitles);
  await row(page, 'Welcome').click();
  await view(page).getByRole('heading', { name: 'Welcome' }).first().waitFor();
});
