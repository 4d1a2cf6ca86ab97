// The data of the site is cleared, or the database deleted, while the page goes on using it.
import assert from 'node:assert/strict';
import { asChromium, CHROMIUM } from '../support/browsers/backends.mjs';
import { callPage } from './call-page.mjs';
import { medianAndMax, testFault } from './rounds.mjs';

const DATABASE = 'faults-cleared';

/** So often, on each backend: of two kinds of a loss, in turn. */
const ROUNDS = { ci: 2, soak: 5 };

testFault('site data cleared while open', ROUNDS, clearSite, { only: CHROMIUM });

/** @param {import('./rounds.mjs').Fault} fault */
async function clearSite({ browser, rounds, report }) {
  await browser.start();
  const page = await browser.openTab();
  await callPage(page, 'open', DATABASE);
  await callPage(page, 'watchList');
  const devTools = await asChromium(browser).devTools(page);
  await loseAgainAndAgain(page, rounds, report, async (round) => {
    // What people clear is all of it; what browsers evict may be the databases alone.
    const storageTypes = round % 2 === 0 ? 'all' : 'indexeddb';
    await devTools.send('Storage.clearDataForOrigin', {
      origin: browser.home.origin,
      storageTypes,
    });
  });
  browser.assertBackend();
}

testFault('site data cleared during writes', ROUNDS, clearDuringWrites, { only: CHROMIUM });

/** @param {import('./rounds.mjs').Fault} fault */
async function clearDuringWrites({ browser, rounds, report }) {
  await browser.start();
  const page = await browser.openTab();
  await callPage(page, 'open', DATABASE);
  const devTools = await asChromium(browser).devTools(page);
  const failures = [];
  for (let round = 0; round < rounds; round += 1) {
    await callPage(page, 'beginWriting');
    // Each time after some more of the others.
    for (let count = 0; count <= round; count += 1)
      await callPage(page, 'writeOneMore', `Before ${count}`);
    await devTools.send('Storage.clearDataForOrigin', {
      origin: browser.home.origin,
      storageTypes: round % 2 === 0 ? 'all' : 'indexeddb',
    });
    await callPage(page, 'writeOneMore', 'After').catch((error) => failures.push(String(error)));
    failures.push(...(await callPage(page, 'endWriting')));
  }
  report(`${failures.length} failed writes`);
  assert.deepEqual(
    failures.filter((text) => !text.includes('was cleared')),
    [],
  );
}

testFault('database deleted while open', ROUNDS, async ({ browser, rounds, report }) => {
  await browser.start();
  const page = await browser.openTab();
  const other = await browser.openTab();
  await callPage(page, 'open', DATABASE);
  await callPage(page, 'watchList');
  await loseAgainAndAgain(page, rounds, report, () =>
    callPage(other, 'deleteDatabaseOfOthers', DATABASE),
  );
  browser.assertBackend();
});

/**
 * @param {import('../support/browsers/killable-browser.mjs').Tab} page
 * @param {number} rounds
 * @param {(figures: string) => void} report
 * @param {(round: number) => Promise<void>} lose
 */
async function loseAgainAndAgain(page, rounds, report, lose) {
  const problems = [];
  const calls = [];
  let notes = 0;
  for (let round = 0; round < rounds; round += 1) {
    await callPage(page, 'writeOneMore', `Before ${round}`);
    notes += 1;
    const listChanges = await callPage(page, 'countListChanges');
    await lose(round);
    const startedAt = performance.now();
    await callPage(page, 'writeOneMore', `After ${round}`).catch((error) => {
      problems.push(`The next call after loss ${round}: ${String(error)}`);
    });
    calls.push(performance.now() - startedAt);
    await callPage(page, 'whenReported', round + 1, listChanges + 1);
    const { losses, troubles } = await callPage(page, 'reports');
    const newLosses = losses.slice(round).map(({ reason, before }) => ({ reason, before }));
    const expected = [{ reason: 'cleared', before: { notes, files: 0 } }];
    if (JSON.stringify(newLosses) !== JSON.stringify(expected)) {
      problems.push(`Loss ${round} was reported as ${JSON.stringify(losses.slice(round))}`);
    }
    if ((await callPage(page, 'countListChanges')) === listChanges) {
      problems.push(`The client was notified of no other list after loss ${round}.`);
    }
    const everything = await callPage(page, 'readEverything', DATABASE);
    notes = everything.notes.length;
    if (notes !== 1) problems.push(`There are ${notes} notes after loss ${round}.`);
    problems.push(...troubles, ...everything.problems);
  }
  const { losses } = await callPage(page, 'reports');
  report(`${losses.length} losses reported; next call: ${medianAndMax(calls)}`);
  assert.deepEqual(problems, []);
}
