// The paths in the repository, and the check whether a script is the one that was started.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder, as an absolute path. */
export const root = resolve(import.meta.dirname, '../..');

/**
 * An absolute path inside the repository.
 * @param {string[]} segments
 */
export const inRoot = (...segments) => resolve(root, ...segments);

/** The packages, each after those that it depends on. */
export const packageNames = [
  'encoding',
  'transport',
  'protocol',
  'store',
  'sync',
  'server',
  'client',
  'models',
  'runtime',
  'elements',
  'apps',
  'cdn',
  'bridge',
];

/**
 * Whether Node was started with this file, and has not only imported it.
 * @param {string} moduleUrl the file's `import.meta.url`
 */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}
