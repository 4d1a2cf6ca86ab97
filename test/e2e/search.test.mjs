// Finding notes and files in the demo by their words.
import assert from 'node:assert/strict';
import { axe, checkAccessible } from './axe.mjs';
import { testInBrowser } from './browser.mjs';
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

testInBrowser('what has the words is found as one types, and opened', async (browser) => {
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

testInBrowser('what is found follows what another tab writes', async (browser) => {
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
