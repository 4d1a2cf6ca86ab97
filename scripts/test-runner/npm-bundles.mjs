// Serves each npm package that sources and tests import as one bundled module. Unbundled, a single
// import of the MCP SDK is hundreds of requests for each test file, and CommonJS packages
// (magic-bytes.js, axe-core) do not load at all. All of them come from one build with shared
// chunks, so that two packages that use zod or lit use the same instance.
import { basename } from 'node:path';
import { build } from 'esbuild';
import { importsOf, packageOf } from '../imports.mjs';
import { inRoot, packageNames, root } from '../project.mjs';
import { sourceFiles } from '../source-files.mjs';

/** @typedef {Map<string, Set<string>>} Imports names by specifier */
/** @typedef {NonNullable<import('@web/test-runner').TestRunnerConfig['middleware']>[number]} Middleware */

const urlPrefix = '/__npm/';

/** @type {Set<string>} */
const servedUnbundled = new Set([
  // Talks to the runner over a module that only the runner's server has.
  '@web/test-runner-commands',
]);

/** @param {string} specifier */
function isBundled(specifier) {
  const name = packageOf(specifier);
  return name !== undefined && !name.startsWith('@inpage-mcp/') && !servedUnbundled.has(name);
}

/**
 * The imports of a file; none of one that does not parse, which only fails its own tests.
 * @param {string} path
 */
function readableImportsOf(path) {
  try {
    return importsOf(path);
  } catch {
    return [];
  }
}

/**
 * The specifiers to bundle, each with the names that are imported from it.
 * @returns {Imports}
 */
function bundledImports() {
  const folders = [...packageNames.map((name) => inRoot('packages', name, 'src')), inRoot('test')];
  /** @type {Imports} */
  const found = new Map();
  const all = folders.flatMap(sourceFiles).flatMap(readableImportsOf);
  for (const { specifier, typeOnly, names } of all) {
    if (typeOnly || !isBundled(specifier)) continue;
    found.set(specifier, new Set([...(found.get(specifier) ?? []), ...names]));
  }
  return found;
}

/**
 * The source of an entry. A CommonJS package has no static names: the imported ones are spelled out.
 * @param {string} specifier
 * @param {Iterable<string>} names
 */
function entrySource(specifier, names) {
  const from = JSON.stringify(specifier);
  const listed = [...names].filter((name) => name !== '*');
  return `export * from ${from};\nexport { ${listed.join(', ')} } from ${from};\n`;
}

/** @param {string} specifier */
const fileName = (specifier) => specifier.replaceAll(/[^\w.-]/g, '_').replace(/\.js$/, '');

/**
 * @param {Imports} imports
 * @returns {import('esbuild').Plugin}
 */
const entriesPlugin = (imports) => ({
  name: 'npm-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^npm-entry:/ }, ({ path }) => ({
      path: path.slice('npm-entry:'.length),
      namespace: 'npm-entry',
    }));
    onLoad({ filter: /.*/, namespace: 'npm-entry' }, ({ path }) => ({
      contents: entrySource(path, imports.get(path) ?? []),
      // Dependencies of the packages and of test/ are hoisted to the root.
      resolveDir: root,
    }));
  },
});

/**
 * The bundles and their shared chunks, by file name. They stay in memory, so that two runs at the
 * same time do not write each other's files.
 * @param {Imports} imports
 */
async function bundle(imports) {
  const { outputFiles } = await build({
    entryPoints: [...imports.keys()].map((specifier) => ({
      in: `npm-entry:${specifier}`,
      out: fileName(specifier),
    })),
    plugins: [entriesPlugin(imports)],
    outdir: root,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['browser'],
    target: 'esnext',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

/**
 * Bundles what can be bundled. An import of a package or a name that does not exist is left out of
 * `imports`, so that it fails in the browser, in the files that have it, and nowhere else.
 * @param {Imports} imports
 * @returns {Promise<Map<string, string>>}
 */
async function bundleExisting(imports) {
  try {
    return await bundle(imports);
  } catch (error) {
    const broken = brokenEntries(error).filter((specifier) => imports.delete(specifier));
    if (broken.length === 0) throw error;
    return bundleExisting(imports);
  }
}

/**
 * The specifiers of the entries in which a build failed.
 * @param {unknown} error
 */
function brokenEntries(error) {
  const { errors = [] } = /** @type {Partial<import('esbuild').BuildFailure>} */ (error);
  return errors.map(({ location }) => location?.file.replace(/^npm-entry:/, '') ?? '');
}

/**
 * For @web/test-runner: the plugin bundles and points imports at the bundles, the middleware serves
 * them, past the dev server's own transforms. A package that is first imported while watching is
 * served unbundled until the next start.
 * @returns {{ plugin: import('@web/test-runner').TestRunnerPlugin, middleware: Middleware }}
 */
export function npmBundles() {
  /** @type {Imports} */
  let imports = new Map();
  /** @type {Map<string, string>} */
  let files = new Map();
  return {
    plugin: {
      name: 'npm-bundles',
      async serverStart() {
        imports = bundledImports();
        files = await bundleExisting(imports);
      },
      resolveImport({ source }) {
        return imports.has(source) ? `${urlPrefix}${fileName(source)}.js` : undefined;
      },
    },
    middleware(context, next) {
      const code = files.get(context.path.slice(urlPrefix.length));
      if (!context.path.startsWith(urlPrefix) || code === undefined) return next();
      context.type = 'text/javascript';
      // Every test file asks for the same ones, in a browser profile that ends with the run.
      context.set('cache-control', 'public, max-age=3600, immutable');
      context.body = code;
    },
  };
}
