// The folder in which scripts/embed.mjs has installed the packed packages, as an app would.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { run } from '../../scripts/project/run.mjs';

/** @param {string[]} path in the folder */
export const inApp = (...path) => resolve(process.env['EMBED_FOLDER'] ?? '', ...path);

/** @param {string} script of an installed package */
export const installed = (script) => inApp('node_modules', script);

/**
 * What starts a script of an installed package, or a program in it.
 * @param {string[]} command the script, and its arguments
 * @returns {[program: string, args: string[]]}
 */
export const starting = ([script = '', ...args]) =>
  script.endsWith('.exe')
    ? [installed(script), args]
    : [process.execPath, [installed(script), ...args]];

/**
 * Runs a script of an installed package.
 * @param {string[]} command the script, and its arguments
 * @param {string} [cwd]
 */
export const runInstalled = (command, cwd = inApp()) =>
  run(...starting(command), { cwd, capture: true, env: env() });

/** Read when it is needed: a test may have set a variable. */
const env = () => ({ ...process.env, NEXT_TELEMETRY_DISABLED: '1' });

/**
 * @param {string[]} command the script, and its arguments
 * @param {string} [cwd]
 */
export async function build(command, cwd) {
  const { code, output } = await runInstalled(command, cwd);
  assert.equal(code, 0, output);
}
