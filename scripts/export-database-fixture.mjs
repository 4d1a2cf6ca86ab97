// `node scripts/export-database-fixture.mjs`: writes test/fixtures/databases/v<N>.json, a dump of a database
// that the code of the present schema version has filled, for the tests of the migrations that come after it.
// `--store path/to/packages/store/src/index.ts` uses the code of another checkout. An existing fixture stays,
// because it represents databases of real users.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { requireChromium } from './browsers/chromium.mjs';
import { inRoot } from './project/project.mjs';
import { bundlePage, withPage } from './serving/browser-page.mjs';
import { setUp } from './setup.mjs';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: inRoot('packages/store/src/index.ts') },
  },
});
await setUp();
const folder = await bundlePage('Export', {
  entryPoints: { main: inRoot('test/fixtures/export-database.ts') },
  alias: { '@inpage-mcp/store': resolve(values.store) },
});
/** @type {string} */
const dump = await withPage(folder, await requireChromium(), (page) =>
  page.evaluate(async (script) => await (await import(script)).exportDatabase(), '/main.js'),
);
const { version } = JSON.parse(dump);
const path = inRoot(`test/fixtures/databases/v${version}.json`);
if (existsSync(path)) {
  console.error(`${path} is there already, and is never made anew: delete it first if it must be.`);
  process.exit(1);
}
mkdirSync(inRoot('test/fixtures/databases'), { recursive: true });
writeFileSync(path, `${dump}\n`);
console.log(`Wrote ${path}. Name it in test/store/migration.test.ts.`);
