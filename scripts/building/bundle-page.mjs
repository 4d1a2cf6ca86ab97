// A page of the tests with its worker, bundled into a folder that a server can serve.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inRoot } from '../project/project.mjs';

/**
 * Writes `index.html`, `page.js` and `worker.js`. The sources of the packages are used, not their builds.
 * @param {string} folder that exists
 * @param {{ page: string, worker: string, title: string }} sources Paths from the root, and the title.
 */
export async function bundlePage(folder, { page, worker, title }) {
  await build({
    entryPoints: { page: inRoot(page), worker: inRoot(worker) },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'es2023',
    logLevel: 'warning',
  });
  const script = '<script type="module" src="page.js"></script>';
  writeFileSync(join(folder, 'index.html'), `<!doctype html><title>${title}</title>${script}`);
}
