// The package for pages without a build: one file with the elements, the runtime and all that they need,
// the worker beside it, and parts that are loaded when they are needed.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { withBuildId } from './build-id.mjs';
import { leanStyles } from './lean-styles.mjs';
import { leanMarkdown } from './markdown-bundle.mjs';
import { inRoot, root } from '../project/project.mjs';
import { banner, manifestOf, NOTICES_FILE, thirdPartyNotices } from './third-party-notices.mjs';

const folder = inRoot('packages/cdn/dist');

/**
 * Writes packages/cdn/dist, from the built worker.
 * @param {import('esbuild').Metafile} workerMetafile
 */
export async function writeCdnBundle(workerMetafile) {
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: { 'inpage-mcp': inRoot('packages/cdn/src/index.ts') },
    outdir: folder,
    // The runtime looks for worker.js beside itself: no part lies deeper.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    plugins: [leanMarkdown, leanStyles, withBuildId()],
    target: 'es2023',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: banner(manifestOf('cdn')) },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
  });
  await copyFile(inRoot('packages/runtime/dist/worker.js'), `${folder}/worker.js`);
  await writeFile(`${folder}/inpage-mcp.d.ts`, await declarations());
  await writeFile(`${folder}/${NOTICES_FILE}`, thirdPartyNotices([metafile, workerMetafile]));
}

/** The types of the script, which are those of the packages: who installs these has them. */
async function declarations() {
  const built = await readFile(inRoot('node_modules/.cache/tsc/cdn/index.d.ts'), 'utf8');
  return built.replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
}
