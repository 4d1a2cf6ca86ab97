// The translations as modules: not every bundler, and not every browser, imports JSON.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../project/project.mjs';

/** Puts the texts of each language into the module that tsc made of its source. */
export async function writeBuiltTexts() {
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
