// The whole browser is killed right after a write was acknowledged, while others are under way.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { differences, stateOf } from './expected-state.mjs';
import { callPage } from './killable-browser.mjs';
import { planLanes } from './planned-lanes.mjs';
import { medianAndMax, testFault } from './rounds.mjs';

/**
 * @typedef {import('./expected-state.mjs').State} State
 * @typedef {import('./killable-browser.mjs').KillableBrowser} KillableBrowser
 * @typedef {import('./page/planned-writes.js').PlannedWrite} PlannedWrite
 * @typedef {import('playwright-core').Page} Page
 */

const DATABASE = 'faults-kill';
const MAX_OPEN_MS = 1_000;
const WRITES_OF_A_LANE = 12;

/**
 * Writes until so many writes were acknowledged, and kills the browser at once.
 * @param {KillableBrowser} browser
 * @param {Page} page
 * @param {PlannedWrite[][]} lanes
 * @param {number} deadly the number of the acknowledgement
 * @returns {Promise<number[]>} how many writes of each lane were acknowledged
 */
async function writeAndKill(browser, page, lanes, deadly) {
  const acknowledged = lanes.map(() => 0);
  let count = 0;
  await page.exposeFunction('acknowledged', (/** @type {number} */ lane) => {
    acknowledged[lane] = (acknowledged[lane] ?? 0) + 1;
    count += 1;
    if (count === deadly) browser.kill();
  });
  const writing = page.evaluate(
    async ({ script, lanes }) => {
      const { acknowledged } = /** @type {any} */ (globalThis);
      await (await import(script)).writePlanned(lanes, acknowledged);
    },
    { script: '/main.js', lanes },
  );
  await assert.rejects(writing, 'The browser was to be killed before the last write.');
  await browser.ended();
  return acknowledged;
}

testFault('kill −9 after an acknowledgement', 20, async ({ browser, rounds, report }) => {
  /** @type {State} */
  let state = new Map();
  const opens = [];
  let writes = 0;
  let unheardWrites = 0;
  await browser.start();
  let page = await browser.openTab();
  await callPage(page, 'open', DATABASE);
  for (let round = 0; round < rounds; round += 1) {
    const lanes = planLanes(state, round, WRITES_OF_A_LANE);
    const acknowledged = await writeAndKill(browser, page, lanes, 1 + randomInt(16));
    browser.assertBackend();
    await browser.start();
    page = await browser.openTab();
    opens.push(await callPage(page, 'open', DATABASE));
    const everything = await callPage(page, 'readEverything', DATABASE);
    const found = stateOf(everything);
    const { problems, unheard } = differences(state, lanes, acknowledged, found);
    const { losses, troubles } = await callPage(page, 'told');
    assert.deepEqual(
      [...problems, ...everything.problems, ...losses, ...troubles],
      [],
      `Round ${round}`,
    );
    writes += acknowledged.reduce((sum, count) => sum + count, 0);
    unheardWrites += unheard;
    state = found;
  }
  report(
    `${writes} writes acknowledged, 0 lost, 0 torn; ${unheardWrites} committed unheard; ` +
      `reopened: ${medianAndMax(opens)}`,
  );
  assert.ok(Math.max(...opens) < MAX_OPEN_MS, `Reopened: ${medianAndMax(opens)}`);
});
