// The built documentation: its links, its search, its live examples, and reading without a connection.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot, root } from '../../scripts/project/project.mjs';
import { checkAccessible } from './axe.mjs';
import { demoUrl, testInPrivateWindow } from './browser.mjs';
import { names, questions } from './docs-questions.mjs';

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
    assert.match(html, /<meta name="description" content="[^"]{20,}"/, url.href);
    assert.match(html, /<footer>[^<]*\d\.\d/, url.href);
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

/** Whether a result is the answer, or a part of the page that is. @param {string} url @param {string} answer */
const isAnswer = (url, answer) =>
  answer.startsWith('#') ? url.endsWith(answer) : `${url}#`.startsWith(`${answer}#`);

testInPrivateWindow(
  'questions find their answer among the first three results',
  async (browser) => {
    const page = await open(browser, 'index.html');
    const field = page.getByRole('combobox');
    await field.fill('startRuntime');
    await page.getByRole('option').first().waitFor();
    // All parts of the index are there.
    await page.waitForLoadState('networkidle');
    const missed = async (/** @type {import('./docs-questions.mjs').Questions} */ asked) => {
      const without = [];
      for (const [question, ...answers] of asked) {
        await field.fill(question);
        const urls = await page
          .getByRole('option')
          .evaluateAll((options) => options.slice(0, 3).map((one) => one.getAttribute('href')));
        const found = urls.map((url) => String(url).slice(docsUrl.href.length));
        if (!found.some((url) => answers.some((answer) => isAnswer(url, answer))))
          without.push({ question, answers, found });
      }
      return without;
    };
    assert.deepEqual(await missed(names), []);
    const unanswered = await missed(questions);
    assert.ok(questions.length >= 100);
    assert.ok(unanswered.length <= 5, JSON.stringify(unanswered, undefined, 2));
  },
);

testInPrivateWindow(
  'code is copied, a framework and a theme are chosen and remembered',
  async (browser) => {
    const page = await open(browser, 'guides/frameworks.html');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = page.locator('.code', { hasText: 'npm run pack' }).first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await block.locator('pre').textContent());

    const choice = page.getByLabel('Your framework');
    const heading = (/** @type {string} */ name) =>
      page.getByRole('heading', { name, exact: true });
    await choice.selectOption('Vue 3');
    await heading('Vue 3').waitFor();
    assert.equal(await heading('React 19').isVisible(), false);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    const theme = await page.evaluate(() => document.documentElement.dataset['theme']);
    await page.reload();
    await heading('Vue 3').waitFor();
    assert.equal(await choice.inputValue(), 'Vue 3');
    assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), theme);
    // A link to another one shows it.
    await page.goto(new URL('guides/frameworks.html#angular', docsUrl).href);
    await heading('Angular').waitFor();
    // An address that no browser can decode leads nowhere, and the page works.
    await page.goto(new URL('guides/frameworks.html#%zz', docsUrl).href);
    await page.reload();
    await page.getByRole('combobox', { name: 'Search' }).fill('startRuntime');
    await page.getByRole('option').first().waitFor();
  },
);

