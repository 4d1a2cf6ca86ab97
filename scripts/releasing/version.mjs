// The version of the next release, which is the same for all packages. The changesets (.changeset) determine
// how it changes.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { inNodeModules, runNode, runNpm } from '../project/run.mjs';
import { inRoot, packageNames, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';
import { markInstalled } from '../setup.mjs';

/** Matches the heading of the changelog before a release, and the version that it was begun for. */
const UNRELEASED = /^## (\S+) \(unreleased\)$/m;

const CHANGELOG = inRoot('CHANGELOG.md');

/** The version that all packages have now. */
const currentVersion = async () =>
  JSON.parse(await readFile(inRoot('package.json'), 'utf8')).version;

/** Whether a change waits for a release: a changeset, or a part of the changelog. */
export async function isUnreleased() {
  const { changesets } = await readPlan();
  return changesets.length > 0 || UNRELEASED.test(await readFile(CHANGELOG, 'utf8'));
}

/**
 * Writes the next version into every manifest, the lockfile, the sources that contain it, and the changelog.
 * @returns {Promise<string>} the version
 */
export async function writeVersion() {
  const before = await currentVersion();
  const { changesets, releases } = await readPlan();
  const version = releases[0]?.newVersion ?? before;
  await writeChangelog(
    version,
    changesets.map(({ summary }) => summary),
  );
  if (version === before) return version;
  await succeeds(runNode(inNodeModules('@changesets/cli/bin.js'), ['version'], { capture: true }));
  await replaceIn([inRoot('package.json')], `"version": "${before}"`, `"version": "${version}"`);
  // The examples are separate apps, which are not in the workspace.
  const names = await readdir(inRoot('examples'));
  const examples = names.map((name) => inRoot('examples', name, 'package.json'));
  for (const name of ['inpage-mcp', ...packageNames.map((one) => `@inpage-mcp/${one}`)])
    await replaceIn(examples, `"${name}": "${before}"`, `"${name}": "${version}"`);
  const folders = [...packageNames.map((name) => `packages/${name}/src`), 'demo/src'];
  const sources = folders.flatMap((folder) => sourceFiles(inRoot(folder)));
  await replaceIn(sources, `version: '${before}'`, `version: '${version}'`);
  const lock = ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'];
  await succeeds(runNpm(lock, { capture: true, cwd: root }));
  // The installed packages stay valid, because only versions of this repository have changed.
  markInstalled();
  return version;
}

/** The waiting changes, and the versions that they lead to. */
async function readPlan() {
  const { default: module } = await import('@changesets/get-release-plan');
  // This is a CommonJS module, whose own default export is inside.
  const getReleasePlan = /** @type {{ default?: typeof module }} */ (module).default ?? module;
  return await getReleasePlan(root);
}

/**
 * Gives the unreleased part of the changelog its version and date, and adds the sentences of the changesets.
 * If nothing is marked as unreleased, the version is added above the last one.
 * @param {string} version
 * @param {string[]} sentences
 */
async function writeChangelog(version, sentences) {
  const text = await readFile(CHANGELOG, 'utf8');
  const [head = '', ...versions] = text.split(/^(?=## )/m);
  const unreleased = UNRELEASED.test(versions[0] ?? '') ? versions.shift() : undefined;
  const written = unreleased?.replace(UNRELEASED, '').trim() ?? '';
  const lines = sentences.map((sentence) => `- ${sentence.replaceAll(/\s*\n\s*/g, ' ').trim()}`);
  const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`;
  const list = [written, ...lines].filter(Boolean).join('\n');
  const parts = [head.trim(), `${heading}\n\n${list}`, ...versions.map((one) => one.trim())];
  await writeFile(CHANGELOG, `${parts.join('\n\n')}\n`);
}

/** @param {string[]} files @param {string} old @param {string} text */
async function replaceIn(files, old, text) {
  for (const file of files) {
    const before = await readFile(file, 'utf8').catch(() => '');
    if (before.includes(old)) await writeFile(file, before.replaceAll(old, text));
  }
}

/** @param {Promise<{ code: number, output: string }>} running */
async function succeeds(running) {
  const { code, output } = await running;
  if (code !== 0) throw new Error(output);
}
