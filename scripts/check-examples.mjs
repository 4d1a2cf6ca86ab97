// Every TypeScript example in a README compiles, against the built packages.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inRoot, isMain, packageNames } from './project.mjs';
import { inNodeModules, runNode } from './run.mjs';

const documents = ['README.md', ...packageNames.map((name) => `packages/${name}/README.md`)];
const folder = inRoot('node_modules/.cache/examples');

const config = {
  extends: inRoot('tsconfig.base.json'),
  compilerOptions: {
    composite: false,
    noEmit: true,
    incremental: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    // An example may name what a reader goes on with.
    noUnusedLocals: false,
  },
  include: ['**/*.ts'],
};

/** @param {string} document */
async function writeExamples(document) {
  const text = await readFile(inRoot(document), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
  for (const [index, code] of blocks.entries()) {
    const file = `${folder}/${document}.${index + 1}.ts`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  return blocks.length;
}

if (isMain(import.meta.url)) {
  await rm(folder, { recursive: true, force: true });
  const counts = await Promise.all(documents.map(writeExamples));
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(config));
  const { code } = await runNode(inNodeModules('typescript/bin/tsc'), ['--project', folder]);
  const count = counts.reduce((sum, next) => sum + next, 0);
  if (count === 0) console.log('No example was found.');
  process.exitCode = count === 0 ? 1 : code;
}
