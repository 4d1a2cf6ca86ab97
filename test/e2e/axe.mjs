// What axe-core says of a page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findingsOf } from '../support/axe-findings.mjs';

/** @typedef {import('playwright-core').Page} Page */

// axe-core comes with the assertions of the element tests.
const openWcTesting = createRequire(fileURLToPath(import.meta.resolve('@open-wc/testing')));
const a11yPlugin = createRequire(openWcTesting.resolve('chai-a11y-axe'));
/** The source of axe-core, which a page evaluates before it is checked. */
export const axe = await readFile(a11yPlugin.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours: what else axe looks at is the same in both colour schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks that axe finds nothing wrong with the page, in both colour schemes.
 * @param {Page} page
 * @param {string} state what the page shows, for the message
 */
export async function checkAccessible(page, state) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    // Without motion: colours that still fade are neither the old nor the new ones.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const runOnly = colorScheme === 'dark' ? COLOUR_RULES : undefined;
    const results = await page.evaluate(async (runOnly) => {
      /** @typedef {{ run(options: { runOnly?: string[] }): Promise<import('../support/axe-findings.mjs').Results> }} Axe */
      const { axe } = /** @type {Window & { axe: Axe }} */ (/** @type {unknown} */ (window));
      const { violations, incomplete } = await axe.run(runOnly ? { runOnly } : {});
      return { violations, incomplete };
    }, runOnly);
    assert.deepEqual(findingsOf(results), [], `${state}, ${colorScheme}`);
  }
}
