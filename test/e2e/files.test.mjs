// Adding files to the demo: in every way, under every name, and when it goes wrong.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testInPrivateWindow } from './browser.mjs';
import {
  chosenUri,
  deleteChosen,
  dragFiles,
  dropFiles,
  dropFromDisk,
  fixturePath,
  row,
  seedTitles,
  waitForTitles,
  waitForView,
  writeNote,
} from './demo-page.mjs';

testInPrivateWindow('an added file never overwrites another: both are kept', async (browser) => {
  const page = await browser.openTab();
  await dropFiles(page, [{ name: 'list.txt', text: 'first' }]);
  await dropFiles(page, [{ name: 'list.txt', text: 'second' }]);
  await page.getByText('Saved: list (2).txt').first().waitFor();
  await dropFiles(page, [
    { name: 'list.txt', text: 'third' },
    { name: 'no extension', text: 'fourth' },
    { name: 'no extension', text: 'fifth' },
  ]);
  const names = ['list (2).txt', 'list (3).txt', 'list.txt', 'no extension', 'no extension (2)'];
  await waitForTitles(page, [...seedTitles, ...names]);
  for (const [index, text] of ['second', 'third', 'first', 'fourth', 'fifth'].entries()) {
    await row(page, names[index] ?? '').click();
    await waitForView(page, text);
  }
});

testInPrivateWindow('a dropped folder is added with all that is in it', async (browser) => {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-drop-'));
  try {
    await mkdir(join(folder, 'album', 'june'), { recursive: true });
    await writeFile(join(folder, 'album', 'june', 'beach.txt'), 'sand');
    await writeFile(join(folder, 'album', 'index.txt'), 'all of them');
    const page = await browser.openTab();
    await dropFromDisk(page, [join(folder, 'album')]);
    const titles = ['album/', 'album/index.txt', 'album/june/', 'album/june/beach.txt'];
    await waitForTitles(page, [...seedTitles, ...titles]);
    await row(page, 'album/june/beach.txt').click();
    await waitForView(page, 'sand');
    await row(page, 'album/').click();
    await waitForView(page, 'all of them');
    await waitForView(page, 'sand');
    // A folder is there because of its files: it is read, and goes with them.
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Download' }).count(), 0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

testInPrivateWindow('files can be chosen instead of dropped', async (browser) => {
  const page = await browser.openTab();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  const chooser = await choosing;
  await chooser.setFiles([fixturePath('photo.png'), fixturePath('paper.pdf')]);
  await waitForTitles(page, [...seedTitles, 'paper.pdf', 'photo.png']);
});

testInPrivateWindow(
  'while files are dragged over the page it says that they can be dropped',
  async (browser) => {
    const page = await browser.openTab();
    const file = { name: 'a.txt', text: 'a' };
    await dragFiles(page, [file], ['dragenter', 'dragover']);
    await page.getByText('Drop to add').waitFor();
    await dragFiles(page, [file], ['dragleave']);
    await page.getByText('Drop to add').waitFor({ state: 'hidden' });
    await waitForTitles(page, seedTitles);
  },
);

testInPrivateWindow(
  'a file that cannot be added is reported, and the others are added',
  async (browser) => {
    const page = await browser.openTab();
    const long = `${'long '.repeat(200)}.txt`;
    await dropFiles(page, [
      { name: 'before.txt', text: 'b' },
      { name: long, text: 'l' },
      { name: 'after.txt', text: 'a' },
    ]);
    const drop = page.locator('mcp-file-drop');
    await drop.getByText('The path has 1004 bytes').waitFor();
    await drop.getByText('Files saved: 2 · failed: 1').first().waitFor();
    await waitForTitles(page, [...seedTitles, 'after.txt', 'before.txt']);
    await drop.getByRole('button', { name: 'Dismiss' }).click();
    await drop.getByText('The path has').waitFor({ state: 'detached' });
  },
);

testInPrivateWindow(
  'names in any script and with any sign are listed, opened and shown as they are',
  async (browser) => {
    const names = [
      '"double" & \'single\' <b>.txt',
      '#1.txt',
      '100% sure.txt',
      '50%25.txt',
      'why?x=1#part.txt',
      'שלום (2).txt',
      'مرحبا بالعالم.txt',
      '购物清单 第１版.txt',
      '🦊 👨‍👩‍👧 é́.txt',
    ];
    const page = await browser.openTab();
    // Only rows in sight are drawn.
    await page.setViewportSize({ width: 1280, height: 1400 });
    await dropFiles(
      page,
      names.map((name) => ({ name, text: `This is in ${name}` })),
    );
    await waitForTitles(page, [...seedTitles, ...names]);
    for (const name of names) {
      await row(page, name).click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await waitForView(page, `This is in ${name}`);
      assert.equal(await chosenUri(page), `file:///${encodeURIComponent(name)}`);
    }
    const title = '<i>ملاحظة</i> 100% #? 笔记 🦊';
    await writeNote(page, { title, text: 'נכתב כאן' });
    await page.reload();
    await row(page, title).click();
    await waitForView(page, 'נכתב כאן');
    await row(page, '100% sure.txt').click();
    await deleteChosen(page);
    await page.getByText('Deleted “100% sure.txt”.').waitFor();
  },
);
