// The page with the server that the suite tests: test/conformance, bundled.
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { inRoot } from '../project.mjs';

/**
 * Builds the page into a folder, which is emptied first.
 * @param {string} folder
 * @param {string} worker its file in test/conformance
 */
export async function buildFixturePage(folder, worker) {
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: {
      page: inRoot('test/conformance/page.ts'),
      worker: inRoot('test/conformance', worker),
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
