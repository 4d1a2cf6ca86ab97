// `npm run test:faults`: does to a real browser what happens to real users, and looks whether anything
// was lost: kills, terminated workers, full disks, cleared data, tabs that compete, upgrades, damaged
// files. On both backends that Chromium has for IndexedDB, or in other browsers. `-- --help` lists the
// options.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { buildBrowserPage } from './serving/browser-page.mjs';
import { requireShellOrChromium } from './browsers/chromium.mjs';
import { ensureFirefox } from './browsers/firefox.mjs';
import { ensureWebKit } from './browsers/webkit.mjs';
import { inRoot } from './project/project.mjs';
import { run } from './project/run.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './serving/static-server.mjs';

/** Those of Chromium, which are taken where none is named. */
const BACKENDS_OF_CHROMIUM = ['leveldb', 'sqlite'];

const BACKENDS = [...BACKENDS_OF_CHROMIUM, 'firefox', 'webkit'];

const scenarios = readdirSync(inRoot('test/faults'))
  .filter((name) => name.endsWith('.test.mjs'))
  .map((name) => name.slice(0, -'.test.mjs'.length));

const usage = `npm run test:faults -- [options]
  --scenario NAME   only this one; may be given several times: ${scenarios.join(', ')}
  --backend NAME    only this one; may be given several times: ${BACKENDS.join(', ')};
                    default: those of Chromium
  --rounds N        how often each fault is made to happen, on each backend, instead of the
                    number that each scenario has for itself
  --seed N          draws again by chance what another run has drawn
  --soak            with files of up to 100 MB, instead of 40 MB
  --keep            keeps the profile of a test that fails, and says where it is`;

/** @param {string} problem */
function refuse(problem) {
  console.error(`${problem}\n\n${usage}`);
  process.exit(1);
}

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string', multiple: true, default: scenarios },
      backend: { type: 'string', multiple: true, default: BACKENDS_OF_CHROMIUM },
      rounds: { type: 'string' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      soak: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { scenario, backend, rounds, seed, soak, keep, help } = values;
  if (help) {
    console.log(usage);
    process.exit(0);
  }
  const noScenario = scenario.find((name) => !scenarios.includes(name));
  if (noScenario !== undefined) refuse(`There is no scenario ${noScenario}.`);
  const noBackend = backend.find((name) => !BACKENDS.includes(name));
  if (noBackend !== undefined) refuse(`There is no backend ${noBackend}.`);
  if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds)) {
    refuse('--rounds is a whole number from 1 on.');
  }
  if (!/^\d+$/.test(seed)) refuse('--seed is a whole number from 0 on.');
  return { scenario, backend, rounds, seed, soak, keep };
}

/**
 * Runs the scenarios one after the other, each on both backends at the same time.
 * @param {string[]} files
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
async function runFiles(files) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const stream = runTests({ files, concurrency: false });
  stream.on('test:pass', ({ skip, details }) => {
    if (details.type === 'suite') return;
    if (skip === undefined) counts.passed += 1;
    else counts.skipped += 1;
  });
  stream.on('test:fail', ({ details: { error } }) => {
    // The tests of a suite have been counted by themselves.
    const isOfSuite = 'failureType' in error && error.failureType === 'subtestsFailed';
    if (!isOfSuite) counts.failed += 1;
  });
  const printed = stream.compose(new spec());
  for await (const text of printed) process.stdout.write(text);
  return counts;
}

/** @param {string} resultsPath */
function printTable(resultsPath) {
  const lines = readFileSync(resultsPath, 'utf8').split('\n').filter(Boolean);
  /** @type {import('../test/faults/rounds.mjs').Row[]} */
  const rows = lines.map((line) => JSON.parse(line));
  const width = Math.max(...rows.map(({ scenario }) => scenario.length), 0);
  console.log('');
  for (const { scenario, backend, rounds, figures } of rows) {
    const times = `× ${rounds}`.padEnd(5);
    console.log(`${scenario.padEnd(width)}  ${backend.padEnd(7)}  ${times}  ${figures}`);
  }
}

/**
 * Where this is not root it may become that in a namespace of its own, so that it can mount a disk to
 * fill. Resolves to the exit code of the run in there, or undefined where that cannot be.
 */
async function runAsRoot() {
  if (process.getuid?.() === 0 || process.platform !== 'linux') return undefined;
  const { code } = await run('unshare', ['-rm', 'true'], { capture: true });
  if (code !== 0) return undefined;
  const again = [process.execPath, ...process.argv.slice(1)];
  return (await run('unshare', ['-rm', ...again])).code;
}

const { scenario, backend, rounds, seed, soak, keep } = optionsGiven();
await setUp();
const codeAsRoot = await runAsRoot();
if (codeAsRoot !== undefined) process.exit(codeAsRoot);
const isOfChromium = (/** @type {string} */ name) => BACKENDS_OF_CHROMIUM.includes(name);
const chromePath = backend.some(isOfChromium) ? await requireShellOrChromium() : undefined;
const firefoxPath = backend.includes('firefox') ? await ensureFirefox() : undefined;
if (backend.includes('webkit')) await ensureWebKit();
const pageFolder = await buildBrowserPage('Faults', {
  entryPoints: { main: inRoot('test/faults/main.ts') },
  define: { TEST_SIZE: JSON.stringify(soak ? 'soak' : 'all') },
});
const server = await serveFolder(pageFolder);
const resultsFolder = mkdtempSync(join(tmpdir(), 'inpage-mcp-faults-results-'));
const resultsPath = join(resultsFolder, 'results');
writeFileSync(resultsPath, '');
Object.assign(process.env, {
  FAULTS_URL: server.url,
  FAULTS_BACKENDS: backend.join(','),
  FAULTS_RESULTS: resultsPath,
  FAULTS_SEED: seed,
  ...(chromePath !== undefined && { CHROME_PATH: chromePath }),
  ...(firefoxPath !== undefined && { FIREFOX_PATH: firefoxPath }),
  ...(rounds !== undefined && { FAULTS_ROUNDS: rounds }),
  ...(keep && { FAULTS_KEEP: 'yes' }),
});
const startedAt = performance.now();
const { passed, failed, skipped } = await runFiles(
  scenario.map((name) => inRoot(`test/faults/${name}.test.mjs`)),
);
printTable(resultsPath);
rmSync(resultsFolder, { recursive: true });
await server.close();
const minutes = (performance.now() - startedAt) / 60_000;
console.log(
  `\n${minutes.toFixed(1)} minutes${skipped > 0 ? `, ${skipped} SKIPPED (see above)` : ''}`,
);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
