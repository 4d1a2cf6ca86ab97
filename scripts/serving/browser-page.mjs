// Pages of sources, bundled, for scripts and tests that drive a browser themselves.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { launchFlags } from '../browsers/chromium.mjs';
import { inRoot } from '../project/project.mjs';
import { serveFolder } from './static-server.mjs';

/**
 * A new folder inside the checkout, so that what is built there finds the packages. It ends with the
 * process: two runs of the same script have one each.
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
 * Bundles sources and writes `index.html` beside them, which starts the entry point `page` if there is one.
 * The sources of the packages are used, not their builds. Returns the folder, which ends with the process.
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
 * Bundles a page with the default worker beside it. Ends the process where that fails.
 * @param {string} title
 * @param {Pick<import('esbuild').BuildOptions, 'entryPoints' | 'minify' | 'define'>} options
 */
export async function buildBrowserPage(title, options) {
  const { withBuildId } = await import('../building/build-id.mjs');
  const { writeWorkerBundle } = await import('../building/worker-bundle.mjs');
  const folder = await bundlePage(title, { ...options, plugins: [withBuildId()] });
  // esbuild does not follow `new URL('./worker.js', import.meta.url)`: it must lie beside the bundle.
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
