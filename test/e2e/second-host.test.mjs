// The assistant on a host of its own: a frame with an origin, which is let in, asked, and revoked.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withAssistantAt, withSourceAt } from '../../demo/named-addresses.mjs';
import { servedPolicy } from '../../demo/content-security-policy.mjs';
import { servePolicy } from '../../scripts/serving/policy-server.mjs';
import { inRoot } from '../../scripts/project/project.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { card, chat, consent, decide } from './assistant-page.mjs';
import { testInPrivateWindow } from './browser.mjs';
import { row, view, waitForView } from './demo-page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./browser.mjs').Browser} Browser */

const assistants = await serveFolder(inRoot('demo/dist/assistant'));
const assistantUrl = new URL('index.html', assistants.url).href;
const { origin } = new URL(assistantUrl);

// Files on a server: Chromium lets no page that a test has made up into the local network.
const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-second-host-'));
await cp(inRoot('demo/dist'), folder, { recursive: true });
const page = join(folder, 'index.html');
const sourceUrl = 'https://source.example/inpage-mcp?a="b"';
const built = await readFile(page, 'utf8');
await writeFile(page, withSourceAt(withAssistantAt(built, assistantUrl), sourceUrl));
const demo = await servePolicy(folder, {
  policy: servedPolicy.replace('frame-src ', `frame-src ${origin} `),
});
after(async () => {
  await Promise.all([assistants.close(), demo.close()]);
  await rm(folder, { recursive: true });
});

/**
 * A test of that demo, which may ask the second host as well, and for its assistant only.
 * @param {string} name
 * @param {(browser: Browser, page: Page) => Promise<void>} body
 */
function testWithSecondHost(name, body) {
  testInPrivateWindow(
    name,
    async (browser) => {
      demo.reports.length = 0;
      await body(browser, await browser.openTab());
      browser.requests = browser.requests.filter((url) => !url.startsWith(assistants.url));
    },
    { home: new URL(demo.url) },
  );
}

testWithSecondHost(
  'a frame of another origin is named, let in, asked and revoked',
  async (_, page) => {
    await row(page, 'Shopping list').click();
    await waitForView(page, 'oat milk');
    await card(page).getByText(origin).waitFor();
    await card(page).getByRole('button', { name: 'Let an assistant in' }).click();
    await consent(page).getByText(origin).first().waitFor();
    await decide(page, 'Let it in');
    await chat(page).getByText('It can see 3').waitFor();

    await chat(page).getByRole('button', { name: 'What is on the shopping list?' }).click();
    await chat(page).getByRole('figure').getByText('oat milk').waitFor();
    await chat(page).getByRole('button', { name: 'Add bananas' }).click();
    await consent(page).getByText('- [ ] bananas').waitFor();
    await consent(page).getByText(origin).first().waitFor();
    await decide(page, 'Yes');
    await chat(page).getByText('Added to “Shopping list”.').waitFor();
    await waitForView(page, 'bananas');
    // Who has changed it is named.
    await view(page).getByText(`Updated by ${origin}`).first().waitFor();

    await card(page).getByRole('button', { name: 'End access' }).click();
    await chat(page).getByText('It can see nothing.').waitFor();
    assert.deepEqual(demo.reports, []);
  },
);

testWithSecondHost('a frame of a third origin is not even loaded', async (browser, page) => {
  const third = await serveFolder(inRoot('demo/dist/assistant'));
  await page.evaluate((url) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
  }, third.url);
  while (demo.reports.length === 0) await page.waitForTimeout(50);
  assert.equal(demo.reports[0]?.['blocked-uri'], new URL(third.url).origin);
  await third.close();
  browser.problems.length = 0;
  browser.requests = browser.requests.filter((url) => !url.startsWith(third.url));
});

testWithSecondHost(
  'the introduction leads to the source code where it is named',
  async (_, page) => {
    const link = page.getByRole('link', { name: 'Source code' });
    assert.equal(await link.getAttribute('href'), new URL(sourceUrl).href);
  },
);

void test('an address that cannot be opened is no link, and the build says so', () => {
  assert.throws(() => withSourceAt(built, 'javascript:alert(1)'), /SOURCE_URL/);
  assert.throws(() => withSourceAt(built, 'no address'), /Invalid URL/);
  assert.equal(withSourceAt(built, undefined), built);
});
