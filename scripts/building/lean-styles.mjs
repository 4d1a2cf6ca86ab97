// The style sheets of the elements without their white space and comments. They are texts inside
// modules, which no bundler of an app makes shorter.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { inRoot } from '../project/project.mjs';

/**
 * A literal without values and escapes: esbuild would not understand those of a script. tsc writes a
 * space before it.
 */
const STYLES = /\bcss ?`([^`$\\]*)`/g;

/**
 * Shortens the style sheets of a module.
 * @param {string} source
 */
const shortenStyles = (source) =>
  source.replaceAll(STYLES, (_, /** @type {string} */ styles) => {
    const { code } = transformSync(styles, { loader: 'css', minify: true, charset: 'utf8' });
    // The lines after the style sheet keep their numbers, so that a source map stays true. esbuild leaves the
    // space before the value of a custom property.
    const shortened = code
      .trim()
      .replaceAll(/(--[\w-]+): (?=\S)/g, '$1:')
      // In a template, an escape of CSS is not a valid escape of JavaScript: the whole sheet would be
      // undefined.
      .replaceAll('\\', '\\\\');
    return `css\`${shortened}\`${'\n'.repeat(styles.split('\n').length - 1)}`;
  });

/**
 * Shortens the style sheets in the sources: for the file without a build, and for the sizes.
 * @type {import('esbuild').Plugin}
 */
export const leanStyles = {
  name: 'lean-styles',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]packages[\\/]elements[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: shortenStyles(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** Shortens the style sheets in the output of tsc for the elements. */
export async function shortenBuiltStyles() {
  const folder = inRoot('packages/elements/dist');
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const source = await readFile(join(folder, file), 'utf8');
    const shortened = shortenStyles(source);
    if (shortened !== source) await writeFile(join(folder, file), shortened);
  }
}
