// A bundler reads the source maps of the packed packages, and warns about each source that it cannot find.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { installed } from './folder.mjs';

/**
 * The sources that a map names, but that are neither in the package nor in the map itself.
 * @param {string} folder of the package
 * @param {string} name of the map
 */
function missingSources(folder, name) {
  const path = resolve(folder, name);
  const { sources, sourcesContent, sourceRoot = '' } = JSON.parse(readFileSync(path, 'utf8'));
  /** @param {string} source */
  const isInPackage = (source) => {
    const file = resolve(dirname(path), sourceRoot, source);
    return file.startsWith(`${folder}/`) && existsSync(file);
  };
  return sources
    .filter(
      (/** @type {string} */ source, /** @type {number} */ index) =>
        typeof sourcesContent?.[index] !== 'string' && !isInPackage(source),
    )
    .map((/** @type {string} */ source) => `${name} names ${source}`);
}

/**
 * The files that name a map that is not there.
 * @param {string} folder of the package
 * @param {string} name of a script, or of declarations
 */
function missingMap(folder, name) {
  const path = resolve(folder, name);
  const map = /^\/\/# sourceMappingURL=(\S+)\s*$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return map === undefined || existsSync(resolve(dirname(path), map))
    ? []
    : [`${name} names ${map}`];
}

void describe('the source maps', () => {
  for (const name of readdirSync(installed('@inpage-mcp'))) {
    const folder = installed(`@inpage-mcp/${name}`);
    const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((path) =>
      path.startsWith('dist'),
    );

    void it(`of ${name} are there, with every source that they name`, () => {
      const maps = files.filter((path) => path.endsWith('.map'));
      const naming = files.filter((path) => /\.(js|d\.ts)$/.test(path));
      assert.notEqual(maps.length, 0);
      assert.deepEqual(
        [
          ...maps.flatMap((path) => missingSources(folder, path)),
          ...naming.flatMap((path) => missingMap(folder, path)),
        ],
        [],
      );
    });
  }
});
