// `npm run fuzz`: sends malformed messages to the ports of a live runtime, in headless Chromium, and checks
// that it keeps working. The answers are checked in the page (test/fuzz); the prototypes and the memory of
// page and worker are checked from here, over the DevTools protocol. `-- --seed N --count M` repeats a run,
// `--from I` a part of it.
import { buildBrowserPage, withPage } from './serving/browser-page.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requireShellOrChromium } from './browsers/chromium.mjs';
import { DevToolsThread } from './serving/devtools-thread.mjs';
import { inRoot } from './project/project.mjs';
import { setUp } from './setup.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{ seed: number, count: number, from: number }} RunOptions
 * @typedef {{ page: DevToolsThread, worker: DevToolsThread }} Threads
 * @typedef {{ [name: string]: number }} Counts
 * @typedef {{ check: string, text: string, seed: number, from: number, count: number }} Failure
 * @typedef {object} Report what the page has seen: `Report` of test/fuzz/main.ts
 * @property {{ [check: string]: string }} checks
 * @property {Failure[]} failures
 * @property {Counts} kinds
 * @property {Counts} values
 * @property {Counts} codes
 * @property {number} sent
 * @property {number} uncloneable
 * @property {number} durationMs
 * @typedef {{ name: string, problems: string[] }} Check
 * @typedef {{ thread: string, before: number, after: number, closed: number }} Memory in bytes: before
 *   the run, after it, and when its connections have ended
 */

/** The maximum growth of a thread's memory by a run, in bytes. */
const MAX_GROWTH = 20 * 1024 * 1024;

/** The time until the memory of a thread has to be released, in milliseconds. */
const MEMORY_BACK_MS = 15_000;

/** @returns {RunOptions} */
function optionsGiven() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      count: { type: 'string', default: '100000' },
      from: { type: 'string', default: '0' },
    },
  });
  const { seed = String(Math.floor(Math.random() * 2 ** 31)), count, from } = values;
  const options = { seed: Number(seed), count: Number(count), from: Number(from) };
  for (const [name, value] of Object.entries(options)) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    console.error(`--${name} is a whole number from 0 on.`);
    process.exit(1);
  }
  return options;
}

/**
 * An expression for all own properties of the usual prototypes, as a text, and for those that a plain object
 * inherits.
 */
const PROTOTYPES = `(() => {
  const owners = [Object, Array, Function, String, Number, Boolean, Map, Set, Date, RegExp, Promise];
  const describe = (owner, key) => {
    const { value, get, set } = Object.getOwnPropertyDescriptor(owner, key);
    const text = typeof value === 'object' && value !== null ? Object.keys(value) : String(value);
    return [String(key), text, get, set].join();
  };
  const inherited = [];
  for (const key in { ...{} }) inherited.push(key);
  return [...owners, Error, MessageEvent]
    .map(({ prototype }) => Reflect.ownKeys(prototype).map((key) => describe(prototype, key)))
    .concat(inherited, String({}.polluted))
    .join('\\n');
})()`;

/**
 * @param {Page} page
 * @param {'start' | 'warmUp' | 'send' | 'closePorts' | 'finish'} step what test/fuzz/main.ts exports
 * @param {RunOptions} [options]
 */
const callPage = (page, step, options) =>
  page.evaluate(
    async ({ script, step: name, options: given }) => (await import(script))[name](given),
    { script: '/main.js', step, options },
  );

/**
 * Runs a function; rejects as soon as the page has crashed or was closed.
 * @template Value
 * @param {Page} page
 * @param {() => Promise<Value>} run
 * @returns {Promise<Value>}
 */
const whileAlive = (page, run) =>
  Promise.race([
    run(),
    new Promise((_settle, fail) => page.once('crash', () => fail(new Error('The page crashed.')))),
  ]);

/**
 * @param {Page} page
 * @param {RunOptions} options
 * @returns {Promise<{ report: Report, memories: Memory[], checks: Check[] }>}
 */
async function fuzz(page, options) {
  /** @type {string[]} */
  const uncaught = [];
  page.on('pageerror', (error) => uncaught.push(String(error.stack)));
  const workers = await DevToolsThread.ofWorkers(page);
  await callPage(page, 'start');
  const [worker] = workers;
  if (!worker) throw new Error('The page has started no worker.');
  const threads = { page: await DevToolsThread.ofPage(page), worker };
  const prototypes = await prototypesOf(threads);
  await callPage(page, 'warmUp');
  const before = await memoryOf(threads);
  await callPage(page, 'send', options);
  const after = await memoryOnceBack(threads, before);
  const changed = changesOf(prototypes, await prototypesOf(threads));
  await callPage(page, 'closePorts');
  const closed = await memoryOf(threads);
  const report = await callPage(page, 'finish');
  const memories = before.map(({ thread, bytes }, index) => ({
    thread,
    before: bytes,
    after: after[index]?.bytes ?? Number.NaN,
    closed: closed[index]?.bytes ?? Number.NaN,
  }));
  const checks = [
    ...checksOf(report),
    { name: 'nothing is thrown that nobody catches', problems: uncaught },
    { name: 'no prototype is changed, in the page or the worker', problems: changed },
    ...memories.map(memoryCheck),
  ];
  return { report, memories, checks };
}

