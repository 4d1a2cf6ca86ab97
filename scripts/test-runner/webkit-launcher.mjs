// Runs test files in WebKitGTK, for @web/test-runner. Each file that runs at the same time has its own
// browser, because a driver runs its commands for one window at a time.
import { WebKitBrowser } from '../browsers/webkit-driver.mjs';

/**
 * @typedef {import('../browsers/webkit-driver.mjs').WebKitWindow} WebKitWindow
 * @typedef {import('@web/test-runner').BrowserLauncher} BrowserLauncher
 */

/** @implements {BrowserLauncher} */
export class WebKitLauncher {
  name = 'WebKit';
  // Its windows have the methods of Playwright's pages that the commands of tests call.
  type = 'playwright';
  #isPrivate;
  /** The windows of running browsers that are idle. @type {WebKitWindow[]} */
  #idle = [];
  /** @type {Map<string, WebKitWindow>} */
  #windows = new Map();

  /** @param {{ isPrivate?: boolean }} [options] */
  constructor({ isPrivate = false } = {}) {
    this.#isPrivate = isPrivate;
  }

  async initialize() {}

  /**
   * @param {string} id
   * @param {string} url
   */
  async startSession(id, url) {
    const window = this.#idle.pop() ?? (await this.#openBrowser());
    this.#windows.set(id, window);
    await window.goto(url);
  }

  async startDebugSession() {
    throw new Error('WebKit has no window to look at here.');
  }

  /** @param {string} id */
  isActive(id) {
    return this.#windows.has(id);
  }

  /** @param {string} id */
  getBrowserUrl(id) {
    return this.getPage(id).url();
  }

  /** The page on which the browser control of the tests runs its operations. @param {string} id */
  getPage(id) {
    const window = this.#windows.get(id);
    if (!window) throw new Error(`There is no window for session ${id}.`);
    return window;
  }

  /** @param {string} id */
  async stopSession(id) {
    const window = this.getPage(id);
    this.#windows.delete(id);
    try {
      await window.browser.closeOthers(window);
      await window.goto('about:blank');
      this.#idle.push(window);
    } catch {
      // Another browser is started for the next file.
      await window.browser.kill();
    }
    return {};
  }

  async stop() {
    const windows = [...this.#idle, ...this.#windows.values()];
    await Promise.all(windows.map((window) => window.browser.close()));
  }

  async #openBrowser() {
    const browser = await WebKitBrowser.start({ isPrivate: this.#isPrivate });
    return await browser.firstWindow();
  }
}
