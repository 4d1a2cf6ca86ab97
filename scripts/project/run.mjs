// Runs other programs, without a shell wherever the platform allows it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inRoot, root } from './project.mjs';

/**
 * @typedef {{ code: number, output: string }} RunResult
 * @typedef {{ capture?: boolean | 'too', cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number }} RunOptions
 */

/**
 * Runs a program to its end, without standard input, so that it never waits for an answer. `capture` collects
 * stdout and stderr instead of showing them; with `'too'`, it does both. Resolves with any exit code. A
 * program that cannot be started counts as exit code 127; one that runs longer than `timeout` (milliseconds;
 * no limit by default) is killed and counts as 124.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, options = {}) {
  const { capture = false, cwd = root, env = process.env, timeout } = options;
  return new Promise((settle) => {
    const out = capture ? 'pipe' : 'inherit';
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', out, out] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
        if (capture === 'too') process.stdout.write(chunk);
      });
    const kill = () => {
      child.kill();
      const words = `Failed: killed after ${(timeout ?? 0) / 60_000} minutes.`;
      // This does not wait until it has closed, because its own children may still run and keep the output
      // open.
      settle({ code: 124, output: `${output}\n${words}` });
    };
    const timer = timeout === undefined ? undefined : setTimeout(kill, timeout);
    child.on('error', (error) => settle({ code: 127, output: String(error) }));
    child.on('close', (code) => {
      clearTimeout(timer);
      settle({ code: code ?? 1, output });
    });
  });
}

/**
 * Runs a JavaScript file with the present Node, which needs no `.cmd` wrapper on Windows.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export const runNode = (file, args, options) => run(process.execPath, [file, ...args], options);

/**
 * Runs the npm that started this script, otherwise the one that came with this Node.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function runNpm(args, options) {
  const script = process.env['npm_execpath'];
  if (script?.endsWith('.js') && existsSync(script)) return runNode(script, args, options);
  return process.platform === 'win32'
    ? run('cmd.exe', ['/d', '/s', '/c', 'npm', ...args], options)
    : run('npm', args, options);
}

/**
 * The path of a script inside an installed package.
 * @param {string} path
 */
export const inNodeModules = (path) => inRoot('node_modules', path);
