// The browsers that the tests run in, as launchers for @web/test-runner. BROWSER names the browser to use.
import { chromeLauncher } from '@web/test-runner-chrome';
import * as puppeteer from 'puppeteer-core';
import { findChromium, launchFlags, requireChromium } from '../browsers/chromium.mjs';
import { ensureFirefox, findFirefox, firefoxPreferences } from '../browsers/firefox.mjs';
import { chosenPath } from '../browsers/programs.mjs';
import { ensureWebKit } from '../browsers/webkit.mjs';
import { WebKitLauncher } from './webkit-launcher.mjs';

/**
 * @typedef {object} TestedBrowser
 * @property {() => Promise<unknown>} ensure makes sure that it is installed; otherwise throws an error that
 *   says what to do
 * @property {() => import('@web/test-runner').BrowserLauncher} launcher
 */

// Each file has its own window: of the tabs of one window only the last is drawn, and a page that is not
// drawn gets no animation frames and no resize observations.
/** @type {NonNullable<import('@web/test-runner-chrome').ChromeLauncherArgs['createPage']>} */
const createPage = async ({ context }) => {
  const page = await context.newPage({ type: 'window' });
  // The runner would report that the page went to another address, and that only after three minutes.
  page.on('error', (error) => console.error(`\nThe test page at ${page.url()}: ${error.message}`));
  page.on('error', () => void page.close().catch(() => undefined));
  // A busy machine takes longer than the default of 30 s.
  page.setDefaultNavigationTimeout(180_000);
  return page;
};

// Chromium reports only in its log why it has ended a page.
/** @type {NonNullable<import('@web/test-runner-chrome').ChromeLauncherArgs['createBrowserContext']>} */
const createBrowserContext = ({ browser }) => {
  browser
    .process()
    ?.stderr?.setEncoding('utf8')
    .on('data', (/** @type {string} */ log) => {
      const lines = log.split('\n').filter((line) => /terminating|bad message/i.test(line));
      for (const line of lines) console.error(line);
    });
  return browser.defaultBrowserContext();
};

/** @param {string} [executablePath] */
function chromium(executablePath = findChromium()) {
  return chromeLauncher({
    launchOptions: {
      // The agent of a browser is behind a flag.
      args: [...launchFlags, '--enable-features=WebMCP'],
      ...(executablePath && { executablePath }),
    },
    createBrowserContext,
    createPage,
  });
}

function firefox() {
  const executablePath = findFirefox();
  return chromeLauncher({
    puppeteer,
    launchOptions: {
      browser: 'firefox',
      extraPrefsFirefox: firefoxPreferences,
      ...(executablePath && { executablePath }),
    },
    createPage,
  });
}

/**
 * The shell that `HEADLESS_SHELL` names.
 * @returns {import('@web/test-runner').BrowserLauncher | undefined}
 */
export function headlessShell() {
  const path = chosenPath('HEADLESS_SHELL');
  return path ? chromium(path) : undefined;
}

/** @type {{ [name: string]: TestedBrowser }} */
export const testedBrowsers = {
  chromium: { ensure: requireChromium, launcher: () => chromium() },
  firefox: { ensure: ensureFirefox, launcher: firefox },
  webkit: { ensure: ensureWebKit, launcher: () => new WebKitLauncher() },
  'webkit-private': {
    ensure: ensureWebKit,
    launcher: () => new WebKitLauncher({ isPrivate: true }),
  },
};
