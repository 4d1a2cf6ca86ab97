// The default worker as one self-contained file. It must import nothing: import maps do not reach
// workers, and a page without a bundler, or a `blob:` worker, could not resolve a package.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { withBuildId } from './build-id.mjs';
import { inRoot, root } from '../project/project.mjs';
import { banner, manifestOf, NOTICES_FILE, thirdPartyNotices } from './third-party-notices.mjs';

const SOURCE_MAP_COMMENT = /\n?\/\/# sourceMappingURL=.*\s*$/;

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
  write: false,
  metafile: true,
  absWorkingDir: root,
};

/**
 * Writes packages/runtime/dist/worker.js, or a copy elsewhere; resolves to what is in it, or to undefined
 * once an error was shown. tsc emits only the declarations of this file
 * (packages/runtime/tsconfig.worker.json), so neither overwrites what the other made.
 *
 * The file has no source map. With the sources, a map is five times as large as the file; without them,
 * vite warns of each of them. An app can debug the server in a worker of its own.
 * @param {string} [outfile]
 */
export async function writeWorkerBundle(outfile = options.outfile) {
  const bundle = await workerBundle(outfile, { plugins: [withBuildId()] }).catch(() => undefined);
  if (!bundle) return undefined;
  await mkdir(dirname(outfile), { recursive: true });
  await writeFile(outfile, bundle.code.replace(SOURCE_MAP_COMMENT, ''));
  const notices = thirdPartyNotices([bundle.metafile]);
  await writeFile(join(dirname(outfile), NOTICES_FILE), notices);
  return bundle.metafile;
}

/** The code of the bundle, without writing it, for pages that are made of the sources, too. */
export async function workerBundleCode() {
  const { outputFiles } = await workerBundle(options.outfile);
  return outputFiles.find(({ path }) => path.endsWith('.js'))?.contents ?? new Uint8Array();
}

/**
 * The bundle with its source map, without writing them.
 * @param {string} outfile the path that they name as their own
 * @param {{ shrinks?: boolean, plugins?: import('esbuild').Plugin[] }} [how] `shrinks`: whether it is
 *   made as small as it can be, which takes ten times as long. Default: true
 */
export async function workerBundle(outfile, { shrinks = true, plugins = [] } = {}) {
  const { metafile, outputFiles } = await build({ ...options, outfile, plugins });
  if (!shrinks) {
    const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
    return { metafile, code, outputFiles };
  }
  /** @param {string} ending */
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const smaller = await shrunk(basename(outfile), textOf('.js'), textOf('.map'));
  return {
    metafile,
    code: smaller.code,
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
    // With constants on either side of a comparison, gzip finds fewer repetitions.
    compress: { passes: 3, lhs_constants: false },
    format: { preamble: banner(manifestOf('runtime')) },
    sourceMap: { content, url: `${name}.map`, asObject: false },
  });
  const map = typeof smaller.map === 'string' ? smaller.map : content;
  return { code: smaller.code ?? code, map };
}
