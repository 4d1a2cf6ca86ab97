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
const axe = await readFile(a11yPlugin.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours: what else axe looks at is the same in both colour schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks that axe finds nothing wrong with the page, in both colour schemes.
 * @param {Page} page
 * @param {string} state what the page shows, for the message
 * @param {{ hasOtherColours?: boolean }} [options] `false` where the same was checked in another size of
 *   the window: colours do not depend on that, and take most of the time
 */
export async function checkAccessible(page, state, { hasOtherColours = true } = {}) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    if (colorScheme === 'dark' && !hasOtherColours) break;
    // Without motion: colours that still fade are neither the old nor the new ones.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const isDark = colorScheme === 'dark';
    const rules = Object.fromEntries(COLOUR_RULES.map((id) => [id, { enabled: hasOtherColours }]));
    const options = { resultTypes: ['violations', 'incomplete'] };
    const results = await page.evaluate(
      async (options) => {
        /** @typedef {{ run(options: object): Promise<import('../support/axe-findings.mjs').Results> }} Axe */
        const { axe } = /** @type {Window & { axe: Axe }} */ (/** @type {unknown} */ (window));
        const { violations, incomplete } = await axe.run(options);
        return { violations, incomplete };
      },
      { ...options, ...(isDark ? { runOnly: COLOUR_RULES } : { rules }) },
    );
    assert.deepEqual(findingsOf(results), [], `${state}, ${colorScheme}`);
  }
}
