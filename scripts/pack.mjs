// `npm run pack`: builds the packages, and packs them into packed/, from which an app installs them.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackages } from './build.mjs';
import { stagePackages } from './packing/stage.mjs';
import { inRoot, isMain } from './project/project.mjs';
import { runNpm } from './project/run.mjs';
import { setUp } from './setup.mjs';

/**
 * Packs the built packages, as they are published; resolves to the paths of the tarballs.
 * @param {string} destination a folder, whose tarballs are replaced
 * @param {string[]} [staged] the folders of the packages as they are published, if they are there already
 */
export async function packPackages(destination, staged) {
  await rm(destination, { recursive: true, force: true });
  await mkdir(destination, { recursive: true });
  const folders = staged ?? (await stagePackages(inRoot('node_modules/.cache/staged')));
  const args = ['pack', ...folders, '--pack-destination', destination, '--loglevel=error'];
  const { code, output } = await runNpm(args, { capture: true });
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  return (await readdir(destination)).map((name) => join(destination, name));
}

if (isMain(import.meta.url)) {
  await setUp();
  if (!(await buildPackages())) process.exit(1);
  for (const path of await packPackages(inRoot('packed'))) console.log(path);
}
