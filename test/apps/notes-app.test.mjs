// The app for notes, in the official host, with notes of the runtime.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { launchFlags, requireChromium } from '../../scripts/browsers/chromium.mjs';
import { inRoot } from '../../scripts/project/project.mjs';
import { bundlePage } from '../../scripts/serving/browser-page.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;
const NOTES = ['Trip to Lisbon', 'Reading list'];

before(async () => {
  const folder = await bundlePage('Host', {
    entryPoints: {
      page: inRoot('test/apps/host-page.ts'),
      worker: inRoot('packages/runtime/src/worker.ts'),
    },
  });
  copyFileSync(inRoot('packages/apps/dist/notes.html'), join(folder, 'notes.html'));
  server = await serveFolder(folder);
  browser = await chromium.launch({ executablePath: await requireChromium(), args: launchFlags });
});

after(async () => {
  await browser.close();
  await server.close();
});

/** @param {object} wish @param {number} [width] of the app, in pixels */
async function open(wish, width) {
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => 'showApp' in window);
  await page.evaluate((given) => /** @type {any} */ (window).showApp(given), {
    notes: NOTES,
    ...wish,
  });
  if (width) await page.addStyleTag({ content: `iframe { width: ${width}px !important }` });
  /** What the app has put into the conversation. */
  const taken = () => page.evaluate(() => /** @type {any} */ (window).taken);
  return { page, app: page.frameLocator('iframe'), taken };
}

void test('a note is found, changed, saved and put into the conversation', async () => {
  const { page, app, taken } = await open({ tool: 'show_notes', args: { query: 'lisbon' } });
  await app.getByRole('option', { name: 'Trip to Lisbon' }).click();
  assert.equal(await app.getByRole('option').count(), 1);
  const text = app.getByRole('textbox', { name: 'Text, in Markdown' });
  await text.fill('Flight at 9:40');
  await app.getByRole('button', { name: 'Add to the conversation' }).click();
  await app.getByRole('status').getByText('Added to the conversation.').waitFor();
  const [{ content }] = await taken();
  assert.deepEqual([content[0].type, content[0].name], ['resource_link', 'Trip to Lisbon']);
  const id = content[0].uri.slice('note:///'.length);
  const stored = await page.evaluate(
    (one) => /** @type {any} */ (window).runtime.notes.get(one),
    id,
  );
  assert.equal(stored.text, 'Flight at 9:40');
  await page.close();
});

void test('one note is shown alone, and leads back to the list', async () => {
  const { page, app } = await open({ tool: 'show_note', args: { uri: 'note:///$first' } });
  await app.getByRole('textbox', { name: 'Title' }).waitFor();
  assert.equal(await app.getByRole('textbox', { name: 'Title' }).inputValue(), 'Trip to Lisbon');
  assert.equal(await app.getByRole('listbox').count(), 0);
  await app.getByRole('button', { name: 'All notes' }).click();
  await app.getByRole('option', { name: 'Reading list' }).waitFor();
  await page.close();
});

void test('picked notes get into the conversation together', async () => {
  const { page, app, taken } = await open({ tool: 'pick_notes' });
  const add = app.getByRole('button', { name: 'Choose notes to add' });
  assert.equal(await add.isDisabled(), true);
  await app.getByRole('option').nth(0).click();
  await app
    .getByRole('option')
    .nth(1)
    .click({ modifiers: ['Control'] });
  await app.getByRole('button', { name: 'Add 2 notes to the conversation' }).click();
  await app.getByText('2 notes added to the conversation.').waitFor();
  const [{ content }] = await taken();
  assert.deepEqual(
    content.map((/** @type {any} */ link) => link.name).toSorted(),
    NOTES.toSorted(),
  );
  await page.close();
});

void test('a note that was put into the conversation and deleted does not keep the next one out', async () => {
  const { page, app, taken } = await open({ tool: 'show_notes' });
  const add = async (/** @type {string} */ title) => {
    await app.getByRole('option', { name: title }).click();
    await app.getByRole('button', { name: 'Add to the conversation' }).click();
    await app.getByRole('status').getByText('Added to the conversation.').waitFor();
  };
  await add('Trip to Lisbon');
  const [{ content }] = await taken();
  await page.evaluate(
    (id) => /** @type {any} */ (window).runtime.notes.delete(id),
    content[0].uri.slice('note:///'.length),
  );
  // This host reports no changes: the app looks for them when the user returns to it.
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.locator('iframe').focus();
  await app.getByRole('option', { name: 'Trip to Lisbon' }).waitFor({ state: 'detached' });
  await add('Reading list');
  const last = (await taken()).at(-1);
  assert.equal(last.content.at(-1).name, 'Reading list');
  await page.close();
});

void test('a note is added once, however often it is clicked, and each after the other', async () => {
  const { page, app, taken } = await open({ tool: 'show_notes' });
  await app.getByRole('option', { name: 'Trip to Lisbon' }).click();
  await app.getByRole('button', { name: 'Add to the conversation' }).dblclick();
  await app.getByRole('button', { name: 'In the conversation' }).waitFor();
  await app.getByRole('option', { name: 'Reading list' }).click();
  await app.getByRole('button', { name: 'Add to the conversation' }).click();
  await app.getByRole('button', { name: 'In the conversation' }).waitFor();
  const names = (await taken()).map((/** @type {any} */ { content }) =>
    content.map((/** @type {any} */ { name }) => name).join(),
  );
  assert.deepEqual(names, ['Trip to Lisbon', 'Trip to Lisbon,Reading list']);
  assert.equal(await app.getByRole('alert').count(), 0);
  await page.close();
});

void test('at 360 px, list and note take turns', async () => {
  const { page, app } = await open({ tool: 'show_notes' }, 360);
  await app.getByRole('option', { name: 'Reading list' }).click();
  await app.getByRole('textbox', { name: 'Title' }).waitFor();
  assert.equal(await app.getByRole('option').count(), 0);
  await app.getByRole('button', { name: 'All notes' }).click();
  await app.getByRole('option', { name: 'Reading list' }).waitFor();
  const overflow = await app
    .locator('html')
    .evaluate((html) => html.scrollWidth - html.clientWidth);
  assert.equal(overflow, 0);
  await page.close();
});

void test('it is no higher than the host says', async () => {
  const context = { containerDimensions: { width: 760, maxHeight: 300 } };
  const { page, app } = await open({ tool: 'show_notes', context });
  await app.getByRole('option', { name: 'Reading list' }).waitFor();
  const { height } = (await app.locator('main').boundingBox()) ?? {};
  assert.equal(height, 300);
  await page.close();
});

void test('where the host takes nothing for the model, there is no button for it', async () => {
  const capabilities = { serverTools: {}, serverResources: {} };
  const { page, app } = await open({ tool: 'show_notes', notes: [], capabilities });
  await app.getByText('There are no notes yet.').waitFor();
  assert.equal(await app.getByRole('button', { name: /conversation/ }).count(), 0);
  await page.close();
});

void test('outside of a host, it says so', async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}notes.html`);
  await page.getByRole('alert').getByText('This app is not in a frame of a host.').waitFor();
  await page.close();
});
