// The built demo under the policy of docs/content-security-policy.md. The runner holds all tests to it:
// it fails if the browser reports anything. Here violations are made on purpose, to see that they are
// reported, and the page is used in ways that no other test needs.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { demoPolicy, requiredPolicy, servedPolicy } from '../../demo/content-security-policy.mjs';
import { servePolicy } from '../../scripts/serving/policy-server.mjs';
import { inRoot } from '../../scripts/project/project.mjs';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInBrowser, testInPrivateWindow, workerScript } from './browser.mjs';
import {
  chosenUri,
  deleteChosen,
  dragFiles,
  dropFiles,
  dropFromDisk,
  fixturePath,
  listBox,
  openRow,
  row,
  seedTitles,
  view,
  waitForDrawing,
  waitForTitles,
  waitForView,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** A host that is never reached: the policy is in the way. */
const PROVOKED = 'https://provoked.invalid/';

const reported = new EventEmitter();
const server = await servePolicy(inRoot('demo/dist'), {
  policy: servedPolicy,
  onReport: (report) => reported.emit(report['blocked-uri']),
});
after(() => server.close());

/**
 * Violates the policy in a page and in its worker, and waits until both are reported.
 * @param {Page} page
 */
async function provoke(page) {
  const [worker] = page.workers();
  assert.ok(worker, 'The page has no worker.');
  const byPage = once(reported, `${PROVOKED}page`);
  await page.evaluate((url) => {
    new Image().src = url;
  }, `${PROVOKED}page`);
  await byPage;
  const byWorker = once(reported, `${PROVOKED}worker`);
  await worker.evaluate((url) => fetch(url).catch(() => undefined), `${PROVOKED}worker`);
  await byWorker;
}

void test('the document names the policy that is tested, and the one of the demo', async () => {
  const text = await readFile(inRoot('docs/content-security-policy.md'), 'utf8');
  for (const policy of [requiredPolicy, demoPolicy.slice(servedPolicy.length + 2)]) {
    assert.ok(text.includes(`${policy}\n`), policy);
  }
});

testInPrivateWindow(
  'notes are written and read without a report, and a violation is reported',
  async (browser) => {
    const page = await browser.openTab();
    await writeNote(page, { title: 'Everything', text: everyMarkdown });
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await view(page).getByRole('cell', { name: 'b' }).waitFor();
    // What is gone is an error in the view, and can be tried again.
    await view(page).evaluate((view) => {
      Object.assign(view, { uri: 'note:///no-such-note' });
    });
    await view(page).getByRole('alert').waitFor();
    await view(page).getByRole('button', { name: 'Try again' }).click();
    await view(page).getByRole('alert').waitFor();
    assert.deepEqual(server.reports, []);

    await provoke(page);
    const blocked = server.reports.map((report) => String(report['blocked-uri']));
    assert.deepEqual(blocked, [`${PROVOKED}page`, `${PROVOKED}worker`]);
    browser.problems = browser.problems.filter((problem) => !problem.includes(PROVOKED));
    browser.requests = browser.requests.filter((url) => !url.startsWith(PROVOKED));
  },
  { home: new URL(server.url) },
);

/** Of each kind of Markdown some, with what its author would like to run. */
const everyMarkdown =
  '# One\n\n- [x] done\n\n1. *a* **b** `c` ~~d~~\n\n> quoted\n\n```js\nalert(1)\n```\n\n' +
  '| a | b |\n|---|---|\n| a | b |\n\n---\n\n[link](https://example.org/) ' +
  '![image](https://example.org/a.png) <b style="color: red" onclick="alert(1)">b</b>' +
  '<script>alert(1)</script>';

// A browser without a window shows no PDF.
testInBrowser(
  'files of every kind are added in every way and shown, and load nothing from anywhere else',
  async (browser) => {
    const page = await browser.openTab();
    await withFolder(async (folder) => {
      await mkdir(join(folder, 'album', 'june'), { recursive: true });
      await writeFile(join(folder, 'album', 'june', 'beach.txt'), 'sand');
      await writeFile(join(folder, 'album', 'index.txt'), 'all of them');
      await dropFromDisk(page, [join(folder, 'album')]);
      const titles = ['album/', 'album/index.txt', 'album/june/', 'album/june/beach.txt'];
      await waitForTitles(page, [...seedTitles, ...titles]);
      await openRow(page, 'album/');
      await waitForView(page, 'all of them');
      await waitForView(page, 'sand');
    });
    // A folder is there because of its files: it is read, and goes with them.
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Download' }).count(), 0);

    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await choosing).setFiles([fixturePath('photo.png'), fixturePath('paper.pdf')]);
    // The rows of both are there: a row that comes above another moves it away from a click.
    await row(page, 'paper.pdf').waitFor();
    await openRow(page, 'photo.png');
    const image = view(page).getByRole('img', { name: 'photo.png' });
    await image.waitFor();
    assert.equal(
      await image.evaluate((img) => /** @type {HTMLImageElement} */ (img).decode()),
      undefined,
    );
    await checkAccessible(page, 'an image');
    await openRow(page, 'paper.pdf');
    await view(page).locator('iframe').waitFor();
    await downloads(page, page.getByRole('button', { name: 'Download' }), 'paper.pdf');
    await dropFiles(page, [{ name: 'data.bin', text: '\u0000' }]);
    await openRow(page, 'data.bin');
    await downloads(page, view(page).getByRole('link', { name: 'Download' }), 'data.bin');

    const file = { name: 'a', text: '' };
    await dragFiles(page, [file], ['dragenter', 'dragover']);
    await page.getByText('Drop to add').waitFor();
    await dragFiles(page, [file], ['dragleave']);
    await page.getByText('Drop to add').waitFor({ state: 'hidden' });
    const html = '<link rel="stylesheet" href="https://example.com/c.css">Not styled';
    const texts = [
      { name: 'data.json', text: '{ "json": true }', type: 'application/json', shown: 'json true' },
      { name: 'page.html', text: html, type: 'text/html', shown: 'stylesheet' },
      { name: 'plain.txt', text: 'plain text' },
      { name: 'read.md', text: '# Read' },
    ];
    await dropFiles(page, [
      ...texts,
      { name: 'drawing.svg', text: svgThatRuns, type: 'image/svg+xml' },
    ]);
    // The list is lower once this is said below it, and each row that comes moves others away from a click.
    await page.getByText('Files saved: 5').first().waitFor();
    for (const name of ['drawing.svg', ...texts.map(({ name }) => name)])
      await row(page, name).waitFor();
    for (const { name, text, shown = text.replace('# ', '') } of texts) {
      await openRow(page, name);
      await waitForView(page, shown);
    }
    await openRow(page, 'page.html');
    await view(page).getByRole('tab', { name: 'Formatted' }).click();
    await view(page).locator('iframe').waitFor();
    await openRow(page, 'drawing.svg');
    await view(page).getByRole('button', { name: 'Show it anyway' }).click();
    await waitForDrawing(page);
    const http = browser.requests.map((url) => new URL(url)).filter(isHttp);
    const outside = http.filter(({ pathname }) => !pathname.startsWith(demoUrl.pathname));
    assert.deepEqual(outside, []);
    assert.ok(http.some(({ pathname }) => workerScript.test(pathname)));
  },
);

