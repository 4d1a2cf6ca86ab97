// There is no room: for the site (its quota), or on the whole disk.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { asChromium, CHROMIUM } from '../support/browsers/backends.mjs';
import { callPage } from './call-page.mjs';
import { Random } from './random.mjs';
import { medianAndMax, testFault } from './rounds.mjs';
import { SmallDisk } from './small-disk.mjs';

/**
 * @typedef {import('../support/browsers/killable-browser.mjs').KillableBrowser} KillableBrowser
 * @typedef {import('./page/no-room.js').NoRoom} NoRoom
 * @typedef {import('../support/browsers/killable-browser.mjs').Tab} Page
 */

/** In the end not even a small note goes in: what is deleted then has to be deletable all the same. */
const DOWN_TO_NOTHING = [400_000, 20_000, 400];
const LARGE_ONES = [400_000];

const FREE_BYTES = 4_000_000;

/** Of the disk: the store reserves 8 MiB of it. */
const FREE_DISK_BYTES = 16_000_000;

/**
 * What other programs leave for a moment: too little for large writes, and enough to delete small
 * notes. To delete, SQLite needs as much room as what is deleted takes: it overwrites it.
 */
const LITTLE_BYTES = 256_000;

/** The store gives up after ten seconds; a busy machine may take a moment more. */
const MAX_FAILURE_MS = 12_000;

/** What failures may be; each says what it is about in numbers, or what to look at. */
const WORDS = { 'quota-exceeded': /[\d.]+ MB of [\d.]+ MB/, timeout: /disk may be full/ };

/**
 * @param {NoRoom} result
 * @param {boolean} cannotRead
 */
function problemsOf({ failures, problems }, cannotRead) {
  const wrong = failures.filter(({ code, message, tookMs }) => {
    const words = code === 'quota-exceeded' || code === 'timeout' ? WORDS[code] : undefined;
    return !words?.test(message) || tookMs > MAX_FAILURE_MS;
  });
  const none = failures.length > 0 ? [] : ['Nothing failed: there was room enough.'];
  const reads = cannotRead ? [] : problems;
  return [...wrong.map((failure) => JSON.stringify(failure)), ...reads, ...none];
}

/**
 * @typedef {object} Shortage
 * @property {number[]} sizes of what is written, until it does not go in
 * @property {(page: Page) => Promise<void>} takeRoom
 * @property {() => void} [onfull] when nothing more goes in
 * @property {() => void} [makeRoom] by default, deleting has to be enough
 * @property {boolean} [cannotDelete] before there is room
 * @property {boolean} [cannotRead] before there is room
 * @property {boolean} [reloads] whether the page is reloaded before there is room
 * @property {Visit[]} [visits] before there is room
 * @property {() => void} [beforeRestart] where the browser is started again before there is room
 */

/**
 * @typedef {object} Visit a later look at what is on a full disk
 * @property {'reload' | 'worker' | 'second tab' | 'restart' | 'kill'} how what comes before it
 * @property {(bytes: number) => void} fill
 * @property {number} bytes that are left
 */

/**
 * Opens the database again and writes as much as goes in; resolves with the page that has done so.
 * @param {KillableBrowser} browser
 * @param {Page} page
 * @param {string} database
 * @param {Visit} visit
 * @returns {Promise<{ page: Page, isOpen: boolean }>}
 */
async function visit(browser, page, database, { how, fill, bytes }) {
  if (how === 'restart') await browser.close();
  if (how === 'kill') browser.kill();
  if (how === 'restart' || how === 'kill') {
    await browser.ended();
    // With not a byte left the browser itself would not start.
    fill(LITTLE_BYTES);
    await browser.start();
    page = await browser.openTab();
  }
  if (how === 'second tab') page = await browser.openTab();
  fill(bytes);
  if (how === 'reload') await page.reload();
  if (how === 'worker') {
    await callPage(page, 'endWorker');
    return { page, isOpen: true };
  }
  const { code } = await callPage(page, 'tryToOpen', database);
  return { page, isOpen: code === 'ok' };
}

/**
 * Writes until nothing more goes in, makes room, goes on, and looks after a restart what there is.
 * @param {KillableBrowser} browser
 * @param {number} round
 * @param {Shortage} shortage
 */
