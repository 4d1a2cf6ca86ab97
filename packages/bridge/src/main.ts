#!/usr/bin/env node
// The command `inpage-mcp-bridge`. stdout is for MCP alone; people read stderr.
import { HELP, parseOptions, UsageError, type CommandOptions } from './command/options.js';
import { runForget, runHttp, runPair, runStdio } from './command/run.js';
import { packageVersion } from './command/version.js';
import { StateError } from './state/state-file.js';

async function run(options: CommandOptions): Promise<void> {
  switch (options.mode) {
    case 'stdio':
      return runStdio(options);
    case 'http':
      return runHttp(options);
    case 'pair':
      return runPair(options);
    case 'forget':
      return runForget(options);
    case 'version':
      return void process.stdout.write(`${packageVersion()}\n`);
    default:
      return void process.stdout.write(HELP);
  }
}

try {
  await run(parseOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StateError)) throw error;
  console.error(`inpage-mcp bridge: ${error.message}`);
  process.exit(1);
}
