// `npm run check`: everything but the tests. Runs every check even when one fails, and says at the
// end which did. Arguments choose some by name: `npm run check -- lint format`.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
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

async function stage() {
  const { stagePackages } = await import('./packing/stage.mjs');
  return (await buildPackages()) ? await stagePackages() : [];
}

/**
 * Checks one package after the other as it is published, and goes on after a failure.
 * @param {(folder: string) => Promise<boolean>} check
 */
async function eachBuiltPackage(check) {
  staged ??= stage();
  const folders = await staged;
  let passed = folders.length > 0;
  for (const folder of folders) {
    if (await check(folder)) continue;
    console.log(`That was about packages/${basename(folder)}.`);
    passed = false;
  }
  return passed;
}

const tool = inNodeModules;

/** @type {Record<string, () => Promise<boolean>>} in the order in which they run */
const checks = {
  types: () => passes(tool('typescript/bin/tsc'), '--build'),
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
  arrows: () => passes(inRoot('scripts/checks/check-arrows.mjs')),
  texts: () => passes(inRoot('scripts/checks/check-texts.mjs')),
  docs: () => passes(inRoot('scripts/checks/check-docs.mjs')),
  examples: () => passes(inRoot('scripts/checks/check-examples.mjs')),
  lockfile: () => passes(inRoot('scripts/checks/check-lockfile.mjs')),
  packages: () => passes(inRoot('scripts/checks/check-packages.mjs')),
  knip: () => passes(tool('knip/bin/knip.js')),
  publint: () =>
    eachBuiltPackage((folder) => passes(tool('publint/src/cli.js'), '--strict', folder)),
  attw: () =>
    eachBuiltPackage(async (folder) => {
      const { types } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
      // The package for pages without a build has none.
      if (!types) return true;
      return passes(
        tool('@arethetypeswrong/cli/dist/index.js'),
        '--pack',
        folder,
        '--profile=esm-only',
      );
    }),
};

/**
 * @param {string[]} names
 * @returns {Promise<string[]>} the names of those that failed
 */
async function runChecks(names) {
  const failed = [];
  for (const name of names) {
    console.log(`── ${name}`);
    const passed = await checks[name]?.();
    if (!passed) failed.push(name);
  }
  return failed;
}

await setUp();
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(
    `No check is called ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}.`,
  );
  process.exit(1);
}
const failed = await runChecks(chosen.length > 0 ? chosen : Object.keys(checks));
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll checks passed.');
process.exitCode = failed.length > 0 ? 1 : 0;
