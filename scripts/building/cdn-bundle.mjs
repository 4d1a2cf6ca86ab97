// The package for pages without a build: one file with the elements, the runtime and everything that they
// need, and next to it the worker, the frame of apps, and parts that are loaded on demand.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
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
    // The runtime looks for worker.js and disk.js next to itself, and the frame of an app for its file, so no
    // part may be in a deeper folder.
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
  for (const file of [
    'runtime/dist/worker.js',
    'runtime/dist/worker.js.map',
    'runtime/dist/disk.js',
    'runtime/dist/disk.js.map',
    'client/dist/app-host/mcp-app-frame.htm',
  ])
    await copyFile(inRoot('packages', file), `${folder}/${basename(file)}`);
  await writeFile(`${folder}/inpage-mcp.d.ts`, await declarations());
  await writeFile(`${folder}/${NOTICES_FILE}`, thirdPartyNotices([metafile, workerMetafile]));
}

/** The types of the script, which are those of the packages: an app that installs the packages has them. */
async function declarations() {
  const built = await readFile(inRoot('node_modules/.cache/tsc/cdn/index.d.ts'), 'utf8');
  return built.replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
}
