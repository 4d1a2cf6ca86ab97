// Deleting asks nothing, and can be undone: one thing, many, a folder.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import {
  chosenUri,
  deleteChosen,
  dropFiles,
  editNote,
  openRow,
  row,
  seedTitles,
  textField,
  waitForFocusOn,
  waitForTitles,
  waitForView,
  waitUntilSaved,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const undo = (page) => page.getByRole('button', { name: 'Undo' });

testInPrivateWindow(
  'a note is gone at once, everywhere, and back under its address with its newest words',
  async (browser) => {
    const other = await browser.openTab();
    await editNote(other, 'Shopping list');
    const page = await browser.openTab();
    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
    const uri = await chosenUri(page);
    await textField(other).fill('the newest words');
    await waitUntilSaved(other);
    await deleteChosen(page);
    await page.getByText('Deleted “Shopping list”.').waitFor();
    const others = ['Welcome', 'Ideas for your own app'];
    await waitForTitles(page, others);
    await waitForTitles(other, others);
    await page.getByText('Nothing is open.').waitFor();
    await other.getByText('“Shopping list” was deleted.').waitFor();
    assert.equal(await other.getByRole('alert').count(), 0);
    // It stays while one looks at it.
    await undo(page).hover();
    await checkAccessible(page, 'offer to undo');
    await undo(page).click();
    await page.getByText('Brought back “Shopping list”.').waitFor();
    await waitForTitles(page, seedTitles);
    await waitForTitles(other, seedTitles);
    await waitForView(page, 'the newest words');
    await waitForView(other, 'the newest words');
    assert.equal(await chosenUri(page), uri);
    await waitForFocusOn(page, 'Resources');
  },
);

testInPrivateWindow(
  'it can be undone for ten seconds, longer while one looks at it',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.clock.install();
    await page.goto(demoUrl.href);
    await openRow(page, 'Welcome');
    await deleteChosen(page);
    await undo(page).waitFor();
    // The clock goes on by itself as well, and the machine may be slow.
    await page.clock.fastForward(3_000);
    await undo(page).hover();
    await page.clock.fastForward(60_000);
    await undo(page).waitFor();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(3_000);
    await undo(page).waitFor();
    await page.clock.fastForward(10_000);
    await undo(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Z');
    await waitForTitles(page, ['Shopping list', 'Ideas for your own app']);
  },
);

testInPrivateWindow(
  'several are selected by mouse and by keys, deleted, and brought back',
  async (browser) => {
    const page = await browser.openTab();
    const files = ['a.txt', 'b.txt', 'c.txt'];
    await dropFiles(
      page,
      files.map((name) => ({ name, text: name })),
    );
    await page.getByText('Files saved: 3').first().waitFor();
    await openRow(page, 'a.txt');
    await waitForView(page, 'a.txt');
    const isTicked = () =>
      row(page, 'a.txt')
        .locator('.check')
        .evaluate((box) => getComputedStyle(box, '::after').content !== 'none');
    assert.equal(await isTicked(), false, 'It is open, and not gathered.');
    await openRow(page, 'c.txt', { modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    assert.equal(await isTicked(), true);
    assert.equal(await page.evaluate(() => String(getSelection())), '', 'no words are selected');
    await page
      .getByRole('group', { name: 'Selection' })
      .getByRole('button', { name: 'Clear' })
      .click();
    await page.getByText('3 selected').waitFor({ state: 'detached' });

    await openRow(page, 'Ideas for your own app');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await page.getByText('Deleted 1 note and 2 files.').waitFor();
    await waitForTitles(page, ['Welcome', 'Shopping list', 'c.txt']);
    await page.keyboard.press('Control+Z');
    await waitForTitles(page, [...seedTitles, ...files]);

    // What the page provides about itself stays.
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await waitForTitles(page, []);
    await page.getByText('Deleted 3 notes and 3 files.').waitFor();
    await page.keyboard.press('Control+Z');
    await waitForTitles(page, [...seedTitles, ...files]);
  },
);

testInPrivateWindow(
  'several deletions are undone together, and what could not be brought back can be tried again',
  async (browser) => {
    const page = await browser.openTab();
    await openRow(page, 'Shopping list');
    await waitForView(page, 'oat milk');
    const remove = await page.getByRole('button', { name: 'Delete' }).elementHandle();
    const other = await row(page, 'Welcome').elementHandle();
    // In one task: nothing can be deleted in between.
    await page.evaluate(
      (both) => {
        for (const one of both) /** @type {HTMLElement} */ (one).click();
      },
      [remove, other],
    );
    await page.getByText('Deleted “Shopping list”.').waitFor();
    // What was opened while it was deleted stays open.
    await waitForView(page, 'This note lives in');
    await deleteChosen(page);
    await page.getByText('Deleted 2 notes.').waitFor();
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
    await page.getByText('Brought back 2 notes.').waitFor();
    await waitForTitles(page, seedTitles);
  },
);

testInPrivateWindow(
  'a folder goes with all that is in it, and comes back byte by byte',
  async (browser) => {
    const page = await browser.openTab();
    const before = await page.evaluate(async () => {
      const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
      const large = crypto.getRandomValues(new Uint8Array(60_000));
      await runtime.files.write('box/deep/large.bin', new Blob([large]));
      for (let count = 0; count < 10; count += 1)
        await runtime.files.write(`box/${count}.txt`, new Blob([`words ${count}`]));
      await runtime.files.write('boxes.txt', new Blob(['stays']));
      return large.join();
    });
    await openRow(page, 'box/');
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
      const large = new Uint8Array(await (await read('box/deep/large.bin')).arrayBuffer());
      return {
        count: files.length,
        other: await (await read('box/7.txt')).text(),
        beside: await (await read('box/7 (2).txt')).text(),
        last: await (await read('box/9.txt')).text(),
        large: large.join(),
      };
    });
    const expected = { other: 'another', beside: 'words 7', last: 'words 9', large: before };
    assert.deepEqual(found, { count: 12, ...expected });
  },
);
