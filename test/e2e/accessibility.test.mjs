// The demo for those who do not see it, or use no mouse.
import assert from 'node:assert/strict';
import { axe, checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow, workerScript } from './browser.mjs';
import {
  deleteChosen,
  dropFiles,
  dropFromDisk,
  editNote,
  fixturePath,
  listBox,
  row,
  titleField,
  view,
  waitForTitles,
  waitForView,
  waitUntilSaved,
  seedTitles,
  showWire,
  wireLine,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./browser.mjs').Browser} Browser */

const TELEPHONE = { width: 360, height: 800 };
const DESK = { width: 1440, height: 900 };

/**
 * Checks the list, a note, the editor and the question before a deletion.
 * @param {Browser} browser
 * @param {{ width: number, height: number }} size
 */
async function checkStates(browser, size) {
  const page = await browser.openTab();
  await page.setViewportSize(size);
  await page.evaluate(axe);
  await dropFiles(page, [{ name: 'a.txt', text: 'a' }]);
  await row(page, 'a.txt').waitFor();
  await checkAccessible(page, 'list and notice');
  await editNote(page, 'Welcome');
  await checkAccessible(page, 'editor');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await view(page).getByRole('heading', { name: 'Welcome' }).first().waitFor();
  await checkAccessible(page, 'preview');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await checkAccessible(page, 'offer to undo');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await checkAccessible(page, 'keys');
}

testInPrivateWindow('axe finds nothing wrong on a desk: list, preview, editor, dialog', (browser) =>
  checkStates(browser, DESK),
);

testInPrivateWindow(
  'axe finds nothing wrong on a telephone: list, preview, editor, dialog',
  (browser) => checkStates(browser, TELEPHONE),
);

testInPrivateWindow(
  'axe finds nothing wrong with the wire, an image, a download and a list that is empty',
  async (browser) => {
    const page = await browser.openTab();
    await page.evaluate(axe);
    await dropFromDisk(page, [fixturePath('photo.png')]);
    await dropFiles(page, [{ name: 'data.bin', text: '\u0000' }]);
    // Its row moves the others: a click could meet another row than the one it was meant for.
    await row(page, 'data.bin').waitFor();
    await row(page, 'photo.png').click();
    await view(page).getByRole('img').waitFor();
    await showWire(page);
    await wireLine(page, 'resources/read').last().click();
    await page.locator('mcp-wire pre').first().waitFor();
    await checkAccessible(page, 'image and open message');
    await row(page, 'data.bin').click();
    await view(page).getByRole('link').waitFor();
    await checkAccessible(page, 'download');
    for (const title of ['data.bin', 'photo.png', ...seedTitles]) {
      await row(page, title).click();
      await deleteChosen(page);
      await row(page, title).waitFor({ state: 'detached' });
    }
    await waitForTitles(page, []);
    await checkAccessible(page, 'list of nothing but what is live');
  },
);

testInPrivateWindow('axe finds nothing wrong when the server does not run', async (browser) => {
  const page = await browser.openBlankTab();
  await page.route(workerScript, (route) => route.fulfill({ status: 404 }));
  await page.goto(demoUrl.href);
  await page.getByRole('alert').waitFor();
  await page.evaluate(axe);
  await checkAccessible(page, 'failure');
  // The missing script is on purpose.
  browser.problems.length = 0;
});

testInPrivateWindow(
  'a keyboard is enough: to reach the list, to open, to edit and to delete',
  async (browser) => {
    const page = await browser.openTab();
    const press = (/** @type {string} */ key) => page.keyboard.press(key);
    // It is open from the start.
    await waitForView(page, 'This note lives in IndexedDB');
    await tabTo(page, listBox(page));
    await press('ArrowDown');
    await waitForView(page, 'oat milk');
    await press('End');
    await waitForView(page, 'entries');
    await press('Home');
    await waitForView(page, 'This note lives in IndexedDB');
    await press('ArrowUp');
    assert.ok(await hasFocus(page.getByRole('searchbox', { name: 'Search' })));
    await press('ArrowDown');
    assert.equal(await row(page, 'Welcome').getAttribute('aria-selected'), 'true');
    await press('PageDown');
    await press('PageDown');
    assert.equal(await row(page, 'Activity').getAttribute('aria-selected'), 'true');
    await press('ArrowUp');
    await press('ArrowUp');
    await press('Enter');
    await waitForView(page, 'Let an assistant in your page');
    assert.equal(await row(page, 'Ideas for your own app').getAttribute('aria-selected'), 'true');

    await tabTo(page, page.getByRole('button', { name: 'Edit' }));
    await press('Enter');
    await waitUntilSaved(page);
    await press('Shift+Tab');
    assert.ok(await hasFocus(titleField(page)));
    await press('Control+A');
    await page.keyboard.type('My ideas');
    await waitForTitles(page, ['Welcome', 'Shopping list', 'My ideas']);

    await press('Shift+Tab');
    assert.ok(await hasFocus(page.getByRole('button', { name: 'Delete' })));
    await press('Enter');
    await waitForTitles(page, ['Welcome', 'Shopping list']);
    await press('Control+Z');
    await waitForTitles(page, ['Welcome', 'Shopping list', 'My ideas']);
  },
);

/** More than there are stops on the page. */
const MAX_STOPS = 30;

/**
 * Presses Tab until the element has the focus.
 * @param {Page} page
 * @param {import('playwright-core').Locator} target
 */
async function tabTo(page, target) {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab never reaches ${target.toString()}.`);
}

/** @param {import('playwright-core').Locator} locator */
const hasFocus = (locator) => locator.evaluate((element) => element.matches(':focus'));
