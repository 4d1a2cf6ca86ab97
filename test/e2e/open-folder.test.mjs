// A folder of the disk in the demo: opened, read, shown to an assistant and closed.
import assert from 'node:assert/strict';
import { card, chat, consent, decide } from './assistant-page.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { errorNotices, openRow, row, view, waitForView } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/**
 * The picker of the browser has no window here. The folder that it gives is real, but the page's own.
 * @param {Page} page
 */
async function chooseWithoutPicker(page) {
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('my project', { create: true });
    const docs = await folder.getDirectoryHandle('docs', { create: true });
    /** @type {[FileSystemDirectoryHandle, string, string][]} */
    const files = [
      [folder, 'README.md', '# Bananas are here'],
      [folder, '.env', 'SECRET'],
      [docs, 'plan.md', 'A plan'],
    ];
    for (const [parent, name, text] of files) {
      const handle = await parent.getFileHandle(name, { create: true });
      const writable = await handle.createWritable();
      await writable.write(text);
      await writable.close();
    }
    Object.assign(window, { showDirectoryPicker: () => Promise.resolve(folder) });
  });
}

/** Saves the file as another program would. @param {Page} page @param {string} text */
const save = (page, text) =>
  page.evaluate(async (content) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('my project');
    const writable = await (await folder.getFileHandle('README.md')).createWritable();
    await writable.write(content);
    await writable.close();
  }, text);

testInPrivateWindow(
  'a folder is opened, read as it changes, shown to an assistant, kept and closed',
  async (browser) => {
    const page = await browser.openTab();
    await chooseWithoutPicker(page);
    await page.getByRole('button', { name: 'Open a folder' }).click();
    await row(page, 'my project/').waitFor();
    assert.equal(await view(page).getByText('.env').count(), 0);
    await view(page).getByRole('link', { name: 'README.md' }).click();
    await waitForView(page, 'Bananas are here');
    await save(page, '# Cherries are here');
    await waitForView(page, 'Cherries are here');

    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await consent(page).getByLabel('my project').check();
    await decide(page, 'Let it in');
    await card(page).getByText('the folder “my project”').waitFor();
    await chat(page).getByText('my project/README.md').waitFor();

    // A folder that another tab closes is withdrawn from the assistant of this one.
    const other = await browser.openTab();
    await openRow(other, 'my project/');
    await view(other).getByRole('link', { name: 'docs/' }).waitFor();
    await other.getByRole('button', { name: 'Close the folder' }).click();
    await card(page).getByText('the folder “my project”').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open a folder' }).click();
    await row(other, 'my project/').waitFor();
    assert.equal(await card(page).getByText('the folder “my project”').count(), 0);

    await page.reload();
    await openRow(page, 'my project/');
    await view(page).getByRole('link', { name: 'docs/' }).waitFor();
    await page.getByRole('button', { name: 'Close the folder' }).click();
    await page.getByText('“my project” is closed. Its files stay where they are.').waitFor();
    await row(page, 'my project/').waitFor({ state: 'detached' });
    await row(other, 'my project/').waitFor({ state: 'detached' });
    assert.equal(await errorNotices(page).count(), 0);
  },
);