async function fillAndGoOn(browser, round, shortage) {
  const { sizes, takeRoom, onfull, makeRoom, reloads, visits = [], beforeRestart } = shortage;
  const { cannotDelete = false, cannotRead = false } = shortage;
  const database = `faults-full-${round}`;
  await browser.start();
  let page = await browser.openTab();
  /** @type {string[]} */
  const lossReports = [];
  /** @type {string[]} */
  const problems = [];
  const listen = async () => {
    const { losses, troubles } = await callPage(page, 'reports');
    lossReports.push(...losses.map((loss) => JSON.stringify(loss)));
    problems.push(...troubles);
  };
  await keepFromEviction(browser, page);
  await takeRoom(page);
  await callPage(page, 'open', database);
  await callPage(page, 'whenRoomIsKept', database);
  const small = ['small 1', 'small 2', 'small 3'];
  for (const title of small) await callPage(page, 'writeOneMore', title);
  const full = await callPage(page, 'writeUntilFull', `round ${round}`, sizes);
  problems.push(...problemsOf(full, cannotRead));
  onfull?.();
  const half = full.acknowledged.slice(0, Math.ceil(full.acknowledged.length / 2));
  const unwanted = makeRoom ? small : half;
  await listen();
  for (const [index, next] of visits.entries()) {
    const visited = await visit(browser, page, database, next);
    page = visited.page;
    if (!visited.isOpen) continue;
    const { acknowledged } = await callPage(page, 'writeUntilFull', `visit ${index}`, [400]);
    full.acknowledged.push(...acknowledged);
    await listen();
  }
  if (reloads) await page.reload();
  if (beforeRestart) {
    await browser.close();
    beforeRestart();
    await browser.start();
    page = await browser.openTab();
  }
  if (reloads || beforeRestart) {
    // It may be that nothing can even be read.
    const start = await callPage(page, 'tryToOpen', database);
    if (cannotDelete && start.code === 'ok') {
      const { acknowledged } = await callPage(page, 'writeUntilFull', 'in between', [400]);
      full.acknowledged.push(...acknowledged);
    }
    await listen();
    if (start.code === 'ok') await callPage(page, 'close');
    if (cannotDelete) makeRoom?.();
    await callPage(page, 'open', database);
  }
  if (cannotDelete) makeRoom?.();
  const deletion = await deletedAtLast(browser, page, unwanted);
  if (deletion.failure) problems.push(`A deletion failed: ${JSON.stringify(deletion.failure)}`);
  if (!cannotDelete) makeRoom?.();
  const again = await callPage(page, 'writeAgain', 'afterwards');
  if (again) problems.push(`There is room and a write fails: ${JSON.stringify(again)}`);
  await listen();
  await browser.close();
  await browser.start();
  page = await browser.openTab();
  await callPage(page, 'open', database);
  const names = new Set(await callPage(page, 'readNames'));
  // Before a deletion failed, others may have been acknowledged.
  const kept = [...small, ...full.acknowledged].filter((name) => !deletion.deleted.includes(name));
  const lost = [...kept, ...(again ? [] : ['afterwards'])].filter((name) => !names.has(name));
  await callPage(page, 'whenReported', lost.length > 0 && lossReports.length === 0 ? 1 : 0, 0);
  await listen();
  problems.push(...lossReports);
  if (lost.length > 0) problems.push(`${lost.length} acknowledged and lost: ${lost.join(', ')}`);
  const failed = full.failures.filter(({ name, code }) => code !== 'timeout' && names.has(name));
  problems.push(...failed.map(({ name }) => `Failed and there: ${name}`));
  const everything = await callPage(page, 'readEverything', database);
  problems.push(...everything.problems);
  browser.assertBackend();
  await browser.close();
  return { full, lost, problems };
}

/**
 * Deletes what there is no room for any more; resolves with what is deleted, and how it failed if it did. In
 * Firefox what is first written after the disk was full may fail once more, in the same words.
 * @param {KillableBrowser} browser
 * @param {Page} page
 * @param {string[]} names
 */
async function deletedAtLast(browser, page, names) {
  const first = await callPage(page, 'deleteNamed', names);
  if (browser.backend !== 'firefox' || first.failure?.code !== 'quota-exceeded') return first;
  const second = await callPage(page, 'deleteNamed', names);
  return { ...second, deleted: [...first.deleted, ...second.deleted] };
}

