// `npm run test:faults`: causes the faults in a real browser that happen to real users, and checks whether
// anything was lost: kills, terminated workers, full disks, cleared data, tabs that compete, upgrades,
// damaged files. Runs on both backends that Chromium has for IndexedDB, or in other browsers. `-- --help`
// lists the options.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBrowserPage } from './serving/browser-page.mjs';
import { requireShellOrChromium } from './browsers/chromium.mjs';
import { ensureFirefox } from './browsers/firefox.mjs';
import { ensureWebKit } from './browsers/webkit.mjs';
import { inRoot } from './project/project.mjs';
import { run } from './project/run.mjs';
import { setUp } from './setup.mjs';
import { chosenFaults } from './test-runner/chosen-files.mjs';
import { runNodeTests } from './test-runner/node-tests.mjs';
import { serveFolder } from './serving/static-server.mjs';

/** The backends of Chromium, which are used by default. */
const BACKENDS_OF_CHROMIUM = ['leveldb', 'sqlite'];

const BACKENDS = [...BACKENDS_OF_CHROMIUM, 'firefox', 'webkit'];

const scenarios = readdirSync(inRoot('test/faults'))
  .filter((name) => name.endsWith('.test.mjs'))
  .map((name) => name.slice(0, -'.test.mjs'.length));

const usage = `npm run test:faults -- [options]
  --scenario NAME   only this one; may be given several times: ${scenarios.join(', ')}
  --only PATTERN    only the faults of these scenarios with a name that this regular expression matches
  --backend NAME    only this one; may be given several times: ${BACKENDS.join(', ')};
                    default: those of Chromium
  --rounds N        how often each fault is made to happen, on each backend, instead of the
                    number that each scenario has for itself
  --seed N          draws again by chance what another run has drawn
  --chosen          the scenarios of the gate, where a browser that did not start or answer has a
                    second try, and lost data has none
  --soak            with files of up to 100 MB, instead of 40 MB, and each fault some three times
                    as often
  --keep            keeps the profile of a test that fails, and says where it is`;

/** @param {string} problem */
function refuse(problem) {
  console.error(`${problem}\n\n${usage}`);
  process.exit(1);
}

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string', multiple: true },
      backend: { type: 'string', multiple: true, default: BACKENDS_OF_CHROMIUM },
      only: { type: 'string' },
      rounds: { type: 'string' },
      seed: { type: 'string' },
      chosen: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { backend, only, rounds, chosen, soak, keep, help } = values;
  const { scenario = chosen ? chosenFaults.scenarios : scenarios } = values;
  const { seed = chosen ? chosenFaults.seed : String(Math.floor(Math.random() * 2 ** 31)) } =
    values;
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
  return { scenario, backend, only, rounds, seed, chosen, soak, keep };
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
 * Runs this again as root in a separate namespace, if this is not root, so that it can mount a disk to fill.
 * Resolves to the exit code of that run, or to undefined if this is not possible.
 */
async function runAsRoot() {
  if (process.getuid?.() === 0 || process.platform !== 'linux') return undefined;
  const { code } = await run('unshare', ['-rm', 'true'], { capture: true });
  if (code !== 0) return undefined;
  const again = [process.execPath, ...process.argv.slice(1)];
  return (await run('unshare', ['-rm', ...again])).code;
}

const { scenario, backend, only, rounds, seed, chosen, soak, keep } = optionsGiven();
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
  ...(only !== undefined && { FAULTS_ONLY: only }),
  ...(rounds !== undefined && { FAULTS_ROUNDS: rounds }),
  ...(soak && { FAULTS_SOAK: 'yes' }),
  ...(chosen && { FAULTS_CHOSEN: 'yes' }),
  ...(keep && { FAULTS_KEEP: 'yes' }),
});
console.log(`Seed ${seed}.`);
// One scenario runs after the other, each on its backends at the same time.
const code = await runNodeTests(
  scenario.map((name) => `test/faults/${name}.test.mjs`),
  { atATime: 1, hasSecondTry: chosen, timeoutMs: Infinity, isFinal },
  () => printTable(resultsPath),
);
rmSync(resultsFolder, { recursive: true });
await server.close();
process.exit(code);

/**
 * Whether an error cannot be explained by a busy machine: a second try must not hide a loss of data.
 * @param {string} error
 */
function isFinal(error) {
  const isOfMachine = /TimeoutError|timed out|has been closed|Target closed|ECONNREFUSED/.test(
    error,
  );
  return (
    !isOfMachine ||
    /\b(?:lost|cleared|rolled-back|unreadable|damaged|missing|not listed|twice|partial)\b|"reason"/i.test(
      error,
    )
  );
}
