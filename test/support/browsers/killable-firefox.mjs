import assert from 'node:assert/strict';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { firefoxPreferences } from '../../../scripts/browsers/firefox.mjs';
import { KillableBrowser, requireEnv, WINDOW } from './killable-browser.mjs';

/** How often a start is tried. */
const ATTEMPTS = 5;

/** Firefox. */
export class KillableFirefox extends KillableBrowser {
  /** @type {import('puppeteer-core').Browser | undefined} */
  #browser;

  /** Not all of the profile: the browser writes several MB of its own there. @override */
  get sitesFolder() {
    return join(this.profile, 'storage');
  }

  /** @override */
  get databaseFolder() {
    const { protocol, hostname, port } = this.home;
    const site = `${protocol.slice(0, -1)}+++${hostname}+${port}`;
    return join(this.sitesFolder, 'default', site, 'idb');
  }

  /** @override */
  async start() {
    this.#browser = await this.#launch();
    this.group = this.#browser.process()?.pid;
  }

  /** @returns {Promise<import('puppeteer-core').Browser>} */
  async #launch(attempts = ATTEMPTS) {
    try {
      return await launch({
        browser: 'firefox',
        executablePath: requireEnv('FIREFOX_PATH'),
        defaultViewport: WINDOW,
        extraPrefsFirefox: firefoxPreferences,
        userDataDir: this.profile,
        // Who kills it here says when.
        handleSIGINT: false,
        protocolTimeout: 300_000,
        env: { ...process.env, TMPDIR: this.temporary },
      });
    } catch (error) {
      // Of a browser that was killed, puppeteer puts the preferences back, perhaps while the next one reads them.
      const isRead = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
      if (!isRead || attempts <= 1) throw error;
      return await this.#launch(attempts - 1);
    }
  }

  /** @override @returns {Promise<import('./killable-browser.mjs').Tab>} */
  async newTab() {
    assert.ok(this.#browser, 'The browser is not running.');
    const page = /** @type {unknown} */ (await this.#browser.newPage());
    // What its `evaluate` takes is said in other words, for handles of objects in the page.
    return /** @type {import('./killable-browser.mjs').Tab} */ (page);
  }

  /** @override */
  async quit() {
    await this.#browser?.close();
  }
}
