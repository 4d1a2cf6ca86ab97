// What the user can do with all of their data, and which notices they get of what happens to it.
import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { axe, checkAccessible } from './axe.mjs';
import { demoUrl, testInBrowser, testInPrivateWindow } from './browser.mjs';
import {
  dropFromDisk,
  editNote,
  fixturePath,
  holdTimers,
  row,
  seedTitles,
  textField,
  waitForTitles,
  waitForView,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContext} BrowserContext */

const TELEPHONE = { width: 360, height: 800 };

/** More than a disk takes before somebody has clicked; almost none of it is ever written. */
const ENORMOUS_BYTES = 2 ** 30;

const SMALL_QUOTA_BYTES = 5_000_000;

/** @param {Page} page */
const dialog = (page) => page.getByRole('dialog', { name: 'Your data' });

/**
 * @param {Page} page
 * @param {string} name
 */
const button = (page, name) => dialog(page).getByRole('button', { name, exact: true });

/** @param {Page} page */
const dataButton = (page) => page.getByRole('button', { name: 'Your data' });

/** @param {Page} page */
const standingNotice = (page) => page.locator('.notice.standing');

/** @param {Page} page */
async function openDialog(page) {
  await dataButton(page).click();
  await dialog(page).getByText('are kept in this browser only').waitFor();
}

/**
 * Makes the browser one that does not ask where to save. Before the demo is loaded.
 * @param {Page} page
 */
async function withoutSavePicker(page) {
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await page.reload();
  await page.locator('.pill.connected').waitFor();
}

/**
 * Exports into the browser's downloads.
 * @param {Page} page with its dialog open
 * @returns {Promise<string>} where the zip is
 */
async function exportAll(page) {
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
async function importZip(page, path) {
  // While nobody listens, Playwright leaves the dialog to the browser; it takes a moment to switch.
  page.on('filechooser', () => {});
  const choosing = page.waitForEvent('filechooser');
  await button(page, 'Import').click();
  await (await choosing).setFiles(path);
}

/** @param {Page} page with its dialog open */
async function deleteEverything(page) {
  await button(page, 'Delete …').click();
  await button(page, 'Delete everything').click();
  await dialog(page).getByText('Everything is deleted.').waitFor();
}

/**
 * All that the page lists of the user's, with what is in it.
 * @param {Page} page
 */
async function everything(page) {
  return await page.locator('mcp-provider').evaluate(async (provider) => {
    /** @typedef {import('../../packages/client/src/index.js').McpClient} McpClient */
    const { client } = /** @type {{ client: McpClient }} */ (/** @type {unknown} */ (provider));
    const found = [];
    for await (const page of client.resources()) {
      for (const resource of page) {
        if (resource.uri.startsWith('inpage:')) continue;
        found.push({ resource, read: await client.readResource(resource.uri) });
      }
    }
    return JSON.stringify(found);
  });
}

testInPrivateWindow(
  'what is exported and then deleted in every tab comes back as it was',
  async (browser) => {
    const other = await browser.openTab();
    const page = await browser.openTab();
    await withoutSavePicker(page);
    await writeNote(page, { title: 'Trip to 東京', text: 'Pack the **umbrella**.' });
    await dropFromDisk(page, [fixturePath('photo.png'), fixturePath('paper.pdf')]);
    const titles = ['Trip to 東京', ...seedTitles, 'paper.pdf', 'photo.png'];
    await waitForTitles(page, titles);
    const before = await everything(page);
    await openDialog(page);
    await dialog(page).getByText('4 notes and 2 files are kept').waitFor();
    const zip = await exportAll(page);

    await deleteEverything(page);
    await dialog(page).getByText('0 notes and 0 files').waitFor();
    await waitForTitles(page, []);
    await other.bringToFront();
    await waitForTitles(other, []);

    await page.bringToFront();
    await importZip(page, zip);
    await dialog(page).getByText('Done: 6 added.').waitFor();
    await waitForTitles(page, titles);
    assert.equal(await everything(page), before);
    await other.bringToFront();
    await waitForTitles(other, titles);
    assert.equal(await everything(other), before);

    await page.bringToFront();
    await importZip(page, zip);
    await dialog(page).getByText('Done: 6 as before.').waitFor();
    assert.equal(await everything(page), before);
    assert.equal(await standingNotice(page).count(), 0);
    assert.equal(await standingNotice(other).count(), 0);
  },
);

testInPrivateWindow('where the browser asks where to save, it is saved there', async (browser) => {
  const page = await browser.openTab();
  await page.evaluate(() => {
    const showSaveFilePicker = async (/** @type {{ suggestedName: string }} */ options) => {
      const folder = await navigator.storage.getDirectory();
      return await folder.getFileHandle(options.suggestedName, { create: true });
    };
    Object.assign(window, { showSaveFilePicker });
  });
  await openDialog(page);
  await button(page, 'Export').click();
  await dialog(page).getByText('It is saved.').waitFor();
  const zip = await page.evaluate(async () => {
    /** @type {number[]} */
    const bytes = [];
    const folder = await navigator.storage.getDirectory();
    for await (const handle of folder.values()) {
      if (!(handle instanceof FileSystemFileHandle)) continue;
      bytes.push(...new Uint8Array(await (await handle.getFile()).arrayBuffer()));
    }
    return bytes;
  });
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'saved.zip'), Uint8Array.from(zip));
    await importZip(page, join(folder, 'saved.zip'));
    await dialog(page).getByText('Done: 3 as before.').waitFor();
  });
});

