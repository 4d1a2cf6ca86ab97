// A page of sources, bundled with the worker beside it, for scripts that drive a browser themselves.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { inRoot } from '../project/project.mjs';

/**
 * A new folder inside the checkout, so that what is built there finds the packages. It ends with the
 * process: two runs of the same script have one each.
 * @param {string} name
 */
export function pageFolderFor(name) {
  const parent = inRoot('node_modules', '.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(`${parent}/${name}-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Builds the page into a folder of its own, and returns that. Ends the process where it fails.
 * @param {string} title
 * @param {Pick<import('esbuild').BuildOptions, 'entryPoints' | 'minify' | 'define'>} options
 */
export async function buildBrowserPage(title, options) {
  const { build } = await import('esbuild');
  const { withBuildId } = await import('../building/build-id.mjs');
  const { writeWorkerBundle } = await import('../building/worker-bundle.mjs');
  const folder = pageFolderFor(title.toLowerCase());
  await build({
    ...options,
    plugins: [withBuildId()],
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'esnext',
    logLevel: 'warning',
  });
  // esbuild does not follow `new URL('./worker.js', import.meta.url)`: it must lie beside the bundle.
  if (!(await writeWorkerBundle(`${folder}/worker.js`))) process.exit(1);
  writeFileSync(`${folder}/index.html`, `<!doctype html><title>${title}</title>`);
  return folder;
}
