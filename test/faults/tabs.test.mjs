// Four tabs write the same note at the same time.
import assert from 'node:assert/strict';
import { callPage } from './call-page.mjs';
import { testFault } from './rounds.mjs';

const DATABASE = 'faults-tabs';
const TABS = [0, 1, 2, 3];

testFault('four tabs, one note', { ci: 40, soak: 120 }, async ({ browser, rounds, report }) => {
  await browser.start();
  const pages = await Promise.all(TABS.map(() => browser.openTab()));
  await Promise.all(pages.map((page) => callPage(page, 'open', DATABASE)));
  const [first] = pages;
  assert.ok(first);
  const id = await callPage(first, 'createSharedNote');
  const startedAt = performance.now();
  const results = await Promise.all(
    pages.map((page, tab) => callPage(page, 'addLines', id, tab, rounds)),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  browser.assertBackend();
  const { lines, revision } = await callPage(first, 'readSharedNote', id);
  const expected = TABS.flatMap((tab) =>
    Array.from({ length: rounds }, (_, number) => `tab ${tab} line ${number}`),
  );
  assert.deepEqual(lines.toSorted(), expected.toSorted());
  assert.equal(revision, expected.length + 1);
  const conflicts = results.reduce((sum, result) => sum + result.conflicts, 0);
  report(`${expected.length} updates in ${seconds.toFixed(1)} s, ${conflicts} conflicts; 0 lost`);
});
