// The worker is stopped in the middle of writes, which are tried again with their idempotency keys.
import assert from 'node:assert/strict';
import { callPage } from './call-page.mjs';
import { testFault } from './rounds.mjs';

const DATABASE = 'faults-terminate';

testFault(
  'worker.terminate() during a write',
  { ci: 15, soak: 50 },
  async ({ browser, rounds, report }) => {
    await browser.start();
    const page = await browser.openTab();
    const result = await callPage(page, 'terminateWorkers', DATABASE, rounds);
    browser.assertBackend();
    const { problems } = await callPage(page, 'readEverything', DATABASE);
    const { losses, troubles } = await callPage(page, 'reports');
    assert.deepEqual([...result.problems, ...problems, ...losses, ...troubles], []);
    const { acknowledged, unacknowledged, undone, triedAgain } = result;
    report(
      `acknowledged before ${acknowledged}, committed unacknowledged ${unacknowledged}, ` +
        `undone ${undone}; tried again by hand ${triedAgain}; 0 partial, 0 twice`,
    );
  },
);
