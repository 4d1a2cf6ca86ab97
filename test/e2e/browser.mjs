// A real browser on a profile of its own, with the built demo in its tabs.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { launchFlags } from '../../scripts/browsers/chromium.mjs';

/** @typedef {import('playwright-core').Browser} SharedBrowser */
/** @typedef {import('playwright-core').BrowserContext} BrowserContext */
/** @typedef {import('playwright-core').Page} Page */

/** Far longer than anything takes, so that only what never happens runs into it. */
const TIMEOUT_MS = 60_000;

/** How long it may take to see what a tab shows, and how much of it is printed. */
const SNAPSHOT_TIMEOUT_MS = 10_000;
const MAX_SHOWN_LENGTH = 3_000;

/** Where the demo is served: below a sub-path, with a slash at the end. */
export const demoUrl = new URL(requireEnv('E2E_URL'));

/** The address of the worker's script, among those of the page. */
export const workerScript = /\/worker-[^/]+\.js$/;

/** @param {string} name */
function requireEnv(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with "npm run test:e2e".`);
  return value;
}

/**
 * How each context is made. Without service workers, unless a test is about them: what such a worker
 * answers, no test can intercept, and it fetches all files of the demo.
 */
const contextOptions = {
  viewport: { width: 1280, height: 800 },
  serviceWorkers: /** @type {'allow' | 'block'} */ ('block'),
  // Sizes and ages are shown in the reader's language.
  locale: 'en-US',
};

/** For private windows of this file's tests, by the command. @type {Map<string, Promise<SharedBrowser>>} */
const shared = new Map();
after(async () => {
  for (const browser of shared.values()) await (await browser).close();
});

/** A browser that is closed and started again on the same profile, as its user does. */
export class Browser {
  /** The addresses of all requests of all tabs and workers, in their order. */
  requests = /** @type {string[]} */ ([]);
  /** What should not happen in a session of use: errors, warnings and failed requests. */
  problems = /** @type {string[]} */ ([]);
  #profile;
  #home;
  #args;
  #contextOptions;
  #isFirstVisit;
  /** @type {BrowserContext | undefined} */
  #context;
  /** The tab that the browser opens by itself. @type {Page[]} */
  #firstTabs = [];
  /** @type {Set<import('playwright-core').Request>} */
  #unanswered = new Set();
  /** Whether a tab of the demo was opened before. */
  #hasTab = false;
  /** @type {((dialog: import('playwright-core').Dialog) => void) | undefined} */
  #onDialog;

  /**
   * @param {string | undefined} profile a folder; without one it is a private window, which forgets all
   * @param {URL} home the address of the demo
   * @param {Pick<BrowserOptions, 'args' | 'serviceWorkers' | 'isFirstVisit'>} [options]
   */
  constructor(profile, home, { args = [], serviceWorkers = 'block', isFirstVisit = false } = {}) {
    this.#profile = profile;
    this.#home = home;
    this.#args = args;
    this.#contextOptions = { ...contextOptions, serviceWorkers };
    this.#isFirstVisit = isFirstVisit;
  }

  async start() {
    const context = await (this.#profile === undefined
      ? privateWindow(this.#contextOptions, this.#args)
      : this.#launch(this.#profile));
    context.setDefaultTimeout(TIMEOUT_MS);
    await context.addInitScript(keepBlobs);
    if (!this.#isFirstVisit) await context.addInitScript(skipIntroduction);
    this.#record(context);
    this.#context = context;
    this.#firstTabs = context.pages();
  }

  /** Accepts the next dialog, which is no problem then; resolves to its type. */
  async acceptNextDialog() {
    /** @type {import('playwright-core').Dialog} */
    const dialog = await new Promise((resolve) => (this.#onDialog = resolve));
    this.#onDialog = undefined;
    const type = dialog.type();
    await dialog.accept();
    return type;
  }

  /** @param {string} profile */
  #launch(profile) {
    return chromium.launchPersistentContext(profile, {
      ...this.#contextOptions,
      executablePath: requireEnv('CHROME_PATH'),
      args: [...launchFlags, ...this.#args],
    });
  }

  /**
   * What each tab shows, in one line each, and what it has asked for in vain: of a failed wait, one wants to
   * know what was there instead.
   */
  async describeTabs() {
    const tabs = this.#context?.pages() ?? [];
    const unanswered = [...this.#unanswered].map((request) => request.url());
    if (unanswered.length > 0) console.error(`FAILED: no answer from ${unanswered.join(' ')}`);
    const lines = tabs.map(async (page) => {
      const seen = page.locator('body').ariaSnapshot({ timeout: SNAPSHOT_TIMEOUT_MS });
      const text = await seen.catch(String);
      return `FAILED: the tab showed ${text.replaceAll(/\s+/g, ' ').slice(0, MAX_SHOWN_LENGTH)}`;
    });
    return (await Promise.all(lines)).join('\n');
  }

  async close() {
    await this.#context?.close();
    this.#context = undefined;
  }

  /**
   * A tab of the demo, once it is connected and lists what there is. A browser that ends right after its
   * start, as Chromium (156) does once in some hundred starts on a busy machine, is started again once.
   */
  async openTab() {
    const isFirst = !this.#hasTab;
    this.#hasTab = true;
    return await this.#openTab().catch(async (error) => {
      if (!isFirst || !/has been closed/.test(String(error))) throw error;
      console.warn('The browser ended right after its start; it is started again.');
      await this.close();
      await this.start();
      return await this.#openTab();
    });
  }

  async #openTab() {
    const page = await this.openBlankTab();
    await page.goto(this.#home.href);
    await page.locator('.pill.connected').waitFor();
    await page.locator('mcp-resource-list .scroller, mcp-resource-list slot').first().waitFor();
    return page;
  }

  /** A tab before the demo is in it. */
  async openBlankTab() {
    if (!this.#context) throw new Error('The browser is not running.');
    return this.#firstTabs.pop() ?? (await this.#context.newPage());
  }

  /** @param {BrowserContext} context */
  #record(context) {
    context.on('request', (request) => {
      this.requests.push(request.url());
      this.#unanswered.add(request);
    });
    context.on('requestfinished', (request) => this.#unanswered.delete(request));
    context.on('requestfailed', (request) => {
      this.#unanswered.delete(request);
      const { errorText = '' } = request.failure() ?? {};
      if (isOfBrowser(request.url())) return;
      // A page was left before the answer came. What a server or a policy refuses has other words.
      if (errorText === 'net::ERR_ABORTED') return;
      this.problems.push(`failed: ${request.url()} ${errorText}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) this.problems.push(`${response.status()}: ${response.url()}`);
    });
    context.on('console', (message) => {
      const isTrouble = ['error', 'warning', 'assert'].includes(message.type());
      if (message.text() === BLOCKED) return;
      if (isTrouble) this.problems.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.problems.push(`uncaught: ${error.error().stack}`));
    context.on('dialog', (dialog) => {
      if (this.#onDialog) {
        this.#onDialog(dialog);
        return;
      }
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }
}

/** What Playwright says for each page that would have had a service worker. */
const BLOCKED = 'Service Worker registration blocked by Playwright';

/**
 * A start of the browser costs as much as a short test.
 * @param {import('playwright-core').BrowserContextOptions} context
 * @param {string[]} args
 */
async function privateWindow(context, args) {
  // The shell, where there is one, has no window: it is a third less work. But in its tabs a page does not
  // come to another version of its service worker.
  const shell = context.serviceWorkers === 'block' ? process.env['HEADLESS_SHELL'] : undefined;
  const executablePath = shell ?? requireEnv('CHROME_PATH');
  const program = [executablePath, ...args].join(' ');
  const browser =
    shared.get(program) ?? chromium.launch({ executablePath, args: [...launchFlags, ...args] });
  shared.set(program, browser);
  return await (await browser).newContext(context);
}

/** The page's policy lets nobody fetch a `blob:` address: what is behind each stays at hand here. */
function keepBlobs() {
  const blobs = new Map();
  const { createObjectURL } = URL;
  URL.createObjectURL = (/** @type {Blob} */ blob) => {
    const url = createObjectURL(blob);
    blobs.set(url, blob);
    return url;
  };
  Object.assign(window, { blobs });
}

/** The page has introduced itself before: it begins with a note. */
function skipIntroduction() {
  try {
    localStorage.setItem('inpage-mcp-demo-introduced', 'yes');
  } catch {
    // A frame without an origin.
  }
}

/**
 * What the browser's user has set, as its profile keeps it.
 * @typedef {{ [group: string]: { [setting: string]: unknown } }} Preferences
 */

/**
 * `home` is the address of the demo. With `isFirstVisit`, it introduces itself.
 * @typedef {{ home?: URL, serviceWorkers?: 'allow' | 'block', args?: string[], isFirstVisit?: boolean }} WindowOptions
 * @typedef {WindowOptions & { preferences?: Preferences }} BrowserOptions
 */

/** How long a test may take: the longest take a minute where the machine is busy. In ms. */
const MAX_TEST_MS = 300_000;

/** Rejects when a test that goes on waiting should have ended long ago. */
async function tooLate() {
  await delay(MAX_TEST_MS, undefined, { ref: false });
  throw new Error(`The test had not ended after ${MAX_TEST_MS / 1000} s.`);
}

/**
 * A test with a browser of its own, on a fresh profile: for what a private window does not do, such as
 * to be started again, to keep large files on the disk, or to have settings of its user. It fails, too,
 * when anything went wrong in a tab or a request left the origin of the page, though the body saw
 * nothing of it.
 * @param {string} name
 * @param {(browser: Browser) => Promise<void>} body
 * @param {BrowserOptions} [options]
 */
export function testInBrowser(name, body, { home = demoUrl, preferences, ...options } = {}) {
  void test(name, async () => {
    const profile = await mkdtemp(join(tmpdir(), 'inpage-mcp-e2e-'));
    try {
      if (preferences) {
        await mkdir(join(profile, 'Default'));
        await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
      }
      await runTest(new Browser(profile, home, options), body, home);
    } finally {
      // The browser's last processes may still write for a moment.
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  });
}

/**
 * The same in a private window of one browser for all tests of the file, which takes a fraction of the
 * time that a browser takes to start: what is stored is in memory, and gone when the window is closed.
 * @param {string} name
 * @param {(browser: Browser) => Promise<void>} body
 * @param {WindowOptions} [options]
 */
export function testInPrivateWindow(name, body, { home = demoUrl, ...options } = {}) {
  void test(name, () => runTest(new Browser(undefined, home, options), body, home));
}

/**
 * @param {Browser} browser
 * @param {(browser: Browser) => Promise<void>} body
 * @param {URL} home
 */
async function runTest(browser, body, home) {
  try {
    await browser.start();
    await Promise.race([body(browser), tooLate()]);
    assert.deepEqual(browser.problems, []);
    const elsewhere = browser.requests.filter(
      (url) => new URL(url).origin !== home.origin && !isOfBrowser(url),
    );
    assert.deepEqual(elsewhere, []);
  } catch (error) {
    console.error(await browser.describeTabs());
    throw error;
  } finally {
    await browser.close();
  }
}

/**
 * Files of the browser's own viewer of PDFs, and what a frame without an origin has made itself: no server
 * is asked for them.
 * @param {string} url
 */
const isOfBrowser = (url) => /^(chrome(-extension)?:|blob:null\/)/.test(url);
