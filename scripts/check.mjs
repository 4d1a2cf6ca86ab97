// `npm run check`: everything but the tests. Runs every check even when one fails, and says at the
// end which did. Arguments choose some by name: `npm run check -- lint format`; `-- --chosen` leaves out those that
// look at each package as it is published, which takes two thirds of the time.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildPackages } from './build.mjs';
import { inRoot } from './project/project.mjs';
import { inNodeModules, runNode } from './project/run.mjs';
import { setUp } from './setup.mjs';

/**
 * Runs a script quietly, and shows what it said when it fails.
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

/**
 * Checks one package after the other as it is published, and goes on after a failure. A package that has
 * not changed since it has passed is not checked again.
 * @param {string} tool in node_modules
 * @param {(folder: string) => string[]} argsFor the options of the tool
 */
async function eachBuiltPackage(tool, argsFor) {
  const folders = await stagedPackages();
  let passed = folders.length > 0;
  for (const folder of folders) {
    const args = argsFor(folder);
    const stamp = inRoot('node_modules/.cache/checked', tool, basename(folder));
    const state = await stateOf([inRoot('package-lock.json'), ...(await filesIn(folder))]);
    if (state === (await readFile(stamp, 'utf8').catch(() => ''))) continue;
    if (await passes(inNodeModules(tool), ...args)) {
      await mkdir(dirname(stamp), { recursive: true });
      await writeFile(stamp, state);
      continue;
    }
    console.log(`That was about packages/${basename(folder)}.`);
    passed = false;
  }
  return passed;
}

/** @param {string} folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}

/** A digest of the names and contents of files. @param {string[]} files */
async function stateOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest('hex');
}

const tool = inNodeModules;

/** @param {string} name of a script in scripts/checks */
const own = (name) => () => passes(inRoot(`scripts/checks/check-${name}.mjs`));

/** @type {Record<string, () => Promise<boolean>>} in the order in which they begin */
const checks = {
  // Alone: it uses every core, and writes what others read.
  types: () => passes(tool('typescript/bin/tsc'), '--build'),
  attw: () =>
    eachBuiltPackage('@arethetypeswrong/cli/dist/index.js', (folder) => [
      '--pack',
      folder,
      '--profile=esm-only',
      // A file to copy, not to import.
      ...(basename(folder) === 'cdn' ? ['--exclude-entrypoints', 'worker'] : []),
    ]),
  lint: () => passes(tool('oxlint/bin/oxlint')),
  format: () =>
    passes(
      tool('prettier/bin/prettier.cjs'),
      '--check',
      // Reads only files that have changed since it was last asked.
      '--cache',
      '--cache-strategy=content',
      '--log-level=warn',
      '.',
    ),
  examples: own('examples'),
  knip: () => passes(tool('knip/bin/knip.js')),
  packages: async () => (await stagedPackages()).length > 0 && (await own('packages')()),
  publint: () => eachBuiltPackage('publint/src/cli.js', (folder) => ['--strict', folder]),
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
