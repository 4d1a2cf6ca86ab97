// Bundled pages of sources, for scripts and tests that drive a browser themselves.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { launchFlags } from '../browsers/chromium.mjs';
import { inRoot } from '../project/project.mjs';
import { serveFolder } from './static-server.mjs';

/**
 * A new folder inside the checkout, so that the code that is built there finds the packages. It is deleted
 * with the process, because two runs of the same script have separate folders.
 * @param {string} name
 */
function pageFolderFor(name) {
  const parent = inRoot('node_modules', '.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(`${parent}/${name}-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Bundles sources and writes `index.html` next to them, which starts the entry point `page` if it exists.
 * Uses the sources of the packages, not their builds. Returns the folder, which is deleted with the process.
 * @param {string} title
 * @param {Pick<import('esbuild').BuildOptions, 'entryPoints' | 'minify' | 'define' | 'alias' | 'plugins'>} options
 */
export async function bundlePage(title, options) {
  const { build } = await import('esbuild');
  const folder = pageFolderFor(title.toLowerCase());
  await build({
    ...options,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'es2023',
    logLevel: 'warning',
  });
  const isStarted = 'page' in (options.entryPoints ?? {});
  const script = isStarted ? '<script type="module" src="page.js"></script>' : '';
  writeFileSync(`${folder}/index.html`, `<!doctype html><title>${title}</title>${script}`);
  return folder;
}

/**
 * Bundles a page with the default worker next to it. If this fails, ends the process.
 * @param {string} title
 * @param {Pick<import('esbuild').BuildOptions, 'entryPoints' | 'minify' | 'define'>} options
 */
export async function buildBrowserPage(title, options) {
  const { withBuildId } = await import('../building/build-id.mjs');
  const { writeWorkerBundle } = await import('../building/worker-bundle.mjs');
  const folder = await bundlePage(title, { ...options, plugins: [withBuildId()] });
  // esbuild does not follow `new URL('./worker.js', import.meta.url)`, so the worker must be next to the
  // bundle.
  if (!(await writeWorkerBundle(folder))) process.exit(1);
  return folder;
}

/**
 * Opens the page of a folder in a new Chromium, which is closed after its use.
 * @template Value
 * @param {string} folder
 * @param {string} executablePath of Chromium
 * @param {(page: import('playwright-core').Page) => Promise<Value>} use
 */
export async function withPage(folder, executablePath, use) {
  const { chromium } = await import('playwright-core');
  const server = await serveFolder(folder);
  const browser = await chromium.launch({ executablePath, args: launchFlags });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    return await use(page);
  } finally {
    await browser.close();
    await server.close();
  }
}
