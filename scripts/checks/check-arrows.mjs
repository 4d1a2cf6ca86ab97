// Fails when a package knows what it must not: in an import of its sources, in a dependency, in a
// project reference, or in a word. The rules, and their reasons, are in arrows.mjs. Circles of files are
// refused by oxlint (`import/no-cycle`).
import { readdirSync, readFileSync } from 'node:fs';
import { basename, posix, relative, resolve } from 'node:path';
import { demoRooms, rules } from './arrows.mjs';
import { importsOf, packageOf } from '../project/imports.mjs';
import { inRoot, root } from '../project/project.mjs';
import { sourceFiles } from '../project/source-files.mjs';

/**
 * @typedef {import('./arrows.mjs').PackageRule} PackageRule
 *
 * @typedef {object} Imported
 * @property {string} from the path of the source file, below the sources of its package
 * @property {string} specifier
 * @property {string | undefined} package that it comes from; undefined if it is the own one
 * @property {string} target the path of the file if it is of the own package, below its sources
 * @property {boolean} typeOnly
 */

const scope = '@inpage-mcp/';

/** @param {string} path */
const shown = (path) => relative(root, path).replaceAll('\\', '/');

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
const reason = (name, rule) => `${name} ${rule.knows}`;

// Imports

/**
 * Every import that a package's rule refuses.
 * @param {string} name
 * @param {PackageRule} rule
 */
function refusedImports(name, rule) {
  const src = `packages/${name}/src`;
  return sourceFiles(inRoot(src)).flatMap((file) => {
    const from = posix.relative(src, shown(file));
    const { rooms } = rule;
    const isLost = rooms && from.includes('/') && !(String(roomOf(from, rooms)) in rooms);
    const lost = isLost ? [`${shown(file)} is in no room of ${name}.`] : [];
    const refused = importsOf(file).flatMap(({ specifier, typeOnly, line }) => {
      const target = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
      const found = { from, specifier, package: packageOf(specifier), target, typeOnly };
      return problemsWith(found, name, rule).map(
        (problem) => `${shown(file)}:${line} imports ${specifier}, but ${problem}.`,
      );
    });
    return [...lost, ...refused];
  });
}

/**
 * @param {Imported} found
 * @param {string} name
 * @param {PackageRule} rule
 */
function problemsWith(found, name, rule) {
  if (found.package !== undefined) return packageProblems(found, name, rule);
  // Documents are created by the build, and import nothing.
  if (found.target.endsWith('.html')) return [];
  if (found.target.startsWith('../')) return [`${name} reaches other packages only by their names`];
  return [...frozenProblems(found, rule), ...roomProblems(found, rule)];
}

/**
 * @param {Imported} found
 * @param {string} name
 * @param {PackageRule} rule
 */
function packageProblems({ from, specifier, package: imported, typeOnly }, name, rule) {
  if (rule.runsInNode && specifier.startsWith('node:')) return [];
  const arrow = rule.mayImport[String(imported)];
  if (!arrow) return [reason(name, rule)];
  const isTypesOnly = arrow.isTypesOnly && !arrow.valuesIn?.includes(from);
  return isTypesOnly && !typeOnly
    ? [`${name} may import only its types (import type): ${reason(name, rule)}`]
    : [];
}

/**
 * The problems of an import in frozen code, which must not change together with other code.
 * @param {Imported} found
 * @param {PackageRule} rule
 */
function frozenProblems({ from, target, typeOnly }, { frozen }) {
  if (!frozen || typeOnly || target.startsWith(frozen.folder)) return [];
  const isFrozen = frozen.sources.some((source) =>
    source.endsWith('/') ? from.startsWith(source) : from === source,
  );
  return isFrozen ? [`only ${frozen.folder} may be: ${frozen.why}`] : [];
}

/**
 * The problems of an import by a room, which must not know the rooms after it.
 * @param {Pick<Imported, 'from' | 'target'>} found
 * @param {Pick<PackageRule, 'rooms'>} rule
 */
function roomProblems({ from, target }, { rooms }) {
  if (!rooms) return [];
  const room = roomOf(from, rooms);
  if (room === undefined) return [];
  const other = roomOf(target, rooms);
  if (other === undefined) return [`${target} joins the rooms`];
  const order = Object.keys(rooms);
  return order.indexOf(other) <= order.indexOf(room) ? [] : [`${other} comes after ${room}`];
}

