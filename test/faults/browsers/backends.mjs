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
 * @param {string} folder
 */
export function browserFor(backend, folder) {
  if (backend === 'firefox') return new KillableFirefox(backend, folder);
  return backend === 'webkit'
    ? new KillableWebKit(backend, folder)
    : new KillableChromium(backend, folder);
}

/**
 * What has the DevTools protocol.
 * @param {KillableBrowser} browser
 */
export function asChromium(browser) {
  if (browser instanceof KillableChromium) return browser;
  throw new Error('Only Chromium has the DevTools protocol.');
}
