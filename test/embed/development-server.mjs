// A development server, with which everybody begins.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../scripts/serving/free-port.mjs';
import { inApp, starting } from './folder.mjs';

/** The development server of vite, without anything that an earlier one has optimized. */
export const viteServer = (name = 'vite') => [`${name}/bin/vite.js`, '--strictPort', '--force'];

/**
 * Starts a development server on a free port.
 * @param {string[]} command the script of a package, and its arguments
 * @param {string} [cwd]
 */
export async function startServer(command, cwd = inApp()) {
  const url = `http://localhost:${await freePort()}/`;
  const [program, args] = starting([...command, '--port', new URL(url).port]);
  const server = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => server.once('exit', done));
  let warnings = '';
  server.stderr.on('data', (chunk) => (warnings += chunk));
  // What the server prints depends on the environment: on CI it is coloured.
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error('The server has ended.');
    await setTimeout(100);
  }
  return {
    url,
    close: async () => {
      server.kill('SIGKILL');
      await ended;
      // Bun says there how long it has taken.
      assert.equal(warnings.replaceAll(/^Bundled page in .*\n/gm, ''), '');
    },
  };
}
