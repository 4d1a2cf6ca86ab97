import { basename, extname, resolve } from 'node:path';
import { build, type Loader } from 'esbuild';

/** Options of {@link buildApp}. */
export interface AppOptions {
  /** The title of the document. Default: the name of the entry, without its extension. */
  title?: string | undefined;
  /**
   * Conditions of the `exports` of packages, in addition to those of esbuild for a browser. Default: none.
   */
  conditions?: string[] | undefined;
}

const ASSETS = [
  '.avif',
  '.gif',
  '.ico',
  '.jpg',
  '.jpeg',
  '.otf',
  '.png',
  '.svg',
  '.ttf',
  '.webp',
  '.woff',
  '.woff2',
];

/**
 * Bundles an app and all its imports as one HTML file that requests nothing: scripts and style sheets are
 * inline, and images and fonts are `data:` URLs. The script of the entry creates the content of `<body>`.
 * Parts that are imported by `import()` are in the file, too, so the imports of an app decide its size.
 *
 * @param entry The path of a JavaScript or TypeScript file.
 * @returns The HTML.
 * @throws The `BuildFailure` of esbuild if the entry does not exist, or cannot be bundled.
 */
export async function buildApp(
  entry: string,
  { title, conditions }: AppOptions = {},
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(entry)],
    outdir: '/',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    ...(conditions && { conditions }),
    charset: 'utf8',
    // Many licences require their notice in every file that contains the code.
    legalComments: 'eof',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: Object.fromEntries(ASSETS.map((name): [string, Loader] => [name, 'dataurl'])),
    logLevel: 'silent',
  });
  const [script = '', styles = ''] = ['.js', '.css'].map(
    (type) => outputFiles.find(({ path }) => path.endsWith(type))?.text.trim() ?? '',
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title ?? basename(entry, extname(entry)))}</title>
<style>${styles.replaceAll(/<\/(style)/gi, '<\\/$1')}</style>
</head>
<body>
<script type="module">${escapeScript(script)}</script>
</body>
</html>
`;
}

/**
 * Escapes code for a script element, so that it neither ends the element, nor begins a comment for an HTML
 * parser.
 */
const escapeScript = (code: string): string =>
  code.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '\\x3C!--');

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
