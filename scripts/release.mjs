// `npm run release -- version`: writes the next version and its changelog. `npm run release`: publishes the
// last commit. `--dry-run` does everything except publishing, and `--registry ADDRESS` publishes to another
// registry, such as one on this computer. `--to FOLDER` copies the tarballs there instead, for
// `node scripts/releasing/publish.mjs FOLDER`. All of it is done in a clean clone. A dry run
// `--without-checks` omits publint and attw, which `npm run check` runs on the same sources.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ownerOf } from './packing/repository.mjs';
import { packageNames, root } from './project/project.mjs';
import { run, runNode, runNpm } from './project/run.mjs';
import { publishTarballs, writeOrder } from './releasing/publish.mjs';
import { isUnreleased, writeVersion } from './releasing/version.mjs';
import { setUp } from './setup.mjs';

// In .ci/run, these packages are built already; the clone is not.
delete process.env['INPAGE_MCP_IS_BUILT'];

const { values, positionals } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    'without-checks': { type: 'boolean', default: false },
    registry: { type: 'string' },
    to: { type: 'string' },
  },
  allowPositionals: true,
});
const isDryRun = values['dry-run'];
const isChecked = !(isDryRun && values['without-checks']);
const toRegistry = values.registry ? [`--registry=${values.registry}`] : [];

/**
 * Runs a step; if it fails, throws an error with its output.
 * @param {string} step for people
 * @param {Promise<{ code: number, output: string }>} running
 */
async function passes(step, running) {
  console.log(`── ${step}`);
  const { code, output } = await running;
  if (code !== 0) throw new Error(`${step} failed:\n${output}`);
  return output;
}

/** @param {string[]} args */
const git = async (...args) => await run('git', args, { capture: true, cwd: root });

/** The reasons why the packages cannot be published now. @returns {Promise<string[]>} */
async function obstacles() {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { output } = await git('status', '--porcelain');
  const { GITHUB_REF_TYPE: kind, GITHUB_REF_NAME: tag } = process.env;
  return [
    kind === 'tag' && tag !== `v${manifest.version}`
      ? `The tag ${tag} is not that of version ${manifest.version}.`
      : '',
    output.trim() ? 'There are changes that are not committed.' : '',
    (await isUnreleased()) ? 'Changes wait for a version: npm run release -- version' : '',
    // A registry on this computer does not need an owner.
    values.registry || ownerOf(manifest) ? '' : '`repository` in package.json names no owner yet.',
    ...(values.registry ? [] : await denials()),
  ].filter(Boolean);
}

/** Matches the texts in documents that hold until the packages are on npm. */
const NOT_YET = /not on npm yet|until the packages are on npm/i;

/**
 * The documents that would be published, or read together with published files, and that say that the
 * packages are not on npm yet.
 */
async function denials() {
  const { output } = await git('ls-files', 'README.md', 'docs/guides', 'examples', 'packages');
  const documents = output.split('\n').filter((file) => file.endsWith('.md'));
  const texts = await Promise.all(documents.map((file) => readFile(join(root, file), 'utf8')));
  return documents
    .filter((_, index) => NOT_YET.test(texts[index] ?? ''))
    .map((file) => `${file} says that the packages are not on npm yet.`);
}

/**
 * Clones the last commit, and installs its dependencies. In a dry run, it gets the version that it would
 * have.
 * @param {string} clone
 */
async function prepare(clone) {
  await passes(
    'clone the last commit',
    git('clone', '--quiet', '--depth=1', `file://${root}`, clone),
  );
  const options = { capture: true, cwd: clone };
  await passes('install', runNode('scripts/setup.mjs', [], options));
  if (!isDryRun) return;
  const changes = packageNames.map((name) =>
    name === 'cdn' ? 'inpage-mcp' : `@inpage-mcp/${name}`,
  );
  const text = `---\n${changes.map((name) => `'${name}': minor\n`).join('')}---\n\nA rehearsal.\n`;
  await writeFile(join(clone, '.changeset/rehearsal.md'), text);
  await passes('version and changelog', runNode('scripts/release.mjs', ['version'], options));
}

