// `node scripts/export-database-fixture.mjs`: writes test/fixtures/databases/v<N>.json, a dump of a
// database that the code of the present schema version has filled, for the tests of the migrations
// that come after it. `--store path/to/packages/store/src/index.ts` takes the code of another
// checkout. A fixture that is there already stays: it stands for databases of real users.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchFlags, requireChromium } from './browsers/chromium.mjs';
import { inRoot } from './project/project.mjs';
import { setUp } from './setup.mjs';
import { serveFolder } from './serving/static-server.mjs';

const pageFolder = inRoot('node_modules', '.cache', 'export-database');

/** @param {string} storePath the source of the store's public surface */
async function buildPage(storePath) {
  const { build } = await import('esbuild');
  mkdirSync(pageFolder, { recursive: true });
  await build({
    entryPoints: { main: inRoot('test/fixtures/export-database.ts') },
    outdir: pageFolder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'esnext',
    logLevel: 'warning',
    alias: { '@inpage-mcp/store': storePath },
  });
  writeFileSync(`${pageFolder}/index.html`, '<!doctype html><title>Export</title>');
}

/** @returns {Promise<string>} */
async function exportDatabase() {
  const { chromium } = await import('playwright-core');
  const executablePath = await requireChromium();
  const server = await serveFolder(pageFolder);
  const browser = await chromium.launch({ executablePath, args: launchFlags });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    return await page.evaluate(
      async (script) => await (await import(script)).exportDatabase(),
      '/main.js',
    );
  } finally {
    await browser.close();
    await server.close();
  }
}

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: inRoot('packages/store/src/index.ts') },
  },
});
await setUp();
await buildPage(resolve(values.store));
const dump = await exportDatabase();
const { version } = JSON.parse(dump);
const path = inRoot(`test/fixtures/databases/v${version}.json`);
if (existsSync(path)) {
  console.error(`${path} is there already, and is never made anew: delete it first if it must be.`);
  process.exit(1);
}
mkdirSync(inRoot('test/fixtures/databases'), { recursive: true });
writeFileSync(path, `${dump}\n`);
console.log(`Wrote ${path}. Name it in test/store/migration.test.ts.`);
