// `npm run bench:demo`: how fast the built demo is there, and whether it ever keeps its user waiting; in
// Chromium's own figures, each beside its goal, as a table and as JSON.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium, launchFlags } from '../scripts/browsers/chromium.mjs';
import { inRoot } from '../scripts/project/project.mjs';
import { serveFolder } from '../scripts/serving/static-server.mjs';
import { Mouse } from '../test/e2e/hands.mjs';
import { tasks } from '../test/e2e/visitor-tasks.mjs';
import { longestTask } from '../test/support/longest-task.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ what: string, value: number, goal: number, unit: string }} Figure */

/** A telephone of middle age on a slow mobile network, as Lighthouse takes it. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1_638.4 * 1_024) / 8,
  uploadThroughput: (675 * 1_024) / 8,
};
const SLOWER_PROCESSOR = 4;
const DESK = { width: 1_440, height: 900 };
const TELEPHONE = { width: 412, height: 823 };

/** How often each is measured; the median counts. */
const RUNS = 5;

const SETTLING_MS = 1_500;

const chrome = findChromium();
const server = await serveFolder(inRoot('demo/dist'), {
  basePath: '/some/sub-path/',
  isCompressed: true,
});
const browser = await chromium.launch({ executablePath: chrome ?? '', args: launchFlags });

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/**
 * Opens the demo in a fresh profile.
 * @param {(page: Page) => Promise<void>} [prepare]
 */
async function openDemo(prepare) {
  const context = await browser.newContext({ viewport: TELEPHONE });
  const page = await context.newPage();
  await prepare?.(page);
  await page.addInitScript(() => {
    const seen = { paint: 0, shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.paint = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shift += /** @type {PerformanceEntry & { value: number }} */ (entry).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(server.url);
  await page.getByRole('option', { name: 'Welcome' }).waitFor();
  return { page, close: () => context.close() };
}

/** The first visit, with nothing in a cache. */
async function measureVisit() {
  const { page, close } = await openDemo(async (fresh) => {
    const session = await fresh.context().newCDPSession(fresh);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR });
  });
  await page.waitForTimeout(SETTLING_MS);
  const seen = await page.evaluate(
    () => /** @type {Window & { seen?: { paint: number, shift: number } }} */ (window).seen,
  );
  await close();
  return seen ?? { paint: NaN, shift: NaN };
}

/** @param {(page: Page) => Promise<unknown>} work */
async function measureLongestTask(work) {
  const { page, close } = await openDemo();
  await page.waitForTimeout(SETTLING_MS);
  const ms = await longestTask(page, async () => {
    await work(page);
    await page.waitForTimeout(SETTLING_MS);
  });
  await close();
  return ms;
}

/** @param {Page} page */
async function loadNotes(page) {
  await page.evaluate(async () => {
    const runtime = document.querySelector('demo-app')?.runtime;
    if (!runtime) throw new Error('The demo has no runtime.');
    const notes = Array.from({ length: 1_000 }, (_, index) => ({
      title: `Note ${index}`,
      text: `# Note ${index}\n\n${'some words of it '.repeat(20)}`,
    }));
    await runtime.notes.createAll(notes);
  });
  await page.getByRole('option', { name: 'Note 999' }).waitFor();
}

/** @param {Page} page */
async function addFiles(page) {
  await page.locator('mcp-file-drop #files').setInputFiles(paths);
  const saved = page.locator('mcp-file-drop').getByText('Files saved: 200');
  await saved.first().waitFor({ timeout: 120_000 });
}

/** @param {Page} page */
async function visit(page) {
  await page.setViewportSize(DESK);
  const mouse = new Mouse(page);
  for (const perform of Object.values(tasks)) await perform(page, mouse);
}

/** @param {Page} page */
async function recordMessages(page) {
  await page.evaluate(async () => {
    const client = document
      .querySelector('demo-app')
      ?.shadowRoot?.querySelector('mcp-provider')?.client;
    if (!client) throw new Error('The demo has no client.');
    for (let round = 0; round < 50; round += 1) {
      // A request and its answer are two messages.
      await Promise.all(Array.from({ length: 50 }, () => client.readResource('inpage:///storage')));
    }
  });
}

const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-bench-'));
const paths = Array.from({ length: 200 }, (_, index) => join(folder, `file ${index}.txt`));
await Promise.all(paths.map((path) => writeFile(path, 'some words '.repeat(500))));

const visits = [];
for (let run = 0; run < RUNS; run += 1) visits.push(await measureVisit());
/** @type {[what: string, work: (page: Page) => Promise<unknown>, goal?: number][]} */
const works = [
  ['longest task, thirteen tasks of a visitor', visit, 50],
  ['longest task, 1,000 notes load', loadNotes],
  ['longest task, 200 files are added', addFiles],
  [
    'longest task, the wire records 5,000 messages',
    async (page) => {
      await page.goto(`${server.url}#wire`);
      await recordMessages(page);
    },
  ],
];
/** @type {Figure[]} */
const figures = [
  {
    what: 'largest paint, throttled',
    value: median(visits.map(({ paint }) => paint)),
    goal: 1_500,
    unit: 'ms',
  },
  { what: 'layout shift', value: median(visits.map(({ shift }) => shift)), goal: 0.02, unit: '' },
];
for (const [what, work, goal = 100] of works) {
  const values = [];
  for (let run = 0; run < RUNS; run += 1) values.push(await measureLongestTask(work));
  figures.push({ what, value: median(values), goal, unit: 'ms' });
}
await browser.close();
await server.close();
await rm(folder, { recursive: true });

for (const { what, value, goal, unit } of figures) {
  const shown = `${Number(value.toFixed(unit ? 0 : 3))} ${unit}`.trim();
  const over = value > goal ? ', over its goal' : '';
  console.log(`${what.padEnd(48)} ${shown.padStart(9)} of ${goal} ${unit}${over}`);
}
console.log(JSON.stringify(figures));
