// `npm run fuzz`: throws malformed messages at the ports of a live runtime, in headless Chromium, and
// looks whether it stays well. What comes back is checked in the page (test/fuzz); prototypes and
// memory of page and worker from here, over the DevTools protocol. `-- --seed N --count M` repeats a
// run, `--from I` a part of it.
import { buildBrowserPage } from './serving/browser-page.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launchFlags, requireShellOrChromium } from './browsers/chromium.mjs';
import { DevToolsThread } from './serving/devtools-thread.mjs';
import { checksOf, inMegabytes, printChecks, printRun } from './fuzz-report.mjs';
import { inRoot } from './project/project.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './serving/static-server.mjs';

/**
 * @typedef {import('./fuzz-report.mjs').Check} Check
 * @typedef {import('./fuzz-report.mjs').Memory} Memory
 * @typedef {import('./fuzz-report.mjs').Report} Report
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{ seed: number, count: number, from: number }} RunOptions
 * @typedef {{ page: DevToolsThread, worker: DevToolsThread }} Threads
 */

/** How much larger the memory of a thread may be afterwards, in bytes. */
const MAX_GROWTH = 20 * 1024 * 1024;

/** How long it may take until the memory of a thread is back. */
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

/** All that the usual prototypes have of their own, as a text; and what a plain object inherits. */
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
 * Resolves when all of it has run, or rejects as soon as the page is gone.
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
  const next = await DevToolsThread.ofNextWorker(page);
  await callPage(page, 'start');
  const threads = { page: await DevToolsThread.ofPage(page), worker: await next.started };
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
 * After a message of 64 MB the browser itself keeps it for some seconds.
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

/** A thread that has died has no memory; other checks report what it has died of. */
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

/** @param {RunOptions} options */
async function runInBrowser(options) {
  const { chromium } = await import('playwright-core');
  const executablePath = await requireShellOrChromium();
  const entryPoints = { main: inRoot('test/fuzz/main.ts') };
  const pageFolder = await buildBrowserPage('Fuzz', { entryPoints });
  const server = await serveFolder(pageFolder);
  const browser = await chromium.launch({ executablePath, args: launchFlags });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    return await whileAlive(page, () => fuzz(page, options));
  } finally {
    await browser.close();
    await server.close();
  }
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
