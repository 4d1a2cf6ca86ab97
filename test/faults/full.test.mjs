// There is no room: for the site (its quota), or on the whole disk.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { asChromium, CHROMIUM } from '../support/browsers/backends.mjs';
import { callPage } from './call-page.mjs';
import {
  DOWN_TO_NOTHING,
  figuresOf,
  fillAndGoOn,
  fillDisks,
  LITTLE_BYTES,
  problemsOf,
  problemsOfAll,
} from './no-room.mjs';
import { testFault } from './rounds.mjs';

/**
 * @typedef {import('../support/browsers/killable-browser.mjs').KillableBrowser} KillableBrowser
 * @typedef {import('../support/browsers/killable-browser.mjs').Tab} Page
 * @typedef {import('./no-room.mjs').Shortage} Shortage
 */

const LARGE_ONES = [400_000];

const FREE_BYTES = 4_000_000;

/**
 * Before the first write: Chromium remembers for a while how much room there is.
 * @param {KillableBrowser} browser
 * @param {Page} page
 */
async function limitQuota(browser, page) {
  const devTools = await asChromium(browser).devTools(page);
  const { origin } = browser.home;
  const { usage } = await devTools.send('Storage.getUsageAndQuota', { origin });
  const quotaSize = usage + FREE_BYTES;
  await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
}

/**
 * @param {string} scenario
 * @param {number} defaultRounds
 * @param {Pick<Shortage, 'reloads'>} shortage
 */
function testNoQuota(scenario, defaultRounds, shortage) {
  /** @param {import('./rounds.mjs').Fault} fault */
  const body = async ({ browser, rounds, report }) => {
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      const result = await fillAndGoOn(browser, round, {
        ...shortage,
        sizes: DOWN_TO_NOTHING,
        takeRoom: (page) => limitQuota(browser, page),
      });
      results.push(result);
      // Else the next round would have to share its quota with what is there.
      rmSync(browser.profile, { recursive: true, maxRetries: 10, retryDelay: 50 });
    }
    report(figuresOf(results));
    assert.deepEqual(problemsOfAll(results), []);
  };
  testFault(scenario, defaultRounds, body, { only: CHROMIUM });
}

testNoQuota('no quota left', 1, {});
testNoQuota('no quota left, even after a reload', 1, { reloads: true });

testFault('everything cleared with no quota left', 1, clearAll, { only: CHROMIUM });

/** @param {import('./rounds.mjs').Fault} fault */
async function clearAll({ browser, rounds, report }) {
  const problems = [];
  for (let round = 0; round < rounds; round += 1) {
    await browser.start();
    const page = await browser.openTab();
    await limitQuota(browser, page);
    await callPage(page, 'open', 'faults-full');
    await callPage(page, 'whenRoomIsKept', 'faults-full');
    const full = await callPage(page, 'writeUntilFull', 'many', DOWN_TO_NOTHING);
    problems.push(...problemsOf(full, false));
    const failure = await callPage(page, 'clear');
    if (failure) problems.push(`Clearing failed: ${JSON.stringify(failure)}`);
    const again = await callPage(page, 'writeAgain', 'afterwards');
    if (again) problems.push(`There is room and a write fails: ${JSON.stringify(again)}`);
    const { losses, troubles } = await callPage(page, 'reports');
    problems.push(...losses.map((loss) => JSON.stringify(loss)), ...troubles);
    const { notes } = await callPage(page, 'readEverything', 'faults-full');
    if (notes.length !== 1) problems.push(`There are ${notes.length} notes.`);
    browser.assertBackend();
    await browser.close();
    rmSync(browser.profile, { recursive: true, maxRetries: 10, retryDelay: 50 });
  }
  report('cleared and written again');
  assert.deepEqual(problems, []);
}

testFault('the disk is full', 1, (fault) =>
  fillDisks(fault, (disk) => ({ sizes: LARGE_ONES, onfull: () => disk.fill(LITTLE_BYTES) })),
);
