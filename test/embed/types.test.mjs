// The types of the packed packages, in an app that TypeScript checks as strictly as it can
// (test/embed/app/types): with `exactOptionalPropertyTypes`, with the declarations, without those of Node.
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { entriesOf } from '../../scripts/project/package-entries.mjs';
import { inApp, installed, runInstalled } from './folder.mjs';

const TSC = 'typescript/bin/tsc';

const app = inApp('types');

/** Resolves to a line for each entry of each package, which imports all of its types. */
async function importsOfEntries() {
  const names = await readdir(installed('@inpage-mcp'));
  const entries = names.flatMap((name) => entriesOf(installed(`@inpage-mcp/${name}`)));
  assert.ok(entries.length > names.length);
  return entries.map(
    ({ specifier }, index) => `export type * as Entry${index} from '${specifier}';\n`,
  );
}

void describe('a strict app in TypeScript', () => {
  before(async () => writeFile(`${app}/entries.ts`, (await importsOfEntries()).join('')));

  void it('compiles with all entries, and passes on options that may be undefined', async () => {
    const { code, output } = await runInstalled([TSC], app);
    assert.equal(code, 0, output);
  });

  // Other packages have installed them: without this test nobody would miss them.
  void it('needs no types of Node', async () => {
    const { output } = await runInstalled([TSC, '--listFilesOnly'], app);
    const files = output.split('\n');
    assert.ok(files.some((file) => file.includes('/@inpage-mcp/server/')));
    assert.deepEqual(
      files.filter((file) => file.includes('/@types/node/')),
      [],
    );
  });
});
