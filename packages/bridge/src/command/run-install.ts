import { resolve } from 'node:path';
import { install } from '../install/install.js';
import { targetOf } from '../install/targets.js';
import { UsageError, type CommandOptions } from './options.js';
import { DEFAULT_PORT } from './ports.js';
import { askYesNo } from './terminal.js';

/** Adds the bridge to the configuration of a program, or removes it. */
export async function runInstall(options: CommandOptions): Promise<void> {
  const { mode, target: name, isYes } = options;
  if (!name) return;
  if (!isYes && !process.stdin.isTTY)
    throw new UsageError(
      'This is not a terminal, so the command cannot ask. Add --yes to write without a question.',
    );
  const target = targetOf(name);
  const isInstalling = mode === 'install';
  // Not `npx`: it would start any package that has this name in the registry.
  const script = resolve(import.meta.dirname, '../main.js');
  const entry = { command: process.execPath, args: [script, ...argsOf(options, target.title)] };
  if (isInstalling && script.split(/[\\/]/).includes('_npx'))
    console.error(
      `${script} is in a cache, which npm may delete. Install the package, and run this command of it again.`,
    );
  const isDone = await install({
    target,
    entry: isInstalling ? entry : undefined,
    show: (text) => console.error(text),
    confirm: async () => isYes || (await askYesNo('Write this?')) === true,
  });
  if (!isDone) process.exitCode = 1;
}

/** The arguments with which the program starts the bridge. */
function argsOf({ name, pageUrl, mayOpen, port, waitMs }: CommandOptions, title: string): string[] {
  return [
    '--name',
    name ?? title,
    ...(pageUrl === undefined ? [] : [mayOpen ? '--open' : '--page', pageUrl]),
    ...(port === DEFAULT_PORT ? [] : ['--port', String(port)]),
    ...(waitMs === 0 ? [] : ['--wait', String(waitMs / 1_000)]),
  ];
}
