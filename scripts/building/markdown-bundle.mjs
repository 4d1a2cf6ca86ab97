// The parser of Markdown as one file, without the half of it that a page does not need: tables of all
// entities of HTML and of Unicode, and a search for addresses without a scheme.
import { rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { inRoot, root } from '../project/project.mjs';
import { banner, manifestOf, NOTICES_FILE, thirdPartyNotices } from './third-party-notices.mjs';

const folder = 'show/mcp-resource-view/markdown';

/**
 * Replaces the imports of markdown-it by `markdown-imports.ts`: for the bundle, the tests and the sizes.
 * Without a parser of hosts, punycode.js is not needed.
 * @type {import('esbuild').Plugin}
 */
export const leanMarkdown = {
  name: 'lean-markdown',
  setup({ onResolve, onLoad }) {
    const filter = /^(entities|linkify-it|mdurl|punycode\.js|uc\.micro)$/;
    onResolve({ filter }, ({ importer, path }) => {
      if (!/[\\/]markdown-it[\\/]/.test(importer)) return undefined;
      if (path === 'punycode.js') return { path, namespace: 'empty' };
      return { path: inRoot(`packages/elements/src/${folder}/markdown-imports.ts`) };
    });
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
  },
};

/** Replaces the output of tsc for the file in packages/elements/dist, and writes the licences next to it. */
export async function writeMarkdownBundle() {
  const outfile = inRoot(`packages/elements/dist/${folder}/markdown-it.js`);
  const { metafile } = await build({
    entryPoints: [inRoot(`packages/elements/src/${folder}/markdown-it.ts`)],
    outfile,
    plugins: [leanMarkdown],
    banner: { js: banner(manifestOf('elements')) },
    legalComments: 'none',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    // The bundle has no map, because the sources are neither in this package nor in those that an app
    // installs.
    sourcemap: false,
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
  });
  await rm(`${outfile}.map`, { force: true });
  const notices = thirdPartyNotices([metafile]);
  await writeFile(inRoot('packages/elements/dist', NOTICES_FILE), notices);
}
