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
const field = (page) => page.getByRole('searchbox', { name: 'Search' });

testInPrivateWindow('what has the words is found as one types, and opened', async (browser) => {
  const page = await browser.openTab();
  await page.evaluate(axe);
  await dropFiles(page, [
    { name: 'oats and apples.txt', text: 'porridge' },
    { name: 'activity', text: 'a name of its own' },
  ]);
  await row(page, 'oats and apples.txt').waitFor();
  await field(page).pressSequentially('app oa');
  await page.getByText('Results: 2').waitFor();
  await checkAccessible(page, 'search');
  await row(page, 'oats and apples.txt').click();
  await waitForView(page, 'porridge');
  await row(page, 'Shopping list').click();
  await waitForView(page, 'oat milk');
  assert.equal(await row(page, 'Shopping list').getAttribute('aria-selected'), 'true');

  await field(page).fill('豆腐');
  await page.getByText('Results: 1').waitFor();
  await row(page, 'Shopping list').waitFor();
  await field(page).fill('activity');
  await row(page, 'activity').click();
  await waitForView(page, 'a name of its own');
  assert.equal(await chosenUri(page), 'file:///%61ctivity');
  await field(page).fill('zebra');
  await page.getByText('Nothing was found.').waitFor();
  await field(page).fill('');
  await waitForTitles(page, [...seedTitles, 'activity', 'oats and apples.txt']);
  await row(page, 'Welcome').waitFor();
});

testInPrivateWindow('what is found follows what another tab writes', async (browser) => {
  const a = await browser.openTab();
  const b = await browser.openTab();
  await a.bringToFront();
  await field(a).fill('zebra');
  await a.getByText('Nothing was found.').waitFor();
  await b.bringToFront();
  await editNote(b, 'Welcome');
  await textField(b).fill('A zebra.');
  await a.bringToFront();
  await row(a, 'Welcome').filter({ hasText: 'A zebra.' }).waitFor();
});

testInPrivateWindow(
  'accents and a typing error are forgiven, and what is meant is marked',
  async (browser) => {
    const page = await browser.openTab();
    await dropFiles(page, [{ name: 'Café Straße.txt', text: 'x' }]);
    await row(page, 'Café Straße.txt').waitFor();
    await field(page).fill('cafe strasse');
    await row(page, 'Café Straße.txt').waitFor();
    const marks = page.locator('mcp-resource-list mark');
    assert.deepEqual(await marks.allTextContents(), ['Café', 'Straße']);
    await field(page).fill('豆');
    await marks.filter({ hasText: '豆' }).first().waitFor();
    await field(page).fill('welcom');
    await marks
      .filter({ hasText: /^Welcom$/ })
      .first()
      .waitFor();
    await field(page).fill('shoping');
    await row(page, 'Shopping list').waitFor();
  },
);

testInPrivateWindow('all of it goes by keys', async (browser) => {
  const page = await browser.openTab();
  await row(page, 'Welcome').click();
  await page.keyboard.press('/');
  await page.keyboard.type('note');
  await page.getByText(/Results: \d/).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.ok(await field(page).evaluate((element) => element.matches(':focus')));
  await page.keyboard.press('Escape');
  await listBox(page).waitFor();
  await page.keyboard.type('milk');
  await row(page, 'Shopping list').waitFor();
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
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
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
