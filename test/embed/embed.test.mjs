// Shows a note in an app that has installed the packed packages, with each bundler. The folder of the
// app is in EMBED_FOLDER (scripts/embed.mjs).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { launch } from 'puppeteer-core';
import { runNode } from '../../scripts/run.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import { setups } from './setups.mjs';

/** @param {string[]} path in the folder of the app */
const inApp = (...path) => resolve(process.env['EMBED_FOLDER'] ?? '', ...path);

/** @param {string} script of an installed package */
const installed = (script) => inApp('node_modules', script);

/** @param {import('./setups.mjs').Setup} setup */
async function build({ build: [script = '', ...args] = [], folder, copiesPage, copiesWorker }) {
  const { code, output } = await runNode(installed(script), args, {
    cwd: inApp(),
    capture: true,
  });
  assert.equal(code, 0, output);
  if (copiesPage) await cp(inApp('index.html'), inApp(folder, 'index.html'));
  if (copiesWorker) {
    await cp(installed('@inpage-mcp/runtime/dist/worker.js'), inApp(folder, 'worker.js'));
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((settle) => {
    const server = createServer().listen(0, 'localhost', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => settle(port));
    });
  });
}

/**
 * Starts a development server, without anything that an earlier one has optimized.
 * @param {string[]} command
 */
async function startServer([script = '', ...args]) {
  const url = `http://localhost:${await freePort()}/`;
  const server = spawn(
    process.execPath,
    [installed(script), ...args, '--port', new URL(url).port, '--strictPort', '--force'],
    { cwd: inApp(), stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise((done) => server.once('exit', done));
  // What the server prints depends on the environment: on CI it is coloured.
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error('The server has ended.');
    await setTimeout(100);
  }
  return {
    url,
    close: async () => {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

void describe('an app with the packed packages', () => {
  /** @type {import('puppeteer-core').Browser} */
  let browser;

  before(async () => {
    browser = await launch({
      executablePath: process.env['CHROME_PATH'] ?? '',
      args: ['--no-sandbox'],
    });
  });

  after(() => browser.close());

  /** What is wrong with the page; empty if it shows the note. @param {string} url */
  const problemsOf = async (url) => {
    const page = await browser.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('requestfailed', (request) => problems.push(`${request.url()} failed`));
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(url);
    const isShown = () => {
      /** @param {string} name */
      const textOf = (name) => document.querySelector(name)?.shadowRoot?.textContent ?? '';
      return (
        textOf('mcp-resource-list').includes('A title') &&
        textOf('mcp-resource-view').includes('A text')
      );
    };
    await page.waitForFunction(isShown, { timeout: 20_000 }).catch(() => {
      problems.push('The note is not shown.');
    });
    await page.close();
    return problems;
  };

  for (const setup of setups) {
    void it(`shows a note with ${setup.name}`, async () => {
      if (setup.build) await build(setup);
      const served = setup.serve
        ? await startServer(setup.serve)
        : await serveFolder(inApp(setup.folder));
      try {
        assert.deepEqual(await problemsOf(served.url), []);
      } finally {
        await served.close();
      }
    });
  }
});
