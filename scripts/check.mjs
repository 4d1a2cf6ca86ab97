// `npm run check`: everything but the tests. Runs every check even if one fails, and names the failed ones at
// the end. Arguments choose some by name: `npm run check -- lint format`; `-- --chosen` omits the checks of
// each package as it is published, which take two thirds of the time.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { buildPackages } from './build.mjs';
import { inRoot } from './project/project.mjs';
import { inNodeModules, runNode } from './project/run.mjs';
import { setUp } from './setup.mjs';

/**
 * Runs a script quietly, and shows its output if it fails.
 * @param {string} script
 * @param {string[]} args
 */
async function passes(script, ...args) {
  const { code, output } = await runNode(script, args, { capture: true });
  if (code !== 0) console.log(output);
  return code === 0;
}

/** The folders of the packages as they are published; none if they cannot be built. @type {Promise<string[]> | undefined} */
let staged;

const stagedPackages = () => (staged ??= stage());

async function stage() {
  const { stagePackages } = await import('./packing/stage.mjs');
  return (await buildPackages()) ? await stagePackages() : [];
}

/** The tarballs of the packages; none if they cannot be built. @type {Promise<string[]> | undefined} */
let packed;

const packedPackages = () => (packed ??= pack());

async function pack() {
  const folders = await stagedPackages();
  const { packPackages } = await import('./pack.mjs');
  return folders.length > 0
    ? await packPackages(inRoot('node_modules/.cache/packed'), folders)
    : [];
}

/**
 * Checks the tarball of one package after the other, and continues after a failure. A tarball that has not
 * changed since it has passed is not checked again. The tarballs are packed once, because npm takes as long
 * to start as most checks.
 * @param {string} tool in node_modules
 * @param {(tarball: string) => string[]} argsFor the options of the tool
 */
async function eachTarball(tool, argsFor) {
  const tarballs = await packedPackages();
  let passed = tarballs.length > 0;
  for (const tarball of tarballs) {
    const args = argsFor(tarball);
    const stamp = inRoot('node_modules/.cache/checked', tool, basename(tarball));
    const state = await stateOf([inRoot('package-lock.json'), tarball]);
    if (state === (await readFile(stamp, 'utf8').catch(() => ''))) continue;
    if (await passes(inNodeModules(tool), ...args)) {
      await mkdir(dirname(stamp), { recursive: true });
      await writeFile(stamp, state);
      continue;
    }
    console.log(`That was about ${basename(tarball)}.`);
    passed = false;
  }
  return passed;
}

/** A digest of the contents of files. @param {string[]} files */
async function stateOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex');
}

const tool = inNodeModules;

/** @param {string} name of a script in scripts/checks */
const own = (name) => () => passes(inRoot(`scripts/checks/check-${name}.mjs`));

/** @type {Record<string, () => Promise<boolean>>} in the order in which they begin */
const checks = {
  // This check runs alone, because it uses every core, and writes files that others read.
  types: () => passes(tool('typescript/bin/tsc'), '--build'),
  attw: () =>
    eachTarball('@arethetypeswrong/cli/dist/index.js', (tarball) => [
      tarball,
      '--profile=esm-only',
      // These files are to be copied, not to be imported.
      ...(tarball.includes('-client-') ? ['--exclude-entrypoints', 'mcp-app-frame.htm'] : []),
      ...(tarball.includes('-apps-') ? ['--exclude-entrypoints', 'notes.html'] : []),
      ...(/inpage-mcp-\d/.test(tarball)
        ? ['--exclude-entrypoints', 'disk', 'worker', 'mcp-app-frame.htm']
        : []),
    ]),
  lint: () => passes(tool('oxlint/bin/oxlint')),
  format: () =>
    passes(
      tool('prettier/bin/prettier.cjs'),
      '--check',
      // The check reads only files that have changed since its last run.
      '--cache',
      '--cache-strategy=content',
      '--log-level=warn',
      '.',
    ),
  examples: own('examples'),
  knip: () => passes(tool('knip/bin/knip.js')),
  packages: async () => (await stagedPackages()).length > 0 && (await own('packages')()),
  publint: () => eachTarball('publint/src/cli.js', (tarball) => ['--strict', tarball]),
  arrows: own('arrows'),
  texts: own('texts'),
  tests: own('tests'),
  docs: own('docs'),
  github: own('github'),
  lockfile: own('lockfile'),
};

/**
 * @param {string[]} names
 * @returns {Promise<string[]>} the names of those that failed
 */
async function runChecks(names) {
  /** @type {string[]} */
  const failed = [];
  /** @param {string | undefined} name */
  const runOne = async (name) => {
    if (name === undefined) return;
    const start = performance.now();
    const passed = await checks[name]?.();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${passed ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (!passed) failed.push(name);
  };
  const waiting = Object.keys(checks).filter((name) => names.includes(name));
  if (waiting[0] === 'types') await runOne(waiting.shift());
  const runLane = async () => {
    while (waiting.length > 0) await runOne(waiting.shift());
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, runLane));
  return failed;
}

await setUp();
const PUBLISHED = ['attw', 'publint'];
const all = Object.keys(checks);
const isChosen = process.argv.includes('--chosen');
const chosen = isChosen ? all.filter((name) => !PUBLISHED.includes(name)) : process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`No check is called ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(1);
}
const failed = await runChecks(chosen.length > 0 ? chosen : all);
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll checks passed.');
process.exitCode = failed.length > 0 ? 1 : 0;
