// A note that another tab renames, changes or deletes while it is open here.
import assert from 'node:assert/strict';
import { testInPrivateWindow } from './browser.mjs';
import {
  chosenUri,
  conflictBanner,
  deleteChosen,
  editNote,
  holdTimers,
  readResource,
  row,
  textField,
  titleField,
  waitForView,
  waitUntilSaved,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./browser.mjs').Browser} Browser */

testInPrivateWindow(
  'a note that is renamed, here or in another tab, has its new name everywhere',
  async (browser) => {
    const other = await browser.openTab();
    await editNote(other, 'Shopping list');
    const page = await browser.openTab();
    await writeNote(page, { title: 'Mine', text: '' });
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor();
    await row(page, 'Shopping list').click();
    await titleField(other).fill('Groceries');
    await row(page, 'Groceries').waitFor();
    await page.getByRole('heading', { name: 'Groceries', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted “Groceries”.').waitFor();
  },
);

/**
 * A note that was changed in one tab while another had unsaved words: those of `loser`, whose
 * timers are held until the other has saved.
 * @param {Browser} browser
 */
async function openConflict(browser) {
  const loser = await browser.openTab();
  await editNote(loser, 'Shopping list');
  const winner = await browser.openTab();
  await editNote(winner, 'Shopping list');
  const releaseTimers = await holdTimers(loser);
  await textField(loser).fill('the loser’s words');
  await titleField(loser).fill('The loser’s title');
  await textField(winner).fill('the winner’s words');
  await waitUntilSaved(winner);
  await loser.bringToFront();
  await releaseTimers();
  await conflictBanner(loser).waitFor();
  await loser.locator('mcp-note-editor [part=theirs]').getByText('the winner’s words').waitFor();
  return { winner, loser, uri: await chosenUri(loser) };
}

/**
 * @param {Page} page
 * @param {string} uri
 */
const storedText = async (page, uri) => {
  const contents = await readResource(page, uri);
  return contents && 'text' in contents ? contents.text : undefined;
};

testInPrivateWindow(
  'when two tabs change a note at once the later one keeps its words and may drop them',
  async (browser) => {
    const { winner, loser, uri } = await openConflict(browser);
    assert.equal(await textField(loser).inputValue(), 'the loser’s words');
    assert.equal(await textField(winner).inputValue(), 'the winner’s words');
    assert.equal(await storedText(loser, uri), 'the winner’s words');
    await textField(loser).fill('more of the loser’s words');
    assert.ok(await conflictBanner(loser).isVisible());
    await loser.getByRole('button', { name: 'Take theirs' }).click();
    await conflictBanner(loser).waitFor({ state: 'detached' });
    await waitUntilSaved(loser);
    assert.equal(await textField(loser).inputValue(), 'the winner’s words');
    assert.equal(await titleField(loser).inputValue(), 'Shopping list');
    assert.equal(await storedText(loser, uri), 'the winner’s words');
  },
);

testInPrivateWindow(
  'when two tabs change a note at once the later one may keep its words',
  async (browser) => {
    const { winner, loser, uri } = await openConflict(browser);
    await loser.getByRole('button', { name: 'Keep mine' }).click();
    await conflictBanner(loser).waitFor({ state: 'detached' });
    await waitUntilSaved(loser);
    assert.equal(await storedText(loser, uri), 'the loser’s words');
    await winner.bringToFront();
    await row(winner, 'The loser’s title').waitFor();
    await winner.getByRole('button', { name: 'Read', exact: true }).click();
    await waitForView(winner, 'the loser’s words');
  },
);

testInPrivateWindow(
  'when two tabs change a note at once both versions may stay',
  async (browser) => {
    const { loser, uri } = await openConflict(browser);
    await loser.getByRole('button', { name: 'Keep both' }).click();
    await conflictBanner(loser).waitFor({ state: 'detached' });
    assert.equal(await storedText(loser, uri), 'the winner’s words');
    await row(loser, 'The loser’s title (my version)').click();
    await waitForView(loser, 'the loser’s words');
  },
);

testInPrivateWindow('leaving a conflict undecided keeps both versions', async (browser) => {
  const { loser, uri } = await openConflict(browser);
  await row(loser, 'Welcome').click();
  await loser.getByText('Your version was kept').waitFor();
  await row(loser, 'The loser’s title (my version)').click();
  await waitForView(loser, 'the loser’s words');
  assert.equal(await storedText(loser, uri), 'the winner’s words');
});

testInPrivateWindow('words typed just before another note is made are saved', async (browser) => {
  const page = await browser.openTab();
  await editNote(page, 'Shopping list');
  const uri = await chosenUri(page);
  await textField(page).fill('typed in a hurry');
  await page.getByRole('button', { name: 'New note' }).click();
  await row(page, 'New note').waitFor();
  await row(page, 'Shopping list').click();
  await waitForView(page, 'typed in a hurry');
  assert.equal(await storedText(page, uri), 'typed in a hurry');
});

testInPrivateWindow('words for a note that another tab deletes become a note', async (browser) => {
  const page = await browser.openTab();
  await editNote(page, 'Shopping list');
  const releaseTimers = await holdTimers(page);
  await textField(page).fill('typed too late');
  const other = await browser.openTab();
  await row(other, 'Shopping list').click();
  await deleteChosen(other);
  await page.bringToFront();
  await releaseTimers();
  await page.getByRole('button', { name: 'Save as a new note' }).click();
  await page.getByText('Your version was kept').waitFor();
  await waitUntilSaved(page);
  assert.ok(await hasCaret(page));
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await waitForView(page, 'typed too late');
});

testInPrivateWindow('a reload with unsaved words asks nothing and saves them', async (browser) => {
  const page = await browser.openTab();
  await editNote(page, 'Shopping list');
  await holdTimers(page);
  await textField(page).fill('not saved yet');
  await page.reload();
  await page.getByText('What you typed before the reload is saved.').waitFor();
  await row(page, 'Shopping list').click();
  await waitForView(page, 'not saved yet');
});

testInPrivateWindow(
  'a change in another tab leaves the caret at its words, and what can be undone',
  async (browser) => {
    const page = await browser.openTab();
    await editNote(page, 'Shopping list');
    assert.ok(await hasCaret(page), 'the caret is in the text after Edit');
    const before = await textField(page).inputValue();
    await page.keyboard.press('End');
    await page.keyboard.type(' mine');
    await waitUntilSaved(page);
    const typed = await textField(page).inputValue();
    const other = await browser.openTab();
    await editNote(other, 'Shopping list');
    await textField(other).fill(`first\n${typed}`);
    await waitUntilSaved(other);
    await page.bringToFront();
    await page.locator('mcp-note-editor textarea').filter({ visible: true }).waitFor();
    await page.waitForFunction(
      (field) => /** @type {HTMLTextAreaElement} */ (field).value.startsWith('first'),
      await textField(page).elementHandle(),
    );
    await page.keyboard.type('!');
    const line = (/** @type {string} */ text) => text.split('\n')[1];
    assert.equal(line(await textField(page).inputValue()), `${before.split('\n')[0]} mine!`);
    await page.keyboard.press('Control+Z');
    assert.equal(line(await textField(page).inputValue()), `${before.split('\n')[0]} mine`);
  },
);

/** @param {Page} page */
const hasCaret = (page) =>
  textField(page).evaluate(
    (field) => /** @type {ShadowRoot} */ (field.getRootNode()).activeElement === field,
  );

testInPrivateWindow('an editor says that its note was deleted in another tab', async (browser) => {
  const b = await browser.openTab();
  await editNote(b, 'Welcome');
  const a = await browser.openTab();
  await row(a, 'Welcome').click();
  await deleteChosen(a);
  await conflictBanner(b).waitFor();
  assert.equal(await textField(b).count(), 0);
});
