#!/usr/bin/env node
// The command `inpage-mcp-app`.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { formatMessages, type BuildFailure } from 'esbuild';
import { buildApp } from './build-app.js';

const HELP = `Makes one HTML file of an MCP App, which requests nothing from anywhere.

  inpage-mcp-app build ENTRY [--out FILE] [--title TITLE]

  ENTRY          the script of the app, in JavaScript or TypeScript
  --out FILE     where the HTML is written (default: beside the entry, as .html)
  --title TITLE  the title of the document (default: the name of the entry)
  --help
`;

const options = {
  out: { type: 'string' },
  title: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** The command cannot do what the user has requested; the message says why. */
class UsageError extends Error {}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(args: string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [command, entry, ...others] = positionals;
  if (values.help || command === undefined) return void process.stdout.write(HELP);
  if (command !== 'build') throw new UsageError(`There is no command ${command}.`);
  if (entry === undefined) throw new UsageError('build needs the script of the app.');
  if (others.length > 0) throw new UsageError('build takes one script.');
  const { out = `${entry.slice(0, -extname(entry).length || undefined)}.html`, title } = values;
  const html = await buildApp(entry, { title });
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, html);
  const gzipped = gzipSync(html, { level: 9 }).byteLength;
  const sizes = `${kilobytes(Buffer.byteLength(html))}, ${kilobytes(gzipped)} gzipped`;
  console.log(`${basename(out)}: ${sizes}`);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** The failures of esbuild name the file, the line and the reason. */
async function describe(error: unknown): Promise<string> {
  const { errors } = error as Partial<BuildFailure>;
  if (errors) return (await formatMessages(errors, { kind: 'error' })).join('').trim();
  const { message } = error as Error;
  return error instanceof UsageError ? `${message}\nSee inpage-mcp-app --help.` : message;
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(await describe(error));
  process.exitCode = 1;
}
