import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { launchFlagsWithout } from '../../../scripts/browsers/chromium.mjs';
import { KillableBrowser, requireEnv } from './killable-browser.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('playwright-core').BrowserContext} BrowserContext
 */

/** How long anything may take before the test gives up, in milliseconds. */
const TIMEOUT_MS = 60_000;

const SQLITE = ['IdbSqliteBackingStore', 'IdbSqliteOnDiskRollout'];

const backendFlags = {
  leveldb: launchFlagsWithout(SQLITE),
  sqlite: [...launchFlagsWithout(), `--enable-features=${SQLITE.join(',')}`],
};

/** Chromium, with one of its two backends. */
export class KillableChromium extends KillableBrowser {
  /** @type {BrowserContext | undefined} */
  #context;
  /** Those that the browser opens by itself. @type {Page[]} */
  #firstTabs = [];

  /** @override */
  get databaseFolder() {
    return join(this.profile, 'Default', 'IndexedDB');
  }

  /** @override */
  async start() {
    const portFile = join(this.profile, 'DevToolsActivePort');
    // What a killed browser leaves behind names a port that nobody listens on.
    rmSync(portFile, { force: true });
    const flags = [
      '--headless',
      '--disable-extensions',
      '--remote-debugging-port=0',
      `--user-data-dir=${this.profile}`,
    ];
    const ofBackend = this.backend === 'sqlite' ? backendFlags.sqlite : backendFlags.leveldb;
    const args = [...flags, ...ofBackend, 'about:blank'];
    // A process group of its own, so that all of it can be killed at once.
    const options = /** @type {const} */ ({
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: this.temporary },
    });
    this.group = spawn(requireEnv('CHROME_PATH'), args, options).pid;
    const browser = await chromium.connectOverCDP(await this.#address(portFile));
    const [context] = browser.contexts();
    assert.ok(context, 'The browser has no context.');
    context.setDefaultTimeout(TIMEOUT_MS);
    this.#context = context;
    this.#firstTabs = context.pages();
  }

  /** @override @returns {Promise<Page>} */
  async newTab() {
    assert.ok(this.#context, 'The browser is not running.');
    return this.#firstTabs.pop() ?? (await this.#context.newPage());
  }

  /** @override */
  async quit() {
    const session = await this.#context?.browser()?.newBrowserCDPSession();
    session?.send('Browser.close').catch(() => undefined);
  }

  /**
   * The DevTools protocol of a tab.
   * @param {import('./killable-browser.mjs').Tab} tab
   */
  async devTools(tab) {
    assert.ok(this.#context, 'The browser is not running.');
    return await this.#context.newCDPSession(/** @type {Page} */ (tab));
  }

  /** Fails unless the files in the profile are those of the backend. @override */
  assertBackend() {
    const names = readdirSync(this.databaseFolder);
    const ofLeveldb = names.some((name) => name.endsWith('.indexeddb.leveldb'));
    const ofSqlite = names.some((name) => !name.includes('.indexeddb.'));
    const isRight = this.backend === 'leveldb' ? ofLeveldb && !ofSqlite : ofSqlite && !ofLeveldb;
    assert.ok(isRight, `These are no files of ${this.backend}: ${names.join(', ')}`);
  }

  /** @param {string} portFile */
  async #address(portFile) {
    const endsAt = performance.now() + TIMEOUT_MS;
    while (performance.now() < endsAt) {
      const [port, path] = existsSync(portFile) ? readFileSync(portFile, 'utf8').split('\n') : [];
      if (port && path) return `ws://127.0.0.1:${port}${path}`;
      await sleep(10);
    }
    throw new Error('The browser did not start.');
  }
}
