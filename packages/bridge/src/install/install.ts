import { existsSync, readFileSync } from 'node:fs';
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
  /** `undefined` removes the bridge. */
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
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
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
  const backup = replaceFile(path, changed);
  const whatNext = entry ? next : `Restart ${title}.`;
  show(`Written.${backup ? ` The old file was copied to ${backup}.` : ''} ${whatNext}`);
  return true;
}
