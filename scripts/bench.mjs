// `npm run bench`: runs bench/*.bench.ts in headless Chromium and prints the ratio of each row to the
// baseline of the same run, because only ratios are comparable between machines. Results also go to
// bench/results/. Arguments choose benchmarks by name: `npm run bench -- read list`.
//
// A benchmark exports `run(): Promise<Results>`, the interface in bench/measure.ts. Its own worker is in
// bench/<name>.worker.ts and is found as `new URL('./<name>.worker.js', import.meta.url)`. If it exports
// `watchesMemory = true`, the memory of its workers is reported, too. If it exports
// `needsSyncServers = true`, `run` gets the ports of servers for a sync.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { buildBrowserPage } from './serving/browser-page.mjs';
import { basename, join } from 'node:path';
import { requireChromium, launchFlags } from './browsers/chromium.mjs';
import { DevToolsThread } from './serving/devtools-thread.mjs';
import { inRoot } from './project/project.mjs';
import { findNatsServer } from './browsers/nats-server.mjs';
import { couchServer, natsServers } from '../test/support/sync/sync-servers.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './serving/static-server.mjs';

/**
 * @typedef {{ name: string, medianMs: number, lowerQuartileMs: number, upperQuartileMs: number }} Row
 * @typedef {{ name: string, baseline: string, rows: Row[], comparisons?: [string, string][], remarks?: string[] }} Results
 * @typedef {{ peakBytes: number, bytes: number }} Memory of the worker that has taken most
 */

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
  return await buildBrowserPage('Benchmarks', { entryPoints, minify: true });
}

/**
 * Runs one benchmark in a separate browser, so that none inherits another's heap or database.
 * @param {string} url
 * @param {string} name
 * @returns {Promise<Results & { browser: string, memory?: Memory }>}
 */
async function runInBrowser(url, name) {
  const { chromium } = await import('playwright-core');
  const executablePath = await requireChromium();
  // Without a separate folder, the browser would keep databases in memory.
  const profile = mkdtempSync(join(tmpdir(), 'inpage-mcp-bench-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: launchFlags,
  });
  /** @type {import('../test/support/sync/sync-servers.mjs').SyncServer[]} */
  const servers = [];
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(url);
    const script = `/${name}.bench.js`;
    const { watchesMemory, needsSyncServers } = await page.evaluate(async (path) => {
      const benchmark = await import(path);
      return {
        watchesMemory: benchmark.watchesMemory,
        needsSyncServers: benchmark.needsSyncServers,
      };
    }, script);
    const memory = watchesMemory ? await MemoryWatch.of(page) : undefined;
    const ports = needsSyncServers ? await startSyncServers(servers) : undefined;
    const results = await page.evaluate(
      async ([path, given]) => (await import(path)).run(given),
      /** @type {const} */ ([script, ports]),
    );
    const measured = memory && { memory: await memory.end() };
    return { ...results, ...measured, browser: `Chromium ${context.browser()?.version()}` };
  } finally {
    for (const server of servers) await server.remove();
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/**
 * Starts PouchDB Server, and a NATS server if one is installed.
 * @param {import('../test/support/sync/sync-servers.mjs').SyncServer[]} servers takes them
 */
async function startSyncServers(servers) {
  const pouchdb = await couchServer();
  const [nats] = findNatsServer() ? await natsServers(1) : [];
  for (const server of [pouchdb, nats]) {
    if (!server) continue;
    servers.push(server);
    await server.start();
  }
  return { pouchdb: pouchdb.port, ...(nats && { nats: nats.port }) };
}

/** Checks at intervals how much memory the workers of a page take. */
class MemoryWatch {
  #workers;
  #peakBytes = 0;
  #timer;

  /** @param {DevToolsThread[]} workers */
  constructor(workers) {
    this.#workers = workers;
    this.#timer = setInterval(() => void this.#look(), 250);
  }

  /** @param {import('playwright-core').Page} page */
  static async of(page) {
    return new MemoryWatch(await DevToolsThread.ofWorkers(page));
  }

  /** @returns {Promise<Memory>} */
  async end() {
    clearInterval(this.#timer);
    const used = await this.#ofEach((worker) => worker.usedBytes());
    return { peakBytes: this.#peakBytes, bytes: Math.max(...used) };
  }

  async #look() {
    this.#peakBytes = Math.max(this.#peakBytes, ...(await this.#ofEach((one) => one.heldBytes())));
  }

  /** @param {(worker: DevToolsThread) => Promise<number>} ask those that have died do not answer */
  async #ofEach(ask) {
    return await Promise.all(this.#workers.map((worker) => ask(worker).catch(() => 0)));
  }
}

/** @param {Results & { memory?: Memory }} results */
function print({ name, baseline, rows, comparisons = [], remarks = [], memory }) {
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
  for (const remark of remarks) console.log(`  ${remark}`);
  if (!memory) return;
  const [bytes, peak] = [memory.bytes, memory.peakBytes].map((one) => (one / 1e6).toFixed(1));
  console.log(`  memory of the largest worker: ${bytes} MB, at most ${peak} MB during the run`);
}

/** @param {number} ratio */
const asRatio = (ratio) => `${ratio.toFixed(2)} ×`;

/** @param {string[]} names */
async function runAll(names) {
  const pageFolder = await buildPage(names);
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
