// What the user can do with all of their data, and which notices they get of what happens to it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInBrowser, testInPrivateWindow } from './browser.mjs';
import {
  button,
  deleteEverything,
  dialog,
  exportAll,
  importZip,
  inFolder,
  openDialog,
  standingNotice,
} from './data-page.mjs';
import {
  contentsOnTheWire,
  deleteChosen,
  dropFromDisk,
  editNote,
  fixturePath,
  openRow,
  row,
  seedTitles,
  sha256,
  sha256At,
  textField,
  view,
  waitForTitles,
  waitForView,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const TELEPHONE = { width: 360, height: 800 };

/** More than a disk takes before somebody has clicked; almost none of it is ever written. */
const ENORMOUS_BYTES = 2 ** 30;

const SMALL_QUOTA_BYTES = 5_000_000;

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
  'what is exported and then deleted in every tab comes back as it was, but for what is damaged',
  async (browser) => {
    const other = await browser.openTab();
    const page = await browser.openTab();
    await writeNote(page, { title: 'Trip to 東京', text: 'Pack the **umbrella**.' });
    await dropFromDisk(page, [fixturePath('photo.png'), fixturePath('paper.pdf')]);
    const titles = ['Trip to 東京', ...seedTitles, 'paper.pdf', 'photo.png'];
    await waitForTitles(page, titles);
    const before = await everything(page);
    await openDialog(page);
    await dialog(page).getByText('Notes: 4 · Files: 2', { exact: true }).waitFor();
    const zip = await exportAll(page);

    // It is asked before, and the first answers delete nothing.
    for (const refuse of [
      () => button(page, 'Keep everything').click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await button(page, 'Delete …').click();
      const question = dialog(page).getByText('Notes: 4 · Files: 2. All of it will be gone');
      await question.waitFor();
      await refuse();
      await question.waitFor({ state: 'hidden' });
      assert.ok(await hasFocus(button(page, 'Delete …')));
    }
    await waitForTitles(page, titles);
    await deleteEverything(page);
    await dialog(page).getByText('Notes: 0 · Files: 0').waitFor();
    await waitForTitles(page, []);
    await other.bringToFront();
    await waitForTitles(other, []);

    await page.bringToFront();
    await importZip(page, zip);
    await dialog(page).getByText('Added: 6').waitFor();
    await waitForTitles(page, titles);
    assert.equal(await everything(page), before);
    await other.bringToFront();
    await waitForTitles(other, titles);
    assert.equal(await everything(other), before);

    await page.bringToFront();
    await importZip(page, zip);
    await dialog(page).getByText('As before: 6').waitFor();
    assert.equal(await everything(page), before);
    assert.equal(await standingNotice(page).count(), 0);
    assert.equal(await standingNotice(other).count(), 0);

    await importZip(page, fixturePath('photo.png'));
    await dialog(page).getByRole('alert').getByText('not a zip').waitFor();
    await checkAccessible(page, 'dialog with an error');
    await page.setViewportSize(TELEPHONE);
    await checkAccessible(page, 'the same on a telephone', { hasOtherColours: false });
    const damaged = await readFile(zip);
    const place = damaged.indexOf(await readFile(fixturePath('photo.png')));
    assert.ok(place > 0, 'The photo is not in the zip as it is.');
    damaged.writeUInt8(damaged.readUInt8(place + 9) ^ 1, place + 9);
    await deleteEverything(page);
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'damaged.zip'), damaged);
      await importZip(page, join(folder, 'damaged.zip'));
      await dialog(page).getByText('Added: 5 · Left out: 1').waitFor();
    });
    await dialog(page)
      .getByRole('listitem')
      .filter({ hasText: /files\/photo\.png.*: / })
      .waitFor();
  },
);

