// The default worker as one self-contained file. It must import nothing: import maps do not reach
// workers, and a page without a bundler, or a `blob:` worker, could not resolve a package.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { inRoot, root } from './project.mjs';
import { banner, manifestOf, NOTICES_FILE, thirdPartyNotices } from './third-party-notices.mjs';

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
  legalComments: 'none',
  logLevel: 'warning',
  sourcemap: 'linked',
  // An app that has the package has the sources, too: the map only names them.
  sourcesContent: false,
  write: false,
  metafile: true,
  absWorkingDir: root,
};

/**
 * Writes packages/runtime/dist/worker.js with its source map, or a copy elsewhere; resolves to what is
 * in it, or to undefined once an error was shown. tsc emits only the declarations of this file
 * (packages/runtime/tsconfig.worker.json), so neither overwrites what the other made.
 * @param {string} [outfile]
 */
export async function writeWorkerBundle(outfile = options.outfile) {
  const bundle = await workerBundle(outfile).catch(() => undefined);
  if (!bundle) return undefined;
  await mkdir(dirname(outfile), { recursive: true });
  for (const { path, contents } of bundle.outputFiles) await writeFile(path, contents);
  const notices = thirdPartyNotices([bundle.metafile]);
  await writeFile(join(dirname(outfile), NOTICES_FILE), notices);
  return bundle.metafile;
}

/** The code of the bundle, without writing it. */
export async function workerBundleCode() {
  const { outputFiles } = await workerBundle(options.outfile);
  return outputFiles.find(({ path }) => path.endsWith('.js'))?.contents ?? new Uint8Array();
}

/**
 * The bundle with its source map, without writing them.
 * @param {string} outfile where they are told that they lie
 */
export async function workerBundle(outfile) {
  const { metafile, outputFiles } = await build({ ...options, outfile });
  /** @param {string} ending */
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const smaller = await shrunk(basename(outfile), textOf('.js'), textOf('.map'));
  return {
    metafile,
    outputFiles: [
      { path: outfile, contents: Buffer.from(smaller.code) },
      { path: `${outfile}.map`, contents: Buffer.from(smaller.map) },
    ],
  };
}

/**
 * What esbuild leaves is a twentieth larger, gzipped: it looks at each part by itself.
 * @param {string} name of the file
 * @param {string} code
 * @param {string} content of its source map
 */
async function shrunk(name, code, content) {
  const smaller = await minify(code, {
    module: true,
    toplevel: true,
    ecma: 2020,
    compress: { passes: 2 },
    format: { preamble: banner(manifestOf('runtime')) },
    sourceMap: { content, url: `${name}.map`, asObject: false },
  });
  const map = typeof smaller.map === 'string' ? smaller.map : content;
  return { code: smaller.code ?? code, map: withInstalledPaths(map) };
}

/**
 * In node_modules of an app our packages lie beside those that they depend on, and not in a folder of
 * their own.
 * @param {string} map
 */
function withInstalledPaths(map) {
  const content = JSON.parse(map);
  const sources = content.sources.map((/** @type {string} */ path) =>
    path.replace('../../../node_modules/', '../../../'),
  );
  return JSON.stringify({ ...content, sources });
}
