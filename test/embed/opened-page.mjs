// What is wrong with a page that an app has built, as its user and its console see it.
import { launch } from 'puppeteer-core';
import { launchFlags } from '../../scripts/browsers/chromium.mjs';

/** @typedef {import('puppeteer-core').Browser} Browser */

/** Longer than any app takes on a busy machine, so that only what never happens runs into it. */
const TIMEOUT_MS = 60_000;

export const launchChromium = () =>
  launch({ executablePath: process.env['CHROME_PATH'] ?? '', args: launchFlags });

/**
 * Opens a page; resolves to what is wrong with it: nothing if what it should show appears.
 * @param {Browser} browser
 * @param {string} url
 * @param {string | (() => unknown)} isShown runs in the page until its value is truthy
 * @param {boolean} [isWarned] whether warnings count, too
 */
export async function problemsOf(browser, url, isShown, isWarned = false) {
  const page = await browser.newPage();
  const problems = problemsReportedBy(page);
  if (isWarned)
    page.on('console', (message) => message.type() === 'warn' && problems.push(message.text()));
  await page.goto(url, { timeout: TIMEOUT_MS });
  await page.waitForFunction(isShown, { timeout: TIMEOUT_MS }).catch(() => {
    problems.push('The note is not shown.');
  });
  await page.close();
  return problems;
}

/** @param {import('puppeteer-core').Page} page */
function problemsReportedBy(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' || text.startsWith('[Vue warn]')) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => problems.push(`${request.url()} failed`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}
