// The dialog for all of the user's data, as its user sees it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
export const dialog = (page) => page.getByRole('dialog', { name: 'Your data' });

/**
 * @param {Page} page
 * @param {string} name
 */
export const button = (page, name) => dialog(page).getByRole('button', { name, exact: true });

/** @param {Page} page */
const dataButton = (page) => page.getByRole('button', { name: 'Your data' });

/** @param {Page} page */
export const standingNotice = (page) => page.locator('.notice.standing');

/** @param {Page} page */
export async function openDialog(page) {
  await dataButton(page).click();
  await dialog(page)
    .getByText(/^Notes: /)
    .waitFor();
}

/**
 * Exports into the browser's downloads.
 * @param {Page} page with its dialog open
 * @returns {Promise<string>} where the zip is
 */
export async function exportAll(page) {
  const downloading = page.waitForEvent('download');
  await button(page, 'Export').click();
  const download = await downloading;
  assert.match(download.suggestedFilename(), /^in-page-mcp-\d{4}-\d\d-\d\d\.zip$/);
  await dialog(page).getByText('It is in your downloads').waitFor();
  return await download.path();
}

/**
 * @param {Page} page with its dialog open
 * @param {string} path
 */
export async function importZip(page, path) {
  // While nobody listens, Playwright leaves the dialog to the browser; it takes a moment to switch.
  page.on('filechooser', () => {});
  const choosing = page.waitForEvent('filechooser');
  await button(page, 'Import').click();
  await (await choosing).setFiles(path);
}

/** @param {Page} page with its dialog open */
export async function deleteEverything(page) {
  await button(page, 'Delete …').click();
  await button(page, 'Delete everything').click();
  await dialog(page).getByText('Everything is deleted.').waitFor();
}

/** @param {(folder: string) => Promise<void>} body */
export async function inFolder(body) {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-storage-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
