// Notes as they are read, written and found, in one tab and in several.
import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { testInPrivateWindow } from './browser.mjs';
import {
  chosenUri,
  conflictBanner,
  deleteChosen,
  dropFiles,
  editNote,
  holdTimers,
  listBox,
  newNoteButton,
  openRow,
  readResource,
  row,
  seedTitles,
  showWire,
  textField,
  titleField,
  view,
  waitForTitles,
  waitForView,
  waitUntilSaved,
  wireLine,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const searchField = (page) => page.getByRole('searchbox', { name: 'Search' });

/** @param {Page} page */
const hasCaret = (page) =>
  textField(page).evaluate(
    (field) => /** @type {ShadowRoot} */ (field.getRootNode()).activeElement === field,
  );

/** @param {string | undefined} json */
const parsed = (json) => JSON.parse(json ?? '');

/**
 * @param {Page} page
 * @param {string} uri
 */
const storedText = async (page, uri) => {
  const contents = await readResource(page, uri);
  return contents && 'text' in contents ? contents.text : undefined;
};

testInPrivateWindow(
  'what is written in one tab is listed, opened and followed in another, and the wire shows each message',
  async (browser) => {
    const b = await browser.openTab();
    const a = await browser.openTab();
    await b.bringToFront();
    await showWire(b);
    await wireLine(b, 'server/discover').waitFor();
    await wireLine(b, 'resources/list', 'ms').first().waitFor();
    await a.bringToFront();
    await writeNote(a, { title: 'Trip to 東京', text: 'Pack the **umbrella**.' });
    await waitForTitles(b, ['Trip to 東京', ...seedTitles]);
    await b.bringToFront();
    await openRow(b, 'Trip to 東京');
    await waitForView(b, 'Pack the umbrella.');
    const uri = await chosenUri(b);
    await wireLine(b, 'resources/read', uri, 'ms').first().waitFor();
    await textField(a).fill('Leave the umbrella.');
    await wireLine(b, 'notifications/resources/updated', uri).first().waitFor();
    await waitForView(b, 'Leave the umbrella.');

    await wireLine(b, 'resources/read', uri).last().click();
    const blocks = b.locator('mcp-wire .details pre');
    await blocks.nth(1).waitFor();
    const [request, answer] = await blocks.allTextContents();
    assert.equal(parsed(request).params.uri, uri);
    const [contents] = parsed(answer).result.contents;
    assert.deepEqual([contents.uri, contents.text], [uri, 'Leave the umbrella.']);
    assert.equal(parsed(answer).id, parsed(request).id);
    await checkAccessible(b, 'a message of the wire');

    // It has its new name everywhere.
    await a.bringToFront();
    await titleField(a).fill('Trip to 京都');
    await b.bringToFront();
    await waitForTitles(b, ['Trip to 京都', ...seedTitles]);
    await b.getByRole('heading', { name: 'Trip to 京都', exact: true }).waitFor();
    await a.waitForFunction(
      (pane) => Object(pane).shownTitle === 'Trip to 京都',
      await a.locator('preview-pane').elementHandle(),
    );
    await b.getByRole('button', { name: 'Delete' }).click();
    await b.getByText('Deleted “Trip to 京都”.').waitFor();
    await a.bringToFront();
    await a.getByText('“Trip to 京都” was deleted.').waitFor();
    assert.equal(await textField(a).count(), 0);
  },
);

testInPrivateWindow('what has the words is found as one types, and opened', async (browser) => {
  const page = await browser.openTab();
  await dropFiles(page, [
    { name: 'oats and apples.txt', text: 'porridge' },
    { name: 'activity', text: 'a name of its own' },
  ]);
  await row(page, 'oats and apples.txt').waitFor();
  await listBox(page).focus();
  await page.keyboard.press('Control+K');
  assert.ok(await searchField(page).evaluate((element) => element.matches(':focus')));
  await page.keyboard.type('app oa');
  await page.getByText('Results: 2').waitFor();
  await checkAccessible(page, 'search');
  await openRow(page, 'Shopping list');
  await waitForView(page, 'oat milk');
  assert.equal(await row(page, 'Shopping list').getAttribute('aria-selected'), 'true');
  await searchField(page).fill('activity');
  await openRow(page, 'activity');
  await waitForView(page, 'a name of its own');
  assert.equal(await chosenUri(page), 'file:///%61ctivity');

  // What is found follows what another tab writes.
  await searchField(page).fill('zebra');
  await page.getByText('Nothing was found.').waitFor();
  const other = await browser.openTab();
  await editNote(other, 'Welcome');
  await textField(other).fill('A zebra.');
  await page.bringToFront();
  await row(page, 'Welcome').filter({ hasText: 'A zebra.' }).waitFor();
  await searchField(page).fill('');
  await waitForTitles(page, [
    'Welcome',
    'Shopping list',
    'Ideas for your own app',
    'activity',
    'oats and apples.txt',
  ]);
});

testInPrivateWindow(
  'when two tabs change a note at once, both versions are there until the user has chosen',
  async (browser) => {
    const loser = await browser.openTab();
    await editNote(loser, 'Shopping list');
    const winner = await browser.openTab();
    await editNote(winner, 'Shopping list');
    const releaseTimers = await holdTimers(loser);
    await textField(loser).fill('the loser’s words');
    await textField(winner).fill('the winner’s words');
    await waitUntilSaved(winner);
    await loser.bringToFront();
    await releaseTimers();
    await conflictBanner(loser).waitFor();
    await loser.locator('mcp-note-editor [part=theirs]').getByText('the winner’s words').waitFor();
    const uri = await chosenUri(loser);
    assert.equal(await textField(loser).inputValue(), 'the loser’s words');
    assert.equal(await storedText(loser, uri), 'the winner’s words');
    await checkAccessible(loser, 'a conflict');
    await loser.getByRole('button', { name: 'Keep mine' }).click();
    await conflictBanner(loser).waitFor({ state: 'detached' });
    await waitUntilSaved(loser);
    assert.equal(await storedText(loser, uri), 'the loser’s words');
    await winner.bringToFront();
    await winner.getByRole('button', { name: 'Read', exact: true }).click();
    await waitForView(winner, 'the loser’s words');
  },
);

testInPrivateWindow('words for a note that another tab deletes become a note', async (browser) => {
  const page = await browser.openTab();
  await editNote(page, 'Shopping list');
  const releaseTimers = await holdTimers(page);
  await textField(page).fill('typed too late');
  const other = await browser.openTab();
  await openRow(other, 'Shopping list');
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

testInPrivateWindow(
  'words typed a moment ago are saved when the note is left, and when the page is loaded again',
  async (browser) => {
    const page = await browser.openTab();
    await editNote(page, 'Welcome');
    await textField(page).fill('typed in a hurry');
    await newNoteButton(page).click();
    await row(page, 'New note').waitFor();
    await openRow(page, 'Welcome');
    await waitForView(page, 'typed in a hurry');

    await editNote(page, 'Shopping list');
    await holdTimers(page);
    await textField(page).fill('not saved yet');
    await page.reload();
    await page.getByText('What you typed before the reload is saved.').waitFor();
    await openRow(page, 'Shopping list');
    await waitForView(page, 'not saved yet');
  },
);

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
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+Z');
    assert.equal(await textField(page).inputValue(), `first\n${before}`);
    await waitUntilSaved(page);
    assert.equal(await storedText(page, await chosenUri(page)), `first\n${before}`);
  },
);

testInPrivateWindow(
  'what two tabs write into other lines at once is merged without a question',
  async (browser) => {
    const page = await browser.openTab();
    await editNote(page, 'Shopping list');
    const before = await textField(page).inputValue();
    const releaseTimers = await holdTimers(page);
    await page.keyboard.press('End');
    await page.keyboard.type(' mine');
    const other = await browser.openTab();
    await editNote(other, 'Shopping list');
    await textField(other).fill(`${before}\nlast`);
    await waitUntilSaved(other);
    await page.bringToFront();
    await releaseTimers();
    await waitUntilSaved(page);
    const merged = `${before.replace('\n', ' mine\n')}\nlast`;
    assert.equal(await textField(page).inputValue(), merged);
    assert.equal(await conflictBanner(page).count(), 0);
    assert.equal(await storedText(page, await chosenUri(page)), merged);
  },
);

testInPrivateWindow('a note that cannot be read for a moment is not gone', async (browser) => {
  const page = await browser.openTab();
  await editNote(page, 'Shopping list');
  await page.locator('demo-app').evaluate((app) => {
    const { notes } = Object(app).runtime;
    notes.get = () => Promise.reject(new Error('not now'));
  });
  const other = await browser.openTab();
  await editNote(other, 'Shopping list');
  await textField(other).fill('from elsewhere');
  await waitUntilSaved(other);
  await page.bringToFront();
  await row(page, 'Shopping list').filter({ hasText: '14 bytes' }).waitFor();
  assert.equal(await page.getByText('was deleted').count(), 0);
  assert.ok(await textField(page).isVisible());
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
    await press('Home');
    await waitForView(page, 'This note lives in IndexedDB');
    await press('ArrowUp');
    assert.ok(await hasFocus(searchField(page)));
    await press('ArrowDown');
    await press('End');
    assert.equal(await row(page, 'Activity').getAttribute('aria-selected'), 'true');
    await press('ArrowUp');
    await press('ArrowUp');
    await press('Enter');
    await waitForView(page, 'Let an assistant in your page');

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

testInPrivateWindow(
  'what is live shows what it is now, and rests when nothing happens',
  async (browser) => {
    const page = await browser.openTab();
    await showWire(page);
    await openRow(page, 'Storage');
    await waitForView(page, 'notes 3');
    await newNoteButton(page).click();
    await titleField(page).waitFor();
    await openRow(page, 'Storage');
    await waitForView(page, 'notes 4');
    // Or the row moves on below the pointer.
    await waitForTitles(page, ['New note', ...seedTitles]);
    // The tree draws only what is in view, and the list may have been read again since.
    await page.setViewportSize({ width: 1_280, height: 3_000 });
    await openRow(page, 'Activity');
    await waitForView(page, 'uri "inpage:///storage"');
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
    // What follows a notification is not announced again, or it would never end.
    await page.locator('side-pane').evaluate(async (pane) => {
      const { wire } = /** @type {any} */ (pane).session;
      for (let count = -1; count !== wire.total;) {
        count = wire.total;
        for (let frame = 0; frame < 60; frame += 1) await new Promise(requestAnimationFrame);
      }
    });
    assert.equal(await view(page).getByRole('alert').count(), 0);
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

testInPrivateWindow('folders are shown as a tree, at the next visit, too', async (browser) => {
  const page = await browser.openTab();
  await row(page, 'Welcome').waitFor();
  await page.evaluate(async () => {
    const { runtime } = /** @type {any} */ (document.querySelector('demo-app'));
    await runtime.files.write('photos/2026/lake.txt', new Blob(['x']));
  });
  const toggle = page.getByRole('button', { name: 'Show folders' });
  await toggle.click();
  const welcome = page.getByRole('treeitem').filter({ hasText: 'Welcome' });
  await welcome.waitFor();
  assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
  await page.getByRole('treeitem').filter({ hasText: 'photos' }).waitFor();
  await checkAccessible(page, 'tree');
  await page.reload();
  await welcome.waitFor();
  await toggle.click();
  await row(page, 'Welcome').waitFor();
  assert.equal(await page.getByRole('treeitem').count(), 0);
});
