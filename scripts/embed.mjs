// `npm run test:embed`: packs the packages, installs them in a new folder as an app would, and runs
// test/embed/*.test.mjs there: in Node, with the bundlers of test/embed/app/package.json, and the apps of examples/.
// With `--soak`, also Angular, the assistants, Bun and the frameworks of test/embed/app/frameworks, and the
// comparison of two builds. Names choose test files: `npm run test:embed -- types`.
// `--folder PATH` keeps the installed app there, and uses it again.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages } from './build.mjs';
import { requireShellOrChromium } from './browsers/chromium.mjs';
import { packPackages } from './pack.mjs';
import { inRoot } from './project/project.mjs';
import { runNpm } from './project/run.mjs';
import { setUp } from './setup.mjs';
import { nodeTestsIn } from './test-runner/chosen-files.mjs';
import { runNodeTests } from './test-runner/node-tests.mjs';

const { values: options, positionals: chosen } = parseArgs({
  options: { soak: { type: 'boolean' }, folder: { type: 'string' } },
  allowPositionals: true,
});
const isSoak = options.soak === true;

// Installing and building Angular takes as long as several of the other apps, and the libraries of the
// assistants have 250 MB.
const EXAMPLES = [
  'plain-html',
  'vite',
  'react',
  'vue',
  'svelte',
  'lit',
  'next',
  'app-host',
  'ideas',
];
if (isSoak) EXAMPLES.push('angular', 'assistants');

/** @param {string} folder of the apps */
async function install(folder) {
  await cp(inRoot('test/embed/app'), folder, { recursive: true });
  for (const name of EXAMPLES)
    await cp(inRoot('examples', name), join(folder, 'examples', name), {
      recursive: true,
      filter: (path) =>
        !/node_modules|dist|\.angular|\.next|out$/.test(path.slice(inRoot('examples').length)),
    });
  await installPackages(folder, await packPackages(join(folder, 'packed')));
  // Its configuration names a file in the node_modules of the app itself.
  if (isSoak)
    await symlink(join(folder, 'node_modules'), join(folder, 'examples/angular/node_modules'));
}

/**
 * Installs the packages of all the apps at once.
 * @param {string} folder
 * @param {string[]} tarballs
 */
async function installPackages(folder, tarballs) {
  const manifest = await readJson(join(folder, 'package.json'));
  const apps = EXAMPLES.map((name) => join(folder, 'examples', name));
  if (isSoak) apps.push(join(folder, 'frameworks'));
  for (const app of apps) Object.assign(manifest.dependencies, await dependenciesOf(app));
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  // No lockfile: an app gets the newest dependencies of the bundlers, too.
  const args = ['install', '--no-save', '--no-package-lock', '--prefer-offline', ...tarballs];
  const { code, output } = await runNpm(args, { capture: true, cwd: folder });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`);
  // Next uses the folder with a lockfile as that of the packages.
  await writeFile(join(folder, 'package-lock.json'), '{}');
  // Vite's development server uses the folder with this file in the same way: it serves nothing outside of
  // it.
  await writeFile(join(folder, 'lerna.json'), '{}');
}

/**
 * The dependencies of an example that come from a registry.
 * @param {string} folder of an example
 */
async function dependenciesOf(folder) {
  const { dependencies, devDependencies } = await readJson(join(folder, 'package.json'));
  const all = Object.entries({ ...dependencies, ...devDependencies });
  return Object.fromEntries(all.filter(([name]) => !name.includes('inpage-mcp')));
}

/** @param {string} path */
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8').catch(() => '{}'));

await setUp();
const CHROME_PATH = await requireShellOrChromium();
const kept = options.folder && resolve(options.folder);
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'inpage-mcp-embed-')));
try {
  if (!existsSync(join(folder, 'node_modules'))) {
    if (!(await buildPackages())) process.exit(1);
    await install(folder);
  }
  const environment = { CHROME_PATH, EMBED_FOLDER: folder, ...(isSoak && { EMBED_SOAK: 'true' }) };
  Object.assign(process.env, environment);
  const named = chosen.map((name) => `test/embed/${name}.test.mjs`);
  const files = named.length > 0 ? named : nodeTestsIn('test/embed');
  process.exitCode = await runNodeTests(files, { atATime: 2, hasSecondTry: false });
} finally {
  if (!kept) await rm(folder, { recursive: true, force: true });
}
