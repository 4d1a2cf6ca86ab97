// Makes sure that the packages of the lockfile are installed. Every npm script starts here, so that a fresh
// clone needs no separate command. Uses only Node's own modules, because no others are installed yet.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withLock } from './project/lock.mjs';
import { inRoot, isMain } from './project/project.mjs';
import { runNpm } from './project/run.mjs';

// The stamp is inside node_modules, so that it is deleted together with node_modules.
const stampPath = inRoot('node_modules', '.inpage-mcp-lockfile-hash');

const lockfileHash = () =>
  createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');

const installedHash = () => (existsSync(stampPath) ? readFileSync(stampPath, 'utf8') : undefined);

/** Exits with a clear message on a Node that is too old for the tools. */
function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `This repository needs Node 20.19 or newer; this is Node ${process.versions.node}.`,
  );
  process.exit(1);
}

/** Installs the dependencies; if this fails, exits the process. */
async function install() {
  const wanted = lockfileHash();
  // Another process may have done this while this process was waiting for it.
  if (installedHash() === wanted) return;
  console.log('Installing dependencies from package-lock.json …');
  // Some tools require a newer Node than they need; at a lower level, npm warns about each of them. The
  // lockfile determines the packages, so neither a registry nor an audit is needed.
  const args = ['ci', '--loglevel=error', '--prefer-offline', '--no-audit', '--no-fund'];
  const { code, output } = await runNpm(args, { capture: true });
  if (code !== 0) {
    console.error(`${output}\nnpm ci failed (exit code ${code}).`);
    process.exit(1);
  }
  markInstalled();
}

/** Records that the packages of the present lockfile are installed. */
export const markInstalled = () => writeFileSync(stampPath, lockfileHash());

/**
 * Makes sure that node_modules was installed from the present lockfile. Prints nothing if nothing has to be
 * done; if the installation fails, exits the process.
 */
export async function setUp() {
  requireNode();
  if (installedHash() !== lockfileHash()) await withLock('set-up', install);
}

if (isMain(import.meta.url)) await setUp();
