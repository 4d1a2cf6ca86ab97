// The default worker, and the scripts that it loads later, each as one self-contained file. They must not
// import a package: import maps do not apply to workers, and a page without a bundler, or a `blob:` worker,
// could not resolve one.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { withBuildId } from './build-id.mjs';
import { inRoot, root } from '../project/project.mjs';
import { banner, manifestOf, NOTICES_FILE, thirdPartyNotices } from './third-party-notices.mjs';

/**
 * The worker, the script of the folders of the disk, and the script that reads patterns of `.gitignore` in
 * the page.
 * @typedef {'worker' | 'disk' | 'worker/ignored-paths'} Script
 */

/** @satisfies {import('esbuild').BuildOptions} */
const options = {
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
 * The worker loads later scripts from an address that the page gives it, so bundlers must ignore such an
 * import.
 */
const DYNAMIC_IMPORT = /\bimport\((\w+)\)/;
const IGNORED_IMPORT = 'import(/* webpackIgnore: true */ /* @vite-ignore */ $1)';

/**
 * Writes packages/runtime/dist/worker.js and disk.js, or copies in another folder; resolves to the metafile
 * of the worker, or to undefined after an error was shown. tsc emits only the declarations of this file
 * (packages/runtime/tsconfig.worker.json), so neither overwrites the output of the other.
 *
 * Their source maps contain the sources, because Vite would otherwise warn that each is missing, and so that
 * an app can debug the worker.
 * @param {string} [folder]
 */
export async function writeWorkerBundle(folder = inRoot('packages/runtime/dist')) {
  const plugins = [withBuildId()];
  const metafiles = [];
  /** @type {Script[]} */
  const scripts = ['worker', 'disk', 'worker/ignored-paths'];
  for (const script of scripts) {
    const outfile = join(folder, `${script}.js`);
    await mkdir(dirname(outfile), { recursive: true });
    const bundle = await workerBundle(outfile, { script, plugins }).catch(() => undefined);
    if (!bundle) return undefined;
    for (const { path, contents } of bundle.outputFiles) await writeFile(path, contents);
    metafiles.push(bundle.metafile);
  }
  await writeFile(join(folder, NOTICES_FILE), thirdPartyNotices(metafiles));
  return metafiles[0];
}

/**
 * The code of the bundle, without writing it, also for pages that are built from the sources.
 * @param {Script} [script]
 */
export async function workerBundleCode(script = 'worker') {
  const outfile = inRoot(`packages/runtime/dist/${script}.js`);
  const { outputFiles } = await workerBundle(outfile, { script });
  return outputFiles.find(({ path }) => path.endsWith('.js'))?.contents ?? new Uint8Array();
}

/**
 * The bundle with its source map, without writing them.
 * @param {string} outfile the path that they use as their own
 * @param {{ script?: Script, shrinks?: boolean, plugins?: import('esbuild').Plugin[] }} [how] `shrinks`:
 *   whether it is made as small as it can be, which takes ten times as long. Default: true
 */
export async function workerBundle(
  outfile,
  { script = 'worker', shrinks = true, plugins = [] } = {},
) {
  const entryPoints = [inRoot(`packages/runtime/src/${script}.ts`)];
  const { metafile, outputFiles } = await build({ ...options, entryPoints, outfile, plugins });
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
 * Minifies the code further: the output of esbuild alone is a twentieth larger, gzipped, because it minifies
 * each part separately.
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
  return { code: (smaller.code ?? code).replace(DYNAMIC_IMPORT, IGNORED_IMPORT), map };
}
