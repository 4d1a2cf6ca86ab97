// `npm run bench:folders`: folders of the disk, with 10,000 and 100,000 files, in headless Chromium.
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DevToolsThread } from '../scripts/serving/devtools-thread.mjs';
import { requireChromium } from '../scripts/browsers/chromium.mjs';

process.env['CHROME_PATH'] ??= await requireChromium();
const { Desk, closeSite } = await import('../test/e2e/folders-browser.mjs');

/** How often each is measured. */
const TRIALS = 7;
/** How long nothing happens, for the work of an idle page. */
const IDLE_MS = 10_000;

const round = (/** @type {number} */ value) => value.toFixed(value < 10 ? 1 : 0);

/** @param {number[]} values */
function quartiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ part) => sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
  return `${round(at(0.5))} (${round(at(0.25))}–${round(at(0.75))})`;
}

/**
 * @param {string} root
 * @param {number} folders
 * @param {number} files in each
 */
async function plant(root, folders, files) {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, `${folder % 100}`, `folder ${folder}`);
    await mkdir(path, { recursive: true });
    await Promise.all(
      [...Array(files).keys()].map((file) => writeFile(join(path, `${file}.txt`), `${file}`)),
    );
  }
}

/** Runs in the page: how long a first list, a page of it, a read and the whole list take. */
async function measureReads(/** @type {number} */ trials) {
  const { client } = /** @type {any} */ (globalThis).page;
  const uri = 'disk:///project/7/folder 7/3.txt'.replaceAll(' ', '%20');
  /** @param {() => Promise<unknown>} run */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it is sent to the page
  async function timed(run) {
    const start = performance.now();
    await run();
    return performance.now() - start;
  }
  const first = await timed(() => client.listResources());
  const pages = [];
  let cursor;
  for (let index = 0; index <= trials; index += 1) {
    let page = /** @type {any} */ (undefined);
    const ms = await timed(async () => (page = await client.listResources({ cursor })));
    cursor = page.nextCursor;
    if (index > 0) pages.push(ms);
  }
  const reads = [];
  for (let index = 0; index < trials; index += 1)
    reads.push(await timed(() => client.readResource(uri)));
  const whole = await timed(async () => {
    for await (const page of client.resources()) void page;
  });
  return { first, pages, reads, whole };
}

/** Runs in the page: keeps when it was notified of a file, and of any change of the list. */
async function subscribeTo(/** @type {string} */ uri) {
  const { client } = /** @type {any} */ (globalThis).page;
  const notified = { file: 0, list: 0 };
  Object.assign(globalThis, { notified });
  client.watch(uri, () => (notified.file = Date.now()));
  client.watchList(() => (notified.list = Date.now()));
  await client.readResource(uri);
}

/** @param {import('playwright-core').Page} page @param {string} path @param {string} uri */
async function notificationTimes(page, path, uri) {
  await page.evaluate(subscribeTo, uri);
  const times = [];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    await delay(500);
    const since = Date.now();
    await appendFile(path, 'more');
    await page.waitForFunction(
      (start) => /** @type {any} */ (globalThis).notified.file >= start,
      since,
      { polling: 5 },
    );
    times.push((await page.evaluate(() => /** @type {any} */ (globalThis).notified.file)) - since);
  }
  return times;
}

/**
 * From the end of a change of 2,000 files until the client's own list has no file too many or too few.
 * @param {import('playwright-core').Page} page
 * @param {string} root
 */
async function convergence(page, root) {
  const times = [];
  for (let trial = 0; trial < 3; trial += 1) {
    await plant(join(root, `new ${trial}`), 40, 50);
    const since = Date.now();
    await page.evaluate(async (prefix) => {
      const { client, list } = /** @type {any} */ (globalThis).page;
      let isStale = true;
      client.watchList(() => (isStale = true));
      for (;;) {
        if (isStale) {
          isStale = false;
          const uris = await list();
          const count = uris.filter((/** @type {string} */ uri) => uri.startsWith(prefix)).length;
          if (count >= 2_000 + 40 + 1) return;
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }, `disk:///project/new%20${trial}/`);
    times.push(Date.now() - since);
    await rm(join(root, `new ${trial}`), { recursive: true });
    await delay(2_000);
  }
  return times;
}

/**
 * The processor time that the page and its worker have taken, in seconds.
 * @param {import('playwright-core').Page} page
 */
async function busySeconds(page) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await devTools.send('Performance.getMetrics');
  await devTools.detach();
  return metrics.find((one) => one.name === 'ProcessTime')?.value ?? NaN;
}

for (const [folders, files] of /** @type {const} */ ([
  [50, 40],
  [1_000, 10],
  [10_000, 10],
])) {
  const home = await mkdtemp(join(tmpdir(), 'inpage-mcp-bench-'));
  const desk = new Desk(home);
  try {
    await mkdir(desk.root);
    await plant(desk.root, folders, files);
    await desk.start();
    const page = await desk.openTab();
    const [worker] = await DevToolsThread.ofWorkers(page);
    const before = await worker.usedBytes();
    await desk.mount(page);
    const { first, pages, reads, whole } = await page.evaluate(measureReads, TRIALS);
    const uri = 'disk:///project/7/folder%207/3.txt';
    const notified = await notificationTimes(page, join(desk.root, '7/folder 7/3.txt'), uri);
    const converged = folders < 10_000 ? await convergence(page, desk.root) : [];
    const after = await worker.usedBytes();
    const busy = await busySeconds(page);
    await delay(IDLE_MS);
    const idle = (await busySeconds(page)) - busy;
    console.log(`\n${folders * files} files in ${folders} folders, in ms: median (quartiles)`);
    console.log(`first page of the list     ${first.toFixed(0)}`);
    console.log(`further pages of it        ${quartiles(pages)}`);
    console.log(`the whole list             ${whole.toFixed(0)}`);
    console.log(`read of a file             ${quartiles(reads)}`);
    console.log(`save to notification       ${quartiles(notified)}`);
    if (converged.length > 0) console.log(`2,000 new files listed     ${quartiles(converged)}`);
    console.log(`heap of the worker         +${((after - before) / 1e6).toFixed(1)} MB`);
    console.log(`idle, all of the page       ${((idle / IDLE_MS) * 1e5).toFixed(2)} % of a core`);
  } finally {
    await desk.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
await closeSite();
