#!/usr/bin/env node
// The command `inpage-mcp-bridge`. While it serves a host, stdout is only for MCP; messages go to stderr.
import { HELP, parseOptions, UsageError, type CommandOptions } from './command/options.js';
import { runForget, runPair, runStdio } from './command/run.js';
import { packageVersion } from './command/version.js';
import { ConfigurationError } from './install/configuration-error.js';
import { StateError } from './state/state-file.js';

/** Loads only what the mode needs: a host waits for its bridge to start. */
async function run(options: CommandOptions): Promise<void> {
  switch (options.mode) {
    case 'stdio':
      return runStdio(options);
    case 'http':
      return (await import('./command/run-http.js')).runHttp(options);
    case 'pair':
      return runPair(options);
    case 'forget':
      return runForget(options);
    case 'install':
    case 'uninstall':
      return (await import('./command/run-install.js')).runInstall(options);
    case 'version':
      return void process.stdout.write(`${packageVersion()}\n`);
    default:
      return void process.stdout.write(HELP);
  }
}

// A reader that has gone, such as `head`, is not an error.
process.stdout.on('error', () => undefined);

try {
  await run(parseOptions(process.argv.slice(2)));
} catch (error) {
  const isExpected = [UsageError, StateError, ConfigurationError].some(
    (kind) => error instanceof kind,
  );
  // The system may refuse a file or a port.
  if (!isExpected && !(error instanceof Error && 'syscall' in error)) throw error;
  console.error(`inpage-mcp bridge: ${(error as Error).message}`);
  process.exit(1);
}
