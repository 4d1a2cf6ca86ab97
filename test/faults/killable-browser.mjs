// A real browser whose processes can be killed, and whose profile outlives them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { launchFlags } from '../../scripts/browsers/chromium.mjs';
import { requireEnv } from './rounds.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('playwright-core').BrowserContext} BrowserContext
 * @typedef {import('playwright-core').CDPSession} CDPSession
 * @typedef {'leveldb' | 'sqlite'} Backend where Chromium keeps IndexedDB
 * @typedef {typeof import('./main.js')} FaultsPage
 */

/** How long anything may take before the test gives up, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The address of the page. */
export const pageUrl = new URL(requireEnv('FAULTS_URL'));

/** @type {Record<Backend, string[]>} */
const backendFlags = {
  leveldb: ['--disable-features=IdbSqliteBackingStore,IdbSqliteOnDiskRollout'],
  sqlite: ['--enable-features=IdbSqliteBackingStore,IdbSqliteOnDiskRollout'],
};

/**
 * Calls an export of test/faults/main.ts in a tab.
 * @template {keyof FaultsPage} Name
 * @param {Page} page
 * @param {Name} name
 * @param {Parameters<FaultsPage[Name]>} args
 * @returns {Promise<Awaited<ReturnType<FaultsPage[Name]>>>}
 */
export const callPage = (page, name, ...args) =>
  page.evaluate(async ({ script, called, given }) => (await import(script))[called](...given), {
    script: '/main.js',
    called: name,
    given: /** @type {unknown[]} */ (args),
  });

/** Chromium on a profile, started again as often as a test kills it. */
export class KillableBrowser {
  /** @type {Backend} */
  backend;
  /** The folder that outlives the browser. */
  profile;
  #temporary;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;
  /** @type {BrowserContext | undefined} */
  #context;
  /** Those that the browser opens by itself. @type {Page[]} */
  #firstTabs = [];

  /**
   * @param {Backend} backend
   * @param {string} folder for the profile, and for what a browser leaves behind that is killed
   */
  constructor(backend, folder) {
    this.backend = backend;
    this.profile = join(folder, 'profile');
    this.#temporary = join(folder, 'temporary');
    for (const path of [this.profile, this.#temporary]) mkdirSync(path);
  }

  /** Where Chromium keeps the databases. */
  get databaseFolder() {
    return join(this.profile, 'Default', 'IndexedDB');
  }

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
    const args = [...flags, ...launchFlags, ...backendFlags[this.backend], 'about:blank'];
    // A process group of its own, so that all of it can be killed at once.
    const options = /** @type {const} */ ({
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: this.#temporary },
    });
    this.#process = spawn(requireEnv('CHROME_PATH'), args, options);
    const browser = await chromium.connectOverCDP(await this.#address(portFile));
    const [context] = browser.contexts();
    assert.ok(context, 'The browser has no context.');
    context.setDefaultTimeout(TIMEOUT_MS);
    this.#context = context;
    this.#firstTabs = context.pages();
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

  /** A tab of the page, before anything was called. */
  async openTab() {
    assert.ok(this.#context, 'The browser is not running.');
    const page = this.#firstTabs.pop() ?? (await this.#context.newPage());
    await page.goto(pageUrl.href);
    return page;
  }

  /**
   * The DevTools protocol of a tab.
   * @param {Page} page
   */
  async devTools(page) {
    assert.ok(this.#context, 'The browser is not running.');
    return await this.#context.newCDPSession(page);
  }

  /** Ends every process at once, as a crash or the system does: nobody says goodbye. */
  kill() {
    const pid = this.#process?.pid;
    if (pid !== undefined && this.#process?.exitCode === null) process.kill(-pid, 'SIGKILL');
  }

  /** Resolves when every process has ended. */
  async ended() {
    const { pid, exitCode, signalCode } = this.#process ?? {};
    if (this.#process && exitCode === null && signalCode === null)
      await once(this.#process, 'exit');
    if (pid !== undefined) await groupEnded(pid);
    this.#process = undefined;
    this.#context = undefined;
  }

  /** Lets the browser end in its own way: what it has not written yet is written then. */
  async close() {
    if (this.#process === undefined) return;
    const session = await this.#context?.browser()?.newBrowserCDPSession();
    // The answer may not come any more.
    session?.send('Browser.close').catch(() => undefined);
    await this.ended();
  }

  /** Fails unless the files in the profile are those of the backend. */
  assertBackend() {
    const names = readdirSync(this.databaseFolder);
    const ofLeveldb = names.some((name) => name.endsWith('.indexeddb.leveldb'));
    const ofSqlite = names.some((name) => !name.includes('.indexeddb.'));
    const found = { leveldb: ofLeveldb && !ofSqlite, sqlite: ofSqlite && !ofLeveldb };
    assert.ok(found[this.backend], `These are no files of ${this.backend}: ${names.join(', ')}`);
  }
}

/** @param {number} group the number of its first process */
async function groupEnded(group) {
  while (isAlive(group)) await sleep(5);
}

/** @param {number} group */
function isAlive(group) {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  // Some systems take seconds to clear away the processes that nobody waits for. On others there is no
  // way to look closer.
  if (process.platform !== 'linux') return true;
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.some((id) => isAliveIn(group, id));
}

/**
 * Whether it has a thread that runs: one that has ended has closed its files.
 * @param {number} group
 * @param {string} id of a process
 */
function isAliveIn(group, id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // Behind the name, which may have any letters.
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(itsGroup) !== group) return false;
    return state !== 'Z' || readdirSync(`/proc/${id}/task`).length > 1;
  } catch {
    return false;
  }
}
