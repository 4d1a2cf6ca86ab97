import type { Deadlines } from '../wire/limits.js';
import { HELP, parseOptions, UsageError, type CommandOptions } from './options.js';
import { runForget, runPair, runStdio } from './run.js';
import { packageVersion } from './version.js';
import { ConfigurationError } from '../install/configuration-error.js';
import { StateError } from '../state/state-file.js';

/** Loads only the code that the mode needs, because a host waits until its bridge has started. */
async function run(options: CommandOptions): Promise<void> {
  switch (options.mode) {
    case 'stdio':
      return runStdio(options);
    case 'http':
      return (await import('./run-http.js')).runHttp(options);
    case 'pair':
      return runPair(options);
    case 'forget':
      return runForget(options);
    case 'install':
    case 'uninstall':
      return (await import('./run-install.js')).runInstall(options);
    case 'version':
      return void process.stdout.write(`${packageVersion()}\n`);
    default:
      return void process.stdout.write(HELP);
  }
}

/**
 * Runs the command. If it fails for a reason that the user can fix, prints the reason and exits the process.
 *
 * @param args The arguments of the command line.
 * @param deadlines The deadlines that differ from the defaults. No argument of the command line sets them.
 */
export async function runCommand(
  args: string[],
  deadlines: Partial<Deadlines> = {},
): Promise<void> {
  // If the reader of stdout has exited, such as `head`, this is not an error.
  process.stdout.on('error', () => undefined);

  try {
    const options = parseOptions(args);
    await run({ ...options, deadlines: { ...options.deadlines, ...deadlines } });
  } catch (error) {
    const isExpected = [UsageError, StateError, ConfigurationError].some(
      (kind) => error instanceof kind,
    );
    // The system may refuse a file or a port.
    if (!isExpected && !(error instanceof Error && 'syscall' in error)) throw error;
    console.error(`inpage-mcp bridge: ${(error as Error).message}`);
    process.exit(1);
  }
}
