// The name of a build: the version, and a hash of all code that runs in the page and its worker. The same
// sources have the same name, in any folder and on any system.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { inRoot } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';

/** The packages of which the worker consists, and those that call it. */
const PACKAGES = ['encoding', 'transport', 'protocol', 'store', 'server', 'runtime'];

function buildId() {
  const hash = createHash('sha256');
  for (const name of PACKAGES) {
    const folder = inRoot('packages', name, 'src');
    for (const file of sourceFiles(folder))
      hash
        .update(`${name}/${relative(folder, file).split(sep).join('/')}\n`)
        .update(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
  }
  const { version } = JSON.parse(readFileSync(inRoot('packages/server/package.json'), 'utf8'));
  return `${version}-${hash.digest('hex').slice(0, 8)}`;
}

/** Writes the name into the compiled sources, in which tsc has put the value of the sources. */
export const writeBuildId = () =>
  writeFile(inRoot('packages/server/dist/control/build-id.js'), moduleOf(buildId()));

/** @param {string} id */
const moduleOf = (id) => `export const BUILD_ID = ${JSON.stringify(id)};\n`;

/**
 * Puts a name into a bundle of the sources.
 * @param {string} [id] Default: the id of the sources
 * @returns {import('esbuild').Plugin}
 */
export const withBuildId = (id = buildId()) => ({
  name: 'build-id',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]control[\\/]build-id\.ts$/ }, () => ({
      contents: moduleOf(id),
      loader: 'js',
    }));
  },
});
