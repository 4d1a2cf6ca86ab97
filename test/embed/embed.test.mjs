// Shows a note in an app that has installed the packed packages, with each bundler.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run } from '../../scripts/project/run.mjs';
import { serveFolder } from '../../scripts/serving/static-server.mjs';
import { startServer } from './development-server.mjs';
import { build, inApp, installed } from './folder.mjs';
import { launchChromium, problemsOf } from './opened-page.mjs';
import { ownWorkerSetups, setups } from './setups.mjs';

/** @param {import('./setups.mjs').Setup} setup */
async function buildApp({ build: command = [], folder, copiesPage, copiesWorker }) {
  await build(command);
  if (copiesPage) await cp(inApp('index.html'), inApp(folder, 'index.html'));
  if (copiesWorker) {
    for (const file of [
      'runtime/dist/worker.js',
      'runtime/dist/disk.js',
      'apps/dist/feature.js',
      'client/dist/app-host/mcp-app-frame.htm',
    ])
      await cp(installed(`@inpage-mcp/${file}`), inApp(folder, basename(file)));
  }
}

function isShown() {
  /** @param {string} name */
  const textOf = (name) => document.querySelector(name)?.shadowRoot?.textContent ?? '';
  return (
    textOf('mcp-resource-list').includes('A title') &&
    textOf('mcp-resource-list').includes('readme.md') &&
    textOf('mcp-resource-view').includes('A text') &&
    document.querySelector('mcp-app')?.matches(':state(ready)')
  );
}

/**
 * The scripts with the server in them: it alone knows this name of a tool.
 * @param {string} folder
 */
async function scriptsWithServer(folder) {
  const names = await readdir(inApp(folder), { recursive: true });
  const scripts = names.filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(scripts.map((name) => readFile(inApp(folder, name), 'utf8')));
  return scripts.filter((_, index) => texts[index]?.includes('append_to_note'));
}

void describe('an app with the packed packages', () => {
  /** @type {import('puppeteer-core').Browser} */
  let browser;

  before(async () => {
    browser = await launchChromium();
  });

  after(() => browser.close());

  for (const setup of setups) {
    const options = { skip: setup.isSlow && !existsSync(installed('bun')) && 'only with --soak' };
    void it(`shows a note with ${setup.name}`, options, async () => {
      if (setup.build) await buildApp(setup);
      const served = setup.serve
        ? await startServer(setup.serve)
        : await serveFolder(inApp(setup.folder));
      try {
        assert.deepEqual(await problemsOf(browser, served.url, isShown), []);
      } finally {
        await served.close();
      }
    });
  }
});

void describe('an app with a worker of its own', () => {
  for (const setup of ownWorkerSetups) {
    void it(`has no file of the default worker with ${setup.name}`, async () => {
      await build(setup.build ?? []);
      assert.equal((await scriptsWithServer(setup.folder)).length, 1);
    });
  }
});

void describe('a server that renders a page', () => {
  for (const name of ['elements', 'elements/autoload', 'runtime', 'runtime/own-worker']) {
    void it(`can import @inpage-mcp/${name}`, async () => {
      const code = `await import('@inpage-mcp/${name}')`;
      const args = ['--input-type=module', '--eval', code];
      const result = await run(process.execPath, args, { cwd: inApp(), capture: true });
      assert.deepEqual(result, { code: 0, output: '' });
    });
  }
});
