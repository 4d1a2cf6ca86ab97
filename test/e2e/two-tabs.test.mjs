// Two tabs of one browser share their notes and files, and so does the browser's next start.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { testInBrowser, testInPrivateWindow } from './browser.mjs';
import {
  contentsOnTheWire,
  deleteChosen,
  dropFromDisk,
  editNote,
  fixturePath,
  row,
  seedTitles,
  sha256,
  sha256At,
  textField,
  titleField,
  view,
  waitForTitles,
  waitForView,
  waitUntilSaved,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const [photoSha256, paperSha256] = await Promise.all(
  ['photo.png', 'paper.pdf'].map(async (name) => sha256(await readFile(fixturePath(name)))),
);

/**
 * The SHA-256 of what came over the wire for a file.
 * @param {Page} page
 * @param {string} uri
 */
async function sha256OnTheWire(page, uri) {
  const contents = await contentsOnTheWire(page, uri);
  assert.ok('blob' in contents);
  return sha256(Buffer.from(contents.blob, 'base64'));
}

/** @param {Page} page */
async function checkPhoto(page) {
  await row(page, 'photo.png').click();
  const image = view(page).getByRole('img', { name: 'photo.png' });
  assert.equal(await sha256At(page, await image.getAttribute('src')), photoSha256);
  assert.equal(await sha256OnTheWire(page, 'file:///photo.png'), photoSha256);
  const size = await image.evaluate(async (element) => {
    const image = /** @type {HTMLImageElement} */ (element);
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  assert.deepEqual(size, [48, 32]);
}

/** @param {Page} page */
async function checkPaper(page) {
  await row(page, 'paper.pdf').click();
  // The browser's own viewer.
  const frame = view(page).locator('iframe');
  assert.equal(await sha256At(page, await frame.getAttribute('src')), paperSha256);
  assert.equal(await sha256OnTheWire(page, 'file:///paper.pdf'), paperSha256);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'paper.pdf');
  assert.equal(sha256(await readFile(await download.path())), paperSha256);
}

testInPrivateWindow(
  'a note written in one tab is listed in the other, opens there and follows every edit',
  async (browser) => {
    const b = await browser.openTab();
    const a = await browser.openTab();
    await writeNote(a, { title: 'Trip to 東京', text: 'Pack the **umbrella**.' });
    await waitForTitles(b, ['Trip to 東京', ...seedTitles]);
    await b.bringToFront();
    await row(b, 'Trip to 東京').click();
    await waitForView(b, 'Pack the umbrella.');
    await textField(a).fill('Leave the umbrella.');
    await waitForView(b, 'Leave the umbrella.');
    await titleField(a).fill('Trip to 京都');
    await waitForTitles(b, ['Trip to 京都', ...seedTitles]);
  },
);

testInPrivateWindow('two editors of one note show what the other saved', async (browser) => {
  const b = await browser.openTab();
  await editNote(b, 'Shopping list');
  const a = await browser.openTab();
  await editNote(a, 'Shopping list');
  await textField(a).fill('apples');
  await waitForValue(b, 'apples');
  await textField(b).fill('apples and pears');
  await waitForValue(a, 'apples and pears');
});

/**
 * Waits until the editor's text is this one.
 * @param {Page} page
 * @param {string} text
 */
async function waitForValue(page, text) {
  const field = await textField(page).elementHandle();
  await page.waitForFunction(
    ([field, text]) => /** @type {HTMLTextAreaElement} */ (field).value === text,
    /** @type {const} */ ([field, text]),
  );
}

testInPrivateWindow('files dropped on one tab reach the other byte for byte', async (browser) => {
  const b = await browser.openTab();
  const a = await browser.openTab();
  await dropFromDisk(a, [fixturePath('photo.png'), fixturePath('paper.pdf')]);
  await waitForTitles(b, [...seedTitles, 'paper.pdf', 'photo.png']);
  await b.bringToFront();
  await checkPhoto(b);
  await checkPaper(b);
});

testInBrowser('notes, files and deletions outlive the browser', async (browser) => {
  const before = await browser.openTab();
  await writeNote(before, { title: 'Kept', text: 'over a restart' });
  await dropFromDisk(before, [fixturePath('photo.png'), fixturePath('paper.pdf')]);
  await row(before, 'Shopping list').click();
  await deleteChosen(before);
  const titles = ['Kept', 'Welcome', 'Ideas for your own app', 'paper.pdf', 'photo.png'];
  await waitForTitles(before, titles);
  await browser.close();

  await browser.start();
  const after = await browser.openTab();
  await waitForTitles(after, titles);
  await checkPhoto(after);
  await checkPaper(after);
  await row(after, 'Kept').click();
  await waitForView(after, 'over a restart');
  await row(after, 'Welcome').click();
  await waitForView(after, 'This note lives in IndexedDB');
});

testInPrivateWindow('words typed a moment ago are saved when the note is left', async (browser) => {
  const page = await browser.openTab();
  await editNote(page, 'Welcome');
  await textField(page).fill('Not yet saved.');
  await row(page, 'Shopping list').click();
  await waitForView(page, 'oat milk');
  await row(page, 'Welcome').click();
  await waitForView(page, 'Not yet saved.');
  await editNote(page, 'Welcome');
  await waitUntilSaved(page);
  assert.equal(await textField(page).inputValue(), 'Not yet saved.');
});
