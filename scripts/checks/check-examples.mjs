// Every TypeScript example in a README or a guide compiles, and so does an import of every entry of a
// package. They compile against the built packages, without the types of Node, and as strictly as an app may
// require: without `skipLibCheck`, unless the example uses the SDK, whose types mention Node's Buffer. An
// example that quotes a file (```ts file=…) is that file, which is compiled elsewhere.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appDocuments, markdownIn } from '../project/documents.mjs';
import { entriesOf } from '../project/package-entries.mjs';
import { inRoot, packageNames } from '../project/project.mjs';
import { inNodeModules, runNode } from '../project/run.mjs';

const documents = [...appDocuments, ...markdownIn('docs')];
const folder = inRoot('node_modules/.cache/examples');

/** @param {string} code */
const usesTheSdk = (code) => /'@modelcontextprotocol\//.test(code);

/** @param {boolean} skipLibCheck */
const config = (skipLibCheck) => ({
  extends: inRoot('tsconfig.base.json'),
  compilerOptions: {
    skipLibCheck,
    composite: false,
    noEmit: true,
    incremental: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    // An example may declare names that only the reader's own code uses.
    noUnusedLocals: false,
  },
  include: ['**/*.ts'],
});

/**
 * @param {string} document
 * @returns {Promise<number>} the number of examples
 */
async function writeExamples(document) {
  const text = await readFile(inRoot(document), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
  for (const [index, code] of blocks.entries()) {
    const kind = usesTheSdk(code) ? 'sdk' : 'strict';
    const file = `${folder}/${kind}/${document}.${index + 1}.ts`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  return blocks.length;
}

/**
 * @param {string} document
 * @returns {Promise<boolean>} whether each quoted file is equal to its quotation
 */
async function quotesFiles(document) {
  const text = await readFile(inRoot(document), 'utf8');
  let isRight = true;
  for (const [, file = '', code] of text.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)) {
    if ((await readFile(inRoot(file), 'utf8').catch(() => undefined)) === code) continue;
    console.log(`${document}: the code of ${file} is not as in the file.`);
    isRight = false;
  }
  return isRight;
}

/** Imports everything that an app may import. */
async function writeImports() {
  const entries = packageNames.flatMap((name) => entriesOf(inRoot('packages', name)));
  const lines = entries.map(
    ({ specifier }, index) => `export type * as Entry${index} from '${specifier}';\n`,
  );
  await mkdir(`${folder}/strict`, { recursive: true });
  await writeFile(`${folder}/strict/entries.ts`, lines.join(''));
}

/** @param {'sdk' | 'strict'} kind */
async function compiles(kind) {
  const project = `${folder}/${kind}`;
  await writeFile(`${project}/tsconfig.json`, JSON.stringify(config(kind === 'sdk')));
  const { code } = await runNode(inNodeModules('typescript/bin/tsc'), ['--project', project]);
  return code === 0;
}

await rm(folder, { recursive: true, force: true });
await Promise.all([...documents.map(writeExamples), writeImports()]);
const quoted = await Promise.all(documents.map(quotesFiles));
const passed = [await compiles('strict'), await compiles('sdk'), ...quoted];
process.exitCode = passed.every(Boolean) ? 0 : 1;
