#!/usr/bin/env node
// The command `inpage-mcp-bridge`. While it serves a host, stdout is only for MCP; messages go to stderr.
import { runCommand } from './command/run-command.js';

await runCommand(process.argv.slice(2));
