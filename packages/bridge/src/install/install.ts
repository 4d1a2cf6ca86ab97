import { existsSync, readFileSync } from 'node:fs';
import { ConfigurationError } from './configuration-error.js';
import {
  changedConfiguration,
  presentEntry,
  SERVER_NAME,
  type ServerEntry,
} from './configuration.js';
import type { Target } from './targets.js';
import { replaceFile } from './write-file.js';

/** Options of an installation. */
export interface InstallOptions {
  target: Target;
  /** The command to enter; `undefined` removes the bridge. */
  entry: ServerEntry | undefined;
  /** Shows a text to the user. */
  show: (text: string) => void;
  /** Asks the user whether the file may be written. */
  confirm: () => Promise<boolean>;
}

/**
 * Shows how the configuration of a program would change, and changes it if the user agrees.
 *
 * @returns Whether the configuration is now as requested; `false` if the user refuses the change.
 * @throws {ConfigurationError} if the file is not a valid configuration.
 */
export async function install({ target, entry, show, confirm }: InstallOptions): Promise<boolean> {
  const { path, key, title, next } = target;
  const file = withReason(path, () => readConfiguration(path));
  const { text } = file;
  const changed = changedConfiguration(text, target, entry);
  if (changed === text) {
    show(`${path} needs no change.`);
    return true;
  }
  const member = (value: unknown): string =>
    `"${key}": { "${SERVER_NAME}": ${JSON.stringify(value)} }`;
  const present = presentEntry(text, key);
  show(`${title}: ${path}`);
  if (present !== undefined) show(`- ${member(present)}`);
  if (entry) show(`+ ${member(presentEntry(changed, key))}`);
  if (!(await confirm())) return false;
  const backup = withReason(path, () => replaceFile(path, file.mark + changed));
  const whatNext = entry
    ? `${next} Then open the page, and press "Connect" in it.`
    : `Restart ${title}.`;
  show(`Written.${backup ? ` The old file was copied to ${backup}.` : ''} ${whatNext}`);
  return true;
}

/** The byte order mark of a file, which some editors write, and its text; both empty if it does not exist. */
function readConfiguration(path: string): { mark: string; text: string } {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { mark, text: text.slice(mark.length) };
}

/** @throws {ConfigurationError} if the system refuses it. */
function withReason<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new ConfigurationError(`${path} cannot be read or written. ${error.message}`);
  }
}
