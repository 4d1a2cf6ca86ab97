// Writing until there is no room, going on, and looking what there is afterwards.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { asChromium, CHROMIUM } from '../support/browsers/backends.mjs';
import { callPage } from './call-page.mjs';
import { medianAndMax } from './rounds.mjs';
import { SmallDisk } from './small-disk.mjs';

/**
 * @typedef {import('../support/browsers/killable-browser.mjs').KillableBrowser} KillableBrowser
 * @typedef {import('./page/no-room.js').NoRoom} NoRoom
 * @typedef {import('../support/browsers/killable-browser.mjs').Tab} Page
 */

/** In the end not even a small note goes in: what is deleted then has to be deletable all the same. */
export const DOWN_TO_NOTHING = [400_000, 20_000, 400];
/** Of the disk: the store reserves 8 MiB of it. */
const FREE_DISK_BYTES = 16_000_000;

/**
 * What other programs leave for a moment: too little for large writes, and enough to delete small
 * notes. To delete, SQLite needs as much room as what is deleted takes: it overwrites it.
 */
export const LITTLE_BYTES = 256_000;

/** The store gives up after ten seconds; a busy machine may take a moment more. */
const MAX_FAILURE_MS = 12_000;

const FULL_IN_WORDS = 'The disk is full';

/** What failures may be; each says what it is about in numbers, or what to look at. */
const WORDS = { 'quota-exceeded': /uses [\d.]+ MB/, timeout: /disk may be full/ };

/**
 * @param {NoRoom} result
 * @param {boolean} cannotRead
 */
export function problemsOf({ failures, problems }, cannotRead) {
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
 * @property {'reload' | 'worker' | 'second tab' | 'restart' | 'kill' | 'kill in a write'} how what comes before it
 * @property {(bytes: number) => void} fill
 * @property {number} bytes that are left
 * @property {number} writingMs how long it writes until it is killed in a write
 */

/**
 * Opens the database again and writes as much as goes in; resolves with the page that has done so.
 * @param {KillableBrowser} browser
 * @param {Page} page
 * @param {string} database
 * @param {Visit} visit
 * @returns {Promise<{ page: Page, isOpen: boolean }>}
 */
async function visit(browser, page, database, { how, fill, bytes, writingMs }) {
  if (how === 'restart') await browser.close();
  if (how === 'kill in a write') {
    fill(LITTLE_BYTES);
    // What it has acknowledged, nobody hears: what was there before is what must stay.
    callPage(page, 'writeUntilFull', 'cut off', DOWN_TO_NOTHING).catch(() => undefined);
    await sleep(writingMs);
  }
  if (how.startsWith('kill')) browser.kill();
  if (how === 'restart' || how.startsWith('kill')) {
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
export async function fillAndGoOn(browser, round, shortage) {
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
    // A worker that has died cannot be replaced before there is room, and that is said.
    const isExpected = (/** @type {string} */ text) => cannotDelete && text.includes(FULL_IN_WORDS);
    problems.push(...troubles.filter((text) => !isExpected(text)));
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
export function figuresOf(results) {
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

/** @param {{ problems: string[] }[]} results */
export const problemsOfAll = (results) =>
  results.flatMap(({ problems }, round) => problems.map((problem) => `Round ${round}: ${problem}`));

/**
 * @param {import('./rounds.mjs').Fault} fault
 * @param {(disk: SmallDisk) => Omit<Shortage, 'takeRoom' | 'makeRoom'>} shortageOn
 */
export async function fillDisks({ browser, rounds, report, skip }, shortageOn) {
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
