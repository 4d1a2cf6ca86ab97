// The list of the autoloader, from the files in packages/elements/src/define. It is a source, because
// bundlers follow only an `import()` with a literal address, and the tests run on sources.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { inRoot } from '../project/project.mjs';

const sources = inRoot('packages/elements/src');

/** Writes the list if an element was added or removed. */
export function writeLoaders() {
  const path = `${sources}/autoload/loaders.ts`;
  const text = loadersText(elementNames());
  if (readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** The names of all elements that have a module that defines them, sorted. */
export const elementNames = () =>
  readdirSync(`${sources}/define`)
    .filter((file) => /^mcp-.*\.ts$/.test(file))
    .map((file) => basename(file, '.ts'))
    .toSorted();

/** @param {string[]} names */
const loadersText = (names) => `// Written by the build (scripts/elements/loaders.mjs).

/** Loads the module that defines an element, by the name of the element. */
export const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
${names.map((name) => `  '${name}': () => import('../define/${name}.js'),`).join('\n')}
};
`;
