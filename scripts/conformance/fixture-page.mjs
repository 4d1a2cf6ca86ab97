// The page with the server that the suite tests: test/conformance, bundled.
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { inRoot } from '../project.mjs';

/**
 * Builds the page into a folder, which is emptied first.
 * @param {string} folder
 */
export async function buildFixturePage(folder) {
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: {
      page: inRoot('test/conformance/page.ts'),
      worker: inRoot('test/conformance/worker.ts'),
    },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'es2023',
    logLevel: 'warning',
  });
  const script = '<script type="module" src="page.js"></script>';
  writeFileSync(`${folder}/index.html`, `<!doctype html><title>Conformance</title>${script}`);
}