testInPrivateWindow(
  'who changes their mind in the middle of an export, or before it, has saved nothing',
  async (browser) => {
    const page = await browser.openTab();
    await page.evaluate(saveSlowly);
    await openDialog(page);
    await button(page, 'Export').click();
    await button(page, 'Cancel').click();
    await goOn(page);
    await dialog(page).getByText('Cancelled: nothing was saved.').waitFor();
    assert.equal(await page.evaluate(() => Reflect.get(window, 'saved')), 'aborted');
    // The place of what was clicked is gone: the focus is where it began.
    assert.ok(await hasFocus(button(page, 'Export')));

    await page.evaluate(() => {
      const showSaveFilePicker = () => Promise.reject(new DOMException('', 'AbortError'));
      Object.assign(window, { showSaveFilePicker });
    });
    await button(page, 'Export').click();
    // Nothing is under way: something else can be done.
    await button(page, 'Delete …').click();
    await button(page, 'Keep everything').waitFor();
  },
);

/** A disk that takes nothing until `goOn`. */
function saveSlowly() {
  const waiting = new Promise((goOn) => Object.assign(window, { goOn }));
  const showSaveFilePicker = () => ({
    createWritable: () =>
      new WritableStream({
        write: () => waiting,
        abort: () => void Object.assign(window, { saved: 'aborted' }),
      }),
  });
  Object.assign(window, { showSaveFilePicker });
}

/** @param {Page} page */
const goOn = (page) => page.evaluate('window.goOn()');

testInPrivateWindow(
  'what goes on while the dialog is closed goes on, and its end is reported',
  async (browser) => {
    const page = await browser.openTab();
    await page.evaluate(saveSlowly);
    await openDialog(page);
    await button(page, 'Export').click();
    await dialog(page).getByRole('progressbar').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await openDialog(page);
    await dialog(page).getByRole('progressbar').waitFor();
    await page.keyboard.press('Escape');
    await goOn(page);
    await page.locator('.notice').getByText('It is saved.').waitFor();
  },
);

testInPrivateWindow(
  'an import says what is no export, and names what it had to leave out',
  async (browser) => {
    const page = await browser.openTab();
    await withoutSavePicker(page);
    await dropFromDisk(page, [fixturePath('photo.png'), fixturePath('paper.pdf')]);
    await waitForTitles(page, [...seedTitles, 'paper.pdf', 'photo.png']);
    await openDialog(page);
    await importZip(page, fixturePath('photo.png'));
    await dialog(page).getByRole('alert').getByText('not a zip').waitFor();
    await waitForTitles(page, [...seedTitles, 'paper.pdf', 'photo.png']);

    const zip = await readFile(await exportAll(page));
    const photo = await readFile(fixturePath('photo.png'));
    const place = zip.indexOf(photo);
    assert.ok(place > 0, 'The photo is not in the zip as it is.');
    zip.writeUInt8(zip.readUInt8(place + 9) ^ 1, place + 9);
    await deleteEverything(page);
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'damaged.zip'), zip);
      await importZip(page, join(folder, 'damaged.zip'));
      await dialog(page).getByText('Done: 4 added; 1 skipped.').waitFor();
    });
    await dialog(page).getByRole('listitem').filter({ hasText: 'files/photo.png: ' }).waitFor();
    await waitForTitles(page, [...seedTitles, 'paper.pdf']);
  },
);