/** The refused imports of the demo. */
const refusedInDemo = () =>
  sourceFiles(inRoot('demo/src')).flatMap((file) => {
    const from = posix.relative('demo/src', shown(file));
    return importsOf(file).flatMap(({ specifier, line }) => {
      const target = posix.join(posix.dirname(from), specifier);
      if (packageOf(specifier) !== undefined || target.startsWith('../')) return [];
      return roomProblems({ from, target }, { rooms: demoRooms }).map(
        (problem) => `${shown(file)}:${line} imports ${specifier}, but ${problem}.`,
      );
    });
  });

/**
 * The room that a file is in; the innermost one, if rooms contain each other. A folder that is not a room
 * counts, too; a file outside all folders is in no room.
 * @param {string} path
 * @param {Record<string, string>} rooms
 */
function roomOf(path, rooms) {
  const folders = path.split('/').slice(0, -1);
  const paths = folders.map((_, index) => folders.slice(0, index + 1).join('/'));
  return paths.findLast((one) => one in rooms) ?? paths[0];
}

// Dependencies

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
function refusedDependencies(name, rule) {
  const file = inRoot('packages', name, 'package.json');
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = readJson(file);
  const all = { ...dependencies, ...peerDependencies, ...optionalDependencies, ...devDependencies };
  return Object.keys(all)
    .filter((dependency) => !(dependency in rule.mayImport))
    .map((dependency) => `${shown(file)} depends on ${dependency}, but ${reason(name, rule)}.`);
}

// Project references

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
function wrongReferences(name, rule) {
  const folder = inRoot('packages', name);
  const configs = readdirSync(folder).filter((file) => /^tsconfig.*\.json$/.test(file));
  const referenced = new Set(configs.flatMap((config) => referencesOf(resolve(folder, config))));
  const allowed = Object.keys(rule.mayImport).filter((target) => target.startsWith(scope));
  const missing = allowed.filter((target) => !referenced.has(target));
  // A project may reference another of its own package.
  const own = `${scope}.`;
  const refused = [...referenced].filter((target) => target !== own && !allowed.includes(target));
  const where = `packages/${name}/tsconfig.json`;
  return [
    ...missing.map((target) => `${where} does not reference ${target}, which ${name} may import.`),
    ...refused.map((target) => `${where} references ${target}, but ${reason(name, rule)}.`),
  ];
}

/**
 * The packages that a tsconfig references, by name.
 * @param {string} file
 */
function referencesOf(file) {
  /** @type {{ path: string }[]} */
  const references = readJson(file).references ?? [];
  return references.map(({ path }) => `${scope}${basename(path)}`);
}

// Words

/**
 * @param {string} name
 * @param {PackageRule} rule
 */
function refusedWords(name, { neverSays }) {
  if (!neverSays) return [];
  const { words, butNot, why } = neverSays;
  return sourceFiles(inRoot('packages', name, 'src')).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const said = wordsIn(line.replaceAll(butNot, '')).find((word) => words.includes(word));
        return said
          ? [`${shown(file)}:${index + 1} says "${said}", but ${name} never does: ${why}.`]
          : [];
      }),
  );
}

/**
 * The words of a line in lower case, those inside camelCase and MIXEDCase names too.
 * @param {string} line
 */
const wordsIn = (line) =>
  (line.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());

/**
 * Parses JSON that may have whole lines of comments, as a tsconfig has.
 * @param {string} file
 */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));

/** The packages that have no rule yet. */
function packagesWithoutRule() {
  const folders = readdirSync(inRoot('packages'), { withFileTypes: true });
  return folders
    .filter((folder) => folder.isDirectory() && !(folder.name in rules))
    .map(({ name }) => `packages/${name} has no rule in scripts/checks/arrows.mjs.`);
}

const problems = Object.entries(rules).flatMap(([name, rule]) => [
  ...refusedImports(name, rule),
  ...refusedDependencies(name, rule),
  ...wrongReferences(name, rule),
  ...refusedWords(name, rule),
]);
problems.push(...packagesWithoutRule(), ...refusedInDemo());
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
