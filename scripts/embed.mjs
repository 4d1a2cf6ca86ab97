// `npm run test:embed`: packs the packages, installs them in a new folder as an app would, and runs
// test/embed/*.test.mjs there, with the bundlers of test/embed/app/package.json.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackages } from './build.mjs';
import { requireChromium } from './browsers/chromium.mjs';
import { inRoot } from './project.mjs';
import { run, runNpm } from './run.mjs';
import { setUp } from './setup.mjs';

/** @param {string[]} args @param {string} [cwd] */
async function npm(args, cwd) {
  const { code, output } = await runNpm(args, { capture: true, ...(cwd && { cwd }) });
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`);
}

/** @param {string} folder of the app */
async function install(folder) {
  await cp(inRoot('test/embed/app'), folder, { recursive: true });
  const packed = join(folder, 'packed');
  await mkdir(packed);
  await npm(['pack', '--workspace', 'packages', '--pack-destination', packed]);
  const tarballs = readdirSync(packed).filter((name) => name.endsWith('.tgz'));
  const files = tarballs.map((name) => join(packed, name));
  // No lockfile: an app gets the newest dependencies of the bundlers, too.
  await npm(['install', '--no-save', '--no-package-lock', '--prefer-offline', ...files], folder);
}

await setUp();
const CHROME_PATH = await requireChromium();
if (!(await buildPackages())) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-embed-'));
try {
  await install(folder);
  const env = { ...process.env, CHROME_PATH, EMBED_FOLDER: folder };
  // The time limit holds for each test and for the whole file, which takes half a minute.
  const options = ['--test', '--test-timeout=600000', '--test-reporter=spec'];
  const { code } = await run(process.execPath, [...options, 'test/embed/embed.test.mjs'], { env });
  process.exitCode = code;
} finally {
  await rm(folder, { recursive: true, force: true });
}
