/**
 * @typedef {import('../support/browsers/killable-browser.mjs').Tab} Tab
 * @typedef {typeof import('./main.js')} FaultsPage
 */

/**
 * Calls an export of test/faults/main.ts in a tab.
 * @template {keyof FaultsPage} Name
 * @param {Tab} tab
 * @param {Name} name
 * @param {Parameters<FaultsPage[Name]>} args
 * @returns {Promise<Awaited<ReturnType<FaultsPage[Name]>>>}
 */
export const callPage = (tab, name, ...args) =>
  tab.evaluate(async ({ script, called, given }) => (await import(script))[called](...given), {
    script: '/main.js',
    called: name,
    given: /** @type {unknown[]} */ (args),
  });
