// `npm run bench`: runs bench/*.bench.ts in headless Chromium and prints how each row compares with
// the baseline of the same run, since only ratios carry over from one machine to another. Results
// also go to bench/results/. Arguments choose benchmarks by name: `npm run bench -- round-trip`.
//
// A benchmark exports `run(): Promise<{ name, baseline, rows: { name, medianMs }[] }>`, where
// `baseline` is the name of one of the rows.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { requireChromium, launchFlags } from './chromium.mjs';
import { inRoot } from './project.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './static-server.mjs';

/** @typedef {{ name: string, baseline: string, rows: { name: string, medianMs: number }[] }} Results */

const pageFolder = inRoot('node_modules', '.cache', 'bench');
const resultsFolder = inRoot('bench', 'results');

function benchmarkNames() {
  const all = readdirSync(inRoot('bench'))
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => basename(file, '.bench.ts'));
  const chosen = process.argv.slice(2);
  return chosen.length > 0 ? all.filter((name) => chosen.includes(name)) : all;
}

/** @param {string[]} names */
async function buildPage(names) {
  const { build } = await import('esbuild');
  const { writeWorkerBundle } = await import('./worker-bundle.mjs');
  rmSync(pageFolder, { recursive: true, force: true });
  await build({
    entryPoints: names.map((name) => ({ in: inRoot('bench', `${name}.bench.ts`), out: name })),
    outdir: pageFolder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'esnext',
    logLevel: 'warning',
  });
  // esbuild does not follow `new URL('./worker.js', import.meta.url)`: it must lie beside the bundle.
  await writeWorkerBundle(`${pageFolder}/worker.js`);
  writeFileSync(`${pageFolder}/index.html`, '<!doctype html><title>Benchmarks</title>');
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
      `/${name}.js`,
    );
    return { ...results, browser: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
  }
}

/** @param {Results} results */
function print({ name, baseline, rows }) {
  const base = rows.find((row) => row.name === baseline)?.medianMs;
  if (base === undefined) throw new Error(`${name}: no row is called "${baseline}".`);
  console.log(`\n${name} (ratio to ${baseline})`);
  for (const { name: row, medianMs } of rows) {
    const ratio = `${(medianMs / base).toFixed(2)} ×`;
    console.log(
      `  ${row.padEnd(40)} ${ratio.padStart(10)} ${`${medianMs.toFixed(3)} ms`.padStart(14)}`,
    );
  }
}

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
const names = benchmarkNames();
if (names.length === 0) throw new Error('bench/ holds no such *.bench.ts.');
await runAll(names);
