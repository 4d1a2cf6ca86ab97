// `npm run size`: the size of each part, minified and gzipped, compared with its budget. Prints a table, then
// the same as one line of JSON. Fails if a part exceeds its budget, or its ceiling if it is known to exceed
// its budget. Then the examples of the documents (size-samples.mjs).
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildPackages } from './build.mjs';
import { elementNames } from './elements/loaders.mjs';
import { inRoot, root } from './project/project.mjs';
import { setUp } from './setup.mjs';
import { budgets, ceilings } from './size-budgets.mjs';

await setUp();
if (!(await buildPackages())) process.exit(1);
const { build } = await import('esbuild');
const { leanStyles } = await import('./building/lean-styles.mjs');
const { leanMarkdown } = await import('./building/markdown-bundle.mjs');
const { checkSamples } = await import('./size-samples.mjs');
const { sizeInVite } = await import('./size-in-vite.mjs');
const { workerBundleCode } = await import('./building/worker-bundle.mjs');

const RUNTIME = 'packages/runtime/src';

const lit = ['lit', 'lit/*', '@lit/*'];

/** The elements that nearly every page has. */
const basicElements = ['mcp-provider', 'mcp-resource-list', 'mcp-resource-view'].map(
  (name) => `@inpage-mcp/elements/define/${name}`,
);

/** The names of the protocol that a separate server uses. */
const protocolNames =
  '{ McpServer, defineTool, definePrompt, defineMethod, createRequestStateCodec, inputRequired }';

/** @typedef {{ part: string, bytes: number, budget: number | undefined }} Size */

/**
 * The size of a module with all that it imports at once, as a page's bundler would bundle it. Later imports
 * by `import()` do not count.
 * @param {string | string[]} specifiers
 * @param {{ names?: string, external?: string[] }} [options] `names`: the names that are used; all by default
 */
async function sizeOf(specifiers, { names = '*', external } = {}) {
  // Tree shaking keeps the exports.
  const { outputs, sizes } = await bundled(exportsOf(specifiers, names), external);
  return sum(loadedAtOnce(outputs, 'stdin.js'), sizes);
}

/**
 * The size of a file that a page imports later, without the code that it has loaded before.
 * @param {string} file
 * @param {string} loaded an entry
 */
async function sizeBeside(file, loaded) {
  const code = `export * from '${loaded}'; export const later = () => import('./${file}');`;
  const { outputs, sizes } = await bundled(code);
  const [chunk] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === file) ?? [];
  const before = loadedAtOnce(outputs, 'stdin.js');
  const added = [...loadedAtOnce(outputs, String(chunk))].filter((name) => !before.has(name));
  return sum(added, sizes);
}

/** @param {Iterable<string>} chunks @param {Map<string, number>} sizes */
const sum = (chunks, sizes) =>
  [...chunks].reduce((total, chunk) => total + (sizes.get(chunk) ?? 0), 0);

/**
 * @param {string} contents
 * @param {string[]} [external]
 */
async function bundled(contents, external = []) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: root,
    absWorkingDir: root,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'error',
    // The published packages use the same plugins.
    plugins: [leanMarkdown, leanStyles],
    external,
  });
  const sizes = outputFiles.map(
    ({ path, contents: code }) => /** @type {const} */ ([basename(path), gzippedBytes(code)]),
  );
  return { outputs: metafile.outputs, sizes: new Map(sizes) };
}

/** @param {string[]} specifiers */
const importsOf = (specifiers) => specifiers.map((one) => `import '${one}';`).join('\n');

/** @param {string | string[]} specifiers @param {string} names */
const exportsOf = (specifiers, names) =>
  [specifiers]
    .flat()
    .map((specifier) => `export ${names} from '${specifier}';`)
    .join('\n');

/**
 * The names of a chunk and of all that it imports statically.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {string} name
 * @param {Set<string>} [found]
 */
function loadedAtOnce(outputs, name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const imports = outputs[name]?.imports ?? [];
  for (const { path, kind, external } of imports)
    if (kind === 'import-statement' && !external) loadedAtOnce(outputs, path, found);
  return found;
}

/** @param {Uint8Array} code */
const gzippedBytes = (code) => gzipSync(code, { level: 9 }).byteLength;

/** The modules that the view loads when it has something to show. */
function lazyModules() {
  const folder = 'packages/elements/src/show/renderers';
  const kinds = readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' });
  const renderers = kinds.filter((file) => /mcp-view-\w+\.ts$/.test(file)).toSorted();
  return [
    './packages/elements/src/show/mcp-resource-view/kinds/code-portions.ts',
    './packages/elements/src/show/mcp-resource-view/markdown/markdown-portions.ts',
    ...renderers.map((file) => `./${folder}/${file.replaceAll('\\', '/')}`),
  ];
}