/** @param {URL} url */
const isHttp = ({ protocol }) => protocol === 'http:';

testInPrivateWindow(
  'a file never overwrites another, has any name, and one that cannot be added is reported',
  async (browser) => {
    const page = await browser.openTab();
    // Only rows in sight are drawn.
    await page.setViewportSize({ width: 1280, height: 1400 });
    const names = [
      '"double" & \'single\' <b>.txt',
      '100% sure.txt',
      '50%25.txt',
      'why?x=1#part.txt',
      'שלום (2).txt',
      '购物清单 第１版.txt',
      '🦊 👨‍👩‍👧 é́.txt',
    ];
    const long = { name: `${'long '.repeat(200)}.txt`, text: 'l' };
    await dropFiles(page, [...names.map((name) => ({ name, text: `This is in ${name}` })), long]);
    const drop = page.locator('mcp-file-drop');
    await drop.getByText('The path has 1004 bytes').waitFor();
    await drop.getByText('Files saved: 7 · failed: 1').first().waitFor();
    await drop.getByRole('button', { name: 'Dismiss' }).click();
    await drop.getByText('The path has').waitFor({ state: 'detached' });
    await waitForTitles(page, [...seedTitles, ...names]);
    for (const name of names) {
      await openRow(page, name);
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await waitForView(page, `This is in ${name}`);
      assert.equal(await chosenUri(page), `file:///${encodeURIComponent(name)}`);
    }
    await deleteChosen(page);
    await page.getByText('Deleted “🦊 👨‍👩‍👧 é́.txt”.').waitFor();
    await dropFiles(page, [{ name: '100% sure.txt', text: 'another' }]);
    await openRow(page, '100% sure (2).txt');
    await waitForView(page, 'another');
    await openRow(page, '100% sure.txt');
    await waitForView(page, 'This is in 100% sure.txt');
  },
);

