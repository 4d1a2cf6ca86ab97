// The virtual list of the elements as one file without `process.env`, which Rollup, and a page without
// a bundler, do not replace.
import { build } from 'esbuild';
import { inRoot, root } from './project.mjs';

const file = 'mcp-resource-list/virtualizer';

/** Replaces what tsc made of the file in packages/elements/dist; resolves to what is in the bundle. */
export async function writeVirtualizerBundle() {
  const { metafile } = await build({
    entryPoints: [inRoot(`packages/elements/src/${file}.ts`)],
    outfile: inRoot(`packages/elements/dist/${file}.js`),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    external: ['lit', 'lit/*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    sourcemap: 'linked',
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
  });
  return metafile;
}