/**
 * A zip archive of deflated entries.
 * @param {[name: string, content: Uint8Array][]} files
 */
function zipOf(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let offset = 0;
  for (const [name, content] of files) {
    const packed = gzipSync(content);
    // Between its header and its trailer, which has the CRC.
    const deflated = packed.subarray(10, -8);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(packed.readUInt32LE(packed.length - 8), 10);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const local = Buffer.concat([
      Buffer.from('PK\u0003\u0004'),
      common,
      Buffer.from(name),
      deflated,
    ]);
    parts.push(local);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), common, rest, Buffer.from(name));
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

testInBrowser(
  'an import of a small zip that becomes large asks before, and the first answer writes nothing',
  async (browser) => {
    const page = await browser.openTab();
    await openDialog(page);
    const head = { format: 'inpage-mcp archive', version: 2 };
    const zip = zipOf([
      ['files/zeros.bin', new Uint8Array(80_000_000)],
      ['manifest.jsonl', Buffer.from(JSON.stringify(head))],
    ]);
    await inFolder(async (folder) => {
      const path = join(folder, 'small.zip');
      await writeFile(path, zip);
      await importZip(page, path);
      await dialog(page)
        .getByText(/needs 80\.0 MB.*packed, it has 0\.1 MB/)
        .waitFor();
      await page.evaluate(axe);
      await checkAccessible(page, 'the question whether a large archive is imported');
      // The key that has the focus.
      await page.keyboard.press('Enter');
      await dialog(page).getByText('Import it all the same?').waitFor({ state: 'hidden' });
      await waitForTitles(page, seedTitles);
      await importZip(page, path);
      await button(page, 'Import it').click();
      await dialog(page).getByText('Done: 1 added.').waitFor();
    });
    await waitForTitles(page, [...seedTitles, 'zeros.bin']);
  },
);

testInPrivateWindow(
  'before everything is deleted it is asked, and the first answers delete nothing',
  async (browser) => {
    const page = await browser.openTab();
    await withoutSavePicker(page);
    await openDialog(page);
    await button(page, 'Delete …').click();
    await dialog(page).getByText('3 notes will be gone').waitFor();
    assert.ok(await hasFocus(button(page, 'Keep everything')));
    await page.keyboard.press('Escape');
    assert.ok(await hasFocus(button(page, 'Delete …')));
    await page.keyboard.press('Enter');
    await button(page, 'Keep everything').click();
    await button(page, 'Delete …').click();
    const downloading = page.waitForEvent('download');
    await button(page, 'Export first').click();
    await downloading;
    await dialog(page).getByText('It is in your downloads').waitFor();
    assert.ok(await hasFocus(button(page, 'Export')));
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    assert.ok(await hasFocus(dataButton(page)));
    await waitForTitles(page, seedTitles);
  },
);

testInPrivateWindow('asked to keep the data, the browser’s answer is shown', async (browser) => {
  const page = await browser.openTab();
  await openDialog(page);
  await button(page, 'Protect').click();
  // Without a user interface Chromium says no.
  await dialog(page).getByText('Not yet. The browser may delete it').waitFor();
  await page.evaluate(() => {
    // Some browsers ask their user, who says yes.
    navigator.storage.persist = () => Promise.resolve(true);
  });
  await button(page, 'Protect').click();
  await dialog(page).getByRole('status').getByText('The browser keeps it').waitFor();
});

