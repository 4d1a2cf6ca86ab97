// Finding notes and files in the demo by their words.
import assert from 'node:assert/strict';
import { axe, checkAccessible } from './axe.mjs';
import { testInPrivateWindow } from './browser.mjs';
import {
  chosenUri,
  dropFiles,
  editNote,
  listBox,
  row,
  seedTitles,
  textField,
  waitForTitles,
  waitForView,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const field = (page) => page.getByRole('searchbox', { name: 'Search notes and files' });

/**
 * @param {Page} page
 * @param {string} title
 */
const match = (page, title) =>
  page
    .getByRole('list', { name: 'Found' })
    .getByRole('button')
    .filter({ has: page.getByText(title, { exact: true }) });

testInPrivateWindow('what has the words is found as one types, and opened', async (browser) => {
  const page = await browser.openTab();
  await page.evaluate(axe);
  await dropFiles(page, [
    { name: 'oats and apples.txt', text: 'porridge' },
    { name: 'activity', text: 'a name of its own' },
  ]);
  await row(page, 'oats and apples.txt').waitFor();
  await field(page).pressSequentially('app oa');
  await page.getByText('2 found').waitFor();
  assert.equal(await listBox(page).isVisible(), false);
  await checkAccessible(page, 'search');
  await match(page, 'oats and apples.txt').click();
  await waitForView(page, 'porridge');
  await match(page, 'Shopping list').click();
  await waitForView(page, 'oat milk');
  assert.equal(await match(page, 'Shopping list').getAttribute('aria-current'), 'true');

  await field(page).fill('豆腐');
  await page.getByText('1 found').waitFor();
  await match(page, 'Shopping list').waitFor();
  await field(page).fill('activity');
  await match(page, 'activity').click();
  await waitForView(page, 'a name of its own');
  assert.equal(await chosenUri(page), 'file:///%61ctivity');
  await field(page).fill('zebra');
  await page.getByText('Nothing has these words.').waitFor();
  await field(page).fill('');
  await waitForTitles(page, [...seedTitles, 'activity', 'oats and apples.txt']);
  await row(page, 'Welcome').waitFor();
});

testInPrivateWindow('what is found follows what another tab writes', async (browser) => {
  const a = await browser.openTab();
  const b = await browser.openTab();
  await a.bringToFront();
  await field(a).fill('zebra');
  await a.getByText('Nothing has these words.').waitFor();
  await b.bringToFront();
  await editNote(b, 'Welcome');
  await textField(b).fill('A zebra.');
  await a.bringToFront();
  await match(a, 'Welcome').filter({ hasText: 'A zebra.' }).waitFor();
});

testInPrivateWindow(
  'a search does not wait for the one before, which is ended',
  async (browser) => {
    const page = await browser.openTab();
    await page.locator('list-pane').evaluate((pane) => {
      /** @typedef {import('../../packages/runtime/src/index.js').Runtime} Runtime */
      const { session } = /** @type {{ session: { runtime: Runtime } }} */ (
        /** @type {unknown} */ (pane)
      );
      const { notes } = session.runtime;
      const search = notes.search.bind(notes);
      // One that does not end by itself.
      notes.search = async (query, options) => {
        const { signal } = options ?? {};
        if (query === 'endless') await new Promise((end) => signal?.addEventListener('abort', end));
        return await search(query, options);
      };
    });
    await field(page).fill('endless');
    await page.getByText('Searching …').waitFor();
    const list = page.getByRole('list', { name: 'Found' });
    assert.equal(await list.getAttribute('aria-busy'), 'true');
    await field(page).fill('milk');
    await match(page, 'Shopping list').waitFor();
    await page.locator('ul[aria-busy=false]').waitFor();

    await field(page).fill('endless');
    await page.locator('ul[aria-busy=true]').waitFor();
    await field(page).fill('');
    await row(page, 'Welcome').waitFor();
  },
);

testInPrivateWindow(
  'how much is found is announced for each query, also if it is as much',
  async (browser) => {
    const page = await browser.openTab();
    await field(page).fill('milk');
    const state = page.locator('search-results').getByRole('status');
    await state.getByText('1 found').waitFor();
    await state.evaluate((element) => {
      const announcements = /** @type {string[]} */ ([]);
      const observer = new MutationObserver((changes) => {
        for (const { addedNodes } of changes) {
          announcements.push(...Array.from(addedNodes, ({ textContent }) => textContent ?? ''));
        }
      });
      observer.observe(element, { childList: true, subtree: true });
      Object.assign(window, { announcements });
    });
    await field(page).fill('apples');
    await page.waitForFunction(() => Reflect.get(window, 'announcements').includes('1 found'));
  },
);

testInPrivateWindow(
  'accents and a typing error are forgiven, and what is meant is marked',
  async (browser) => {
    const page = await browser.openTab();
    await dropFiles(page, [{ name: 'Café Straße.txt', text: 'x' }]);
    await row(page, 'Café Straße.txt').waitFor();
    await field(page).fill('cafe strasse');
    await match(page, 'Café Straße.txt').waitFor();
    const marks = page.locator('search-results mark');
    assert.deepEqual(await marks.allTextContents(), ['Café', 'Straße']);
    await field(page).fill('豆');
    await marks.filter({ hasText: '豆' }).first().waitFor();
    await field(page).fill('welcom');
    await marks
      .filter({ hasText: /^Welcom$/ })
      .first()
      .waitFor();
    await field(page).fill('shoping');
    await page.getByText('Nothing has exactly these words. Similar: 1 found').waitFor();
    await match(page, 'Shopping list').waitFor();
  },
);

testInPrivateWindow('all of it goes by keys', async (browser) => {
  const page = await browser.openTab();
  await row(page, 'Welcome').click();
  await page.keyboard.press('/');
  await page.keyboard.type('note');
  await page.getByText(/\d found/).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.ok(await field(page).evaluate((element) => element.matches(':focus')));
  await page.keyboard.press('Escape');
  await listBox(page).waitFor();
  await page.keyboard.type('milk');
  await match(page, 'Shopping list').waitFor();
  await page.keyboard.press('Enter');
  await waitForView(page, 'oat milk');

  // In a field these are characters, but for the one with Ctrl.
  await field(page).fill('');
  await editNote(page, 'Welcome');
  await textField(page).press('End');
  await page.keyboard.type('/?');
  assert.match(await textField(page).inputValue(), /\/\?/);
  await page.keyboard.press('Control+K');
  assert.ok(await field(page).evaluate((element) => element.matches(':focus')));

  await listBox(page).focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.waitFor();
  // Who speaks to the computer can switch them off.
  await keys.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'hidden' });
  await listBox(page).focus();
  await page.keyboard.press('?');
  await page.keyboard.press('/');
  assert.equal(await keys.isVisible(), false);
  assert.equal(await field(page).evaluate((element) => element.matches(':focus')), false);
});