testInPrivateWindow(
  'an export asks before the page is left, goes on while the dialog is closed, and can be cancelled',
  async (browser) => {
    const page = await browser.openTab();
    let letGo = await hold(page, 'exportZip');
    await openDialog(page);
    await button(page, 'Protect').click();
    // Without a user interface Chromium says no.
    await dialog(page).getByText('Not yet. The browser may delete it').waitFor();
    // Some browsers ask their user, who says yes.
    await page.evaluate(() => {
      navigator.storage.persist = () => Promise.resolve(true);
    });
    await button(page, 'Protect').click();
    await dialog(page).getByRole('status').getByText('The browser keeps it').waitFor();

    await button(page, 'Export').click();
    await dialog(page).getByRole('progressbar').waitFor();
    await checkAccessible(page, 'exporting');
    await button(page, 'Cancel').click();
    await letGo();
    await dialog(page).getByText('Cancelled: nothing was saved.').waitFor();
    // The place of what was clicked is gone: the focus is where it began.
    assert.ok(await hasFocus(button(page, 'Export')));

    letGo = await hold(page, 'exportZip');
    await button(page, 'Export').click();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await openDialog(page);
    await dialog(page).getByRole('progressbar').waitFor();
    await page.keyboard.press('Escape');
    const downloading = page.waitForEvent('download');
    await letGo();
    await page.locator('.notice').getByText('It is in your downloads').waitFor();
    await downloading;

    await hold(page, 'exportZip');
    await openDialog(page);
    await button(page, 'Export').click();
    await dialog(page).getByRole('progressbar').waitFor();
    await reloadAsked(browser, page);
  },
);

/**
 * Makes calls of the storage wait; returns what lets them go on.
 * @param {Page} page
 * @param {'exportZip' | 'importZip'} name
 */
async function hold(page, name) {
  const release = await page.evaluateHandle((name) => {
    const { storage } = /** @type {any} */ (document.querySelector('demo-app')).runtime;
    const call = storage[name];
    /** @type {() => void} */
    let letGo = () => undefined;
    const waiting = new Promise((resolve) => (letGo = () => resolve(undefined)));
    storage[name] = async (/** @type {unknown[]} */ ...args) => {
      await waiting;
      return call.apply(storage, args);
    };
    return letGo;
  }, name);
  return () => release.evaluate((letGo) => letGo());
}

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

testInPrivateWindow(
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
      await button(page, 'Not now').click();
      await dialog(page).getByText('Nothing was imported.').waitFor();
      await waitForTitles(page, seedTitles);
      // Who has closed the dialog meanwhile is asked as well.
      const letGo = await hold(page, 'importZip');
      await importZip(page, path);
      await dialog(page).getByRole('progressbar').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      await letGo();
      await button(page, 'Import it anyway').click();
      await dialog(page).getByText('Added: 1').waitFor();
    });
    await waitForTitles(page, [...seedTitles, 'zeros.bin']);
  },
);

testInBrowser(
  'an upload shows how far it is, asks before the page is left, and can be cancelled',
  async (browser) => {
    const page = await browser.openTab();
    await inFolder(async (folder) => {
      const path = await enormousFile(folder);
      await openRow(page, 'Welcome');
      const drop = page.locator('mcp-file-drop');
      await dropFromDisk(page, [path]);
      await drop.getByText('film.mov').waitFor();
      await reloadAsked(browser, page);

      await dropFromDisk(page, [path]);
      await drop.getByText('1.1 GB').waitFor();
      await drop.getByRole('progressbar', { name: 'Saving files' }).waitFor();
      await drop.getByRole('button', { name: 'Cancel' }).click();
      await drop.getByText('cancelled: 1').first().waitFor();
      await waitForTitles(page, seedTitles);
    });
  },
);

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

