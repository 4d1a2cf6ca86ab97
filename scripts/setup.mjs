// Makes sure that what the lockfile lists is installed. Every npm script starts here, so that a
// fresh clone needs no command of its own. Only Node's own modules: nothing else is there yet.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withLock } from './project/lock.mjs';
import { inRoot, isMain } from './project/project.mjs';
import { runNpm } from './project/run.mjs';

// The stamp lives inside node_modules, so that it goes when node_modules goes.
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

/** Installs the dependencies; exits the process when that fails. */
async function install() {
  const wanted = lockfileHash();
  // Another process may have done it, while this one waited for it.
  if (installedHash() === wanted) return;
  console.log('Installing dependencies from package-lock.json …');
  // Some tools ask for a newer Node than they need; at a lower level npm warns about each of them.
  // What the lockfile names is what it is: neither a registry nor an audit has more to say about it.
  const args = ['ci', '--loglevel=error', '--prefer-offline', '--no-audit', '--no-fund'];
  const { code, output } = await runNpm(args, { capture: true });
  if (code !== 0) {
    console.error(`${output}\nnpm ci failed (exit code ${code}).`);
    process.exit(1);
  }
  markInstalled();
}

/** Remembers that what the lockfile lists now is installed. */
export const markInstalled = () => writeFileSync(stampPath, lockfileHash());

/**
 * Makes sure that node_modules was made from this very lockfile. Says nothing when there is nothing to
 * do; exits the process when the installation fails.
 */
export async function setUp() {
  requireNode();
  if (installedHash() !== lockfileHash()) await withLock('set-up', install);
}

if (isMain(import.meta.url)) await setUp();