/** @param {(folder: string) => Promise<void>} body */
async function withFolder(body) {
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-csp-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Locator} button
 * @param {string} name
 */
async function downloads(page, button, name) {
  const downloading = page.waitForEvent('download');
  await button.click();
  assert.equal((await downloading).suggestedFilename(), name);
}

const svgThatRuns =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)">' +
  '<style>rect { fill: red }</style><rect width="9" height="9" style="fill: blue"/>' +
  '<image href="https://example.com/d.png" width="9" height="9"/>' +
  '<script>alert("svg"); fetch("https://example.com/e")</script></svg>';

/** More than it takes to reach the end, however slowly its pages come. */
const MAX_PRESSES = 5_000;

testInPrivateWindow('a list of 10,000 notes is scrolled from end to end', async (browser) => {
  const page = await browser.openTab();
  await page.evaluate(fillWithNotes, 10_000);
  await page.reload();
  await openRow(page, 'Note 9999');
  // Each page of the list is fetched as its end comes into sight.
  for (let press = 0; press < MAX_PRESSES; press += 1) {
    if ((await row(page, 'Welcome').count()) > 0) break;
    await page.keyboard.press('End');
  }
  await openRow(page, 'Welcome');
  await waitForView(page, 'This note lives in IndexedDB');
  await page.keyboard.press('Home');
  await row(page, 'Note 9999').waitFor();
  await listBox(page).evaluate(async (box) => {
    for (let top = 0; top < box.scrollHeight; top += box.scrollHeight / 20) {
      box.scrollTop = top;
      await new Promise(requestAnimationFrame);
    }
  });
});

/**
 * Straight into the object stores, in one transaction: as users make them, so many take a minute.
 * @param {number} count
 */
async function fillWithNotes(count) {
  const opening = indexedDB.open('inpage-mcp-demo');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const names = ['notes', 'note-texts', 'head', 'unindexed'];
  const transaction = opening.result.transaction(names, 'readwrite');
  const now = Date.now();
  for (let index = 0; index < count; index += 1) {
    // A ULID later than those of the notes that are there.
    const id = `7ZZZZZZZZZ${String(index).padStart(16, '0')}`;
    const times = { createdAt: now, updatedAt: now, revision: 1 };
    const summary = { id, title: `Note ${index}`, tags: [], firstLine: '', size: 0, ...times };
    transaction.objectStore('notes').add(summary);
    transaction.objectStore('note-texts').add('', id);
    transaction.objectStore('unindexed').put(0, ['note', id]);
  }
  const reading = transaction.objectStore('head').get('head');
  reading.onsuccess = () => {
    const head = { ...reading.result, notes: reading.result.notes + count };
    transaction.objectStore('head').put(head, 'head');
  };
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  opening.result.close();
}
