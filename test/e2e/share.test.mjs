// What other apps and pages share with the installed demo.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { until } from '../bridge/until.mjs';
import { testWithOwnHost } from './own-host.mjs';
import { openRow, seedTitles, waitForTitles, waitForView } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./own-host.mjs').Host} Host */

/** The most that a share may be. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * @param {Page} page
 * @param {string} words
 */
const question = (page, words) => page.locator('.notice.standing').filter({ hasText: words });

/** @typedef {{ title?: string, text?: string, url?: string, files?: { name: string, text: string, type?: string }[] }} Share */

/**
 * Shares as any page of the web can: with a form that is sent to the demo.
 * @param {Page} page
 * @param {Host} host
 * @param {Share & { fillerBytes?: number }} share
 */
async function shareFromElsewhere(page, host, share) {
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Other</title>');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    await page.goto(`http://127.0.0.1:${port}/`);
    const arrived = page.waitForURL(host.url.href);
    await page.evaluate(submit, { action: `${host.url.href}share`, ...share });
    await arrived;
  } finally {
    server.closeAllConnections();
    server.close();
  }
  await page.locator('.pill.connected').waitFor();
}

/** @param {Share & { action: string, fillerBytes?: number }} share */
function submit({ action, files = [], fillerBytes = 0, ...texts }) {
  const form = document.createElement('form');
  Object.assign(form, { action, method: 'POST', enctype: 'multipart/form-data' });
  for (const [name, value] of Object.entries(texts)) {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name, value });
    form.append(field);
  }
  const transfer = new DataTransfer();
  // A file: Playwright would pass on each byte of a text.
  if (fillerBytes > 0) transfer.items.add(new File([new Uint8Array(fillerBytes)], 'filler'));
  for (const { name, text, type = '' } of files)
    transfer.items.add(new File([text], name, { type }));
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', name: 'files', multiple: true, files: transfer.files });
  form.append(input);
  document.body.append(form);
  form.submit();
}

/** @param {import('./browser.mjs').Browser} browser */
async function openKept(browser) {
  const page = await browser.openTab();
  await page.evaluate(() => navigator.serviceWorker.ready);
  return page;
}

/**
 * How large the shares are that wait for an answer, the newest last.
 * @param {Page} page
 */
async function shareBytes(page) {
  return await page.evaluate(async () => {
    const name = (await caches.keys()).find((one) => one.includes('-shares:')) ?? '';
    const cache = await caches.open(name);
    const shares = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
    return await Promise.all(shares.map(async (share) => (await share?.blob())?.size ?? 0));
  });
}

/** @param {Page} page */
const newestShareBytes = async (page) => (await shareBytes(page)).at(-1) ?? 0;

/**
 * The other page is of another origin on purpose.
 * @param {import('./browser.mjs').Browser} browser
 */
function forgetOtherOrigin(browser) {
  browser.requests = browser.requests.filter((url) => !url.startsWith('http://127.0.0.1:'));
  const isOfOther = (/** @type {string} */ problem) => problem.includes('http://127.0.0.1:');
  browser.problems = browser.problems.filter((problem) => !isOfOther(problem));
}

await testWithOwnHost(
  'what a page of another origin shares is written only after a yes, once, and as text',
  async (browser, host) => {
    const page = await openKept(browser);
    const title = '<img src=x onerror=alert(1)>';
    await shareFromElsewhere(page, host, {
      title,
      text: 'Some words',
      url: 'https://example.org/',
      files: [{ name: '../../up.txt', text: 'a file' }],
    });
    const asked = question(page, `Add the note “${title}” and the file “up.txt”?`);
    await asked.getByText('It was shared by another app or page.').waitFor();
    await waitForTitles(page, seedTitles);
    // Who says nothing is asked again, and in every tab.
    await page.reload();
    await asked.waitFor();
    await waitForTitles(page, seedTitles);
    const other = await browser.openTab();
    await question(other, 'Add the note').getByRole('button', { name: 'Add' }).click();
    await waitForTitles(other, [title, ...seedTitles, 'up.txt']);
    await openRow(other, title);
    await waitForView(other, 'https://example.org/');
    await waitForView(other, 'Some words');
    await page.bringToFront();
    await asked.getByRole('button', { name: 'Add' }).click();
    await page.getByText('That was answered in another tab.').waitFor();
    await waitForTitles(page, [title, ...seedTitles, 'up.txt']);

    // What is discarded is gone, and text alone is enough.
    await shareFromElsewhere(page, host, { text: 'First line\nsecond line' });
    const discarded = question(page, 'Add the note “First line”?');
    await discarded.getByRole('button', { name: 'Discard' }).click();
    await discarded.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.pill.connected').waitFor();
    await waitForTitles(page, [title, ...seedTitles, 'up.txt']);
    assert.equal(await page.locator('.notice.standing').count(), 0);
    await checkInstallable(page);
    forgetOtherOrigin(browser);
  },
);

