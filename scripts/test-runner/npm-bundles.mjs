// Serves each npm package that sources and tests import as one bundled module. Unbundled, a single
// import of the MCP SDK is hundreds of requests for each test file, and CommonJS packages
// (magic-bytes.js, axe-core) do not load at all. All of them come from one build with shared
// chunks, so that two packages that use zod or lit use the same instance.
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { importsOf, packageOf } from '../imports.mjs';
import { inRoot, packageNames, root } from '../project.mjs';
import { sourceFiles } from '../source-files.mjs';

// Below the dev server's root, so that its usual file serving and caching apply.
const outFolder = inRoot('node_modules', '.cache', 'test-bundles');
const outUrl = '/node_modules/.cache/test-bundles';

/** @typedef {Map<string, Set<string>>} Imports names by specifier */

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

/** @param {Imports} imports */
async function bundle(imports) {
  await rm(outFolder, { recursive: true, force: true });
  await build({
    entryPoints: [...imports.keys()].map((specifier) => ({
      in: `npm-entry:${specifier}`,
      out: fileName(specifier),
    })),
    plugins: [entriesPlugin(imports)],
    outdir: outFolder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['browser'],
    target: 'esnext',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
}

/**
 * Bundles what can be bundled. An import of a package or a name that does not exist is left out of
 * `imports`, so that it fails in the browser, in the files that have it, and nowhere else.
 * @param {Imports} imports
 */
async function bundleExisting(imports) {
  try {
    await bundle(imports);
  } catch (error) {
    const broken = brokenEntries(error).filter((specifier) => imports.delete(specifier));
    if (broken.length === 0) throw error;
    await bundleExisting(imports);
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
 * The plugin for @web/test-runner. A package that is first imported while watching is served
 * unbundled until the next start.
 * @returns {import('@web/test-runner').TestRunnerPlugin}
 */
export function npmBundles() {
  /** @type {Imports} */
  let imports = new Map();
  return {
    name: 'npm-bundles',
    async serverStart() {
      imports = bundledImports();
      await bundleExisting(imports);
    },
    resolveImport({ source }) {
      return imports.has(source) ? `${outUrl}/${fileName(source)}.js` : undefined;
    },
  };
}
