// The page is reloaded, or left for another, while its worker writes and reads, several at the same time.
import assert from 'node:assert/strict';
import { callPage } from './call-page.mjs';
import { Random } from './random.mjs';
import { medianAndMax, testFault } from './rounds.mjs';

const DATABASE = 'faults-reload';

/** So often, on each backend. */
const ROUNDS = { ci: 6, soak: 15 };

/** How long there are writes before each reload, at most. */
const MAX_WRITING_MS = 200;

/** @typedef {import('../support/browsers/killable-browser.mjs').Tab} Tab */

testFault('a reload during writes and reads', ROUNDS, (fault) =>
  leaving(fault, (page) => page.reload()),
);

// A browser may keep a page that was left, with its worker, for when the user goes back.
testFault('another page during writes and reads', ROUNDS, (fault) =>
  leaving(fault, (page, round) => page.goto(new URL(`?${round}`, fault.browser.home).href)),
);

/**
 * @param {import('./rounds.mjs').Fault} fault
 * @param {(page: Tab, round: number) => Promise<unknown>} leave
 */
async function leaving({ browser, rounds, seed, report }, leave) {
  await browser.start();
  const page = await browser.openTab();
  const random = new Random(seed);
  const opens = [];
  for (let round = 0; round < rounds; round += 1) {
    const writingMs = random.between(0, MAX_WRITING_MS);
    opens.push(await callPage(page, 'writeWithoutEnd', DATABASE, `round ${round}`, writingMs));
    await leave(page, round);
  }
  await callPage(page, 'open', DATABASE);
  browser.assertBackend();
  const titles = new Set(await callPage(page, 'readNames'));
  const acknowledged = await callPage(page, 'acknowledgedTitles');
  const lost = acknowledged.filter((title) => !titles.has(title));
  const { problems } = await callPage(page, 'readEverything', DATABASE);
  const { losses, troubles } = await callPage(page, 'reports');
  assert.deepEqual([...lost, ...problems, ...losses, ...troubles], []);
  report(`${acknowledged.length} acknowledged, 0 lost; reopened: ${medianAndMax(opens)}`);
}
