// The virtual list of the elements as one file without `process.env`, which Rollup, and a page without
// a bundler, do not replace.
import { rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { inRoot, root } from './project.mjs';
import { banner, manifestOf, NOTICES_FILE, thirdPartyNotices } from './third-party-notices.mjs';

const file = 'mcp-resource-list/virtualizer';

/** @param {string} path */
const inDist = (path) => inRoot('packages/elements/dist', path);

/** Replaces what tsc made of the file in packages/elements/dist, and writes the licences beside it. */
export async function writeVirtualizerBundle() {
  const outfile = inDist(`${file}.js`);
  const { metafile } = await build({
    entryPoints: [inRoot(`packages/elements/src/${file}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    external: ['lit', 'lit/*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    // No map: the sources are neither in this package nor in those that an app installs.
    sourcemap: false,
    banner: { js: banner(manifestOf('elements')) },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
  });
  await rm(`${outfile}.map`, { force: true });
  await writeFile(inDist(NOTICES_FILE), thirdPartyNotices([metafile]));
}
