// Files of every size are read again, right away and after the browser was closed or killed: what it
// gives back at first may be what it still has in memory.
import assert from 'node:assert/strict';
import { callPage } from './call-page.mjs';
import { Random } from './random.mjs';
import { medianAndMax, testFault } from './rounds.mjs';

/** @typedef {import('./page/large-files.js').Written} Written */

const DATABASE = 'faults-restart';

const PIECE_BYTES = 16 * 1024 ** 2;

/** How many files are drawn by chance for a round after the first. */
const DRAWN_FILES = 4;

testFault('files of every size, before and after a restart', 1, async (fault) => {
  const { browser, rounds, seed, report } = fault;
  const problems = [];
  const times = [];
  let bytes = 0;
  /** @type {Written[]} */
  let files = [];
  for (let round = 0; round < rounds; round += 1) {
    let page = await openAgain(browser, round);
    files =
      round === 0 ? await callPage(page, 'filesOfEverySize') : drawnFiles(new Random(seed, round));
    const startedAt = performance.now();
    bytes += await callPage(page, 'writeLargeFiles', files);
    times.push(performance.now() - startedAt);
    problems.push(...(await callPage(page, 'compareLargeFiles', files)));
    browser.assertBackend();
    browser.kill();
    await browser.ended();
    page = await openAgain(browser, round);
    problems.push(...(await callPage(page, 'compareLargeFiles', files)));
    problems.push(...(await callPage(page, 'exportAndImport', files)));
    await browser.close();
    page = await openAgain(browser, round);
    problems.push(...(await callPage(page, 'compareLargeFiles', files)));
    const { losses, troubles } = await callPage(page, 'reports');
    problems.push(...losses.map((loss) => JSON.stringify(loss)), ...troubles);
    await browser.close();
  }
  report(
    `seed ${seed}: ${(bytes / 1e6).toFixed(0)} MB written in ${medianAndMax(times)}; the same each time`,
  );
  assert.deepEqual(problems, []);
});

/**
 * Most are small, some end where a piece does, or a few bytes before or behind it.
 * @param {Random} random
 * @returns {Written[]}
 */
function drawnFiles(random) {
  return Array.from({ length: DRAWN_FILES }, (_, index) => {
    const isAtPiece = random.between(1, 8) === 1;
    const size = isAtPiece
      ? PIECE_BYTES + random.between(-3, 3)
      : Math.floor(2 ** (random.next() * 22));
    return { path: `drawn/${index}-${size}.bin`, size, isPart: random.between(0, 1) === 1 };
  });
}

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
