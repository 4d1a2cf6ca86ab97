// An app that is deployed again while a page of it is open, or a worker of it is in a cache: two builds, of
// which the second takes the place of the first.
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { build as bundle } from 'esbuild';
import { withBuildId } from '../../scripts/building/build-id.mjs';
import { workerBundle } from '../../scripts/building/worker-bundle.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { build, inApp, installed } from './folder.mjs';
import { launchChromium } from './opened-page.mjs';

/** Counts what the page says, and shows a note when the test sets its address. */
const SCRIPT = `
import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-view';
import { startRuntime } from '@inpage-mcp/runtime';

const state = (globalThis.state = { outdated: 0, failures: [], hint: '', note: '', isReady: false });
addEventListener('mcp-outdated', () => (state.outdated += 1));
try {
  const runtime = await startRuntime();
  runtime.addEventListener('failed', ({ error }) => state.failures.push(error.code));
  const { id } = await runtime.notes.create({ title: 'A title', text: '**A text**' });
  document.querySelector('mcp-provider').client = await runtime.connect();
  state.note = \`note:///\${id}\`;
} catch (error) {
  state.failures.push(error.code);
  state.hint = error.hint;
}
state.isReady = true;
`;

/** The test can end each worker. */
const HTML = `<!doctype html><html lang="en"><title>An app</title>
<mcp-provider><mcp-resource-view></mcp-resource-view></mcp-provider>
<script>
  const made = [];
  const endWorker = () => made.at(-1).terminate();
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      made.push(this);
    }
  };
</script>
<script type="module" src="./main.js"></script></html>`;

/** Each build has names of its own. */
const CONFIG = `
const names = process.env.DEPLOYMENT + '-[hash].js';
const output = { entryFileNames: names, chunkFileNames: names, assetFileNames: names };
const worker = { rollupOptions: { output } };
export default { base: './', worker, build: { target: 'es2022', rollupOptions: { output } } };
`;

void describe('an app that is deployed again', () => {
  /** @type {import('puppeteer-core').Browser} */
  let browser;
  const app = inApp('redeployed');
  const site = `${app}/site`;

  before(async () => {
    browser = await launchChromium();
    await mkdir(app, { recursive: true });
    await writeFile(`${app}/index.html`, HTML);
    await writeFile(`${app}/main.js`, SCRIPT);
    await writeFile(`${app}/vite.config.mjs`, CONFIG);
  });

  after(() => browser.close());

  /** @param {string} name of the deployment */
  async function deploy(name) {
    process.env['DEPLOYMENT'] = name;
    await build(['vite/bin/vite.js', 'build', '--outDir', name], app);
    await rm(site, { recursive: true, force: true });
    await cp(`${app}/${name}`, site, { recursive: true });
  }

  /** @param {string} url */
  async function open(url) {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction('globalThis.state?.isReady', { timeout: 60_000 });
    return page;
  }

  void it('says so where a part is gone, or the worker, and the button that it offers helps', async () => {
    await deploy('first');
    const served = await serveFolder(site);
    try {
      const page = await open(served.url);
      await deploy('second');
      await page.evaluate(`document.querySelector('mcp-resource-view').uri = state.note`);
      const text = `document.querySelector('mcp-resource-view').shadowRoot.textContent`;
      await page.waitForFunction(`${text}.includes('This page has a newer version.')`);
      const buttons = `document.querySelector('mcp-resource-view').shadowRoot.querySelectorAll('button')`;
      assert.deepEqual(
        await page.evaluate(`Array.from(${buttons}, (button) => button.textContent.trim())`),
        ['Reload'],
      );
      assert.notEqual(await page.evaluate('state.outdated'), 0);

      await page.evaluate('endWorker()');
      await page.waitForFunction('state.failures.length > 0', { timeout: 60_000 });
      assert.deepEqual(await page.evaluate('state.failures'), ['worker-outdated']);

      const loaded = page.waitForNavigation();
      await page.evaluate(`${buttons}[0].click()`);
      await loaded;
      await page.waitForFunction('globalThis.state?.isReady');
      await page.evaluate(`document.querySelector('mcp-resource-view').uri = state.note`);
      await page.waitForFunction(`${text}.includes('A text')`);
      assert.deepEqual(await page.evaluate('state.failures'), []);
    } finally {
      await served.close();
    }
  });

  /** Deploys the page by a bundler that keeps the names, with a worker of an earlier build beside it. */
  async function deployWithEarlierWorker() {
    await rm(site, { recursive: true, force: true });
    await bundle({
      entryPoints: [`${app}/main.js`],
      outdir: site,
      bundle: true,
      splitting: true,
      format: 'esm',
    });
    await cp(`${app}/index.html`, `${site}/index.html`);
    const earlier = await workerBundle(`${site}/worker.js`, {
      shrinks: false,
      plugins: [withBuildId('0.0.9-earlier')],
    });
    await writeFile(`${site}/worker.js`, earlier.code);
  }

  const deployWorker = () =>
    cp(installed('@inpage-mcp/runtime/dist/worker.js'), `${site}/worker.js`);

  void it('starts where a cache has the worker of an earlier build', async () => {
    await deployWithEarlierWorker();
    const served = await serveFolder(site, { headers: { 'cache-control': 'max-age=600' } });
    try {
      const earlier = await browser.newPage();
      await earlier.goto(`${served.url}main.js`);
      await earlier.evaluate(`new Promise((resolve) => {
        new Worker('/worker.js', { type: 'module' }).onmessage = resolve;
      }).then(() => undefined)`);
      await deployWorker();
      const page = await open(served.url);
      assert.deepEqual(await page.evaluate('state.failures'), []);
      assert.equal(await page.evaluate('state.outdated'), 0);
      const asked = await page.evaluate(`fetch('/worker.js').then((file) => file.text())`);
      assert.match(String(asked), /0\.0\.9-earlier/, 'the cache still has the earlier one');
    } finally {
      await served.close();
    }
  });

  void it('loads scripts anew whose names stay, by the button that it offers', async () => {
    await deployWithEarlierWorker();
    const served = await serveFolder(site, { headers: { 'cache-control': 'max-age=600' } });
    const text = `document.querySelector('mcp-provider').shadowRoot.textContent`;
    try {
      const page = await open(served.url);
      await page.waitForFunction(`${text}.includes('This page has a newer version.')`);
      await deployWorker();
      const next = await readFile(`${site}/main.js`, 'utf8');
      await writeFile(`${site}/main.js`, `globalThis.isSecond = true;\n${next}`);
      const loaded = page.waitForNavigation();
      await page.evaluate(`document.querySelector('mcp-provider').shadowRoot
        .querySelector('button').click()`);
      await loaded;
      await page.waitForFunction('globalThis.state?.isReady');
      assert.equal(await page.evaluate('globalThis.isSecond'), true);
      assert.deepEqual(await page.evaluate('state.failures'), []);
    } finally {
      await served.close();
    }
  });

  void it('takes no worker of an earlier build from a server, and says what to do', async () => {
    await deployWithEarlierWorker();
    const served = await serveFolder(site);
    try {
      const before = await open(served.url);
      assert.deepEqual(await before.evaluate('state.failures'), ['worker-outdated']);
      assert.match(String(await before.evaluate('state.hint')), /by its hash/);
      await deployWorker();
      const then = await open(served.url);
      assert.deepEqual(await then.evaluate('state.failures'), []);
    } finally {
      await served.close();
    }
  });
});
