// The files of the browser are damaged while it does not run.
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { damageDatabase, damageRecord, damageValue, tearLog } from './database-files.mjs';
import { CHROMIUM } from '../support/browsers/backends.mjs';
import { callPage } from './call-page.mjs';
import { testFault } from './rounds.mjs';

/** @typedef {import('../support/browsers/killable-browser.mjs').KillableBrowser} KillableBrowser */

const DATABASE = 'faults-damage';

/**
 * A browser that was closed after it had written; resolves with how the large values begin.
 * @param {KillableBrowser} browser
 */
async function writeAndClose(browser) {
  await browser.start();
  const page = await browser.openTab();
  await callPage(page, 'open', DATABASE);
  const beginnings = await callPage(page, 'writeSmallAndLarge');
  browser.assertBackend();
  await callPage(page, 'close');
  await browser.close();
  return beginnings;
}

/** @param {KillableBrowser} browser */
async function openAgain(browser) {
  await browser.start();
  const page = await browser.openTab();
  await callPage(page, 'open', DATABASE);
  return page;
}

const ALL_WELL = {
  Large: 'ok',
  'Small 1': 'ok',
  'Small 2': 'ok',
  Tagged: 'ok',
  'large.bin': 'ok',
  'small.txt': 'ok',
};

testFault(
  'a note on the disk is damaged',
  1,
  async ({ browser, report }) => {
    const { text } = await writeAndClose(browser);
    damageValue(browser, text);
    const page = await openAgain(browser);
    const results = await callPage(page, 'readEach');
    const found = await callPage(page, 'searchTitles', 'Small');
    await callPage(page, 'whenReported', 1, 0);
    const { losses, troubles } = await callPage(page, 'reports');
    report(`it reads as ${results['Large']}; reported: ${JSON.stringify(losses)}`);
    assert.deepEqual(results, { ...ALL_WELL, Large: 'unreadable' });
    assert.deepEqual(found, ['Small 1', 'Small 2']);
    assert.deepEqual(troubles, []);
    assert.deepEqual(
      losses.map(({ reason, entries }) => ({ reason, kinds: entries?.map(({ kind }) => kind) })),
      [{ reason: 'unreadable', kinds: ['note'] }],
    );
  },
  // In the one file of SQLite a letter that was overwritten is another letter.
  { only: ['leveldb'], isOneRound: true },
);

testFault('a file on the disk is damaged', 1, damageFile, { only: CHROMIUM, isOneRound: true });

/** @param {import('./rounds.mjs').Fault} fault */
async function damageFile({ browser, report }) {
  const { bytes } = await writeAndClose(browser);
  damageValue(browser, bytes);
  const page = await openAgain(browser);
  const verified = await callPage(page, 'verifyFile', 'large.bin');
  const other = await callPage(page, 'verifyFile', 'small.txt');
  await callPage(page, 'whenReported', 1, 0);
  const { losses, troubles } = await callPage(page, 'reports');
  const { 'large.bin': read, ...results } = await callPage(page, 'readEach');
  report(`it reads as ${read}, verifies as ${verified}; reported: ${JSON.stringify(losses)}`);
  const { 'large.bin': _, ...well } = ALL_WELL;
  assert.deepEqual(results, well);
  assert.notEqual(verified, other);
  assert.deepEqual(troubles, []);
  assert.deepEqual(
    losses.map(({ reason, entries }) => ({ reason, entries })),
    [{ reason: 'unreadable', entries: [{ kind: 'file', key: 'large.bin' }] }],
  );
}

testFault('the whole database is damaged', 1, damageAll, { only: CHROMIUM, isOneRound: true });

/** @param {import('./rounds.mjs').Fault} fault */
async function damageAll({ browser, backend, report }) {
  await writeAndClose(browser);
  damageDatabase(browser);
  const page = await openAgain(browser);
  await callPage(page, 'whenReported', 1, 0);
  const { losses, troubles } = await callPage(page, 'reports');
  report(`reported: ${JSON.stringify(losses)}`);
  const [loss, ...more] = losses;
  assert.deepEqual(more, []);
  assert.equal(loss?.reason, backend === 'leveldb' ? 'damaged' : 'cleared');
  assert.deepEqual(loss?.before, { notes: 4, files: 2 });
  assert.deepEqual(loss?.now, { notes: 0, files: 0 });
  assert.deepEqual(troubles, []);
  await callPage(page, 'writeOneMore', 'Goes on');
  assert.deepEqual((await callPage(page, 'readEverything', DATABASE)).problems, []);
}