/** @param {Threads} threads */
async function memoryOf(threads) {
  return [
    { thread: 'worker', bytes: await threads.worker.usedBytes().catch(unknown) },
    { thread: 'page', bytes: await threads.page.usedBytes().catch(unknown) },
  ];
}

/**
 * The memory after it was released: the browser itself keeps a message of 64 MB for some seconds.
 * @param {Threads} threads
 * @param {{ bytes: number }[]} before
 */
async function memoryOnceBack(threads, before) {
  const endsAt = performance.now() + MEMORY_BACK_MS;
  for (;;) {
    const now = await memoryOf(threads);
    const isBack = now.every(
      ({ bytes }, index) => bytes - (before[index]?.bytes ?? 0) < MAX_GROWTH,
    );
    if (isBack || performance.now() > endsAt) return now;
    await sleep(500);
  }
}

/** A thread that has died has no memory; other checks report the reason. */
const unknown = () => Number.NaN;

/** @param {Threads} threads */
async function prototypesOf({ page, worker }) {
  return {
    page: await page.evaluate(PROTOTYPES),
    worker: await worker.evaluate(PROTOTYPES).catch(String),
  };
}

/**
 * @param {{ page: string, worker: string }} before
 * @param {{ page: string, worker: string }} after
 */
function changesOf(before, after) {
  const threads = /** @type {const} */ (['page', 'worker']);
  const changed = threads.filter((thread) => before[thread] !== after[thread]);
  return changed.map((thread) => {
    const known = new Set(before[thread].split('\n'));
    const added = after[thread].split('\n').filter((line) => !known.has(line));
    return `In the ${thread}: ${added.join(' ').slice(0, 500)}`;
  });
}

/**
 * @param {Memory} memory
 * @returns {Check}
 */
function memoryCheck({ thread, before, after }) {
  const growth = after - before;
  const limit = inMegabytes(MAX_GROWTH);
  return {
    name: `the memory of the ${thread} is back within ${limit}`,
    problems:
      growth <= MAX_GROWTH ? [] : [`It has grown by ${inMegabytes(growth)} (NaN: it is gone).`],
  };
}

// What is printed

/**
 * @param {Report} report
 * @param {Memory[]} memories
 */
function printRun({ kinds, values, codes, sent, uncloneable, durationMs }, memories) {
  printCounts('messages', kinds);
  printCounts('hostile values in them', values);
  printCounts('answers, by error code', codes);
  const perSecond = Math.round(sent / (durationMs / 1_000));
  console.log(`\n${sent} messages posted in ${(durationMs / 1_000).toFixed(1)} s: ${perSecond}/s`);
  console.log(`${uncloneable} that cannot be posted`);
  for (const { thread, before, after, closed } of memories) {
    const steps = [before, after, closed].map((bytes) => inMegabytes(bytes)).join(' → ');
    console.log(`memory of the ${thread}: ${steps} (before, after, connections closed)`);
  }
}

/**
 * @param {string} title
 * @param {Counts} counts
 */
function printCounts(title, counts) {
  console.log(`\n${title}`);
  const rows = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  for (const [name, count] of rows) console.log(`${String(count).padStart(8)}  ${name}`);
}

/** @param {number} bytes */
const inMegabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/**
 * @param {Report} report
 * @returns {Check[]}
 */
function checksOf({ checks, failures }) {
  return Object.entries(checks).map(([check, name]) => ({
    name,
    problems: failures.filter((failure) => failure.check === check).map(described),
  }));
}

/** @param {Failure} failure */
function described({ text, seed, from, count }) {
  return `${text}\n      npm run fuzz -- --seed ${seed} --from ${from} --count ${count}`;
}

/**
 * Prints the failures, and the totals as the last line.
 * @param {Check[]} checks
 * @returns {boolean} whether none failed
 */
function printChecks(checks) {
  console.log('');
  for (const { name, problems } of checks) {
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
    for (const problem of problems) console.log(`    ${problem}`);
  }
  const failed = checks.filter(({ problems }) => problems.length > 0).length;
  console.log(`\n${checks.length - failed} checks passed, ${failed} failed`);
  return failed === 0;
}

// The run

/** @param {RunOptions} options */
async function runInBrowser(options) {
  const entryPoints = { main: inRoot('test/fuzz/main.ts') };
  const folder = await buildBrowserPage('Fuzz', { entryPoints });
  return await withPage(folder, await requireShellOrChromium(), (page) =>
    whileAlive(page, () => fuzz(page, options)),
  );
}

const options = optionsGiven();
await setUp();
const { seed, count, from } = options;
console.log(`seed ${seed}: ${count} hostile messages, from number ${from}, and valid ones between`);
try {
  const { report, memories, checks } = await runInBrowser(options);
  printRun(report, memories);
  process.exitCode = printChecks(checks) ? 0 : 1;
} catch (error) {
  const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printChecks([{ name: 'the run comes to its end', problems: [problem] }]);
  process.exitCode = 1;
}
