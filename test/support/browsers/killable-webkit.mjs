import assert from 'node:assert/strict';
import { join } from 'node:path';
import { WebKitBrowser } from '../../../scripts/browsers/webkit-driver.mjs';
import { KillableBrowser, WINDOW } from './killable-browser.mjs';

/** WebKitGTK. */
export class KillableWebKit extends KillableBrowser {
  /** @type {WebKitBrowser | undefined} */
  #browser;

  /** @override */
  get databaseFolder() {
    return join(this.profile, 'data', 'databases', 'indexeddb', 'v1');
  }

  /** @override */
  async start() {
    this.#browser = await WebKitBrowser.start({ profile: this.profile });
    this.group = this.#browser.group;
  }

  /** @override */
  async newTab() {
    assert.ok(this.#browser, 'The browser is not running.');
    // The window that it opens by itself stays: with its last one the browser would end.
    const window = await this.#browser.newWindow();
    await window.setViewportSize(WINDOW);
    return window;
  }

  /** @override */
  async quit() {
    await this.#browser?.close();
  }
}
