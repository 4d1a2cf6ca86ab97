// A page of sources, bundled with the worker beside it, for scripts that drive a browser themselves.
import { rmSync, writeFileSync } from 'node:fs';

/**
 * Builds the page into a folder, which is emptied first. Ends the process where that fails.
 * @param {string} folder
 * @param {string} title
 * @param {Pick<import('esbuild').BuildOptions, 'entryPoints' | 'minify' | 'define'>} options
 */
export async function buildBrowserPage(folder, title, options) {
  const { build } = await import('esbuild');
  const { withBuildId } = await import('../building/build-id.mjs');
  const { writeWorkerBundle } = await import('../building/worker-bundle.mjs');
  rmSync(folder, { recursive: true, force: true });
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
}
