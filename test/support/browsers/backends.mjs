// Which browser keeps the databases.
import { KillableChromium } from './killable-chromium.mjs';
import { KillableFirefox } from './killable-firefox.mjs';
import { KillableWebKit } from './killable-webkit.mjs';

/**
 * @typedef {import('./killable-browser.mjs').Backend} Backend
 * @typedef {import('./killable-browser.mjs').KillableBrowser} KillableBrowser
 */

/** Those of Chromium. @type {Backend[]} */
export const CHROMIUM = ['leveldb', 'sqlite'];

/**
 * A browser on a fresh profile, not started.
 * @param {Backend} backend
 * @param {{ home: URL, folder: string }} options
 */
export function browserFor(backend, options) {
  if (backend === 'firefox') return new KillableFirefox(backend, options);
  return backend === 'webkit'
    ? new KillableWebKit(backend, options)
    : new KillableChromium(backend, options);
}

/**
 * What has the DevTools protocol.
 * @param {KillableBrowser} browser
 */
export function asChromium(browser) {
  if (browser instanceof KillableChromium) return browser;
  throw new Error('Only Chromium has the DevTools protocol.');
}
