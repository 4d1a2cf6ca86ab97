// Lists source files below a folder.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The TypeScript files below a folder, sorted, without node_modules; none if the folder does not exist.
 * @param {string} folder
 */
export function sourceFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .toSorted();
}