/** @returns {Promise<[part: string, bytes: number][]>} */
async function measure() {
  /** @type {[string, number][]} */
  const sizes = [];
  /** @param {string} names */
  const ofTransport = async (names) => await sizeOf('@inpage-mcp/transport', { names });
  sizes.push(['transport', await ofTransport('{ MessagePortTransport }')]);
  sizes.push([
    'transport, in a frame',
    await ofTransport('{ MessagePortTransport, connectToParent }'),
  ]);
  sizes.push(['transport, all of it', await ofTransport('*')]);
  sizes.push(['client', await sizeOf('@inpage-mcp/client')]);
  const names = `{ connectClient } from '@inpage-mcp/client'; export { MessagePortTransport }`;
  sizes.push(['client with transport', await sizeOf('@inpage-mcp/transport', { names })]);
  sizes.push(['protocol', await sizeOf('@inpage-mcp/protocol', { names: protocolNames })]);
  const templates = '{ joinResources, resourceTemplate }';
  const ofTemplates = await sizeOf('@inpage-mcp/protocol', { names: templates });
  sizes.push(['protocol, for templates of resources', ofTemplates]);
  const withApp = `{ connectClient } from '@inpage-mcp/client'; export { connectToHost }`;
  sizes.push(['client/app', await sizeOf('@inpage-mcp/client/app')]);
  sizes.push(['client with app', await sizeOf('@inpage-mcp/client/app', { names: withApp })]);
  sizes.push(['client/sdk', await sizeOf('@inpage-mcp/client/sdk')]);
  for (const name of ['toContext', 'toTools'])
    sizes.push([`models, ${name}`, await sizeOf('@inpage-mcp/models', { names: `{ ${name} }` })]);
  sizes.push(['models/web-mcp', await sizeOf('@inpage-mcp/models/web-mcp')]);
  const questions = 'packages/client/src/requests/questions.ts';
  sizes.push(['client, for questions later', await sizeOf(`./${questions}`)]);
  sizes.push(['runtime', await sizeOf('@inpage-mcp/runtime')]);
  const later = {
    frames: 'frames',
    'desktop apps': 'desktop/serve-desktop',
    pairing: 'desktop/pair',
    'front matter': 'worker/parse-yaml',
    storage: 'data/whole-storage',
    provided: 'data/provided',
    folders: 'folders-of-page',
    'patterns of folders': 'worker/ignored-paths',
  };
  for (const [use, file] of Object.entries(later)) {
    // The code that serves desktop apps also makes a pairing.
    const loaded =
      use === 'pairing' ? `./${RUNTIME}/${later['desktop apps']}.ts` : '@inpage-mcp/runtime';
    const size = await sizeBeside(`${RUNTIME}/${file}.ts`, loaded);
    sizes.push([`runtime, for ${use} later`, size]);
  }
  sizes.push(['provider, list and view', await sizeInVite(importsOf(basicElements))]);
  sizes.push(['provider, list and view, by esbuild', await sizeOf(basicElements)]);
  sizes.push(['elements, all of them', await sizeOf('@inpage-mcp/elements/all')]);
  sizes.push(['elements/autoload', await sizeOf('@inpage-mcp/elements/autoload')]);
  // The other elements of a page have loaded Lit already.
  for (const name of elementNames()) {
    const size = await sizeOf(`@inpage-mcp/elements/define/${name}`, { external: lit });
    sizes.push([`elements/${name}`, size]);
  }
  for (const file of lazyModules())
    sizes.push([`elements, ${basename(file, '.ts')} later`, await sizeOf(file, { external: lit })]);
  // The sync runs in a separate worker, which has a store, too.
  sizes.push(['sync', await sizeOf('@inpage-mcp/sync', { names: '{ openSync }' })]);
  const external = ['@inpage-mcp/store', '@inpage-mcp/store/*'];
  sizes.push([
    'sync, without its store',
    await sizeOf('@inpage-mcp/sync', { names: '{ openSync }', external }),
  ]);
  for (const adapter of ['couchdb', 'nats'])
    sizes.push([`sync/${adapter}`, await sizeOf(`@inpage-mcp/sync/${adapter}`)]);
  sizes.push(['one file without a build', await sizeOf('./packages/cdn/src/index.ts')]);
  sizes.push(['worker', gzippedBytes(await workerBundleCode())]);
  sizes.push(['worker, for folders later', gzippedBytes(await workerBundleCode('disk'))]);
  return sizes;
}

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** @param {Size} size */
const isOver = ({ bytes, budget }) => budget !== undefined && bytes > budget;

/** @param {Size} size */
function describe(size) {
  const { part, bytes, budget } = size;
  const allowed = budget === undefined ? '' : `of ${kilobytes(budget)}`;
  const excess = isOver(size) ? ', over its budget' : '';
  return `${part.padEnd(36)} ${kilobytes(bytes).padStart(9)} ${allowed}${excess}`;
}

const sizes = (await measure()).map(([part, bytes]) => ({ part, bytes, budget: budgets[part] }));
for (const size of sizes) console.log(describe(size));
console.log(JSON.stringify(sizes));
const refused = sizes.filter((size) => isOver(size) && size.bytes > (ceilings[size.part] ?? 0));
for (const { part } of refused)
  console.error(`${part} weighs more than it may (scripts/size-budgets.mjs).`);
const past = Object.keys(ceilings).filter((name) =>
  sizes.some((size) => size.part === name && !isOver(size)),
);
for (const part of past) console.error(`${part} keeps its budget and needs no ceiling any more.`);
const wrong = await checkSamples({ writes: process.argv.includes('--write') });
for (const text of wrong) console.error(text);
process.exitCode = refused.length + past.length + wrong.length > 0 ? 1 : 0;
