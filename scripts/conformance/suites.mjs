// The official conformance suites, in the versions of suites/package-lock.json. They are installed in a
// separate folder, because their dependencies must not mix with those of the project. Only their command
// `tier-check` uses GitHub, and it is never run, so a stub of Octokit with the same name is enough.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withLock } from '../project/lock.mjs';
import { inRoot } from '../project/project.mjs';
import { runNpm } from '../project/run.mjs';

const lockedFolder = resolve(import.meta.dirname, 'suites');
const installedFolder = inRoot('node_modules', '.cache', 'conformance', 'suites');
const stampPath = join(installedFolder, '.lockfile-hash');

/** A file of an installed suite. @param {string} suite @param {string[]} segments */
const inSuite = (suite, ...segments) => join(installedFolder, 'node_modules', suite, ...segments);

/** The program of a suite. @param {string} suite */
export const suiteProgram = (suite) => inSuite(suite, 'dist', 'index.js');

/** @param {string} suite */
export function suiteVersion(suite) {
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(inSuite(suite, 'package.json'), 'utf8'));
  return version;
}

/**
 * The scenarios that a revision of the protocol requires of a server.
 * @param {string} suite
 * @param {string} revision
 * @throws if the file of the suite is not as expected
 */
export function requiredScenarios(suite, revision) {
  const text = readFileSync(inSuite(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const [list] = /^server:\n(?: {2}- .+\n)+/m.exec(text) ?? [];
  if (!list) throw new Error(`${suite} does not list what ${revision} requires of a server.`);
  return [...list.matchAll(/^ {2}- (.+)$/gm)].map(([, name = '']) => name);
}

async function install() {
  const hash = createHash('sha256')
    .update(readFileSync(join(lockedFolder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === hash) return;
  console.log('Installing the conformance suites …');
  rmSync(installedFolder, { recursive: true, force: true });
  cpSync(lockedFolder, installedFolder, { recursive: true });
  // npm warns that a suite requires Node 22; see glob-sync-hook.mjs.
  const args = ['ci', '--prefix', installedFolder, '--loglevel=error', '--ignore-scripts'];
  const { code, output } = await runNpm(args, { capture: true, cwd: installedFolder });
  if (code !== 0) throw new Error(`${output}\nnpm ci failed (exit code ${code}).`);
  writeFileSync(stampPath, hash);
}

/**
 * Makes sure that the suites are installed. Takes seconds the first time.
 * @throws if npm fails
 */
export const ensureSuites = () => withLock('conformance-suites', install);
