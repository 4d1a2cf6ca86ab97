// The size in an app of the elements that nearly every page has: a folder with an `index.html` that Vite
// builds by default, from the packages as they are published.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { inRoot } from './project/project.mjs';

const PAGE = '<!doctype html><title>App</title><script type="module" src="./main.js"></script>';

/**
 * The size of all code that the page of such an app loads before it shows anything, in bytes, minified and
 * gzipped. Later imports by `import()` do not count.
 * @param {string} source its imports, and a use of what they import
 */
export async function sizeInVite(source) {
  // The folder is in the repository, so that the packages are found.
  const app = await mkdtemp(inRoot('node_modules/.cache/size-'));
  try {
    await writeFile(join(app, 'index.html'), PAGE);
    await writeFile(join(app, 'main.js'), source);
    return sizeOf(
      await build({ root: app, configFile: false, logLevel: 'error', build: { write: false } }),
    );
  } finally {
    await rm(app, { recursive: true });
  }
}

/** @param {Awaited<ReturnType<typeof build>>} built */
function sizeOf(built) {
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
  const chunks = output.filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  const needed = new Set(entry ? [entry.fileName] : []);
  // The set grows during the iteration, so that indirect imports are included.
  for (const name of needed)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      needed.add(imported);
  return chunks
    .filter(({ fileName }) => needed.has(fileName))
    .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).byteLength, 0);
}
