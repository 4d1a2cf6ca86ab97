// The app of the notes for development: built from the sources, by the function with which its package builds
// it.
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { inRoot } from '../project/project.mjs';

/** The HTML of the app. */
async function notesApp() {
  const outfile = inRoot('node_modules/.cache/build-app.mjs');
  await build({
    entryPoints: [inRoot('packages/apps/src/build-app.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  const { buildApp } = await import(pathToFileURL(outfile).href);
  const entry = inRoot('packages/apps/src/notes/notes.ts');
  return await buildApp(entry, { title: 'Notes', conditions: ['source', 'browser'] });
}

const FILE = '/dist/notes.html';
const MODULE = '\0notes-app';

/**
 * A module with the text that a build takes from the file of the package.
 * @returns {import('vite').Plugin}
 */
export const notesAppOfSources = () => ({
  name: 'notes-app-of-sources',
  apply: 'serve',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith(FILE) ? MODULE : undefined),
  load: async (id) =>
    id === MODULE ? `export default ${JSON.stringify(await notesApp())}` : undefined,
});
