// Exports with a passphrase, and how they come back.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { armor, Encrypter } from 'age-encryption';
import { checkAccessible } from './axe.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { dropFiles, seedTitles, waitForTitles, writeNote } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Of the shortest length that is taken, and with letters of more than one code unit. */
const PASSPHRASE = 'ünï 😀 words!';

/** @param {Page} page */
const dialog = (page) => page.getByRole('dialog', { name: 'Your data' });

/**
 * @param {Page} page
 * @param {string} name
 */
const button = (page, name) => dialog(page).getByRole('button', { name, exact: true });

/**
 * A tab with its dialog open.
 * @param {import('./browser.mjs').Browser} browser
 */
async function openDialog(browser) {
  const page = await browser.openTab();
  await page.getByRole('button', { name: 'Your data' }).click();
  await dialog(page)
    .getByText(/^Notes: /)
    .waitFor();
  return page;
}

/**
 * @param {Page} page
 * @param {string} passphrase
 * @param {string} [repeated]
 */
async function protect(page, passphrase, repeated = passphrase) {
  await dialog(page).getByLabel('Protect it with a passphrase').check();
  await dialog(page).getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await dialog(page).getByLabel('The same again').fill(repeated);
}

/**
 * @param {Page} page
 * @param {string} [ending] of the name
 * @returns {Promise<Buffer>}
 */
async function exportAll(page, ending = '.zip.age') {
  const downloading = page.waitForEvent('download');
  await button(page, 'Export').click();
  const download = await downloading;
  assert.match(download.suggestedFilename(), /^in-page-mcp-\d{4}-\d\d-\d\d\.zip(\.age)?$/);
  assert.ok(download.suggestedFilename().endsWith(ending));
  await dialog(page).getByText('It is in your downloads').waitFor();
  return await readFile(await download.path());
}

/**
 * The same as another program writes it, with a passphrase that takes a moment to try, and not a second.
 * @param {Uint8Array} zip
 * @param {string} passphrase
 */
async function encrypted(zip, passphrase) {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(10);
  return Buffer.from(await encrypter.encrypt(zip));
}

/**
 * Chooses a file for an import; its passphrase is asked for.
 * @param {Page} page
 * @param {Uint8Array} bytes
 */
async function choose(page, bytes) {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-age-'));
  const path = join(folder, 'saved.zip.age');
  await writeFile(path, bytes);
  const choosing = page.waitForEvent('filechooser');
  await button(page, 'Import').click();
  await (await choosing).setFiles(path);
  await dialog(page)
    .getByText(/saved\.zip\.age.* is encrypted\./)
    .waitFor();
  return () => rm(folder, { recursive: true });
}

/**
 * @param {Page} page
 * @param {string} passphrase
 */
async function unlock(page, passphrase) {
  await dialog(page).getByLabel('Its passphrase').fill(passphrase);
  await button(page, 'Open and import').click();
}

testInPrivateWindow(
  'an export with a passphrase shows nothing, and comes back by it alone',
  async (browser) => {
    const page = await browser.openTab();
    await writeNote(page, { title: 'Diary of Ada', text: 'secret bananas' });
    await dropFiles(page, [{ name: 'numbers.csv', text: 'a,b\n1,2' }]);
    const titles = ['Diary of Ada', ...seedTitles, 'numbers.csv'];
    await waitForTitles(page, titles);
    await page.getByRole('button', { name: 'Your data' }).click();
    // It is typed twice, and has its least length.
    await protect(page, 'eleven chars'.slice(0, 11));
    await button(page, 'Export').click();
    assert.match(await problemOf(page, 'Passphrase'), /^At least 12 characters/);
    await protect(page, 'twelve chars', 'twelve Chars');
    await button(page, 'Export').click();
    assert.equal(await problemOf(page, 'The same again'), 'The two are not the same.');
    await protect(page, PASSPHRASE);
    await checkAccessible(page, 'the fields of a passphrase');
    const file = await exportAll(page);

    const start = file.subarray(0, 32).toString('latin1');
    assert.equal(start, 'age-encryption.org/v1\n-> scrypt ');
    for (const words of ['Diary', 'bananas', 'numbers.csv', 'manifest', 'PK\u0003\u0004'])
      assert.equal(file.includes(words), false, words);
    await page.evaluate(() =>
      /** @type {any} */ (document.querySelector('demo-app')).runtime.storage.clear(),
    );
    await waitForTitles(page, []);
    const tidyUp = await choose(page, file);
    await unlock(page, PASSPHRASE);
    await dialog(page).getByText('Added: 5').waitFor();
    await waitForTitles(page, titles);
    await tidyUp();
  },
);

