// `node scripts/releasing/publish.mjs FOLDER`: publishes the tarballs of a folder, in the order of its file
// `order.json`. It uses no third-party package, so that nothing has to be installed on the machine that may
// publish.
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isMain } from '../project/project.mjs';
import { runNpm } from '../project/run.mjs';

const ORDER_FILE = 'order.json';

/**
 * Writes the order in which the tarballs of a folder have to be published.
 * @param {string} folder @param {string[]} tarballs their paths, each after those that it needs
 */
export const writeOrder = (folder, tarballs) =>
  writeFile(join(folder, ORDER_FILE), JSON.stringify(tarballs.map((path) => basename(path))));

/**
 * Publishes each tarball, unless the registry has it already.
 * @param {string[]} tarballs @param {string[]} [options] of `npm publish`
 */
export async function publishTarballs(tarballs, options = []) {
  // Only there, npm can prove from which commit a package was built.
  const isProvable = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] !== undefined;
  for (const tarball of tarballs) {
    const args = ['publish', tarball, `--provenance=${isProvable}`, ...options];
    const { code, output } = await runNpm(args, { capture: true });
    const isThere = /cannot publish over|already present|EPUBLISHCONFLICT/i.test(output);
    if (code !== 0 && !isThere) throw new Error(`${basename(tarball)}:\n${output}`);
    console.log(`${basename(tarball)}${isThere ? ' is there already' : ''}`);
  }
}

if (isMain(import.meta.url)) {
  const folder = process.argv[2] ?? '';
  const names = JSON.parse(await readFile(join(folder, ORDER_FILE), 'utf8'));
  await publishTarballs(names.map((/** @type {string} */ name) => join(folder, name)));
}
