// Checks that each packed package has everything that an app needs from it: every element in every entry, the
// licences of bundled code, documents whose links work, dependencies for the same Node, and no file that
// belongs to this repository alone. The packages were built and copied to the folders from which they are
// published (scripts/check.mjs).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { elementsManifest, elementsOf } from '../elements/manifest.mjs';
import { relativeLinks } from '../packing/links.mjs';
import { originFields } from '../packing/repository.mjs';
import { stagedFolder } from '../packing/stage.mjs';
import { inRoot, packageNames } from '../project/project.mjs';
import { NOTICES_FILE } from '../building/third-party-notices.mjs';

/** Fields that a registry shows. */
const FIELDS = ['license', 'description', 'keywords'];

/** @param {string} folder of a package, as it is published */
function packageProblems(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [
    ...FIELDS.filter((field) => !manifestOf(folder)[field]).map(
      (field) => `${folder}/package.json has no field ${field}.`,
    ),
    ...['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json']
      .filter((name) => !files.includes(name))
      .map((name) => `${folder} has no ${name}.`),
    ...files
      .filter((name) => /\.(md|txt)$/.test(name))
      .flatMap((name) => brokenLinks(folder, name)),
    ...files.filter((name) => name.endsWith('.map')).flatMap((name) => sourceText(folder, name)),
    ...files.filter((name) => name.endsWith('.js')).flatMap((name) => missingNotices(folder, name)),
    ...files
      // The bundle of the apps has an HTML file in a text, with escapes of the text.
      .filter((name) => name.endsWith('.js') && !name.endsWith('dist/feature.js'))
      .flatMap((name) => longStyles(folder, name)),
  ];
}

/**
 * Dependencies that need a newer Node than the package itself: an install on the oldest Node would warn.
 * @param {string} name
 */
function newerThanOurNode(name) {
  const { engines, dependencies = {} } = manifestOf(inRoot('packages', name));
  return Object.keys(dependencies).flatMap((dependency) => {
    const nested = inRoot('packages', name, 'node_modules', dependency);
    const found = existsSync(nested) ? nested : inRoot('node_modules', dependency);
    const needed = manifestOf(found).engines?.node ?? '*';
    return lowestVersion(needed) > lowestVersion(engines?.node ?? '*')
      ? [`packages/${name} depends on ${dependency}, which needs Node ${needed}.`]
      : [];
  });
}

/** @param {string} folder of a package */
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * The lowest version that a range allows: major and minor in one number, to compare.
 * @param {string} range such as `^20.19.0 || >=22`
 */
const lowestVersion = (range) =>
  Math.min(
    ...range.split('||').map((part) => {
      const [, major = 0, minor = 0] = /(\d+)(?:\.(\d+))?/.exec(part) ?? [];
      return Number(major) * 1000 + Number(minor);
    }),
  );

/** @param {string} folder @param {string} name of a document */
const brokenLinks = (folder, name) =>
  relativeLinks(readFileSync(join(folder, name), 'utf8'))
    .filter(
      (target) =>
        target.startsWith('..') ||
        !existsSync(join(folder, dirname(name), target.split('#')[0] ?? '')),
    )
    .map((target) => `${join(folder, name)} has a link to ${target}, which is not in the package.`);

/** Matches bundles of the sources of several packages, and of third parties. */
const BUNDLES = /(worker|disk|ignored-paths)\.js\.map$/;

/** @param {string} folder @param {string} name of a source map */
const sourceText = (folder, name) =>
  !BUNDLES.test(name) &&
  JSON.parse(readFileSync(join(folder, name), 'utf8')).sourcesContent?.some(Boolean)
    ? [`${join(folder, name)} has the text of sources, which are in the packages already.`]
    : [];

/**
 * Requires that a file with third-party code begins with the name of the file with its licences.
 * @param {string} folder
 * @param {string} name of a script
 */
function missingNotices(folder, name) {
  const head = readFileSync(join(folder, name), 'utf8').slice(0, 200);
  if (!head.includes(NOTICES_FILE)) return [];
  return existsSync(join(folder, 'dist', NOTICES_FILE))
    ? []
    : [`${join(folder, name)} names ${NOTICES_FILE}, which is not there.`];
}

/** @param {string} folder @param {string} name of a script */
const longStyles = (folder, name) =>
  [...readFileSync(join(folder, name), 'utf8').matchAll(/\bcss\s*`([^`]*)`/g)].some(([, text]) =>
    /\s\s|\\/.test((text ?? '').replaceAll('\\\\', '')),
  )
    ? [
        `${join(folder, name)} has a style sheet with its white space, or with an escape of its own.`,
      ]
    : [];

/** Each element is defined, exported and documented. */
function elementProblems() {
  const sources = inRoot('packages/elements/src');
  const read = (/** @type {string} */ path) => readFileSync(`${sources}/${path}`, 'utf8');
  const elements = elementsOf(elementsManifest());
  return [
    ...readdirSync(sources)
      .filter(
        (name) => name.startsWith('mcp-') && !elements.some(({ tagName }) => tagName === name),
      )
      .map((name) => `packages/elements/src/${name} has no class with "@element ${name}".`),
    ...elements.flatMap((element) => undocumented(element)),
    ...elements.flatMap(({ tagName, name }) => [
      ...(existsSync(`${sources}/define/${tagName}.ts`)
        ? []
        : [`src/define/${tagName}.ts does not exist.`]),
      ...(read('all.ts').includes(`./define/${tagName}.js`)
        ? []
        : [`all.ts of the elements does not define ${tagName}.`]),
      ...(new RegExp(`\\b${name}\\b`).test(read('classes.ts'))
        ? []
        : [`classes.ts of the elements does not export ${name}.`]),
    ]),
  ];
}

/** @param {import('../elements/manifest-types.mjs').Element} element */
function undocumented({ tagName, description, members = [], ...lists }) {
  const { attributes = [], events = [], slots = [], cssParts = [], cssProperties = [] } = lists;
  const all = [...members, ...attributes, ...events, ...slots, ...cssParts, ...cssProperties];
  const names = all.filter((one) => !one.description).map(({ name }) => name);
  if (!description) names.unshift('the element itself');
  return [...new Set(names)].map((name) => `<${tagName}> has no description of ${name}.`);
}

/**
 * The fields about the origin of the package in which a manifest differs from that of the root.
 * @param {string} name
 */
function wrongOrigin(name) {
  const manifest = manifestOf(inRoot('packages', name));
  return Object.entries(originFields(manifestOf(inRoot()), `packages/${name}`))
    .filter(([field, value]) => !isDeepStrictEqual(manifest[field], value))
    .map(([field, value]) => `packages/${name}: ${field} has to be ${JSON.stringify(value)}.`);
}

const folders = packageNames.map(stagedFolder);
const problems = [
  ...elementProblems(),
  ...folders.flatMap(packageProblems),
  ...packageNames.flatMap(newerThanOurNode),
  ...packageNames.flatMap(wrongOrigin),
];
for (const problem of problems)
  console.error(problem.replace(inRoot('node_modules/.cache/packages'), 'packages'));
process.exitCode = problems.length > 0 ? 1 : 0;