/** @param {string} name of the folder of a package */
const tarballName = (name) => (name === 'cdn' ? 'inpage-mcp' : `inpage-mcp-${name}`);

/**
 * Packs and checks the packages, and installs them into an empty app.
 * @param {string} clone
 * @returns {Promise<string[]>} the tarballs, each after those that it needs
 */
async function pack(clone) {
  const options = { capture: true, cwd: clone };
  const printed = await passes('build and pack', runNpm(['run', '--silent', 'pack'], options));
  const paths = printed.split('\n').filter((line) => line.endsWith('.tgz'));
  const env = { ...process.env, INPAGE_MCP_IS_BUILT: 'true' };
  const checks = ['lockfile', 'packages', ...(isChecked ? ['publint', 'attw'] : [])];
  await passes(checks.join(', '), runNpm(['run', 'check', '--', ...checks], { ...options, env }));
  return packageNames.map((name) => {
    const found = paths.find((path) =>
      basename(path).match(new RegExp(`^${tarballName(name)}-\\d`)),
    );
    if (!found) throw new Error(`There is no tarball of ${name}.`);
    return found;
  });
}

/**
 * Installs the tarballs into an empty app, which imports them, and writes the list of its components (SBOM).
 * @param {string} app @param {string[]} tarballs
 */
async function tryInApp(app, tarballs) {
  await mkdir(app);
  await writeFile(
    join(app, 'package.json'),
    '{ "name": "app", "version": "1.0.0", "type": "module" }',
  );
  const options = { capture: true, cwd: app };
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs];
  await passes('install into an empty app', runNpm(install, options));
  const names = packageNames
    .filter((name) => name !== 'cdn')
    .map((name) => `'@inpage-mcp/${name}'`);
  const code = `for (const name of [${names.join()}]) await import(name);`;
  await passes('import', run(process.execPath, ['--input-type=module', '--eval', code], options));
  const sbom = await passes(
    'bill of materials',
    runNpm(['sbom', '--sbom-format=cyclonedx'], options),
  );
  const components = JSON.parse(sbom).components.length;
  const file = join(root, 'packed', 'sbom.cdx.json');
  await mkdir(join(root, 'packed'), { recursive: true });
  await writeFile(file, sbom);
  console.log(`packed/sbom.cdx.json names ${components} packages.`);
}

/** @param {string[]} tarballs @param {string} folder */
async function handOver(tarballs, folder) {
  await mkdir(folder, { recursive: true });
  for (const tarball of tarballs) await cp(tarball, join(folder, basename(tarball)));
  await writeOrder(folder, tarballs);
  console.log(`The tarballs are in ${folder}.`);
}

/** @param {string[]} tarballs @param {string} version */
async function publish(tarballs, version) {
  await publishTarballs(tarballs, [...toRegistry, ...(isDryRun ? ['--dry-run'] : [])]);
  if (isDryRun) return console.log(`Nothing was published; it would be version ${version}.`);
  await git('tag', '--force', `v${version}`);
  console.log(
    `Published ${version}. Push the commit and its tag: git push origin main v${version}`,
  );
}

async function release() {
  const reasons = await obstacles();
  if (!isDryRun && reasons.length > 0) throw new Error(reasons.join('\n'));
  const folder = await mkdtemp(join(tmpdir(), 'inpage-mcp-release-'));
  try {
    const clone = join(folder, 'clone');
    await prepare(clone);
    const tarballs = await pack(clone);
    await tryInApp(join(folder, 'app'), tarballs);
    const { version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'));
    if (values.to) await handOver(tarballs, resolve(root, values.to));
    else await publish(tarballs, version);
    if (reasons.length > 0) console.log(['Before a release:', ...reasons].join('\n- '));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await setUp();
try {
  if (positionals.includes('version')) {
    const version = await writeVersion();
    console.log(
      `Version ${version}. Read CHANGELOG.md, and commit: git commit -am "Release ${version}"`,
    );
  } else await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
