// The built demo, used as its user does: what it starts with, shows, reports and deletes.
import assert from 'node:assert/strict';
import { demoUrl, testInPrivateWindow, workerScript } from './browser.mjs';
import {
  chosenUri,
  dropFiles,
  dropFromDisk,
  editNote,
  fixturePath,
  row,
  seedTitles,
  textField,
  titleField,
  view,
  waitForTitles,
  waitForView,
  writeNote,
  showWire,
  wireLine,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./browser.mjs').Browser} Browser */

/** How long a worker has to answer, and when the developer is notified of one that never spoke. */
const START_TIMEOUT_MS = 15_000;
const HINT_MS = 10_000;

testInPrivateWindow(
  'the first run writes the three notes once, in however many tabs it happens',
  async (browser) => {
    const tabs = await Promise.all(Array.from({ length: 3 }, () => browser.openBlankTab()));
    for (const tab of tabs) await tab.addInitScript(slowDownWorkers, SLOW_CALL_MS);
    await Promise.all(tabs.map((tab) => tab.goto(demoUrl.href)));
    for (const tab of tabs) {
      await tab.bringToFront();
      await waitForTitles(tab, seedTitles);
    }
  },
);

/** Far more than lies between the starts of tabs that are opened at once. */
const SLOW_CALL_MS = 200;

/**
 * Makes each call of a page to its worker take its time: what tabs do in steps interleaves.
 * @param {number} delayMs
 */
function slowDownWorkers(delayMs) {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (
    /** @type {unknown} */ message,
    /** @type {any} */ transfer,
  ) {
    setTimeout(() => postMessage.call(this, message, transfer), delayMs);
  };
}

testInPrivateWindow(
  'everything is loaded from below the sub-path, and a note that names other hosts loads nothing',
  async (browser) => {
    const page = await browser.openTab();
    const text = '![a](https://example.com/a.png) <img src="https://example.com/b.png"> seen';
    await writeNote(page, { title: 'Elsewhere', text });
    await dropFiles(page, [
      { name: 'page.html', text: '<link rel="stylesheet" href="https://example.com/c.css">' },
      { name: 'drawing.svg', text: svgThatCallsHome(), type: 'image/svg+xml' },
    ]);
    await row(page, 'Elsewhere').click();
    await waitForView(page, 'seen');
    // A row that comes above another moves it away from a click.
    await row(page, 'drawing.svg').waitFor();
    await row(page, 'page.html').click();
    await waitForView(page, 'stylesheet');
    await view(page).getByRole('tab', { name: 'Formatted' }).click();
    await view(page).locator('iframe').waitFor();
    await row(page, 'drawing.svg').click();
    await view(page).getByRole('button', { name: 'Show it anyway' }).click();
    await view(page).locator('img').waitFor();
    const paths = new Set(browser.requests.map((url) => new URL(url)).filter(isHttp));
    const outside = [...paths].filter(({ pathname }) => !pathname.startsWith(demoUrl.pathname));
    assert.deepEqual(outside, []);
    assert.ok([...paths].some(({ pathname }) => workerScript.test(pathname)));
  },
);

/** @param {URL} url */
const isHttp = ({ protocol }) => protocol === 'http:';

const svgThatCallsHome = () =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">' +
  '<image href="https://example.com/d.png" width="9" height="9"/>' +
  '<script>fetch("https://example.com/e")</script></svg>';

testInPrivateWindow(
  'choosing a resource shows it: a note as Markdown, an image as an image, a PDF in its viewer, the rest as a download',
  async (browser) => {
    const page = await browser.openTab();
    await waitForView(page, 'This note lives in');
    await dropFromDisk(page, [fixturePath('photo.png'), fixturePath('paper.pdf')]);
    await row(page, 'Welcome').click();
    await view(page).getByRole('heading', { name: 'Welcome' }).first().waitFor();
    assert.equal(await row(page, 'Welcome').getAttribute('aria-selected'), 'true');
    await row(page, 'Shopping list').click();
    await view(page).getByRole('listitem').filter({ hasText: 'oat milk' }).waitFor();
    assert.equal(await view(page).getByRole('checkbox', { checked: true }).count(), 1);
    assert.equal(await view(page).getByText('[x]').count(), 0);
    await row(page, 'photo.png').click();
    await view(page).getByRole('img', { name: 'photo.png' }).waitFor();
    await dropFiles(page, [{ name: 'data.bin', text: '\u0000' }]);
    await row(page, 'data.bin').click();
    await view(page).getByText('application/octet-stream · 1 byte').waitFor();
    await view(page).getByRole('link', { name: 'Download' }).waitFor();
    await row(page, 'paper.pdf').click();
    await view(page).locator('iframe').waitFor();
    assert.equal(await row(page, 'Welcome').getAttribute('aria-selected'), 'false');
    assert.equal(await chosenUri(page), 'file:///paper.pdf');
  },
);

testInPrivateWindow(
  'what is live shows what it is now, and rests when nothing happens',
  async (browser) => {
    const page = await browser.openTab();
    await showWire(page);
    await row(page, 'Storage').click();
    await waitForView(page, 'notes 3');
    await page.getByRole('button', { name: 'New note' }).click();
    await titleField(page).waitFor();
    await row(page, 'Storage').click();
    await waitForView(page, 'notes 4');
    // Or the row moves on below the pointer.
    await waitForTitles(page, ['New note', ...seedTitles]);
    // The tree draws only what is in view, and the list may have been read again since.
    await page.setViewportSize({ width: 1_280, height: 3_000 });
    await row(page, 'Activity').click();
    await waitForView(page, 'uri "inpage:///storage"');
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
    // What follows a notification is not announced again, or it would go on for ever.
    const lines = () => wireLine(page, '').count();
    let [before, after] = [-1, await lines()];
    while (before !== after) {
      await page.waitForTimeout(1_000);
      [before, after] = [after, await lines()];
    }
  },
);

testInPrivateWindow('the wire shows each message as it happens', async (browser) => {
  const a = await browser.openTab();
  const b = await browser.openTab();
  await a.bringToFront();
  await showWire(a);
  await wireLine(a, 'server/discover').waitFor();
  await wireLine(a, 'resources/list', 'ms').first().waitFor();
  await row(a, 'Shopping list').click();
  await row(a, 'Welcome').click();
  const uri = await chosenUri(a);
  await wireLine(a, 'resources/read', uri, 'ms').first().waitFor();
  await b.bringToFront();
  await editNote(b, 'Welcome');
  await textField(b).fill('changed');
  await a.bringToFront();
  await wireLine(a, 'notifications/resources/updated', uri).first().waitFor();
  await waitForView(a, 'changed');

  await wireLine(a, 'resources/read', uri).last().click();
  const blocks = a.locator('mcp-wire .details pre');
  await blocks.nth(1).waitFor();
  const [request, answer] = await blocks.allTextContents();
  assert.deepEqual(parsed(request).params.uri, uri);
  const [contents] = parsed(answer).result.contents;
  assert.equal(contents.uri, uri);
  assert.equal(contents.text, 'changed');
  assert.equal(parsed(answer).id, parsed(request).id);
});

/** @param {string | undefined} json */
const parsed = (json) => JSON.parse(json ?? '');

testInPrivateWindow('a dialog that is opened again at once stays open', async (browser) => {
  const page = await browser.openTab();
  const events = await page.locator('data-dialog').evaluate(async (element) => {
    const data = /** @type {import('../../demo/src/data/data-dialog.js').DataDialog} */ (element);
    const dialog = element.shadowRoot?.querySelector('dialog');
    if (!dialog) throw new Error('There is no dialog.');
    /** @type {string[]} */
    const events = [];
    for (const type of ['opened', 'closed']) {
      data.addEventListener(type, () => events.push(type));
    }
    data.open();
    dialog.close();
    const closed = new Promise((resolve) => dialog.addEventListener('close', resolve));
    data.open();
    await closed;
    return events;
  });
  assert.deepEqual(events, ['opened', 'opened']);
});

/**
 * Opens the demo with another answer for the worker's script, and waits for the failure.
 * @param {Browser} browser
 * @param {{ status: number, contentType: string, body: string }} answer
 */
async function openWithWorker(browser, answer) {
  const page = await browser.openBlankTab();
  await page.route(workerScript, (route) => route.fulfill(answer));
  await page.goto(demoUrl.href);
  const failure = page.getByRole('alert');
  await failure.waitFor();
  await failure.getByText('The server of this page is not running').waitFor();
  await page.getByText('not connected').waitFor();
  return { page, failure };
}

testInPrivateWindow(
  'a page whose worker is missing says why, and works once it is there',
  async (browser) => {
    const answer = { status: 404, contentType: 'text/plain', body: 'Not found' };
    const { page, failure } = await openWithWorker(browser, answer);
    await failure.getByText('its script could not be loaded').waitFor();
    // The missing script itself is all that went wrong.
    const others = browser.problems.filter((problem) => !/worker-|404/.test(problem));
    assert.deepEqual(others, []);
    browser.problems.length = 0;
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await waitForTitles(page, seedTitles);
  },
);

testInPrivateWindow('a page whose worker falls silent says so', async (browser) => {
  const page = await browser.openBlankTab();
  await page.clock.install();
  const body = 'postMessage("its first line");';
  await page.route(workerScript, (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  const worker = page.waitForEvent('worker');
  await page.goto(demoUrl.href);
  await (await worker).evaluate(() => undefined);
  await page.clock.fastForward(START_TIMEOUT_MS);
  await page.getByRole('alert').getByText('did not answer within').waitFor();
  // The developer's part of it is all that the console says.
  assert.deepEqual(
    browser.problems.splice(0).filter((problem) => !/startServer\(\)/.test(problem)),
    [],
  );
});

testInPrivateWindow(
  'a page whose worker never says a word waits, and notifies its developer',
  async (browser) => {
    const page = await browser.openBlankTab();
    await page.clock.install();
    await page.route(workerScript, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await page.goto(demoUrl.href);
    await page.getByText('Loading the server of this page').waitFor();
    const warning = page.waitForEvent('console');
    await page.clock.fastForward(HINT_MS);
    assert.match((await warning).text(), /still loading.*startServer\(\)/);
    assert.equal(await page.getByText('Loading the server of this page').isVisible(), true);
    // The warning is all that went wrong.
    assert.equal(browser.problems.splice(0).length, 1);
  },
);

testInPrivateWindow(
  'goes on working when its data is cleared while it is open',
  async (browser) => {
    const page = await browser.openTab();
    await waitForTitles(page, seedTitles);
    const devtools = await page.context().newCDPSession(page);
    // The browser closes the connection under the store, as it does when it evicts a site.
    await devtools.send('Storage.clearDataForOrigin', {
      origin: new URL(page.url()).origin,
      storageTypes: 'indexeddb',
    });
    const create = page.getByRole('button', { name: 'New note' });
    await create.click();
    // The browser may close the connection in the middle of this write, which then fails.
    const refusal = page.getByText('The note was not created');
    await page.getByLabel('Title').or(refusal).first().waitFor();
    if (await refusal.isVisible()) await create.click();
    await waitForTitles(page, ['New note']);
    await page.reload();
    await waitForTitles(page, ['New note']);
  },
);
