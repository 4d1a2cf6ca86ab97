// Writes the files that are generated from the elements into packages/elements/dist.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../project/project.mjs';
import { cssCustomData, htmlCustomData, webTypes } from './editor-data.mjs';
import { preactTypes, reactTypes, solidTypes, svelteTypes, vueTypes } from './framework-types.mjs';
import { elementsManifest, elementsOf } from './manifest.mjs';

/** The translations, the manifest, the data for editors and the types for frameworks. */
export async function writeElementFiles() {
  await writeBuiltTexts();
  const manifest = elementsManifest();
  const elements = elementsOf(manifest);
  const self = JSON.parse(await readFile(inRoot('packages/elements/package.json'), 'utf8'));
  await writeJson('custom-elements', manifest);
  await writeJson('html-custom-data', htmlCustomData(elements));
  await writeJson('css-custom-data', cssCustomData(elements));
  await writeJson('web-types', webTypes(elements, self));
  await writeTypes('react', reactTypes(elements));
  await writeTypes('preact', preactTypes(elements));
  await writeTypes('solid', solidTypes(elements));
  await writeTypes('vue', vueTypes(elements));
  await writeTypes('svelte', svelteTypes(elements));
}

/** @param {string} name @param {unknown} content */
const writeJson = (name, content) => write(`${name}.json`, `${JSON.stringify(content, null, 1)}\n`);

/** Writes types with an empty module, so that a bundler finds what a page imports for its types. */
async function writeTypes(/** @type {string} */ name, /** @type {string} */ types) {
  await write(`${name}.d.ts`, types);
  await write(`${name}.js`, 'export {};\n');
}

/** @param {string} file @param {string} text */
const write = (file, text) => writeFile(inRoot('packages/elements/dist', file), text);

/**
 * Puts the translations of each language into the module that tsc has compiled from its source: not every
 * bundler, and not every browser, imports JSON.
 */
async function writeBuiltTexts() {
  const folder = inRoot('packages/elements/dist/locales');
  const files = await readdir(folder);
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const texts = await readFile(join(folder, file), 'utf8');
    const path = join(folder, file.replace('.json', '.js'));
    const code = await readFile(path, 'utf8');
    const inline = `const texts = ${JSON.stringify(JSON.parse(texts))};`;
    await writeFile(
      path,
      code.replace(/import texts from .*;/, () => inline),
    );
    await rm(join(folder, file));
  }
}
