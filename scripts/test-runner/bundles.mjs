// Bundles the files that the tests load by their addresses (test files, the scripts of their pages and
// frames, and their workers) in one build of the sources with shared chunks. Loaded one by one, the sources
// would be hundreds of requests for each test file and each worker.
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import picomatch from 'picomatch';
import { leanMarkdown } from '../building/markdown-bundle.mjs';
import { inRoot, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';
import { workerBundle } from '../building/worker-bundle.mjs';

/**
 * @typedef {object} Bundles
 * @property {Map<string, Uint8Array>} files by their paths on the server
 * @property {Map<string, Set<string>>} sources the sources of each entry point, all as absolute paths
 * @typedef {object} BuildResult
 * @property {{ path: string, contents: Uint8Array }[]} outputFiles
 * @property {import('esbuild').Metafile} metafile
 */

/** @param {string} file an absolute path */
const serverPath = (file) => `/${relative(root, file).split(sep).join('/')}`;

/**
 * The chosen test files, and all files that pages, frames and workers of the tests name by their addresses.
 * @param {(file: string) => boolean} isChosen by its absolute path
 */
function entryPoints(isChosen) {
  const ofTests = sourceFiles(inRoot('test')).filter((file) =>
    /\.test\.ts$|\/together\.ts$/.test(serverPath(file))
      ? isChosen(file)
      : /\.worker\.ts$|^\/test\/fixtures\//.test(serverPath(file)),
  );
  return [...ofTests, inRoot('examples/own-worker/src/worker.ts')];
}

/**
 * A function that recognises the test files that the runner has chosen. Only these are bundled, because all
 * tests together take several times as long as one. The patterns are those of the runner.
 * @param {readonly string[]} patterns
 */
function chosenBy(patterns) {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const isWanted = picomatch(wanted.map((pattern) => resolve(root, pattern).split(sep).join('/')));
  return (/** @type {string} */ file) => isWanted(file.split(sep).join('/'));
}

/**
 * Sets `import.meta.url` of a source to the address of that source, not of the chunk that contains it.
 * @param {string[]} entries their addresses stay unchanged, with the query that a page gave them
 * @returns {import('esbuild').Plugin}
 */
const sourceAddresses = (entries) => ({
  name: 'source-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](packages|test|examples)[\\/].*\.ts$/ }, async ({ path }) => {
      if (entries.includes(path)) return undefined;
      const source = await readFile(path, 'utf8');
      const address = `new URL('${serverPath(path)}', import.meta.url).href`;
      return { contents: source.replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
});

/** @param {string[]} entries */
const bundle = (entries) =>
  build({
    entryPoints: entries,
    plugins: [sourceAddresses(entries), leanMarkdown],
    absWorkingDir: root,
    outdir: root,
    outbase: root,
    chunkNames: '__chunks/[hash]',
    // The output stays in memory, so that two runs at the same time do not overwrite each other's files.
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    sourcemap: 'linked',
    format: 'esm',
    platform: 'browser',
    // `source`: packages are tested without a build. `browser`: the MCP SDK has a Node variant.
    conditions: ['source', 'browser'],
    target: 'esnext',
    // The configuration sets useDefineForClassFields, on which Lit's properties depend.
    tsconfig: inRoot('tsconfig.base.json'),
    define: {
      'process.env.NODE_ENV': '"production"',
      TEST_SIZE: JSON.stringify(process.env['TEST_SIZE'] ?? 'all'),
    },
    // Only the runner's server has it.
    external: ['/__web-dev-server__web-socket.js'],
    logLevel: 'silent',
  });

/**
 * Bundles the entry points. If one cannot be bundled, because of a syntax error or a missing import, it
 * throws when it is loaded, so that only its own tests fail.
 * @param {string[]} entries
 * @returns {Promise<Bundles>}
 */
async function bundleEach(entries) {
  try {
    return servedBundles(await bundle(entries));
  } catch (error) {
    const [entry] = entries;
    if (entry !== undefined && entries.length === 1) return brokenBundle(entry, error);
    const middle = Math.ceil(entries.length / 2);
    const halves = [entries.slice(0, middle), entries.slice(middle)];
    return merge(await Promise.all(halves.map(bundleEach)));
  }
}

/**
 * @param {BuildResult} result
 * @returns {Bundles}
 */
function servedBundles({ outputFiles, metafile: { outputs } }) {
  /** @type {Bundles} */
  const bundles = { files: new Map(), sources: new Map() };
  for (const { path, contents } of outputFiles) bundles.files.set(serverPath(path), contents);
  for (const [name, { entryPoint }] of Object.entries(outputs))
    if (entryPoint !== undefined) bundles.sources.set(inRoot(entryPoint), sourcesOf(outputs, name));
  return bundles;
}

/**
 * The sources of an output, and of all its imports, static or dynamic.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {string} name
 * @param {Set<string>} [seen] names of outputs
 */
function sourcesOf(outputs, name, seen = new Set()) {
  /** @type {Set<string>} */
  const found = new Set();
  const output = outputs[name];
  if (seen.has(name) || output === undefined) return found;
  seen.add(name);
  for (const input of Object.keys(output.inputs)) found.add(inRoot(input));
  for (const { path } of output.imports)
    for (const source of sourcesOf(outputs, path, seen)) found.add(source);
  return found;
}

/**
 * @param {string} entry
 * @param {unknown} error
 * @returns {Bundles}
 */
function brokenBundle(entry, error) {
  const message = error instanceof Error ? error.message : String(error);
  const code = Buffer.from(`throw new Error(${JSON.stringify(message)});`);
  const path = serverPath(entry).replace(/\.ts$/, '.js');
  return { files: new Map([[path, code]]), sources: new Map([[entry, new Set([entry])]]) };
}

/**
 * @param {Bundles[]} parts
 * @returns {Bundles}
 */
const merge = (parts) => ({
  files: new Map(parts.flatMap(({ files }) => [...files])),
  sources: new Map(parts.flatMap(({ sources }) => [...sources])),
});

/**
 * The default worker at the address of its source, or its script of the disk: as they are shipped if all
 * tests run in full. Minifying them fully takes longer than bundling all tests.
 * @param {'worker' | 'disk'} script
 * @param {boolean} shrinks
 */
function bundleOfWorker(script, shrinks) {
  const path = inRoot('packages/runtime/src', script);
  return workerBundle(`${path}.js`, { script, shrinks }).then(servedBundles, (error) =>
    brokenBundle(`${path}.ts`, error),
  );
}

/**
 * Bundles the sources as they are now.
 * @param {readonly string[] | undefined} patterns of the chosen test files. Default: all
 */
export async function bundleSources(patterns) {
  const shrinks = !patterns && process.env['TEST_SIZE'] !== 'quick';
  const isChosen = patterns ? chosenBy(patterns) : () => true;
  const bundles = [
    bundleEach(entryPoints(isChosen)),
    ...['worker', 'disk'].map((script) =>
      bundleOfWorker(/** @type {'worker' | 'disk'} */ (script), shrinks),
    ),
  ];
  return merge(await Promise.all(bundles));
}
