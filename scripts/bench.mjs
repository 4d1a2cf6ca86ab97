// `npm run bench`: runs bench/*.bench.ts in headless Chromium and prints how each row compares with
// the baseline of the same run, since only ratios carry over from one machine to another. Results
// also go to bench/results/. Arguments choose benchmarks by name: `npm run bench -- read list`.
//
// A benchmark exports `run(): Promise<Results>`, the interface in bench/measure.ts. A worker of its
// own lies in bench/<name>.worker.ts and is found as `new URL('./<name>.worker.js', import.meta.url)`.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { buildBrowserPage } from './browser-page.mjs';
import { basename } from 'node:path';
import { requireChromium, launchFlags } from './chromium.mjs';
import { inRoot } from './project.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './static-server.mjs';

/**
 * @typedef {{ name: string, medianMs: number, lowerQuartileMs: number, upperQuartileMs: number }} Row
 * @typedef {{ name: string, baseline: string, rows: Row[], comparisons?: [string, string][] }} Results
 */

const pageFolder = inRoot('node_modules', '.cache', 'bench');
const resultsFolder = inRoot('bench', 'results');

/** @param {string} ending */
const filesEndingIn = (ending) =>
  readdirSync(inRoot('bench'))
    .filter((file) => file.endsWith(ending))
    .map((file) => basename(file, '.ts'));

function benchmarkNames() {
  const all = filesEndingIn('.bench.ts').map((file) => basename(file, '.bench'));
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    console.error(
      `No benchmark is called ${unknown.join(', ')}. There are: ${all.join(', ') || 'none'}.`,
    );
    process.exit(1);
  }
  return chosen.length > 0 ? chosen : all;
}

/** @param {string[]} names */
async function buildPage(names) {
  const files = [...names.map((name) => `${name}.bench`), ...filesEndingIn('.worker.ts')];
  const entryPoints = files.map((file) => ({ in: inRoot('bench', `${file}.ts`), out: file }));
  await buildBrowserPage(pageFolder, 'Benchmarks', { entryPoints, minify: true });
}

/**
 * Runs one benchmark in a browser of its own, so that none inherits another's heap or database.
 * @param {string} url
 * @param {string} name
 * @returns {Promise<Results & { browser: string }>}
 */
async function runInBrowser(url, name) {
  const { chromium } = await import('playwright-core');
  const executablePath = await requireChromium();
  const browser = await chromium.launch({ executablePath, args: launchFlags });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(url);
    const results = await page.evaluate(
      async (script) => (await import(script)).run(),
      `/${name}.bench.js`,
    );
    return { ...results, browser: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
  }
}

/** @param {Results} results */
function print({ name, baseline, rows, comparisons = [] }) {
  /** @param {string} wanted */
  const medianOf = (wanted) => {
    const row = rows.find((one) => one.name === wanted);
    if (!row) throw new Error(`${name}: no row is called "${wanted}".`);
    return row.medianMs;
  };
  const base = medianOf(baseline);
  const width = Math.max(...rows.map((row) => row.name.length));
  console.log(`\n${name}`.padEnd(width + 4) + '     median   middle half of the rounds     ratio');
  for (const { name: row, medianMs, lowerQuartileMs, upperQuartileMs } of rows) {
    const middle = `${lowerQuartileMs.toFixed(3)} to ${upperQuartileMs.toFixed(3)}`;
    console.log(
      `  ${row.padEnd(width)} ${`${medianMs.toFixed(3)} ms`.padStart(12)}` +
        `${`${middle} ms`.padStart(28)} ${asRatio(medianMs / base).padStart(9)}`,
    );
  }
  for (const [row, other] of comparisons) {
    console.log(`  ${row} ÷ ${other}: ${asRatio(medianOf(row) / medianOf(other))}`);
  }
}

/** @param {number} ratio */
const asRatio = (ratio) => `${ratio.toFixed(2)} ×`;

/** @param {string[]} names */
async function runAll(names) {
  await buildPage(names);
  mkdirSync(resultsFolder, { recursive: true });
  const server = await serveFolder(pageFolder);
  for (const name of names) {
    const results = await runInBrowser(server.url, name);
    print(results);
    const file = `${resultsFolder}/${name}.json`;
    writeFileSync(
      file,
      `${JSON.stringify({ date: new Date().toISOString(), ...results }, null, 2)}\n`,
    );
  }
  await server.close();
}

await setUp();
await runAll(benchmarkNames());
