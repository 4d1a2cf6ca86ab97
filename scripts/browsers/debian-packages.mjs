// Installs packages of Debian where that is safe: on a throw-away machine, as its root. Only Node's
// own modules: it may run before anything is installed.
import { existsSync } from 'node:fs';
import { withLock } from '../project/lock.mjs';
import { run } from '../project/run.mjs';

export const isRoot = () => process.getuid?.() === 0;

/** Whether this is root, on Debian or Ubuntu. */
export const canInstall = () => isRoot() && existsSync('/usr/bin/apt-get');

/** @param {string[]} args */
async function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another program may hold the lock of dpkg for some minutes.
  const command = ['-o', 'DPkg::Lock::Timeout=300', ...args];
  const tryOnce = async () => await run('apt-get', command, { capture: true, env });
  const first = await tryOnce();
  // A mirror may fail to answer once.
  const { code, output } = first.code === 0 ? first : await tryOnce();
  if (code !== 0)
    throw new Error(`${output}\napt-get ${args.join(' ')} failed (exit code ${code}).`);
}

/**
 * Installs packages, unless another process has done so in the meantime.
 * @param {string[]} packages
 * @param {() => boolean} areThere whether their programs exist
 */
export const installPackages = (packages, areThere) =>
  withLock('apt-get', async () => {
    if (areThere()) return;
    console.log(`Installing with apt-get: ${packages.join(' ')} …`);
    await aptGet(['update']);
    await aptGet(['install', '-y', '--no-install-recommends', ...packages]);
  });