testInPrivateWindow(
  'data that is gone at the next start is reported, and comes back from an export',
  async (browser) => {
    const page = await browser.openTab();
    await withoutSavePicker(page);
    await dropFromDisk(page, [fixturePath('photo.png')]);
    await waitForTitles(page, [...seedTitles, 'photo.png']);
    await openDialog(page);
    const zip = await exportAll(page);
    // An open page would be notified of the loss, and not the next one.
    await page.goto('about:blank');
    await clearData(page, 'indexeddb');
    await page.goto(demoUrl.href);
    await waitForTitles(page, []);
    const notice = standingNotice(page);
    await notice.getByText('There were 3 notes and 1 file; now there is nothing.').waitFor();
    await notice.getByRole('button', { name: 'Import an export' }).click();
    await notice.waitFor({ state: 'detached' });
    await importZip(page, zip);
    await dialog(page).getByText('Done: 4 added.').waitFor();
    await waitForTitles(page, [...seedTitles, 'photo.png']);
    await page.reload();
    await waitForTitles(page, [...seedTitles, 'photo.png']);
    assert.equal(await notice.count(), 0);
  },
);

testInPrivateWindow(
  'data that is cleared while the page is open is reported, and the page goes on',
  async (browser) => {
    const page = await browser.openTab();
    await row(page, 'Welcome').waitFor();
    await clearData(page, 'all');
    await writeNote(page, { title: 'After', text: 'still here' });
    await standingNotice(page).getByText('Your data is gone').waitFor();
    await waitForTitles(page, ['After']);
    await standingNotice(page).getByRole('button', { name: 'Dismiss' }).click();
    await standingNotice(page).waitFor({ state: 'detached' });
  },
);

/**
 * Does what the browser's own settings do, or its eviction.
 * @param {Page} page
 * @param {'indexeddb' | 'all'} storageTypes
 */
async function clearData(page, storageTypes) {
  const session = await page.context().newCDPSession(page);
  const { origin } = demoUrl;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await session.detach();
}

testInPrivateWindow(
  'a newer version in another tab asks for a reload, which loses no word',
  async (browser) => {
    const page = await browser.openTab();
    await editNote(page, 'Welcome');
    const newer = await browser.openBlankTab();
    await openAsNewer(newer);
    await page.bringToFront();
    const notice = standingNotice(page);
    await notice.getByText('A newer version of this page is open in another tab.').waitFor();
    assert.equal(await notice.getByRole('button', { name: 'Dismiss' }).count(), 0);
    await textField(page).fill('typed too late');
    await page.getByText('This browser keeps them until they are.').waitFor();
    assert.equal(await notice.count(), 1);

    await newer.evaluate(deleteDatabase);
    await notice.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('What you typed before the reload is saved.').waitFor();
    await waitForTitles(page, ['Welcome']);
    await row(page, 'Welcome').click();
    await waitForView(page, 'typed too late');
    await page.reload();
    await waitForTitles(page, ['Welcome']);
  },
);

testInPrivateWindow(
  'words that wait for a reload outlive their tab, and come back in one note',
  async (browser) => {
    const page = await browser.openTab();
    await editNote(page, 'Welcome');
    const newer = await browser.openBlankTab();
    await openAsNewer(newer);
    await page.bringToFront();
    await standingNotice(page).waitFor();
    await textField(page).fill('typed too late');
    await page.getByText('This browser keeps them until they are.').waitFor();
    const kept = await page.evaluate(keptDrafts);
    assert.equal(kept.length, 1);
    const closed = page.waitForEvent('close');
    // They are kept: the browser need not ask.
    await page.close({ runBeforeUnload: true });
    await closed;

    await newer.evaluate(deleteDatabase);
    const tabs = await Promise.all([browser.openTab(), browser.openTab()]);
    for (const tab of tabs) await waitForTitles(tab, ['Welcome']);
    const [tab, other] = tabs;
    await tab.waitForFunction(() => !Object.keys(localStorage).join().includes('mcp-draft'));
    await other.close();

    // As if the tab had died after the writing.
    await tab.evaluate((kept) => {
      for (const [key, words] of kept) localStorage.setItem(key, words);
    }, kept);
    await tab.reload();
    await tab.getByText('What you typed before the reload is saved.').waitFor();
    await waitForTitles(tab, ['Welcome']);
  },
);

