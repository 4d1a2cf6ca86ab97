// What a model would get: chosen with @, in each format, and sent nowhere.
import assert from 'node:assert/strict';
import { axe, checkAccessible } from './axe.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { dropFiles, row, waitForView, writeNote } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const dock = (page) => page.locator('ask-dock');

/** @param {Page} page */
const opener = (page) => dock(page).locator('summary');

/** @param {Page} page */
const question = (page) => dock(page).getByLabel('Ask about your notes');

/** @param {Page} page */
const message = (page) => dock(page).getByRole('region', { name: 'What the model gets' });

/** @param {Page} page @param {string} title */
const chip = (page, title) => dock(page).locator('.chip').filter({ hasText: title });

/** @param {Page} page */
async function openDock(page) {
  await opener(page).click();
  await question(page).waitFor();
}

/** Types `@` and the beginning of a title, and takes the first suggestion. @param {Page} page @param {string} title */
async function mention(page, title) {
  await question(page).pressSequentially(`@${title.slice(0, 5)}`);
  await page.locator('mcp-resource-picker [role=option]').filter({ hasText: title }).waitFor();
  await page.keyboard.press('Enter');
  await chip(page, title).waitFor();
}

/** @param {Page} page */
async function readMessage(page) {
  await dock(page).getByRole('button', { name: 'What the model gets' }).click();
  await message(page).waitFor();
  return (await message(page).textContent()) ?? '';
}

testInPrivateWindow(
  'a mentioned note and the question are what the model gets',
  async (browser) => {
    const page = await browser.openTab();
    await openDock(page);
    await mention(page, 'Shopping list');
    await question(page).pressSequentially(' what is missing?');
    const { messages } = JSON.parse(await readMessage(page));
    const [note, asked] = messages[0].content;
    assert.equal(messages[0].role, 'user');
    assert.equal(note.type, 'document');
    assert.equal(note.title, 'Shopping list');
    assert.match(note.context, /^note:\/\/\/\w{26}$/);
    assert.match(note.source.data, /oat milk/);
    assert.equal(asked.type, 'text');
    assert.match(asked.text, /Shopping list.* what is missing\?$/);
    await dock(page)
      .getByText(/^About \d+ of 8,000 tokens, in 1 resource\.$/)
      .waitFor();
    await dock(page).getByText('Nothing is sent anywhere').waitFor();

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dock(page).getByRole('button', { name: 'Copy' }).click();
    await dock(page).getByText('Copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.deepEqual(JSON.parse(copied), { messages });

    // Another format is shown at once, another question only when it is asked for.
    /** @type {[string, RegExp][]} */
    const formats = [
      ['openai', /"input_text"/],
      ['ai-sdk', /Title: Shopping list/],
      ['mcp', /"type": "resource"/],
      ['text', /^Title: Shopping list\nURI: note:\/\/\//],
    ];
    for (const [format, expected] of formats) {
      await dock(page).getByLabel('Format').selectOption(format);
      await message(page).filter({ hasText: expected }).waitFor();
      assert.match((await message(page).textContent()) ?? '', expected);
    }
    await question(page).press('x');
    await message(page).waitFor({ state: 'detached' });
  },
);

testInPrivateWindow('what is left out is named with its reason', async (browser) => {
  const page = await browser.openTab();
  await dropFiles(page, [
    { name: 'Film.mp4', text: '\u0000', type: 'video/mp4' },
    { name: 'Large.txt', text: 'x'.repeat(32_004) },
  ]);
  await row(page, 'Large.txt').waitFor();
  await openDock(page);
  await dock(page).getByRole('button', { name: 'What the model gets' }).click();
  await dock(page).getByText('Write a question, or add a note with @.').waitFor();
  await mention(page, 'Film.mp4');
  await mention(page, 'Large.txt');
  await mention(page, 'Welcome');
  const shown = await readMessage(page);
  assert.match(shown, /This note lives in/);
  const leftOut = dock(page).getByRole('listitem');
  await leftOut.filter({ hasText: 'Film.mp4: This format takes no video/mp4.' }).waitFor();
  await leftOut.filter({ hasText: 'Large.txt: It has about 8001 tokens' }).waitFor();
});

testInPrivateWindow('the form is closed at first, and keeps what was typed', async (browser) => {
  const page = await browser.openTab();
  await writeNote(page, { title: 'Diary', text: 'rain' });
  assert.equal(await question(page).isVisible(), false);
  assert.equal(await dock(page).locator('details[open]').count(), 0);
  const height = (await dock(page).boundingBox())?.height ?? Infinity;
  assert.ok(height < 56, `The closed dock is ${height} pixels high.`);
  assert.ok(!browser.requests.some((url) => url.includes('ask-form')));

  // By keyboard alone.
  await opener(page).focus();
  await page.keyboard.press('Enter');
  await question(page).and(page.locator(':focus')).waitFor();
  await mention(page, 'Diary');
  await page.keyboard.type(' how was it?');
  for (let tabs = 0; tabs < 10; tabs += 1) {
    await page.keyboard.press('Tab');
    const button = dock(page).getByRole('button', { name: 'What the model gets' });
    if (await button.evaluate((element) => element.matches(':focus'))) break;
  }
  await page.keyboard.press('Enter');
  await message(page).filter({ hasText: 'rain' }).waitFor();
  await opener(page).press('Enter');
  await question(page).waitFor({ state: 'hidden' });
  await row(page, 'Welcome').click();
  await waitForView(page, 'This note lives in');
  await openDock(page);
  assert.match(await question(page).inputValue(), /Diary.* how was it\?$/);
  await chip(page, 'Diary').waitFor();
});

testInPrivateWindow(
  'axe finds nothing wrong with the dock, and it fits a telephone',
  async (browser) => {
    const page = await browser.openTab();
    await dropFiles(page, [{ name: 'Film.mp4', text: '\u0000', type: 'video/mp4' }]);
    await page.evaluate(axe);
    await checkAccessible(page, 'closed');
    await openDock(page);
    await mention(page, 'Film.mp4');
    await mention(page, 'Welcome');
    await readMessage(page);
    await checkAccessible(page, 'what the model gets');
    await page.setViewportSize({ width: 360, height: 740 });
    await row(page, 'Welcome').click();
    await message(page).waitFor();
    await checkAccessible(page, 'on a telephone');
    const [width, visible] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.equal(width, visible);
    const form = dock(page).locator('ask-form');
    assert.ok(await form.evaluate((element) => element.scrollWidth <= element.clientWidth));
  },
);
