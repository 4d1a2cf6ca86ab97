// The entries of a package: the modules that an app may import, by the `exports` of its package.json.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Entry
 * @property {string} specifier such as `@inpage-mcp/client/sdk`
 * @property {string} source the path of its TypeScript in the package, such as `./src/sdk.ts`
 */

/**
 * All entries of a package; a pattern such as `./define/mcp-*` has one for each of its sources.
 * @param {string} folder of the package
 * @returns {Entry[]}
 */
export function entriesOf(folder) {
  /** @type {{ name: string, exports: Record<string, string | { source?: string }> }} */
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) => {
    // Files of data, and generated types, have no source.
    const source = typeof target === 'string' ? undefined : target.source;
    if (source === undefined) return [];
    return starsOf(folder, source).map((star) => ({
      specifier: (name + path.slice(1)).replace('*', star),
      source: source.replace('*', star),
    }));
  });
}

/**
 * The values of the `*` in the path of a source; one value if the path has no `*`.
 * @param {string} folder
 * @param {string} source
 */
function starsOf(folder, source) {
  if (!source.includes('*')) return [''];
  const [start = '', end = ''] = source.slice(dirname(source).length + 1).split('*');
  return readdirSync(join(folder, dirname(source)))
    .filter((file) => file.startsWith(start) && file.endsWith(end))
    .map((file) => file.slice(start.length, file.length - end.length));
}
