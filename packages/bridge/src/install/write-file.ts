import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigurationError } from './configuration-error.js';

/** The maximum number of symbolic links that are followed, as in Linux. */
const MAX_LINKS = 40;

/**
 * Replaces a file atomically, and keeps a copy of the old file. A symbolic link stays a link, also if its target
 * does not exist.
 *
 * @returns The path of the copy; `undefined` if there was no file.
 * @throws {ConfigurationError} if the file is read-only.
 */
export function replaceFile(path: string, text: string): string | undefined {
  const target = followLinks(path);
  mkdirSync(dirname(target), { recursive: true });
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o222) === 0)
    throw new ConfigurationError(`${target} is read-only. Make it writable first.`);
  const backup =
    mode === undefined
      ? undefined
      : `${target}.${new Date().toISOString().replaceAll(/[-:]|\..*/g, '')}.bak`;
  if (backup) copyFileSync(target, backup);
  const temporary = `${target}.${randomUUID()}.tmp`;
  // The file may contain secrets of other servers.
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
  if (mode !== undefined) chmodSync(temporary, mode & 0o777);
  renameSync(temporary, target);
  return backup;
}

function followLinks(path: string): string {
  let target = path;
  for (let count = 0; count < MAX_LINKS; count += 1) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new ConfigurationError(`${path} is a link to itself.`);
}
