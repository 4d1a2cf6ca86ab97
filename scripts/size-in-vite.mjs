// What the elements that nearly every page has weigh in an app: built by Vite as it comes, from the
// packages as they are published.
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { root } from './project/project.mjs';

const ENTRY = 'virtual:app';

/**
 * The size of all that the page of such an app loads before it shows anything, in bytes, minified
 * and gzipped. What it imports later, by `import()`, does not count.
 * @param {string} source its imports, and a use of what they import
 */
export async function sizeInVite(source) {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      rolldownOptions: { input: ENTRY },
    },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === ENTRY ? ENTRY : null),
        load: (id) => (id === ENTRY ? source : null),
      },
    ],
  });
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
  const chunks = output.filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  const needed = new Set(entry ? [entry.fileName] : []);
  // A set that grows while it is gone through: what is imported by what is imported.
  for (const name of needed)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      needed.add(imported);
  return chunks
    .filter(({ fileName }) => needed.has(fileName))
    .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).byteLength, 0);
}