/** @returns {[key: string, words: string][]} */
function keptDrafts() {
  return Object.entries(localStorage).filter(([key]) => key.includes('mcp-draft'));
}

testInPrivateWindow(
  'who deletes everything gets no word of it back, and another tab asks about its own',
  async (browser) => {
    const other = await browser.openTab();
    await editNote(other, 'Welcome');
    const page = await browser.openTab();
    await editNote(page, 'Welcome');
    const releaseTimers = [];
    for (const tab of [other, page]) {
      await tab.bringToFront();
      releaseTimers.push(await holdTimers(tab));
      await textField(tab).fill('not saved yet');
    }
    await openDialog(page);
    await deleteEverything(page);
    await other.bringToFront();
    for (const release of releaseTimers) await release();
    await other.getByText('This note was deleted while you were typing.').waitFor();
    assert.equal(await textField(other).inputValue(), 'not saved yet');
    await textField(other).fill('still not saved');
    await other.evaluate(axe);
    await checkAccessible(other, 'words without a note');
    await page.bringToFront();
    await waitForTitles(page, []);

    // A user who leaves without an answer keeps the words.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New note' }).click();
    await other.bringToFront();
    await row(other, 'New note').click();
    await row(other, 'Welcome').click();
    await waitForView(other, 'still not saved');
    await waitForTitles(page, ['Welcome', 'New note']);
  },
);

testInBrowser(
  'leaving the page in the middle of an export or an upload asks first',
  async (browser) => {
    const page = await browser.openTab();
    await page.evaluate(saveSlowly);
    await openDialog(page);
    await button(page, 'Export').click();
    await dialog(page).getByRole('progressbar').waitFor();
    await reloadAsked(browser, page);

    await inFolder(async (folder) => {
      const path = await enormousFile(folder);
      await row(page, 'Welcome').click();
      await dropFromDisk(page, [path]);
      await page.locator('mcp-file-drop').getByText('film.mov').waitFor();
      await reloadAsked(browser, page);
    });
  },
);

/**
 * Reloads a page that has to ask before.
 * @param {import('./browser.mjs').Browser} browser
 * @param {Page} page
 */
async function reloadAsked(browser, page) {
  const asked = browser.acceptNextDialog();
  const reloading = page.reload();
  assert.equal(await asked, 'beforeunload');
  await reloading;
  await page.locator('.pill.connected').waitFor();
}

testInPrivateWindow('what takes long does not look as if it had stopped', async (browser) => {
  const page = await browser.openTab();
  await page.evaluate(saveSlowly);
  await openDialog(page);
  await button(page, 'Export').click();
  await dialog(page).locator('progress[max]').waitFor();
  await dialog(page).locator('progress:indeterminate').waitFor();
  await goOn(page);
  await dialog(page).getByText('It is saved.').waitFor();
});

testInPrivateWindow('what happens while a dialog is open is reported in it', async (browser) => {
  const page = await browser.openTab();
  await openDialog(page);
  await clearData(page, 'all');
  await standingNotice(page).getByText('Your data is gone').waitFor();
  await page.evaluate(axe);
  await checkAccessible(page, 'dialog with a notice');
  await standingNotice(page).getByRole('button', { name: 'Dismiss' }).click();
  await standingNotice(page).waitFor({ state: 'detached' });
  const newer = await browser.openBlankTab();
  await openAsNewer(newer);
  await page.bringToFront();
  await standingNotice(page).getByText('A newer version').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'hidden' });
  // It does not go with the dialog.
  await standingNotice(page).getByText('A newer version').waitFor();
});

testInPrivateWindow('a page that is too old from its start says so', async (browser) => {
  const newer = await browser.openBlankTab();
  await openAsNewer(newer);
  const page = await browser.openBlankTab();
  await page.goto(demoUrl.href);
  const alert = page.getByRole('alert');
  await alert.getByRole('heading', { name: 'A newer version of this page is in use' }).waitFor();
  await page.getByRole('button', { name: 'Reload the page' }).waitFor();
});

/**
 * Does what a version of the demo that is yet to come does to the database of this one.
 * @param {Page} page a blank one
 */