/**
 * Lets all writes of files fail, as on a full disk, until `letWrite()` is called in the page.
 * @param {Page} page
 */
async function failWrites(page) {
  await page.locator('demo-app').evaluate((element) => {
    /** @typedef {{ write: () => Promise<void> }} Files */
    const { files } = /** @type {HTMLElement & { runtime: { files: Files } }} */ (element).runtime;
    const { write } = files;
    files.write = () => Promise.reject(new Error('There is no room.'));
    Object.assign(globalThis, { letWrite: () => void (files.write = write) });
  });
}

await testWithOwnHost(
  'shared files that could not be stored are asked about again, until they are stored',
  async (browser, host) => {
    const page = await openKept(browser);
    const files = ['one.txt', 'two.txt'].map((name) => ({ name, text: name }));
    await shareFromElsewhere(page, host, { text: 'A note', files });
    await failWrites(page);
    const again = page.locator('mcp-file-drop').getByRole('button', { name: 'Try again' });
    await question(page, 'the note “A note”').getByRole('button', { name: 'Add' }).click();
    await again.waitFor();
    await page.reload();
    const asked = question(page, 'Add the file “one.txt” and 1 more?');
    await asked.waitFor();
    await failWrites(page);
    await asked.getByRole('button', { name: 'Add' }).click();
    await again.waitFor();
    await waitForTitles(page, ['A note', ...seedTitles]);
    assert.equal((await shareBytes(page)).length, 1);
    // Who tries again is not asked again.
    await page.evaluate('letWrite()');
    await again.click();
    await waitForTitles(page, ['A note', ...seedTitles, 'one.txt', 'two.txt']);
    await until('no share waits', async () => (await shareBytes(page)).length === 0);
    forgetOtherOrigin(browser);
  },
);

await testWithOwnHost(
  'a page that shares again and again, or far too much, fills nothing',
  async (browser, host) => {
    const page = await openKept(browser);
    // A title of any length can be added, and what cannot be stored is asked about once.
    const title = `${'long '.repeat(400)}end`;
    await shareFromElsewhere(page, host, { title, text: 'words' });
    await question(page, 'Add the note “long').getByRole('button', { name: 'Add' }).click();
    await page.getByText('Added “long').waitFor();
    await openRow(page, title.slice(0, 200).trim());
    await waitForView(page, title);
    const text = 'x'.repeat(8 * 1024 * 1024 + 1);
    const files = [{ name: 'beside.txt', text: 'a file' }];
    await shareFromElsewhere(page, host, { title: 'too large', text, files });
    await question(page, '“too large”').getByRole('button', { name: 'Add' }).click();
    await page.getByText('The share was not added').waitFor();
    assert.equal((await shareBytes(page)).length, 0);
    await waitForTitles(page, [title.slice(0, 200), ...seedTitles, 'beside.txt']);

    // What else the form sends counts, too.
    await shareFromElsewhere(page, host, { text: 'y', fillerBytes: 1 });
    const formBytes = (await newestShareBytes(page)) - 1;
    await question(page, '“y”').getByRole('button', { name: 'Discard' }).click();
    const fillerBytes = MAX_BYTES - formBytes;
    await shareFromElsewhere(page, host, { text: 'x', fillerBytes });
    assert.equal(await newestShareBytes(page), MAX_BYTES);
    const largest = question(page, 'Add the note “x” and the file “filler”?');
    // Each page that starts would read it again.
    await largest.getByRole('button', { name: 'Discard' }).click();
    await shareFromElsewhere(page, host, { text: 'x', fillerBytes: fillerBytes + 1 });
    await page.getByText('too large, or damaged').waitFor();
    for (let count = 1; count <= 6; count += 1)
      await shareFromElsewhere(page, host, { title: `Share ${count}` });
    await question(page, 'Share 6').waitFor();
    assert.equal((await shareBytes(page)).length, 5);
    assert.equal(await question(page, 'Share').count(), 5);
    await waitForTitles(page, [title.slice(0, 200), ...seedTitles, 'beside.txt']);
    forgetOtherOrigin(browser);
  },
);

/**
 * Checks that the browser finds the app complete enough to install it.
 * @param {Page} page
 */
async function checkInstallable(page) {
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data ?? '');
  assert.equal(manifest.share_target.action, './share');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  const ids = installabilityErrors.map(({ errorId }) => errorId);
  // A profile of a test is a private one to some versions.
  assert.deepEqual(
    ids.filter((id) => id !== 'in-incognito'),
    [],
  );
}