testInBrowser(
  'where there is no room, an export is offered that needs none, once',
  async (browser) => {
    const page = await browser.openBlankTab();
    const devTools = await page.context().newCDPSession(page);
    const { origin } = demoUrl;
    await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: SMALL_QUOTA_BYTES });
    // No test can choose a file in the dialog of the browser.
    await page.addInitScript(() => {
      /** @type {Uint8Array<ArrayBuffer>[]} */
      const pieces = [];
      const createWritable = () =>
        new WritableStream({ write: (piece) => void pieces.push(piece) });
      const showSaveFilePicker = () => Promise.resolve({ createWritable });
      const sizeWritten = () => new Blob(pieces).size;
      Object.assign(globalThis, { showSaveFilePicker, sizeWritten });
    });
    await page.goto(demoUrl.href);
    await row(page, 'Welcome').waitFor();
    await inFolder(async (folder) => {
      for (const [index, name] of ['film.mov', 'another.mov'].entries()) {
        await writeFile(join(folder, name), Buffer.alloc(2 * SMALL_QUOTA_BYTES, 'film'));
        await dropFromDisk(page, [join(folder, name)]);
        await page.locator('mcp-file-drop').getByText('There is no room left').nth(index).waitFor();
        if (index > 0) break;
        await standingNotice(page).getByRole('button', { name: 'Export' }).click();
        await page.locator('notice-stack').getByText('Everything is exported.').waitFor();
      }
      assert.equal(await standingNotice(page).count(), 0);
    });
    const sizeWritten = await page.evaluate('sizeWritten()');
    assert.ok(Number(sizeWritten) > 1_000, `${String(sizeWritten)} bytes were exported.`);
  },
);

testInBrowser('where a note cannot be saved for want of room, too', async (browser) => {
  const page = await browser.openBlankTab();
  const devTools = await page.context().newCDPSession(page);
  const { origin } = demoUrl;
  await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: SMALL_QUOTA_BYTES });
  await page.goto(demoUrl.href);
  await editNote(page, 'Welcome');
  // Of chance, because Chromium compresses what it writes. As a paste does: to type so much takes too long.
  const words = randomBytes(0.75 * SMALL_QUOTA_BYTES)
    .toString('hex')
    .replaceAll(/.{1000}/g, '$&\n');
  await textField(page).evaluate((field, text) => {
    /** @type {HTMLTextAreaElement} */ (field).value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }, words);
  await page.locator('mcp-note-editor').getByText('Your text could not be saved.').waitFor();
  await standingNotice(page).getByRole('button', { name: 'Export' }).waitFor();
});

testInBrowser('notes, files and deletions outlive the browser', async (browser) => {
  const before = await browser.openTab();
  await writeNote(before, { title: 'Kept', text: 'over a restart' });
  await dropFromDisk(before, [fixturePath('photo.png'), fixturePath('paper.pdf')]);
  await openRow(before, 'Shopping list');
  await deleteChosen(before);
  const titles = ['Kept', 'Welcome', 'Ideas for your own app', 'paper.pdf', 'photo.png'];
  await waitForTitles(before, titles);
  await browser.close();

  await browser.start();
  const after = await browser.openTab();
  await waitForTitles(after, titles);
  // Byte for byte, as they are shown and as they came over the wire.
  for (const [name, shown] of /** @type {const} */ ([
    ['photo.png', view(after).getByRole('img', { name: 'photo.png' })],
    ['paper.pdf', view(after).locator('iframe')],
  ])) {
    await openRow(after, name);
    const expected = sha256(await readFile(fixturePath(name)));
    assert.equal(await sha256At(after, await shown.getAttribute('src')), expected);
    const contents = await contentsOnTheWire(after, `file:///${name}`);
    assert.ok('blob' in contents);
    assert.equal(sha256(Buffer.from(contents.blob, 'base64')), expected);
  }
  await openRow(after, 'Kept');
  await waitForView(after, 'over a restart');
});

/** @param {string} folder */
async function enormousFile(folder) {
  const path = join(folder, 'film.mov');
  const file = await open(path, 'w');
  await file.truncate(ENORMOUS_BYTES);
  await file.close();
  return path;
}

/** @param {import('playwright-core').Locator} locator */
const hasFocus = (locator) => locator.evaluate((element) => element.matches(':focus'));
