import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically, and keeps a copy of the old file. A symbolic link stays a link.
 *
 * @returns The path of the copy; `undefined` if there was no file.
 */
export function replaceFile(path: string, text: string): string | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const exists = existsSync(path);
  const target = exists ? realpathSync(path) : path;
  const backup = exists
    ? `${target}.${new Date().toISOString().replaceAll(/[-:]|\..*/g, '')}.bak`
    : undefined;
  if (backup) copyFileSync(target, backup);
  const temporary = `${target}.${randomUUID()}.tmp`;
  // The file may contain secrets of other servers.
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
  if (exists) chmodSync(temporary, statSync(target).mode & 0o777);
  renameSync(temporary, target);
  return backup;
}
