// The types of the packed packages, in an app that TypeScript checks as strictly as it can
// (test/embed/app/types): with `exactOptionalPropertyTypes`, with the declarations, without those of Node.
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { entriesOf } from '../../scripts/project/package-entries.mjs';
import { inApp, installed, runInstalled } from './folder.mjs';

const TSC = 'typescript/bin/tsc';

const VERSIONS = ['typescript-oldest', 'typescript', 'typescript-newest'];

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

/** The package for pages without a build has the types of the others. */
const USE_WITHOUT_A_BUILD = `import { startRuntime, type ConsentQuestion } from 'inpage-mcp';
export const start = () => startRuntime({ databaseName: 'notes' });
export const message = (question: ConsentQuestion): string => question.message;
// @ts-expect-error a name is a text
export const wrong = () => startRuntime({ databaseName: 7 });
`;

void describe('a strict app in TypeScript', () => {
  before(async () => {
    await writeFile(`${app}/entries.ts`, (await importsOfEntries()).join(''));
    await writeFile(`${app}/without-a-build.ts`, USE_WITHOUT_A_BUILD);
  });

  for (const version of VERSIONS)
    void it(`compiles with all entries, and passes on options that may be undefined, by ${version}`, async () => {
      const { code, output } = await runInstalled([`${version}/bin/tsc`], app);
      assert.equal(code, 0, output);
    });

  void it('compiles with TypeScript 5.5, and skipLibCheck: its Uint8Array has no parameter', async () => {
    const { code, output } = await runInstalled(
      ['typescript-skips/bin/tsc', '--skipLibCheck'],
      app,
    );
    assert.equal(code, 0, output);
  });

  // Each of these files has a correct use, and mistakes that the compiler has to find.
  for (const framework of ['preact', 'solid'])
    void it(`knows the elements in the JSX of ${framework}`, async () => {
      const { code, output } = await runInstalled(
        [TSC, '-p', `tsconfig.${framework}.json`],
        inApp('jsx'),
      );
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
