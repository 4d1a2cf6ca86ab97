// The built demo without a connection, and with a new version: its host is stopped, or given another build.
import assert from 'node:assert/strict';
import { testWithOwnHost } from './own-host.mjs';
import {
  dropFiles,
  editNote,
  openRow,
  textField,
  view,
  waitForView,
  writeNote,
} from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./browser.mjs').Browser} Browser */
/** @typedef {import('./own-host.mjs').Host} Host */

/** @param {Page} page */
const pill = (page) => page.locator('.pill');

/** @param {Page} page */
const updateNotice = (page) =>
  page.locator('.notice').filter({ hasText: 'A new version is ready' });

/**
 * Waits for what the page has to wait for itself: `waitForFunction` takes a promise for a yes.
 * @param {Page} page
 * @param {() => Promise<boolean>} check runs in the page
 */
async function until(page, check) {
  const endsAt = Date.now() + 60_000;
  // timed: with an end, and the source as its words.
  while (!(await page.evaluate(check))) {
    assert.ok(Date.now() < endsAt, `After a minute still not: ${String(check)}`);
    // timed: between two looks.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Waits until all files are kept.
 * @param {Page} page
 */
async function waitUntilKept(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((served) => {
      navigator.serviceWorker.addEventListener('controllerchange', served, { once: true });
    });
  });
  // The documentation, too, which nobody has looked at.
  await until(page, async () => {
    const all = await navigator.serviceWorker.getRegistrations();
    return all.some(
      ({ scope, active }) => scope.endsWith('/docs/') && active?.state === 'activated',
    );
  });
}

/**
 * Takes the network from a browser, and the host from the network.
 * @param {Page} page
 * @param {Host} host
 */
async function disconnect(page, host) {
  await page.context().setOffline(true);
  await host.stop();
}

/**
 * What a browser reports of requests that found no network is right; nothing else is.
 * @param {Browser} browser
 */
function allowFailedRequests(browser) {
  const isOfNetwork = /net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED)/;
  browser.problems = browser.problems.filter((problem) => !isOfNetwork.test(problem));
}

await testWithOwnHost(
  'after the first visit everything works without a connection',
  async (browser, host) => {
    const page = await browser.openTab();
    await writeNote(page, { title: 'Before', text: 'with a network' });
    await waitUntilKept(page);
    await page.context().setOffline(true);
    await pill(page).getByText('offline · everything here still works').waitFor();
    await page.context().setOffline(false);
    await pill(page).getByText('Connected').waitFor();
    await disconnect(page, host);
    await page.reload();
    await pill(page).getByText('offline · everything here still works').waitFor();
    await openRow(page, 'Before');
    await waitForView(page, 'with a network');

    // Of each kind something that is loaded when it is needed, and was not before.
    await writeNote(page, { title: 'After', text: '# A heading\n\n- and **Markdown**' });
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await view(page).getByRole('heading', { name: 'A heading' }).waitFor();
    await dropFiles(page, [
      { name: 'code.ts', text: 'const answer: number = 42;', type: 'video/mp2t' },
      { name: 'table.csv', text: 'name,age\nAda,36' },
    ]);
    // The list is lower once this is said below it, and moves rows away from a click.
    await page.getByText('Files saved: 2').first().waitFor();
    await openRow(page, 'code.ts');
    await view(page).locator('.tok-keyword').first().waitFor();
    await openRow(page, 'table.csv');
    await view(page).getByText('Ada').waitFor();
    await page.getByRole('tab', { name: 'Wire' }).click();
    await page.locator('mcp-wire').waitFor();

    // A service worker sees nothing of a frame without an origin: the card says so.
    await page.getByRole('tab', { name: 'Clients' }).click();
    const card = page.getByRole('region', { name: 'Assistant' });
    await card.getByText('It needs a connection to come in').waitFor();
    assert.ok(await card.getByRole('button', { name: 'Let an assistant in' }).isDisabled());

    const other = await page.context().newPage();
    await other.goto(host.url.href);
    await openRow(other, 'After');
    await waitForView(other, 'A heading');
    await other.getByRole('link', { name: 'Docs' }).click();
    await other.waitForURL('**/docs/');
    await other.getByRole('heading', { level: 1 }).waitFor();
    allowFailedRequests(browser);
  },
);

await testWithOwnHost(
  'a new version asks in every tab, and the old tab works until its user says yes',
  async (browser, host) => {
    const page = await browser.openTab();
    await waitUntilKept(page);
    const other = await browser.openTab();
    await anotherBuild(host);
    await other.reload();
    for (const tab of [page, other]) await updateNotice(tab).waitFor();
    // Neither was reloaded for it.
    assert.equal(await versionOf(page), undefined);
    assert.equal(await versionOf(other), undefined);

    await other.bringToFront();
    await editNote(other, 'Welcome');
    await textField(other).fill('typed a moment before');
    await updateNotice(other).getByRole('button', { name: 'Reload' }).click();
    await other.locator('meta[name=version]').waitFor({ state: 'attached' });
    await other.locator('.pill.connected').waitFor();
    await openRow(other, 'Welcome');
    await waitForView(other, 'typed a moment before');

    // A part of the old version that no server has any more.
    await page.bringToFront();
    assert.equal(await versionOf(page), undefined);
    await dropFiles(page, [{ name: 'code.py', text: 'def answer(): return 42' }]);
    await openRow(page, 'code.py');
    await view(page).locator('.tok-keyword').first().waitFor();
    // The new one has no such part: it must not open it.
    await openRow(page, 'Welcome');
    await updateNotice(page).getByRole('button', { name: 'Reload' }).click();
    await page.locator('meta[name=version]').waitFor({ state: 'attached' });
    await page.locator('.pill.connected').waitFor();

    // With one tab left the files of the old version go.
    await other.close();
    await page.reload();
    await page.locator('.pill.connected').waitFor();
    await until(page, async () => {
      const names = await caches.keys();
      return names.filter((name) => !name.startsWith('inpage-mcp-docs-')).length === 1;
    });
    assert.equal(await updateNotice(page).count(), 0);
  },
);

/**
 * The same with another page, and without one of the parts.
 * @param {Host} host
 */
async function anotherBuild(host) {
  const marked = '<meta name="version" content="2" />';
  await host.change('index.html', (html) => html.replace('<title>', `${marked}<title>`));
  let part = '';
  await host.change('service-worker.js', (code) =>
    code
      .replace(/"revision":"\w+","url":"index.html"/, '"revision":"other","url":"index.html"')
      .replace(/\{"revision":null,"url":"(assets\/python-[^"]+)"\},/, (_, path) => {
        part = path;
        return '';
      }),
  );
  await host.remove(part);
}

/** @param {Page} page */
const versionOf = (page) =>
  page.evaluate(
    () => document.querySelector('meta[name=version]')?.getAttribute('content') ?? undefined,
  );
