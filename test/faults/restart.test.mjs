// Files of every size are read again, right away and after the browser was closed or killed: what it
// gives back at first may be what it still has in memory.
import assert from 'node:assert/strict';
import { callPage } from './call-page.mjs';
import { medianAndMax, testFault } from './rounds.mjs';

const DATABASE = 'faults-restart';

testFault('files of every size, before and after a restart', 1, async (fault) => {
  const { browser, rounds, report } = fault;
  const problems = [];
  const times = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    let page = await openAgain(browser, round);
    const startedAt = performance.now();
    bytes = await callPage(page, 'writeLargeFiles');
    times.push(performance.now() - startedAt);
    problems.push(...(await callPage(page, 'compareLargeFiles')));
    browser.assertBackend();
    browser.kill();
    await browser.ended();
    page = await openAgain(browser, round);
    problems.push(...(await callPage(page, 'compareLargeFiles')));
    problems.push(...(await callPage(page, 'exportAndImport')));
    await browser.close();
    page = await openAgain(browser, round);
    problems.push(...(await callPage(page, 'compareLargeFiles')));
    const { losses, troubles } = await callPage(page, 'reports');
    problems.push(...losses.map((loss) => JSON.stringify(loss)), ...troubles);
    await browser.close();
  }
  report(`${(bytes / 1e6).toFixed(0)} MB written in ${medianAndMax(times)}; the same each time`);
  assert.deepEqual(problems, []);
});

/**
 * @param {import('../support/browsers/killable-browser.mjs').KillableBrowser} browser
 * @param {number} round
 */
async function openAgain(browser, round) {
  await browser.start();
  const page = await browser.openTab();
  await callPage(page, 'open', `${DATABASE}-${round}`);
  return page;
}
