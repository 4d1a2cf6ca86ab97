// The built documentation: its links, its search, its live examples, and reading without a connection.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot, root } from '../../scripts/project/project.mjs';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow } from './browser.mjs';

/** @typedef {import('playwright-core').Page} Page */

const docsUrl = new URL('docs/', demoUrl);

/** @param {import('./browser.mjs').Browser} browser @param {string} path */
async function open(browser, path) {
  const page = await browser.openBlankTab();
  await page.goto(new URL(path, docsUrl).href);
  return page;
}

void test('every link leads to a page without inline styles, and to a heading that it has', async () => {
  /** @type {Map<string, Set<string>>} */
  const idsOf = new Map();
  /** @type {[from: string, to: URL][]} */
  const links = [];
  const waiting = [new URL('index.html', docsUrl)];
  for (let url = waiting.pop(); url; url = waiting.pop()) {
    const response = await fetch(url);
    assert.equal(response.status, 200, url.href);
    const html = await response.text();
    // The policy of the site forbids it.
    assert.doesNotMatch(html, /<[^>]*\sstyle="/, url.href);
    idsOf.set(url.href, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)));
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const target = new URL(href.replaceAll('&amp;', '&'), url);
      if (target.origin !== url.origin) continue;
      links.push([url.href, target]);
      const page = new URL(target);
      page.hash = '';
      const isNew = !idsOf.has(page.href) && !waiting.some((one) => one.href === page.href);
      if (isNew && page.href.startsWith(docsUrl.href)) waiting.push(page);
    }
  }
  assert.ok(idsOf.size > 20, `only ${idsOf.size} pages`);
  for (const [from, target] of links) {
    const fragment = decodeURIComponent(target.hash.slice(1));
    const page = new URL(target);
    page.hash = '';
    const ids = idsOf.get(page.href);
    if (fragment && ids) assert.ok(ids.has(fragment), `${from} links to ${target.href}`);
  }
});

testInPrivateWindow('the search finds a heading, by mouse and by keyboard', async (browser) => {
  const page = await open(browser, 'index.html');
  await page.getByRole('combobox').fill('own worker');
  await page.getByRole('option', { name: 'Your own worker' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/own-worker|worker/);
  await page.getByRole('combobox').fill('zzzzqqq');
  await page.getByText('Nothing found.').waitFor();
});

testInPrivateWindow('the search is loaded in parts, when somebody searches', async (browser) => {
  const page = await open(browser, 'index.html');
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => {
    const [name] = /search-\w+\.json$/.exec(request.url()) ?? [];
    if (name) asked.push(name);
  });
  await page.getByRole('combobox').focus();
  await page.waitForLoadState('networkidle');
  assert.deepEqual(asked, []);
  await page.getByRole('combobox').fill('startRuntime');
  await page.getByRole('option').first().waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(asked.length > 1);
  assert.equal(new Set(asked).size, asked.length);
});

void test('no page names a folder of the computer that has built it', () => {
  const built = inRoot('demo/dist/docs');
  const pages = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(html|json|js)$/.test(name),
  );
  assert.ok(pages.length > 50);
  const naming = pages.filter((name) => readFileSync(`${built}/${name}`, 'utf8').includes(root));
  assert.deepEqual(naming, []);
});

testInPrivateWindow('an element is shown live, with notes of the reader', async (browser) => {
  const page = await open(browser, 'elements/mcp-note-editor.html');
  const editor = page.locator('mcp-note-editor');
  await editor.getByLabel('Title').waitFor();
  assert.equal(await editor.getByLabel('Title').inputValue(), 'A note');
  await page.getByRole('cell', { name: 'mcp-note-save' }).waitFor();
  await page.goto(new URL('elements/mcp-resource-list.html', docsUrl).href);
  await page.locator('mcp-resource-list').getByText('Shopping').waitFor();
});

testInPrivateWindow('pages can be read by everybody', async (browser) => {
  const page = await browser.openBlankTab();
  for (const path of [
    'index.html',
    'guides/embed.html',
    'elements/mcp-file-drop.html',
    'elements/renderers.html',
    'packages/transport.html',
    'details/wire.html',
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    // What is still loading when the page is left would count as failed.
    await page.goto(new URL(path, docsUrl).href, { waitUntil: 'networkidle' });
    await checkAccessible(page, path);
    await page.setViewportSize({ width: 360, height: 800 });
    await checkAccessible(page, `${path} at 360 px`, { hasOtherColours: false });
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(isTooWide, false, `${path} at 360 px`);
  }
});

const offline = async (/** @type {import('./browser.mjs').Browser} */ browser) => {
  const page = await open(browser, 'index.html');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.context().setOffline(true);
  await page.goto(new URL('guides/frames.html', docsUrl).href);
  await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor();
  await page.getByRole('combobox').fill('theming');
  await page.getByRole('option').first().waitFor();
  // The browser reports each request that found no network.
  browser.problems.length = 0;
};

testInPrivateWindow('the documentation is there without a connection', offline, {
  serviceWorkers: 'allow',
});
