// Finds programs in the usual places. Only Node's own modules.
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @param {string} path */
export const isFile = (path) => existsSync(path) && statSync(path).isFile();

/**
 * The paths at which programs with these names may be on Linux, and on any system that has a `PATH`.
 * @param {string[]} names
 * @param {string[]} [more] folders
 */
export function placesOf(names, more = []) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const usual = ['/usr/bin', '/usr/local/bin', '/snap/bin', ...more];
  return [...folders, ...usual].flatMap((folder) => names.map((name) => join(folder, name)));
}

/**
 * The path in an environment variable, if it is set.
 * @param {string} variable
 * @returns {string | undefined}
 * @throws if it does not name a file, because the tests must not silently use another browser
 */
export function chosenPath(variable) {
  const chosen = process.env[variable];
  if (!chosen || isFile(chosen)) return chosen || undefined;
  throw new Error(
    `${variable} is ${JSON.stringify(chosen)}, but no such file exists. ` +
      'Point it at an executable, or unset it.',
  );
}