/** @param {{ full: NoRoom, lost: string[] }[]} results */
function figuresOf(results) {
  const failures = results.flatMap(({ full }) => full.failures);
  const codes = [...new Set(failures.map(({ code }) => code))].map(
    (code) => `${failures.filter((failure) => failure.code === code).length} ${code}`,
  );
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, next) => total + next, 0);
  const acknowledged = sum(results.map(({ full }) => full.acknowledged.length));
  const lost = sum(results.map((result) => result.lost.length));
  const took = medianAndMax(failures.map(({ tookMs }) => tookMs));
  return `${acknowledged} writes acknowledged, ${lost} lost; refused: ${codes.join(', ')} (${took})`;
}

/**
 * Where a disk is full Chromium may delete all data of a site that it has not promised to keep: what is
 * lost is to be lost by what is tested.
 * @param {KillableBrowser} browser
 * @param {Page} page
 */
async function keepFromEviction(browser, page) {
  if (!CHROMIUM.includes(browser.backend)) return;
  const devTools = await asChromium(browser).devTools(page);
  const { origin } = browser.home;
  await devTools.send('Browser.grantPermissions', { permissions: ['durableStorage'], origin });
  const isPromised = await callPage(page, 'keepFromEviction');
  assert.ok(isPromised, 'The browser has not promised to keep the data.');
}

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

/** @param {{ problems: string[] }[]} results */
const problemsOfAll = (results) =>
  results.flatMap(({ problems }, round) => problems.map((problem) => `Round ${round}: ${problem}`));

/**
 * @param {import('./rounds.mjs').Fault} fault
 * @param {(disk: SmallDisk) => Omit<Shortage, 'takeRoom' | 'makeRoom'>} shortageOn
 */
async function fillDisks({ browser, rounds, report, skip }, shortageOn) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const disk = new SmallDisk(browser.sitesFolder);
    const refusal = disk.mount();
    if (refusal !== undefined) return skip(`no small disk could be made to be filled (${refusal})`);
    try {
      const result = await fillAndGoOn(browser, round, {
        ...shortageOn(disk),
        takeRoom: () => Promise.resolve(disk.fill(FREE_DISK_BYTES)),
        makeRoom: () => disk.empty(),
      });
      results.push(result);
    } finally {
      browser.kill();
      await browser.ended();
      disk.unmount();
      rmSync(browser.profile, { recursive: true, maxRetries: 10, retryDelay: 50 });
    }
  }
  report(figuresOf(results));
  assert.deepEqual(problemsOfAll(results), []);
}

testFault('the disk is full', 1, (fault) =>
  fillDisks(fault, (disk) => ({ sizes: LARGE_ONES, onfull: () => disk.fill(LITTLE_BYTES) })),
);

// With not a byte left a deletion cannot be written down. LevelDB leaves half a record in its log, and
// Chromium may not even open it again before there is room.
for (const again of ['', 'reload', 'restart']) {
  const when = again === '' ? '' : `, even after a ${again}`;
  testFault(`not a byte left on the disk${when}`, 1, (fault) =>
    fillDisks(fault, (disk) => ({
      ...(again === 'reload' && { reloads: true }),
      // With not a byte left the browser itself would not start.
      ...(again === 'restart' && {
        beforeRestart: () => disk.fill(LITTLE_BYTES),
      }),
      sizes: DOWN_TO_NOTHING,
      cannotDelete: true,
      cannotRead: fault.backend === 'leveldb',
    })),
  );
}

/** What other programs leave for a moment on a disk that is full, in bytes. */
const LEFT_FOR_A_MOMENT = [0, 4_096, 16_384, 65_536, 262_144];

/** @type {Visit['how'][]} */
const WAYS = ['reload', 'worker', 'second tab', 'restart', 'kill'];

// LevelDB appends to a log whose last record was broken off, at each start that finds room for a few bytes.
for (const how of [...WAYS, undefined]) {
  testFault(`a full disk with a little room, before each ${how ?? 'of several'}`, 1, (fault) => {
    let round = 0;
    return fillDisks(fault, (disk) => {
      const random = new Random(fault.seed, round++);
      const visits = Array.from({ length: random.between(2, 4) }, () => ({
        how: how ?? random.pick(WAYS),
        fill: (/** @type {number} */ bytes) => disk.fill(bytes),
        bytes: random.pick(LEFT_FOR_A_MOMENT),
      }));
      return {
        reloads: true,
        visits,
        sizes: DOWN_TO_NOTHING,
        cannotDelete: true,
        cannotRead: fault.backend === 'leveldb',
      };
    });
  });
}
