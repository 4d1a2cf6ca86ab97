import { parseArgs } from 'node:util';
import { isWebOrigin } from '../hub/upgrade-gate.js';
import { TARGET_NAMES, type TargetName } from '../install/targets.js';
import { DEADLINES, type Deadlines } from '../wire/limits.js';
import { DEFAULT_HTTP_PORT, DEFAULT_PORT } from './ports.js';

/** The options of the command. */
export interface CommandOptions {
  mode: 'stdio' | 'http' | 'pair' | 'install' | 'uninstall' | 'forget' | 'help' | 'version';
  port: number;
  httpPort: number;
  /** Whether HTTP needs no token. */
  isOpenHttp: boolean;
  /** The name of the host, for the page. Default: the name that the host reports. */
  name: string | undefined;
  /** The address of the page. */
  pageUrl: string | undefined;
  /** Whether the bridge may open that address. */
  mayOpen: boolean;
  /** The time that a new session waits for a page, in ms. */
  waitMs: number;
  target: TargetName | undefined;
  /** Whether the command writes files without a question. */
  isYes: boolean;
  /** The origin whose pairings are deleted. */
  forgetOrigin: string | undefined;
  /** The timeouts of waiting for pages and for the hub. */
  deadlines: Deadlines;
}

/** The command cannot do what the user has requested; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The text of `--help`. */
export const HELP = `Connects desktop programs that speak MCP to the server in an open web page.

  inpage-mcp-bridge [--name NAME]   serves the program that has started it, over stdio
  inpage-mcp-bridge --http          serves Streamable HTTP, and prints the address
  inpage-mcp-bridge --pair          stays open and asks here whether a page may be paired
  inpage-mcp-bridge --install claude|vscode|cursor|claude-code|gemini
                                    adds the bridge to the configuration of a program
  inpage-mcp-bridge --uninstall claude|vscode|cursor|claude-code|gemini
  inpage-mcp-bridge --forget ORIGIN deletes the pairings of a page

  --page URL       the page with your notes; only pages of its origin can then be paired
  --open URL       like --page; the tool open_page also opens it in your browser
  --port N         where pages connect (default ${DEFAULT_PORT}); the page needs the same
  --http-port N    where HTTP clients connect (default ${DEFAULT_HTTP_PORT})
  --open-http      serves HTTP to every program of this computer, without a token
  --wait SECONDS   how long a new session waits for a page before the bridge answers (default 0)
  --yes            writes the configuration without asking
  --version, --help
`;

const flags = {
  http: { type: 'boolean' },
  pair: { type: 'boolean' },
  install: { type: 'string' },
  uninstall: { type: 'string' },
  forget: { type: 'string' },
  name: { type: 'string' },
  page: { type: 'string' },
  open: { type: 'string' },
  port: { type: 'string' },
  'http-port': { type: 'string' },
  'open-http': { type: 'boolean' },
  wait: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

/** The modes, by the flags that choose them. */
const MODES = ['help', 'version', 'install', 'uninstall', 'forget', 'pair', 'http'] as const;

/**
 * Reads the arguments of the command.
 *
 * @throws {UsageError} if an argument does not exist, has no valid value, or excludes another one.
 */
export function parseOptions(args: string[]): CommandOptions {
  const values = parseFlags(args);
  const chosen = MODES.filter((mode) => values[mode] !== undefined);
  if (chosen.length > 1) throw new UsageError(`--${chosen.join(' and --')} exclude each other.`);
  const page = values.open ?? values.page;
  return {
    mode: chosen[0] ?? 'stdio',
    port: numberOf('port', values.port, DEFAULT_PORT, 65_535),
    httpPort: numberOf('http-port', values['http-port'], DEFAULT_HTTP_PORT, 65_535),
    isOpenHttp: values['open-http'] ?? false,
    name: nameOf(values.name),
    pageUrl: page === undefined ? undefined : webAddress(page),
    mayOpen: values.open !== undefined,
    waitMs: numberOf('wait', values.wait, 0, 3_600) * 1_000,
    target: targetOf(values.install ?? values.uninstall),
    isYes: values.yes ?? false,
    forgetOrigin: values.forget === undefined ? undefined : originOf(values.forget),
    deadlines: DEADLINES,
  };
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({ args, options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function numberOf(
  flag: string,
  value: string | undefined,
  otherwise: number,
  most: number,
): number {
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= most) return number;
  throw new UsageError(`--${flag} must be a number up to ${most}.`);
}

/**
 * Requires that a name is not empty for the user: the page shows neither spaces at its ends nor control
 * characters.
 */
function nameOf(value: string | undefined): string | undefined {
  if (value !== undefined && /^[\p{C}\p{Z}]*$/u.test(value))
    throw new UsageError('--name must not be empty.');
  return value;
}

function webAddress(value: string): string {
  if (URL.canParse(value) && isWebOrigin(new URL(value).origin)) return value;
  throw new UsageError(`"${value}" is not the address of a web page.`);
}

const originOf = (value: string): string => new URL(webAddress(value)).origin;

function targetOf(value: string | undefined): TargetName | undefined {
  const target = TARGET_NAMES.find((name) => name === value);
  if (value === undefined || target) return target;
  throw new UsageError(`"${value}" is not one of ${TARGET_NAMES.join(', ')}.`);
}