testFault(
  'a database that the browser never opens again',
  1,
  async ({ browser, report }) => {
    await writeAndClose(browser);
    damageDatabase(browser, 0x5a);
    await browser.start();
    const page = await browser.openTab();
    const startedAt = performance.now();
    const result = await callPage(page, 'tryToOpen', DATABASE);
    const tookMs = performance.now() - startedAt;
    report(`the start fails: ${JSON.stringify(result)}`);
    assert.equal(result.code, 'failed');
    assert.ok(tookMs < 10_000, `That took ${tookMs} ms.`);
  },
  { only: ['sqlite'], isOneRound: true },
);

testFault(
  'the record of a note is damaged',
  1,
  async ({ browser, report }) => {
    const { record } = await writeAndClose(browser);
    damageRecord(browser, record);
    const page = await openAgain(browser);
    const results = await callPage(page, 'readEach');
    await callPage(page, 'whenReported', 1, 0);
    const { losses, troubles } = await callPage(page, 'reports');
    report(`listed: ${Object.keys(results).join(', ')}; reported: ${JSON.stringify(losses)}`);
    const { Tagged: _, ...others } = ALL_WELL;
    assert.deepEqual(results, others);
    assert.deepEqual(
      losses.map(({ reason, entries }) => ({ reason, kinds: entries?.map(({ kind }) => kind) })),
      [{ reason: 'unreadable', kinds: ['note'] }],
    );
    assert.deepEqual(troubles, []);
  },
  // LevelDB has records with others in a block, and a checksum for the whole.
  { only: ['sqlite'], isOneRound: true },
);

testFault('an earlier state of the disk is back', 1, bringBack, { isOneRound: true });

/** @param {import('./rounds.mjs').Fault} fault */
async function bringBack({ browser, report }) {
  await writeAndClose(browser);
  const copy = join(browser.profile, 'copy');
  cpSync(browser.databaseFolder, copy, { recursive: true });
  let page = await openAgain(browser);
  await callPage(page, 'writeOneMore', 'Lost');
  assert.deepEqual((await callPage(page, 'reports')).losses, []);
  await callPage(page, 'close');
  await browser.close();
  rmSync(browser.databaseFolder, { recursive: true });
  cpSync(copy, browser.databaseFolder, { recursive: true });
  page = await openAgain(browser);
  await callPage(page, 'whenReported', 1, 0);
  const { losses, troubles } = await callPage(page, 'reports');
  report(`reported: ${JSON.stringify(losses)}`);
  const now = { notes: 4, files: 2 };
  assert.deepEqual(losses, [{ reason: 'rolled-back', before: { notes: 5, files: 2 }, now }]);
  assert.deepEqual(troubles, []);
  assert.deepEqual(await callPage(page, 'readEach'), ALL_WELL);
}

/** How a kill may leave the log. What is written behind it is taken for the rest of it, or for damage. */
const TEARS = {
  'in its header': { kind: 1, length: 200, written: 3 },
  'before its last bytes': { kind: 1, length: 200, written: 200 },
  'in the first part of a long one': { kind: 2, length: 3_000, written: 40 },
};

/** The browser is killed this long after a start, before the store writes anything of its own accord. */
const READING_MS = 500;

// Each is on one backend only, and waits for a browser most of the time.
void suite('the log is torn', { concurrency: 2 }, () => {
  for (const [where, tear] of Object.entries(TEARS)) {
    testFault(
      `the last record of the log is torn ${where}`,
      1,
      async ({ browser, report }) => {
        await writeAndClose(browser);
        const well = { ...ALL_WELL };
        for (const title of ['after a visit', 'at once', 'in the end']) {
          tearLog(browser, tear);
          let page = await openAgain(browser);
          if (title === 'after a visit') {
            // timed: as long as a visit is.
            await sleep(READING_MS);
            browser.kill();
            await browser.ended();
            page = await openAgain(browser);
          }
          await callPage(page, 'writeOneMore', title);
          browser.kill();
          await browser.ended();
          Object.assign(well, { [title]: 'ok' });
        }
        const page = await openAgain(browser);
        assert.deepEqual(await callPage(page, 'readEach'), well);
        assert.deepEqual(await callPage(page, 'reports'), { losses: [], troubles: [] });
        report('nothing of what was there or was written is lost');
      },
      // SQLite makes sure of it.
      { only: ['leveldb'], isOneRound: true },
    );
  }
});
