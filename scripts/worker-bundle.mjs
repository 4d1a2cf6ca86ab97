// The default worker as one self-contained file. It must import nothing: import maps do not reach
// workers, and a page without a bundler, or a `blob:` worker, could not resolve a package.
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { inRoot, root } from './project.mjs';

/**
 * Leaves out the schemas of OAuth, 1.5 kB gzipped: the SDK builds them when it is loaded, to offer
 * them to others, and no port speaks of OAuth. Remove this once a bundler can leave them out itself.
 * @satisfies {import('esbuild').Plugin}
 */
const withoutOAuth = {
  name: 'without-oauth',
  setup({ onLoad }) {
    onLoad({ filter: /core[\\/]dist[\\/]auth-[^\\/]+\.mjs$/ }, async ({ path }) => {
      const [, names = ''] = /export \{([^}]*)\}/.exec(await readFile(path, 'utf8')) ?? [];
      const nothing = names.replaceAll(/\w+ as/g, 'nothing as');
      return { contents: `const nothing = undefined; export {${nothing}};` };
    });
  },
};

/** @satisfies {import('esbuild').BuildOptions} */
const options = {
  entryPoints: [inRoot('packages/runtime/src/worker.ts')],
  outfile: inRoot('packages/runtime/dist/worker.js'),
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  conditions: ['source', 'browser'],
  target: 'es2023',
  alias: { '@modelcontextprotocol/server/_shims': inRoot('scripts/server-shims-stub.mjs') },
  plugins: [withoutOAuth],
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * Writes packages/runtime/dist/worker.js with its source map, or a copy elsewhere; resolves to
 * false once an error was shown. tsc emits only the declarations of this file
 * (packages/runtime/tsconfig.worker.json), so neither overwrites what the other made.
 * @param {string} [outfile]
 */
export const writeWorkerBundle = (outfile = options.outfile) =>
  build({ ...options, outfile, sourcemap: 'linked' }).then(
    () => true,
    () => false,
  );

/** The code of the bundle, without writing it. */
export async function workerBundleCode() {
  const { outputFiles } = await build({ ...options, write: false });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/**
 * The bundle with its source map, without writing them.
 * @param {string} outfile where they are told that they lie
 */
export const workerBundle = (outfile) =>
  build({
    ...options,
    outfile,
    sourcemap: 'linked',
    write: false,
    metafile: true,
    absWorkingDir: root,
  });