testInPrivateWindow(
  'a file of another program is opened, and one that was cut or changed brings in nothing',
  async (browser) => {
    const page = await openDialog(browser);
    const zip = await exportAll(page, '.zip');
    const file = await encrypted(zip, PASSPHRASE.normalize('NFC'));
    const changed = Buffer.from(file);
    changed.writeUInt8(changed.readUInt8(changed.length - 40) ^ 1, changed.length - 40);
    for (const [name, bytes, words] of /** @type {const} */ ([
      ['cut at its end', file.subarray(0, -1), 'damaged or not complete'],
      ['cut after its header', file.subarray(0, 170), 'damaged or not complete'],
      ['cut in its header', file.subarray(0, 60), 'damaged or not complete'],
      ['changed at its end', changed, 'damaged or not complete'],
      ['for a key', Buffer.from('age-encryption.org/v1\n-> X25519 abc\n'), 'with a key'],
    ])) {
      const tidyUp = await choose(page, bytes);
      await unlock(page, PASSPHRASE);
      await dialog(page).getByRole('alert').getByText(words).waitFor();
      assert.equal(await dialog(page).getByText('Added:').count(), 0, name);
      await button(page, 'Not now').click();
      await tidyUp();
    }
    await waitForTitles(page, seedTitles);
    const mixed = 'ü'.normalize('NFC') + 'ü'.normalize('NFD');
    for (const [form, typed] of /** @type {const} */ ([
      [PASSPHRASE.normalize('NFC'), PASSPHRASE.normalize('NFD')],
      [PASSPHRASE.normalize('NFD'), PASSPHRASE.normalize('NFC')],
      [mixed, mixed],
    ])) {
      // In its armored form, which is text, as people paste it.
      const text = `\n${armor.encode(await encrypted(zip, form))}\n`.replaceAll('\n', '\r\n');
      const tidyUp = await choose(page, Buffer.from(text));
      await unlock(page, 'of another file');
      await dialog(page).getByText('This is not the passphrase of this file.').waitFor();
      // The field is there still, and what is wrong in it can be typed over.
      await unlock(page, typed);
      await dialog(page).getByText('As before: 3').waitFor();
      await tidyUp();
      if (form !== mixed) continue;
      for (const damaged of [
        text.slice(0, -50),
        text.slice(0, 300),
        `${text.slice(0, 200)}?${text.slice(201)}`,
      ]) {
        const tidyUpToo = await choose(page, Buffer.from(damaged));
        await unlock(page, typed);
        await dialog(page).getByRole('alert').getByText('damaged or not complete').waitFor();
        await button(page, 'Not now').click();
        await tidyUpToo();
      }
    }
  },
);

/**
 * What is said of a field that is not valid.
 * @param {Page} page
 * @param {string} label
 */
async function problemOf(page, label) {
  const field = dialog(page).getByLabel(label, { exact: true });
  await field.and(page.locator('[aria-invalid=true]')).waitFor();
  return await field.evaluate(
    (element) =>
      /** @type {HTMLInputElement} */ (element).ariaDescribedByElements?.[0]?.textContent?.trim() ??
      '',
  );
}