async function openAsNewer(page) {
  const url = new URL('newer', demoUrl).href;
  const body = '<!doctype html><title>Newer</title><link rel="icon" href="data:,">';
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(url);
  await page.evaluate(async () => {
    await new Promise((resolve, reject) => {
      const opening = indexedDB.open('inpage-mcp-demo', 1_000);
      opening.onsuccess = () => {
        opening.result.onversionchange = () => opening.result.close();
        resolve(undefined);
      };
      opening.onerror = () => reject(opening.error);
    });
  });
}

async function deleteDatabase() {
  await new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase('inpage-mcp-demo');
    deleting.onsuccess = resolve;
    deleting.onerror = () => reject(deleting.error);
  });
}

testInBrowser('an upload shows how far it is, and can be cancelled', async (browser) => {
  const page = await browser.openTab();
  await inFolder(async (folder) => {
    const path = await enormousFile(folder);
    await dropFromDisk(page, [path]);
    const drop = page.locator('mcp-file-drop');
    await drop.getByText('film.mov').waitFor();
    await drop.getByText('1.1 GB').waitFor();
    await drop.getByRole('progressbar', { name: 'Saving files' }).waitFor();
    await drop.getByRole('button', { name: 'Cancel' }).click();
    await drop.getByText('cancelled: 1').first().waitFor();
    await waitForTitles(page, seedTitles);
  });
});

testInBrowser('where there is no room, it is said how much is taken', async (browser) => {
  const page = await browser.openBlankTab();
  const devTools = await page.context().newCDPSession(page);
  // Before the first write: Chromium remembers for a while how much room there is.
  const { origin } = demoUrl;
  await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: SMALL_QUOTA_BYTES });
  await page.goto(demoUrl.href);
  await row(page, 'Welcome').waitFor();
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'film.mov'), Buffer.alloc(2 * SMALL_QUOTA_BYTES, 'film'));
    await dropFromDisk(page, [join(folder, 'film.mov')]);
    // Chromium does not say how little it gives, only how much is taken. What was written of the file
    // may count for a while after it is gone.
    const words = /There is no room left.* this site takes [\d.]+ [kM]B/;
    await page.locator('mcp-file-drop').getByText(words).waitFor();
  });
  await waitForTitles(page, seedTitles);
  await openDialog(page);
  await dialog(page).getByRole('meter', { name: 'Room taken' }).waitFor();
});

testInPrivateWindow(
  'axe finds nothing wrong with the dialog and the notices, on a desk and on a telephone',
  async (browser) => {
    const page = await browser.openTab();
    const desk = page.viewportSize();
    assert.ok(desk);
    await page.evaluate(axe);
    await page.evaluate(saveSlowly);
    await openDialog(page);
    await importZip(page, fixturePath('photo.png'));
    await dialog(page).getByRole('alert').waitFor();
    for (const size of [desk, TELEPHONE]) {
      await page.setViewportSize(size);
      await checkAccessible(page, `dialog with an error, ${size.width} pixels`);
    }
    await button(page, 'Delete …').click();
    await checkAccessible(page, 'question');
    await page.setViewportSize(desk);
    await button(page, 'Export first').click();
    await dialog(page).getByRole('progressbar').waitFor();
    await checkAccessible(page, 'exporting');
    await button(page, 'Cancel').click();
    await page.keyboard.press('Escape');

    // An open page would perhaps be notified of the loss, and not the next one.
    await page.goto('about:blank');
    await clearData(page, 'indexeddb');
    await page.goto(demoUrl.href);
    await page.evaluate(axe);
    await standingNotice(page).waitFor();
    for (const size of [desk, TELEPHONE]) {
      await page.setViewportSize(size);
      await checkAccessible(page, `loss, ${size.width} pixels`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), size.width);
    }
  },
);

/** @param {string} folder */
async function enormousFile(folder) {
  const path = join(folder, 'film.mov');
  const file = await open(path, 'w');
  await file.truncate(ENORMOUS_BYTES);
  await file.close();
  return path;
}

/** @param {(folder: string) => Promise<void>} body */
async function inFolder(body) {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-storage-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {import('playwright-core').Locator} locator */
const hasFocus = (locator) => locator.evaluate((element) => element.matches(':focus'));