testInPrivateWindow(
  'what a link leads to in a reference is open, and pages lead on',
  async (browser) => {
    const page = await open(browser, 'packages/runtime-reference.html#startruntime');
    await page.locator('details#startruntime pre').first().waitFor();
    await page.goto(new URL('guides/embed.html', docsUrl).href);
    await page.getByRole('link', { name: 'Next Frameworks' }).click();
    await page.getByRole('heading', { name: 'Frameworks', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Previous Embed it' }).waitFor();
  },
);

testInPrivateWindow('an address that does not exist has a page', async (browser) => {
  const response = await fetch(new URL('guides/no-such-page.html', docsUrl));
  assert.equal(response.status, 404);
  const page = await browser.openBlankTab();
  let goOn = () => {};
  const typed = new Promise((resolve) => (goOn = () => resolve(undefined)));
  await page.route(/\.js$/, (route) => typed.then(() => route.continue()));
  await page.goto(new URL('guides/no-such-page.html', docsUrl).href, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  // Before the script is there that searches.
  await page.getByRole('combobox').fill('frames');
  goOn();
  await page.getByRole('option', { name: 'Frames' }).first().click();
  await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor();
  // The browser reports the status, too.
  browser.problems.length = 0;
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
  const list = page.locator('mcp-resource-list');
  await list.getByText('Shopping').waitFor();
  await list.getByRole('searchbox').waitFor();
  await page.getByLabel('<mcp-resource-list').fill('sortable onclick="alert(1)"');
  await list.getByRole('searchbox').waitFor({ state: 'hidden' });
  assert.deepEqual(await list.evaluate((element) => element.getAttributeNames()), ['sortable']);
  // A dialog shows nothing until somebody asks.
  await page.goto(new URL('elements/mcp-consent.html', docsUrl).href);
  // What is still loaded may move it away from a click.
  await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.locator('mcp-consent').getByRole('dialog').waitFor();
  // As a document, and not as JSON.
  await page.getByRole('button', { name: 'Add it' }).waitFor();
});

testInPrivateWindow('one can read on a telephone what one searches for', async (browser) => {
  const page = await open(browser, 'index.html');
  await page.setViewportSize({ width: 390, height: 844 });
  const box = await page.getByRole('combobox').boundingBox();
  assert.ok(box && box.width > 300, `The field is ${box?.width} px wide.`);
});

/** The blocks of a page that can be edited and run. @param {Page} page */
const editButtons = (page) => page.getByRole('button', { name: 'Edit and run' });

testInPrivateWindow('an example is edited and run, by keyboard too', async (browser) => {
  const page = await open(browser, 'elements/mcp-resource-list.html');
  await editButtons(page).first().click();
  const field = page.getByLabel('Code of the example');
  const result = page.frameLocator('.example iframe');
  await result.getByText('Shopping').click();
  const printed = page.getByRole('log', { name: 'What the example has printed' });
  await printed.getByText('note:///').waitFor();
  await checkAccessible(page, 'an example that runs');

  // The frame follows the theme of the page: where the two differ, it is white in the dark.
  await page.getByRole('button', { name: 'Light or dark' }).click();
  const theme = await page.evaluate(() => document.documentElement.dataset['theme']);
  await result.locator(`html[style="color-scheme: ${theme};"]`).waitFor();

  const code = await field.inputValue();
  await field.fill('<h1>Changed</h1><script type="module">document.title.nothing.more</script>');
  await page.keyboard.press('Control+Enter');
  await result.getByRole('heading', { name: 'Changed' }).waitFor();
  await printed.getByText('Error: TypeError').waitFor();
  // It has nothing of the page around, and nothing of the site.
  for (const line of ['parent.document.title', 'localStorage']) {
    await field.fill(`<script type="module">console.log(${line})</script>`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await printed.getByText('Error:').first().waitFor();
  }
  await field.focus();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Run');
  await page.getByRole('button', { name: 'Reset' }).click();
  await result.getByText('Shopping').waitFor();
  assert.equal(await field.inputValue(), code);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Edit and run');
  browser.problems.length = 0;
});

/** The examples of the built site, by the pages that they are on. */
function builtExamples() {
  const built = inRoot('demo/dist/docs');
  const pages = readdirSync(built, { recursive: true, encoding: 'utf8' });
  return pages
    .filter((path) => path.endsWith('.html'))
    .flatMap((path) => {
      const html = readFileSync(`${built}/${path}`, 'utf8');
      const found = [...html.matchAll(/ data-example="([^"]*)"/g)];
      return found.map(([, code = '']) => /** @type {const} */ ([path, unescape(code)]));
    });
}

/** @param {string} html */
const unescape = (html) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

testInPrivateWindow('every example of the site runs without an error', async (browser) => {
  const examples = builtExamples();
  const elements = readdirSync(inRoot('packages/elements/src/define')).filter((name) =>
    name.startsWith('mcp-'),
  );
  for (const path of [
    ...elements.map((name) => `elements/${name.replace('.ts', '.html')}`),
    'guides/embed.html',
    'index.html',
  ])
    assert.ok(
      examples.some(([one]) => one === path),
      `${path} has no example`,
    );

  const page = await open(browser, 'guides/embed.html');
  await editButtons(page).click();
  const field = page.getByLabel('Code of the example');
  const printed = page.getByRole('log');
  for (const [path, code] of examples) {
    // At the end of its script, unless that waits for the user.
    const isWaiting = code.includes('consent.ask');
    const last = '\nconsole.log("It has run.");';
    await field.fill(
      code.replace(isWaiting ? 'const answer' : /(?=\s*<\/script>)/, (at) => last + at),
    );
    await page.keyboard.press('Control+Enter');
    await printed
      .getByText('It has run.')
      .waitFor()
      .catch(async (/** @type {Error} */ { message }) => {
        throw new Error(`${path}: ${message}\n${await printed.innerText()}`);
      });
    assert.equal(
      await printed.locator('.error').count(),
      0,
      `${path}: ${await printed.innerText()}`,
    );
  }
});

testInPrivateWindow(
  'the document of an example takes code only in its sandbox',
  async (browser) => {
    const page = await open(browser, 'index.html');
    await page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.src = 'example.html';
      await new Promise((loaded) => {
        frame.addEventListener('load', loaded);
        document.body.append(frame);
      });
      const { port1, port2 } = new MessageChannel();
      frame.contentWindow?.postMessage('', '*', [port2]);
      port1.postMessage({ code: '<p id="taken"></p>', colorScheme: '' });
      // Messages arrive in their order.
      await new Promise((arrived) => {
        frame.contentWindow?.addEventListener(
          'message',
          ({ data }) => data === 'last' && arrived(1),
        );
        frame.contentWindow?.postMessage('last', '*');
      });
      // What came over the port before that is shown by now.
      for (let frames = 0; frames < 5; frames += 1) await new Promise(requestAnimationFrame);
    });
    const frame = page.frameLocator('iframe[src="example.html"]');
    assert.equal(await frame.locator('#taken').count(), 0);
  },
);

testInPrivateWindow('pages can be read by everybody', async (browser) => {
  const page = await browser.openBlankTab();
  for (const path of [
    'index.html',
    'guides/embed.html',
    'elements/mcp-file-drop.html',
    'elements/renderers.html',
    'packages/transport.html',
    'packages/runtime-reference.html',
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
