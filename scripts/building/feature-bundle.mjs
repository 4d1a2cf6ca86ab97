// The script that the worker imports for the apps of the notes: one self-contained file that contains their
// HTML.
import { build } from 'esbuild';
import { inRoot, root } from '../project/project.mjs';

/**
 * Writes packages/apps/dist/feature.js, from the built HTML, or a copy of it elsewhere.
 * @param {string} [outfile]
 */
export async function writeFeatureBundle(outfile = inRoot('packages/apps/dist/feature.js')) {
  await build({
    entryPoints: [inRoot('packages/apps/src/feature.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'es2023',
    loader: { '.html': 'text' },
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: root,
  });
}
